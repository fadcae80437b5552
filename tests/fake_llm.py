"""A language model on loopback: it answers as a test tells it, and knows what it was asked."""

import http.server
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

_PATIENCE = 30.0
_SPEAKER = re.compile(r"^(?:User \([^)]*\)|Assistant): ")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")


@dataclass(frozen=True)
class Asked:
    """One request, as it came in."""

    path: str
    key: str | None
    body: Mapping[str, Any]

    @property
    def messages(self) -> list[dict[str, str]]:
        return self.body["messages"]

    @property
    def prompt(self) -> str:
        """All that was sent as the user's."""
        return "\n".join(each["content"] for each in self.messages if each["role"] == "user")


@dataclass(frozen=True)
class Reply:
    """An answer that is no plain text of a model: a status, and a document or bytes."""

    status: int = 200
    body: Any = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


Answering = Callable[[Asked], str | Reply]


class FakeLLM(http.server.ThreadingHTTPServer):
    """Speaks /v1/chat/completions; `answer` and `tokens` may be changed at any time.

    `tokens` is what it tells as usage; without it, it tells nothing.
    """

    daemon_threads = True

    def __init__(self, answer: Answering, tokens: int | None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler, bind_and_activate=False)
        self.server_bind()
        self.answer = answer
        self.tokens = tokens
        self.asked: list[Asked] = []
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        self._news = threading.Condition()
        self._gate = threading.Event()
        self._gate.set()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Be there; until then connections are refused."""
        self.server_activate()
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def stop(self) -> None:
        """Answer who still waits, and be gone."""
        self.release()
        if self._thread is not None:
            self.shutdown()
            self._thread.join()
        self.server_close()

    def hold(self) -> None:
        """Take questions and give no answers, until `release`."""
        self._gate.clear()

    def release(self) -> None:
        """Answer, also what was asked meanwhile."""
        self._gate.set()

    def wait_until_asked(self, times: int = 1) -> None:
        """Return once so many requests have come."""
        with self._news:
            assert self._news.wait_for(lambda: len(self.asked) >= times, _PATIENCE)

    def take(self, asked: Asked) -> Reply:
        """Note a request and answer it, as soon as the gate is open."""
        with self._news:
            self.asked.append(asked)
            self._news.notify_all()
        self._gate.wait()
        told = self.answer(asked)
        return told if isinstance(told, Reply) else self._completion(told)

    def handle_error(self, request, client_address):
        """Say nothing of those who hang up."""

    def _completion(self, text: str) -> Reply:
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        body: dict[str, Any] = {"object": "chat.completion", "choices": [choice]}
        if self.tokens is not None:
            body["usage"] = {"total_tokens": self.tokens}
        return Reply(body=body)


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        reply = self.server.take(Asked(self.path, self.headers["authorization"], body))
        document = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        self.send_response(reply.status)
        for name, value in {"Content-Length": str(len(document)), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(document)

    def log_message(self, *arguments):
        pass


@contextmanager
def fake_llm(
    answer: Answering | str = '{"memories": []}', *, tokens: int | None = 120, is_up: bool = True
) -> Iterator[FakeLLM]:
    """A model that answers by a function, or always the same."""
    respond = answer if callable(answer) else lambda _: answer
    server = FakeLLM(respond, tokens)
    try:
        if is_up:
            server.start()
        yield server
    finally:
        server.stop()


def note(content: str, quote: str | None = None, **fields: Any) -> dict[str, Any]:
    """A statement as the schema wants it; by default its words but the last are the quote."""
    return {
        "content": content,
        "type": "fact",
        "scope": "user",
        "key": None,
        "confidence": 0.95,
        "expires": None,
        "quote": content.rpartition(" ")[0] or content if quote is None else quote,
        **fields,
    }


def notes(*found: Mapping[str, Any]) -> str:
    """The answer of a model that found these."""
    return json.dumps({"memories": list(found)})


def everything(asked: Asked) -> str:
    """Answer like a model that takes each sentence it sees for a fact, whoever said it."""
    lines = [_SPEAKER.sub("", line) for line in asked.prompt.splitlines()]
    sentences = [each.strip() for line in lines for each in _SENTENCE_END.split(line)]
    return notes(*(note(sentence) for sentence in dict.fromkeys(sentences) if sentence))
