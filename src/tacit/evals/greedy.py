"""A model that notes everything it sees: the worst that can read a conversation."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+")
_SPEAKER = re.compile(r"^(?:User \([\d-]+\)|Assistant): ")


@contextmanager
def greedy_model() -> Iterator[str]:
    """The address of an OpenAI-compatible server on this machine, for as long as the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Greedy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


class _Greedy(BaseHTTPRequestHandler):
    """Answers with every sentence of the prompt, each said to be sure and to be a fact."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        prompt = json.loads(self.rfile.read(length))["messages"][-1]["content"]
        noted = json.dumps({"memories": [_note(each) for each in _sentences(prompt)]})
        body = json.dumps({"choices": [{"message": {"content": noted}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _sentences(prompt: str) -> list[str]:
    found = (_SPEAKER.sub("", each).strip() for each in _SENTENCES.split(prompt))
    return [each for each in found if each]


def _note(sentence: str) -> dict[str, Any]:
    return {
        "content": sentence,
        "type": "fact",
        "scope": "user",
        "key": None,
        "confidence": 0.99,
        "expires": None,
        "quote": sentence,
    }
