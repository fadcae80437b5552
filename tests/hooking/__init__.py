"""Hooks and daemons as real processes, in folders of their own."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tacit.integrations.hooks.daemon_client import daemon_address, send_request

STAND_IN = Path(__file__).parent / "stand_in"
"""In place of the real handling of events, one that answers what the event tells it to."""

_COMMAND = [sys.executable, "-m", "tacit"]
_SECRET = "sk-not-for-the-log"


@dataclass
class Ran:
    """What a process printed and how it ended."""

    code: int
    out: str
    err: str


@dataclass
class Surroundings:
    """An environment in which everything is in one folder; no daemon outlives it."""

    folder: Path
    environment: dict[str, str]

    @property
    def place(self):
        return daemon_address(self.environment)

    @property
    def log(self) -> str:
        path = self.folder / "log/daemon.log"
        return path.read_text() if path.exists() else ""

    def hook(self, event="prompt", client="claude-code", *, stdin=None, **data) -> Ran:
        """Call a hook with an event, or with other bytes."""
        ran = subprocess.run(
            [*_COMMAND, "hook", client],
            input=_event(event, data) if stdin is None else stdin,
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            timeout=120,
            check=False,
        )
        return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())

    def hooks(self, count: int) -> list[Ran]:
        """Several at once."""
        done: list[Ran] = []
        threads = [
            threading.Thread(target=lambda n=n: done.append(self.hook(answer=f"{n}")))
            for n in range(count)
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        return done

    def tacit(self, *arguments: str) -> Ran:
        """Any other command."""
        ran = subprocess.run(
            [*_COMMAND, *arguments],
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Ran(ran.returncode, ran.stdout, ran.stderr)

    def told(self):
        """What the daemon says of itself."""
        return send_request(self.place, "GET", "/daemon", seconds=30).document

    def kill(self) -> int:
        """End the daemon without a chance to put anything away."""
        pid = self.told()["pid"]
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not is_alive(pid))
        return pid


@contextmanager
def surroundings(**variables):
    """A short folder, since the name of a socket must be; the daemon in it ends with it."""
    folder = Path(tempfile.mkdtemp(prefix="tcthk-", dir="/tmp"))
    ours = {
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "share"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "TACIT_RUNTIME_DIR": str(folder / "run"),
        "TACIT_LOG_FOLDER": str(folder / "log"),
        "TACIT_DB": str(folder / "memory.db"),
        "TACIT_EMBEDDER": "none",
        "TACIT_HOOKS_SECONDS": "90",
        "TACIT_MEMORY_INJECTION_DEADLINE_MS": "20000",
        "PYTHONPATH": str(STAND_IN),
        "SOME_TOKEN": _SECRET,
    }
    inherited = {name: os.environ[name] for name in os.environ if not name.startswith("TACIT_")}
    made = Surroundings(folder, {**inherited, **ours, **variables})
    try:
        yield made
        assert _SECRET not in made.log
    finally:
        _end(made)
        shutil.rmtree(folder, ignore_errors=True)


def wait_until(is_so, seconds=60.0) -> None:
    """Look until something is so."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    except NotADirectoryError:
        os.kill(pid, 0)
        return True
    return state != "Z"


def _event(event: str, data) -> bytes:
    names = {"prompt": "UserPromptSubmit", "stop": "Stop", "end": "SessionEnd"}
    return json.dumps({"hook_event_name": names[event], "session_id": "s", **data}).encode()


def _end(made: Surroundings) -> None:
    try:
        pid = made.told()["pid"]
    except Exception:
        return
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not is_alive(pid))
