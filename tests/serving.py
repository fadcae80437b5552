"""Servers for tests: the application in this process, and the real one as a process of its own."""

import os
import re
import signal
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
from fastapi.testclient import TestClient

from tacit import FakeEmbedder, Tacit
from tacit.api.configuration import live_configuration
from tacit.server.jobs import Jobs
from tacit.server.lifecycle import periodic_jobs
from tacit.server.service import Service
from tacit.settings.live_config import LiveConfig
from tests.applications import application
from tests.forking import ForkedProcess, run_tacit

HOST = "http://127.0.0.1"


@dataclass
class Served:
    """An application in this process: its client, its memory and its service."""

    tacit: Tacit
    service: Service
    client: TestClient

    def key(self, role="admin", workspace=None, agent=None, name=None, **more):
        """Headers with a new key, for every workspace where none is named."""
        made = self.tacit.keys.add(
            name or f"k{time.monotonic_ns()}", role, workspace=workspace, agent=agent, **more
        )
        return {"Authorization": f"Bearer {made[1]}"}


@contextmanager
def served(store=":memory:", config: LiveConfig | Path | None = None, *, is_exposed=False):
    """The application on a store of its own."""
    live = config if isinstance(config, LiveConfig) else live_configuration(config)
    opened = isinstance(store, str | Path)
    tacit = (
        Tacit.open(store, embedder=FakeEmbedder(), config=live)
        if opened
        else Tacit(store, "default", embedder=FakeEmbedder(), config=live)
    )
    jobs = Jobs(tacit._context.shared.worker)
    service = Service(tacit, live, jobs=jobs, is_exposed=is_exposed)
    for job in periodic_jobs(service):
        jobs.add(job)
    with TestClient(application(service), base_url=HOST, raise_server_exceptions=False) as client:
        yield Served(tacit, service, client)
    live.close()
    if opened:
        tacit.close()


@dataclass
class ServerProcess:
    """`tacit serve` as a process; its log is what it wrote."""

    process: ForkedProcess
    url: str = ""
    log: list[str] = field(default_factory=list)
    listener: threading.Thread | None = None

    def client(self, **options) -> httpx2.Client:
        return httpx2.Client(base_url=self.url, timeout=30, **options)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def close(self) -> None:
        """Kill it if it still runs, and read its log to the end."""
        if self.process.poll() is None:
            self.kill()
        self.listener.join(10)
        self.process.output.close()


def start(db, *options, environment=None, port=0, pages=False) -> ServerProcess:
    """Start the real server, with the web UI if wanted, and wait until it says where it is."""
    environment = {
        "TACIT_EMBEDDER": "none",
        **os.environ,
        "COLUMNS": "200",
        **(environment or {}),
    }
    process = ForkedProcess(
        run_tacit,
        "serve",
        *("--db", str(db), "--port", str(port), "--ui" if pages else "--no-ui"),
        *options,
        environment=environment,
    )
    server = ServerProcess(process)
    heard = threading.Event()
    server.listener = threading.Thread(target=_listen, args=(server, heard), daemon=True)
    server.listener.start()
    if not heard.wait(60) or not server.url:
        server.close()
        raise AssertionError("the server did not start: " + "".join(server.log))
    return server


@contextmanager
def running(db, *options, **named):
    """The real server, stopped at the end."""
    server = start(db, *options, **named)
    try:
        yield server
    finally:
        server.close()


def _listen(server: ServerProcess, heard: threading.Event) -> None:
    for line in server.process.output:
        server.log.append(line)
        if found := re.search(r'listens on (http://[^\s"]+)', line):
            server.url = found[1]
            heard.set()
    heard.set()
