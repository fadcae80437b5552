"""A server that does what a test tells it: cut the line, be busy, talk nonsense, be slow."""

import json
import socket
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2


@dataclass(frozen=True)
class Heard:
    """A request that arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Answer:
    """What is sent back; None as the status cuts the line instead."""

    status: int | None = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


def cut():
    return Answer(status=None)


def problem(code, status, detail="no", **headers):
    told = {"type": f"urn:tacit:problem:{code}", "title": code, "status": status, "detail": detail}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, json.dumps(told).encode(), named)


def said(value, status=200):
    return Answer(status, json.dumps(value).encode())


@dataclass
class Server:
    """Where it is, what it heard, and what it will answer: the last answer goes on for ever."""

    url: str = ""
    heard: list[Heard] = field(default_factory=list)
    answers: list = field(default_factory=list)

    def answer(self, request):
        self.heard.append(request)
        chosen = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return chosen(request) if callable(chosen) else chosen


@contextmanager
def misbehaving(*answers):
    """A server that gives these answers in turn; an answer may be a function of the request."""
    told = Server(answers=list(answers))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            answer = told.answer(Heard(self.command, self.path, dict(self.headers), body))
            if answer.status is None:
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
                return
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        do_GET = do_POST = do_PATCH = do_DELETE = _serve  # noqa: N815

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    told.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def forwarded(url, then=None):
    """An answer that a real server gives; `then` is sent instead of it."""

    def answer(request):
        names = ("Content-Type", "Idempotency-Key", "Authorization", "Tacit-Workspace")
        headers = {name: request.headers[name] for name in names if name in request.headers}
        came = httpx2.request(
            request.method, url + request.path, content=request.body, headers=headers
        )
        return then or Answer(came.status_code, came.content)

    return answer


def nobody():
    """An address where nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"
