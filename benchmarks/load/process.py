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
        """What its processes hold in memory now, where the system tells."""
        texts = [_read(pid, "status") for pid in self._pids()]
        found = [re.search(r"^VmRSS:\s+(\d+) kB", text or "", re.MULTILINE) for text in texts]
        sizes = [int(each[1]) for each in found if each]
        return sum(sizes) * _KILOBYTE / _MEGABYTE if sizes else None

    def cpu_seconds(self) -> float | None:
        """The CPU time that its processes have taken, where the system tells."""
        fields = [_fields(pid) for pid in self._pids()]
        ticks = [int(each[11]) + int(each[12]) for each in fields if each]
        return sum(ticks) / os.sysconf("SC_CLK_TCK") if ticks else None

    def _pids(self) -> list[int]:
        """The process, and those that it started."""
        own = self.process.pid
        others = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
        return [own, *(pid for pid in others if (_fields(pid) or ["", ""])[1] == str(own))]


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


def _fields(pid: int) -> list[str] | None:
    """What the system tells of a process, after its name."""
    stat = _read(pid, "stat")
    return None if stat is None else stat.rpartition(")")[2].split()


def _read(pid: int, name: str) -> str | None:
    try:
        return (Path("/proc") / str(pid) / name).read_text()
    except OSError:
        return None
