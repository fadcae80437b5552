// Talks to a model with the Vercel AI SDK, and prints what the SDK returned.
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, stepCountIs, streamText, tool } from 'ai'
import { z } from 'zod'

const [api, base, question, next] = process.argv.slice(2)
const headers = process.env.NAMES ? JSON.parse(process.env.NAMES) : {}
const openai = createOpenAI({ baseURL: `${base.replace('PROVIDER', 'openai')}/v1`, apiKey: 'sk-test', headers })
const anthropic = createAnthropic({
  baseURL: `${base.replace('PROVIDER', 'anthropic')}/v1`,
  apiKey: 'sk-test',
  headers,
})
const model = {
  chat: () => openai.chat('gpt-5.1'),
  responses: () => openai.responses('gpt-5.1'),
  messages: () => anthropic('claude-sonnet-4-5'),
}[api]()

const tools = {
  look: tool({
    description: 'Look at a place.',
    inputSchema: z.object({ place: z.string() }),
    execute: async ({ place }) => `nothing at ${place}`,
  }),
}
const returned = []
const messages = [{ role: 'user', content: question }]

const whole = await generateText({ model, messages, tools, stopWhen: stepCountIs(3), maxRetries: 0 })
returned.push(whole.text, whole.steps.map((step) => [step.finishReason, step.toolCalls, step.usage]))
messages.push(...whole.steps.flatMap((step) => step.response.messages), { role: 'user', content: next })

const stream = streamText({ model, messages, tools, maxRetries: 0 })
for await (const part of stream.fullStream) {
  returned.push([part.type, part.text ?? part.delta ?? null])
}
returned.push(await stream.text, await stream.usage)
console.log(JSON.stringify(returned))
