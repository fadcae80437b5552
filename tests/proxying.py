"""A proxy for tests: a provider on loopback that says what it is told to, and Tacit before it."""

import json
import socket
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import uvicorn
from starlette.types import Receive, Scope, Send

from tacit import FakeEmbedder, Tacit
from tacit.api.configuration import live_configuration
from tacit.proxy.app import OWN_PAGES, ProxyApp, ProxyOptions
from tacit.runtime.addresses import AllowedHosts
from tacit.server.jobs import Jobs
from tacit.server.service import Service
from tests.applications import application

# The provider


@dataclass(frozen=True)
class Received:
    """A request as it came to the provider."""

    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Answer:
    """A response: its pieces, sent one by one; one that breaks ends without an end.

    `holds` is waited for before anything is sent, `waits` before the last piece.
    """

    body: bytes | list[bytes] = b"{}"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    breaks: bool = False
    waits: threading.Event | None = None
    holds: threading.Event | None = None

    @property
    def pieces(self) -> list[bytes]:
        return self.body if isinstance(self.body, list) else [self.body]

    @property
    def is_stream(self) -> bool:
        return isinstance(self.body, list)


class FakeProvider:
    """A provider on loopback: answers that are queued, else a reply in the API's own form."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.answers: deque[Answer] = deque()
        self.reply = "Understood."
        self.url = ""

    def say(self, *answers: Answer) -> None:
        self.answers.extend(answers)

    @property
    def last(self) -> Received:
        return self.received[-1]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return  # who sent it is gone
            body += message.get("body", b"")
            more = message.get("more_body", False)
        headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"]}
        query = scope["query_string"].decode()
        asked = Received(scope["method"], scope["path"], query, headers, body)
        self.received.append(asked)
        answer = self.answers.popleft() if self.answers else usual_answer(asked, self.reply)
        await _send_answer(answer, send)


async def _send_answer(answer: Answer, send: Send) -> None:
    import anyio

    kind = "text/event-stream" if answer.is_stream else "application/json"
    headers = {"content-type": kind, **answer.headers}
    if not answer.is_stream and not answer.breaks:
        headers["content-length"] = str(len(answer.pieces[0]))
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    if answer.holds is not None:
        await anyio.to_thread.run_sync(answer.holds.wait, 30)
    await send({"type": "http.response.start", "status": answer.status, "headers": raw})
    for place, piece in enumerate(answer.pieces):
        if answer.waits is not None and place == len(answer.pieces) - 1:
            await anyio.to_thread.run_sync(answer.waits.wait, 30)
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    if not answer.breaks:
        await send({"type": "http.response.body", "body": b""})


def usual_answer(asked: Received, text: str) -> Answer:
    """What the API that was asked would say."""
    try:
        body = asked.json
    except ValueError:
        body = {}
    if asked.path.endswith("/chat/completions"):
        return chat_answer(text, stream=body.get("stream", False))
    if asked.path.endswith("/messages"):
        return messages_answer(text, stream=body.get("stream", False))
    if asked.path.endswith("/responses"):
        return responses_answer(text, stream=body.get("stream", False))
    if asked.path.endswith(("/count_tokens", "/input_tokens")):
        return Answer(json.dumps({"input_tokens": 42}).encode())
    return Answer(json.dumps({"path": asked.path, "object": "list", "data": []}).encode())


def _events(*data: Any, named: bool = False) -> list[bytes]:
    return [
        (f"event: {each['type']}\n" if named else "").encode()
        + b"data: "
        + json.dumps(each).encode()
        + b"\n\n"
        for each in data
    ]


def _split_call(call: Any) -> tuple[str, str, dict[str, Any]]:
    """A call of a tool: its id, the tool's name and, if there are any, its arguments."""
    id, name, *arguments = call
    return id, name, (arguments[0] if arguments else {})


def chat_answer(text: str = "", *, calls: Any = (), stream: bool = False) -> Answer:
    """A chat completion; `calls` have an id, the name of a tool and perhaps arguments."""
    tools = [
        {
            "id": id,
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for id, name, arguments in map(_split_call, calls)
    ]
    reason = "tool_calls" if tools else "stop"
    usage = {
        "prompt_tokens": 20,
        "completion_tokens": 3,
        "total_tokens": 23,
        "prompt_tokens_details": {"cached_tokens": 12},
    }
    shared = {"id": "chatcmpl-1", "created": 1, "model": "fake"}
    if not stream:
        message = {"role": "assistant", "content": text or None}
        message |= {"tool_calls": tools} if tools else {}
        choice = {"index": 0, "message": message, "finish_reason": reason, "logprobs": None}
        whole = {**shared, "object": "chat.completion", "choices": [choice], "usage": usage}
        return Answer(json.dumps(whole).encode())
    shared["object"] = "chat.completion.chunk"

    def chunk(delta: Any, reason: str | None = None) -> Any:
        return {**shared, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}

    words = [chunk({"content": each}) for each in _pieces(text)]
    called = [chunk({"tool_calls": [{"index": n, **each}]}) for n, each in enumerate(tools)]
    counted = {**shared, "choices": [], "usage": usage}
    said = [chunk({"role": "assistant", "content": ""}), *words, *called, chunk({}, reason)]
    return Answer([*_events(*said, counted), b"data: [DONE]\n\n"])


def messages_answer(
    text: str = "", *, calls: Any = (), stream: bool = False, thinking: str = ""
) -> Answer:
    """A message of Anthropic's API; `calls` have an id, the name of a tool and perhaps arguments.

    What it was `thinking` stands before, with a signature.
    """
    tools = [
        {"type": "tool_use", "id": id, "name": name, "input": arguments}
        for id, name, arguments in map(_split_call, calls)
    ]
    thought = {"type": "thinking", "thinking": thinking, "signature": THOUGHT_SIGNATURE}
    parts = [
        *([thought] if thinking else []),
        *([{"type": "text", "text": text}] if text else []),
        *tools,
    ]
    reason = "tool_use" if tools else "end_turn"
    usage = {"input_tokens": 5, "cache_read_input_tokens": 15, "output_tokens": 3}
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "fake",
        "content": parts,
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": usage,
    }
    if not stream:
        return Answer(json.dumps(message).encode())
    begun = {**message, "content": [], "stop_reason": None}
    events: list[Any] = [{"type": "message_start", "message": begun}]
    for index, part in enumerate(parts):
        at = {"index": index}
        opened, deltas = _part_deltas(part)
        events.append({"type": "content_block_start", **at, "content_block": opened})
        events += [{"type": "content_block_delta", **at, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", **at})
    delta = {"stop_reason": reason, "stop_sequence": None}
    events.append({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 3}})
    events.append({"type": "message_stop"})
    return Answer(_events(*events, named=True))


THOUGHT_SIGNATURE = "c2lnbmVkIGJ5IHRoZSBwcm92aWRlcg=="


def _part_deltas(part: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """How a stream begins a part, and what it then adds to it."""
    if part["type"] == "text":
        return {**part, "text": ""}, [
            {"type": "text_delta", "text": each} for each in _pieces(part["text"])
        ]
    if part["type"] == "thinking":
        said = [{"type": "thinking_delta", "thinking": each} for each in _pieces(part["thinking"])]
        signed = {"type": "signature_delta", "signature": part["signature"]}
        return {**part, "thinking": "", "signature": ""}, [*said, signed]
    arguments = json.dumps(part["input"])
    halves = (arguments[:3], arguments[3:]) if part["input"] else ()
    return {**part, "input": {}}, [
        {"type": "input_json_delta", "partial_json": each} for each in halves
    ]


def responses_answer(
    text: str = "",
    *,
    calls: Any = (),
    stream: bool = False,
    id: str = "resp_1",
    thinking: str = "",
) -> Answer:
    """A response of OpenAI's newer API.

    `calls` have an id, the name of a tool and perhaps arguments; what the model was `thinking`
    stands before, encrypted.
    """
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    spoken = {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }
    called = [
        {
            "type": "function_call",
            "id": f"fc_{call}",
            "call_id": call,
            "name": name,
            "arguments": json.dumps(arguments),
            "status": "completed",
        }
        for call, name, arguments in map(_split_call, calls)
    ]
    thought = {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": thinking}],
        "encrypted_content": THOUGHT_SIGNATURE,
    }
    response = {
        "id": id,
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "fake",
        "output": [*([thought] if thinking else []), *([spoken] if text else []), *called],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 20,
            "input_tokens_details": {"cached_tokens": 12, "cache_write_tokens": 0},
            "output_tokens": 3,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 23,
        },
    }
    if not stream:
        return Answer(json.dumps(response).encode())
    begun = {**response, "output": [], "status": "in_progress", "usage": None}
    events: list[Any] = [{"type": "response.created", "sequence_number": 0, "response": begun}]
    for index, item in enumerate(response["output"]):
        events += _item_events(item, {"output_index": index})
    events.append({"type": "response.completed", "response": response})
    numbered = [{**each, "sequence_number": n} for n, each in enumerate(events)]
    return Answer(_events(*numbered, named=True))


def _item_events(item: dict[str, Any], at: dict[str, Any]) -> list[dict[str, Any]]:
    """The events in which a stream tells one item."""
    done = {"type": "response.output_item.done", **at, "item": item}
    opened = {**item, "status": "in_progress"}
    of = {"item_id": item["id"], **at}
    if item["type"] == "message":
        (part,) = item["content"]
        inside = {**of, "content_index": 0}
        told = [
            {"type": "response.content_part.added", **inside, "part": {**part, "text": ""}},
            *(
                {"type": "response.output_text.delta", **inside, "delta": each, "logprobs": []}
                for each in _pieces(part["text"])
            ),
            {
                "type": "response.output_text.done",
                **inside,
                "text": part["text"],
                "logprobs": [],
            },
            {"type": "response.content_part.done", **inside, "part": part},
        ]
        opened |= {"content": []}
    elif item["type"] == "function_call":
        arguments = {"type": "response.function_call_arguments.delta", **of}
        told = [
            {**arguments, "delta": item["arguments"]},
            {**arguments, "type": "response.function_call_arguments.done"}
            | {"arguments": item["arguments"], "name": item["name"]},
        ]
        opened |= {"arguments": ""}
    else:
        told = []
    return [{"type": "response.output_item.added", **at, "item": opened}, *told, done]


def _pieces(text: str) -> list[str]:
    words = text.split(" ")
    return [f" {word}" if n else word for n, word in enumerate(words)] if text else []


# The proxy before it


@dataclass
class Proxied:
    """A proxy in this process: where it is, its memory, and the provider behind it."""

    url: str
    tacit: Tacit
    service: Service
    provider: FakeProvider
    app: ProxyApp

    def client(self, **headers: str) -> httpx2.Client:
        return httpx2.Client(base_url=self.url, timeout=60, headers=headers, trust_env=False)

    def chat(self, messages: Any, *, path: str = "/openai", stream: bool = False, **more: Any):
        """Send chat messages; further arguments beside `headers` are fields of the body."""
        headers = more.pop("headers", {})
        body = {
            "model": "fake",
            "messages": messages,
            **({"stream": True} if stream else {}),
            **more,
        }
        with self.client(**headers) as client:
            return client.post(f"{path}/v1/chat/completions", json=body)

    def messages(self, messages: Any, *, path: str = "/anthropic", **more: Any):
        headers = {"anthropic-version": "2023-06-01", **more.pop("headers", {})}
        body = {"model": "fake", "max_tokens": 100, "messages": messages, **more}
        with self.client(**headers) as client:
            return client.post(f"{path}/v1/messages", json=body)

    def responses(self, items: Any, *, path: str = "/openai", **more: Any):
        headers = more.pop("headers", {})
        with self.client(**headers) as client:
            return client.post(
                f"{path}/v1/responses", json={"model": "fake", "input": items, **more}
            )

    def settle(self) -> None:
        """Wait until the turns of the responses so far have ended."""
        deadline = time.monotonic() + 30
        while not self.app._proxy.is_idle and time.monotonic() < deadline:
            time.sleep(0.005)


class _Server(uvicorn.Server):
    def install_signal_handlers(self) -> None:
        """A test's server runs on a thread."""


@contextmanager
def listening(app: Any) -> Iterator[str]:
    """An application that listens on loopback, on a thread."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(512)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, server_header=False, lifespan="on"
    )
    server = _Server(config)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.002)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
        listener.close()


class _WithLifespan:
    """The provider, which has nothing to begin or to end."""

    def __init__(self, provider: FakeProvider) -> None:
        self._provider = provider

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            for kind in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{kind}.complete"})
            return
        await self._provider(scope, receive, send)


@contextmanager
def provider_on_loopback() -> Iterator[FakeProvider]:
    """A provider, and its address in `url`."""
    provider = FakeProvider()
    with listening(_WithLifespan(provider)) as url:
        provider.url = url
        yield provider


@contextmanager
def proxied(
    store: Any = ":memory:",
    *,
    single: bool = False,
    embedder: Any = None,
    is_exposed: bool = False,
    settings: str = "",
    tmp_path: Any = None,
    **options: Any,
) -> Iterator[Proxied]:
    """A proxy for a provider on loopback; `single` serves it at the root, as `tacit proxy` does.

    `settings` is more text for the file of settings, for which `tmp_path` is needed.
    """
    with provider_on_loopback() as provider:
        upstreams = f'openai_upstream = "{provider.url}"\nanthropic_upstream = "{provider.url}"\n'
        live = live_configuration(None)
        if tmp_path is not None:
            file = tmp_path / "tacit.toml"
            file.write_text(f"[proxy]\n{upstreams}{settings}\n")
            live = live_configuration(file)
        tacit = Tacit.open(store, embedder=embedder or FakeEmbedder(), config=live)
        service = Service(
            tacit, live, jobs=Jobs(tacit._context.shared.worker), is_exposed=is_exposed
        )
        api = application(service)
        serves = ProxyOptions(upstream=provider.url if single else None, **options)
        app = ProxyApp(api, api, service, AllowedHosts(()), serves)
        with listening(app) as url:
            yield Proxied(url, tacit, service, provider, app)
        live.close()
        tacit.close()


def pages_of(url: str) -> str:
    """Where the API is beside a single provider."""
    return f"{url}{OWN_PAGES}"
