"""The supervisor that runs several server processes on one address.

uvicorn has one too (`uvicorn.supervisors.multiprocess`); it was left aside because a server of ours
would lose what follows, and its class for a process cannot be replaced without overriding all that
uses it.

- Workers end when the supervisor is killed. uvicorn's go on serving without one.
- If a worker that died cannot start again, for instance while the database is away, the others go
  on, and it is tried again. uvicorn then stops the whole server.
- A second signal ends workers that still answer at once. uvicorn waits for them without a limit.
- `announce` is called when every worker is ready, and a worker that does not start the first time
  is an error of the command. uvicorn reports neither to the program that starts it.
- The live gauges of a dead worker leave the metrics. uvicorn has no hook for that.
- A worker is our own command, with our listener (`ServiceListener`) and an orderly end of the
  service. uvicorn's runs a plain server with an application that it must import by name.

What uvicorn has beyond this is not needed: a restart on SIGHUP (settings are read anew while it
runs), workers added and removed by signals, and killing a worker that is busy for some seconds.
"""

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Self

from prometheus_client.multiprocess import mark_process_dead

from tacit.core.errors import Unanswered

_log = logging.getLogger("tacit.server")

WORKER_VARIABLE = "TACIT_CREW"
_METRICS = "PROMETHEUS_MULTIPROC_DIR"
_START_SECONDS = 120.0
_LOOK_SECONDS = 0.2
_PAUSE_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerInfo:
    """What a worker process knows: the shared socket, the ready pipe, the number of workers."""

    listening: int
    ready: int
    count: int

    @classmethod
    def of_process(cls) -> Self | None:
        """The info of this process; None if it serves alone."""
        value = os.environ.get(WORKER_VARIABLE)
        if value is None:
            return None
        listening, ready, count = map(int, value.split(":"))
        return cls(listening=listening, ready=ready, count=count)

    def socket(self) -> socket.socket:
        """The shared socket."""
        return socket.socket(fileno=self.listening)

    def report_ready(self) -> None:
        """Report that this worker is ready, and stop it if the supervisor dies."""
        os.write(self.ready, b".")
        os.close(self.ready)
        threading.Thread(target=_stop_without_parent, args=(os.getppid(),), daemon=True).start()


def _stop_without_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_PAUSE_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)


class Supervisor:
    """Starts the worker processes, restarts dead ones, and stops all on a signal."""

    def __init__(self, listening: socket.socket, command: Sequence[str], count: int) -> None:
        self._listening = listening
        self._command = list(command)
        self._count = count
        self._workers: list[subprocess.Popen[bytes]] = []
        self._stopping = threading.Event()

    def serve(self, announce: Callable[[], None]) -> None:
        """Serve until stopped; `announce` is called when all workers are ready."""
        self._listening.listen()
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, self._stop)
        with TemporaryDirectory(prefix="tacit-metrics-") as folder:
            try:
                self._start(folder, self._count)
                announce()
                while not self._stopping.wait(_LOOK_SECONDS):
                    self._restart_dead(folder)
            finally:
                self._end()

    def _stop(self, *_: object) -> None:
        """Stop gracefully on the first signal, at once on the second."""
        last = signal.SIGKILL if self._stopping.is_set() else signal.SIGTERM
        self._stopping.set()
        for worker in self._workers:
            worker.send_signal(last)

    def _start(self, folder: str, count: int) -> None:
        """Start `count` workers, and wait until they are ready."""
        ready_pipe, ready = os.pipe()
        info = f"{self._listening.fileno()}:{ready}:{self._count}"
        environment = {**os.environ, WORKER_VARIABLE: info, _METRICS: folder}
        started = [
            subprocess.Popen(
                self._command,
                env=environment,
                pass_fds=(self._listening.fileno(), ready),
                start_new_session=True,
            )
            for _ in range(count)
        ]
        self._workers += started
        os.close(ready)
        try:
            self._wait(ready_pipe, started)
        finally:
            os.close(ready_pipe)

    def _wait(self, ready_pipe: int, started: Sequence[subprocess.Popen[bytes]]) -> None:
        os.set_blocking(ready_pipe, False)
        until, started_count = time.monotonic() + _START_SECONDS, 0
        while started_count < len(started) and not self._stopping.is_set():
            with suppress(BlockingIOError):
                started_count += len(os.read(ready_pipe, len(started)))
            if time.monotonic() > until or any(each.poll() is not None for each in started):
                raise Unanswered("a process of the server does not start; its log says why")
            time.sleep(_LOOK_SECONDS / 4)

    def _restart_dead(self, folder: str) -> None:
        dead = [each for each in self._workers if each.poll() is not None]
        for each in dead:
            self._workers.remove(each)
            mark_process_dead(each.pid, folder)  # type: ignore[no-untyped-call]
            _log.error("a process of the server died (%s); another is started", each.returncode)
        if dead:
            try:
                self._start(folder, len(dead))
            except Unanswered as error:
                _log.error("%s", error)
                time.sleep(_PAUSE_SECONDS)

    def _end(self) -> None:
        for each in self._workers:
            if each.poll() is None and not self._stopping.is_set():
                each.send_signal(signal.SIGTERM)
        for each in self._workers:
            each.wait()


def own_command() -> list[str]:
    """The command line that started this process."""
    return [sys.executable, "-P", "-m", "tacit", *sys.argv[1:]]
