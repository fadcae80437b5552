"""A server's process: started, watched and stopped."""

import os
import re
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
_START_SECONDS = 1_800
_STOP_SECONDS = 60
_KILOBYTE = 1024
_MEGABYTE = 1024**2


@dataclass(slots=True)
class Server:
    """A process that listens somewhere."""

    process: "subprocess.Popen[str]"
    url: str = ""
    lines: list[str] = field(default_factory=list)

    def memory_mb(self) -> float | None:
        """What it holds in memory now, where the system tells."""
        status = _read(self.process.pid, "status")
        found = re.search(r"^VmRSS:\s+(\d+) kB", status or "", re.MULTILINE)
        return int(found[1]) * _KILOBYTE / _MEGABYTE if found else None

    def cpu_seconds(self) -> float | None:
        """The CPU time it has taken, where the system tells."""
        stat = _read(self.process.pid, "stat")
        if stat is None:
            return None
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(command: Sequence[str], environment: Mapping[str, str]) -> Iterator[Server]:
    """A server that has said where it listens, stopped at the end."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    server, heard = Server(process), threading.Event()
    listener = threading.Thread(target=_listen, args=(server, heard), daemon=True)
    listener.start()
    try:
        heard.wait(_START_SECONDS)
        if not server.url:
            raise RuntimeError("the server did not start: " + "".join(server.lines[-20:]))
        yield server
    finally:
        process.terminate()
        process.wait(_STOP_SECONDS)
        listener.join()


def _listen(server: Server, heard: threading.Event) -> None:
    for line in server.process.stderr or ():
        server.lines.append(line)
        if not server.url and (found := _ADDRESS.search(line)):
            server.url = found[0]
            heard.set()
    heard.set()


def _read(pid: int, name: str) -> str | None:
    path = Path("/proc") / str(pid) / name
    return path.read_text() if path.exists() else None
