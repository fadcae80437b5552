"""A collector of traces on this machine, which keeps what it is sent."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Collector(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.answers.wait()
        self.server.received.append((self.path, ExportTraceServiceRequest.FromString(body)))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


@contextmanager
def collecting():
    """A collector that answers, until its `answers` is cleared."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Collector) as server:
        server.received, server.answers = [], threading.Event()
        server.answers.set()
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.answers.set()
        server.shutdown()
        thread.join()
