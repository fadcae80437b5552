"""Messages as callers hold them: OpenAI's shape, Anthropic's, SDK objects, and our own."""
