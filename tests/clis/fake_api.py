"""The model behind the clients: one small server that speaks all three protocols."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import uuid4


@dataclass(frozen=True)
class Recorded:
    """A request as the client sent it."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def text(self) -> str:
        """Everything in the body, to look for words in."""
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def asked(self) -> str:
        """What the last message of the user says; nothing where a tool has answered."""
        key = next((key for key in ("messages", "input", "contents") if key in self.body), None)
        turns = [turn for turn in self.body.get(key, ()) if _is_user(turn)]
        return _words(turns[-1]) if turns else ""

    @property
    def offers_tools(self) -> bool:
        """Whether the model may call tools, so that this is the agent and no helper."""
        return bool(self.body.get("tools"))


def _is_user(turn: dict[str, Any]) -> bool:
    return turn.get("role") == "user" or turn.get("type") == "function_call_output"


def _words(turn: dict[str, Any]) -> str:
    content = turn.get("content", turn.get("parts"))
    if not isinstance(content, list):
        return str(content or "")
    if any(part.get("type") == "tool_result" or "functionResponse" in part for part in content):
        return ""
    return "\n".join(part.get("text") or "" for part in content)


@dataclass(frozen=True)
class Answer:
    """What the model says, or the tool that it calls."""

    text: str = "Understood."
    tool: tuple[str, dict[str, Any]] | None = None
    tokens: int = 100


class Overloaded(Exception):
    """Raised instead of an answer: the request is refused for now."""


def plain(request: Recorded) -> Answer:
    """The model that has nothing to say."""
    return Answer()


@dataclass
class FakeApi:
    """A model on loopback, and what it was asked."""

    answer: Callable[[Recorded], Answer] = plain
    requests: list[Recorded] = field(default_factory=list)
    replies: list[bytes] = field(default_factory=list)

    def __enter__(self) -> "FakeApi":
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def asked(self, words: str) -> list[Recorded]:
        """The agent's requests whose last message has these words."""
        return [one for one in self.requests if one.offers_tools and words in one.asked]


def _handler_for(api: FakeApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Nothing on the terminal."""

        def do_HEAD(self) -> None:
            self._send(200, "application/json", b"")

        def do_GET(self) -> None:
            if self.headers.get("upgrade"):
                self._send(426, "application/json", b"{}")
            else:
                self._send(200, "application/json", b'{"data": [], "models": []}')

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            try:
                body = json.loads(self.rfile.read(length) or b"{}")
            except ValueError:
                body = {}
            request = Recorded(self.path, body, {k.lower(): v for k, v in self.headers.items()})
            api.requests.append(request)
            try:
                status, (kind, content) = 200, _reply(request, api.answer)
            except Overloaded:
                told = {"type": "overloaded_error", "message": "Overloaded"}
                status, (kind, content) = 529, _json({"type": "error", "error": told})
            api.replies.append(content)
            self._send(status, kind, content)

        def _send(self, status: int, kind: str, content: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    return Handler


def _reply(request: Recorded, answer: Callable[[Recorded], Answer]) -> tuple[str, bytes]:
    path = request.path
    if "count_tokens" in path:
        return _json({"input_tokens": 100})
    if "countTokens" in path:
        return _json({"totalTokens": 100})
    if "/v1/messages" in path:
        message = _message(answer(request), str(request.body.get("model")))
        return _stream(_message_events(message)) if request.body.get("stream") else _json(message)
    if path.split("?")[0].endswith("/responses"):
        events = list(_response_events(answer(request)))
        whole = events[-1][1]["response"]
        return _stream(iter(events)) if request.body.get("stream") else _json(whole)
    if path.split("?")[0].endswith("/chat/completions"):
        found = answer(request)
        return _stream(_chat_events(found)) if request.body.get("stream") else _json(_chat(found))
    if "GenerateContent" in path or "generateContent" in path:
        content = _generated(answer(request), request)
        return _stream(iter([(None, content)])) if "stream" in path else _json(content)
    return _json({})


def _new(kind: str) -> str:
    return f"{kind}_{uuid4().hex}"


def _json(value: object) -> tuple[str, bytes]:
    return "application/json", json.dumps(value).encode()


def _stream(events: Iterator[tuple[str | None, dict[str, Any]]]) -> tuple[str, bytes]:
    parts = []
    for name, data in events:
        head = f"event: {name}\n" if name else ""
        parts.append(f"{head}data: {json.dumps(data)}\n\n")
    return "text/event-stream", "".join(parts).encode()


def _chat(answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text or None}
    if answer.tool:
        name, arguments = answer.tool
        function = {"name": name, "arguments": json.dumps(arguments)}
        message["tool_calls"] = [{"id": _new("call"), "type": "function", "function": function}]
    reason = "tool_calls" if answer.tool else "stop"
    usage = {"prompt_tokens": answer.tokens, "completion_tokens": 10, "total_tokens": 110}
    choice = {"index": 0, "message": message, "finish_reason": reason}
    about = {"id": _new("chatcmpl"), "object": "chat.completion", "created": 1, "model": "fake"}
    return {**about, "choices": [choice], "usage": usage}


def _chat_events(answer: Answer) -> Iterator[tuple[None, dict[str, Any]]]:
    whole = _chat(answer)
    (choice,) = whole.pop("choices")
    usage, delta = whole.pop("usage"), dict(choice["message"])
    if "tool_calls" in delta:
        delta["tool_calls"] = [{"index": 0, **each} for each in delta["tool_calls"]]
    whole["object"] = "chat.completion.chunk"
    yield None, {**whole, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    reason = choice["finish_reason"]
    yield None, {**whole, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}
    yield None, {**whole, "choices": [], "usage": usage}


def _message(answer: Answer, model: str) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if answer.text:
        content.append({"type": "text", "text": answer.text})
    if answer.tool:
        name, arguments = answer.tool
        content.append({"type": "tool_use", "id": _new("toolu"), "name": name, "input": arguments})
    return {
        "id": _new("msg"),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": "tool_use" if answer.tool else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": answer.tokens, "output_tokens": 10},
    }


def _message_events(message: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    empty = message | {"content": [], "stop_reason": None}
    yield "message_start", {"type": "message_start", "message": empty}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            start, delta = (
                block | {"text": ""},
                {"type": "text_delta", "text": block["text"]},
            )
        else:
            start, delta = (
                block | {"input": {}},
                {"type": "input_json_delta", "partial_json": json.dumps(block["input"])},
            )
        named = {"index": index}
        yield (
            "content_block_start",
            {"type": "content_block_start", **named, "content_block": start},
        )
        yield "content_block_delta", {"type": "content_block_delta", **named, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", **named}
    yield (
        "message_delta",
        {
            "type": "message_delta",
            "delta": {"stop_reason": message["stop_reason"], "stop_sequence": None},
            "usage": message["usage"],
        },
    )
    yield "message_stop", {"type": "message_stop"}


def _response_events(answer: Answer) -> Iterator[tuple[str, dict[str, Any]]]:
    items: list[dict[str, Any]] = []
    if answer.text:
        said = [{"type": "output_text", "text": answer.text, "annotations": []}]
        items.append({"type": "message", "id": _new("msg"), "role": "assistant", "content": said})
    if answer.tool:
        name, arguments = answer.tool
        space, _, short = name.rpartition(".")
        items.append(
            ({"namespace": space} if space else {})
            | {
                "type": "function_call",
                "id": _new("fc"),
                "call_id": _new("call"),
                "name": short,
                "arguments": json.dumps(arguments),
            }
        )
    response = {"id": _new("resp"), "object": "response", "status": "in_progress", "output": []}
    yield "response.created", {"type": "response.created", "response": response}
    for index, item in enumerate(items):
        yield (
            "response.output_item.done",
            {"type": "response.output_item.done", "output_index": index, "item": item},
        )
    usage = {
        "input_tokens": answer.tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 10,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": answer.tokens + 10,
    }
    done = response | {"status": "completed", "output": items, "usage": usage}
    yield "response.completed", {"type": "response.completed", "response": done}


def _generated(answer: Answer, request: Recorded) -> dict[str, Any]:
    wants_json = request.body.get("generationConfig", {}).get("responseMimeType")
    parts: list[dict[str, Any]] = []
    if answer.text:
        parts.append({"text": answer.text})
    if answer.tool and not wants_json:
        name, arguments = answer.tool
        parts.append({"functionCall": {"name": name, "args": arguments}})
    return {
        "candidates": [
            {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
        ],
        "usageMetadata": {
            "promptTokenCount": answer.tokens,
            "candidatesTokenCount": 10,
            "totalTokenCount": answer.tokens + 10,
        },
        "modelVersion": "fake",
    }
