"""What passes between a client and a proxy: a server that forwards all and keeps a copy."""

import http.client
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

_OF_A_CONNECTION = {"transfer-encoding", "content-length", "connection", "keep-alive"}


@dataclass(frozen=True)
class Exchanged:
    """A request as the client sent it, and the response as it came back."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    status: int
    told: dict[str, str]
    reply: bytes


@dataclass
class Wiretap:
    """A server on loopback before another one."""

    upstream: str
    exchanges: list[Exchanged] = field(default_factory=list)

    def __enter__(self) -> "Wiretap":
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

    def pass_on(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Exchanged:
        """Forward a request, and keep what passed."""
        place = urlsplit(self.upstream)
        line = http.client.HTTPConnection(place.hostname or "", place.port, timeout=90)
        try:
            own = {**headers, "host": place.netloc}
            line.request(method, f"{place.path}{path}", body or None, own)
            answer = line.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            passed = Exchanged(method, path, headers, body, answer.status, told, answer.read())
        finally:
            line.close()
        self.exchanges.append(passed)
        return passed


def _handler_for(tap: Wiretap) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Nothing on the terminal."""

        def do_HEAD(self) -> None:
            self._forward()

        def do_GET(self) -> None:
            self._forward()

        def do_POST(self) -> None:
            self._forward()

        def _forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            passed = tap.pass_on(self.command, self.path, headers, body)
            self.send_response(passed.status)
            for name, value in passed.told.items():
                if name not in _OF_A_CONNECTION and name not in ("date", "server"):
                    self.send_header(name, value)
            self.send_header("content-length", str(len(passed.reply)))
            self.end_headers()
            self.wfile.write(b"" if self.command == "HEAD" else passed.reply)

    return Handler
