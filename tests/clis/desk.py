"""A person's desk: a home, a project, a memory and the model, all of their own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit import Tacit
from tacit.integrations.hooks.daemon_client import daemon_address, send_request
from tests.clis.fake_api import Answer, FakeApi, Recorded

BIN = Path(sys.executable).parent
_CONFIG = "[defaults.memory_injection]\ndeadline_ms = 4000\n\n[daemon]\nidle_minutes = 1\n"
"""Patient with a busy machine; a daemon that a last hook starts goes home by itself."""
READ = "Read the instructions, please"
"""A prompt on which the model reads a file and finds its context full."""
DELEGATE = "Have somebody else look"
"""A prompt on which the model has a subagent do the task of the desk."""
_FULL = 950_000
PATIENCE = 90.0


@dataclass
class Desk:
    """Where a person works with a client."""

    folder: Path
    binaries: Path
    api: FakeApi
    runtime: Path
    task: str = "Look around"

    def __post_init__(self) -> None:
        self.home = self.folder / "home"
        self.database = self.folder / "memory.db"
        self.project = self.new_project("app")
        (self.folder / "tacit.toml").write_text(_CONFIG)
        self._started: list[subprocess.Popen[bytes]] = []
        self.api.answer = self._answer

    def new_project(self, name: str) -> Path:
        """A folder with a repository."""
        folder = self.folder / name
        (folder / ".git").mkdir(parents=True)
        (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        return folder

    @property
    def environment(self) -> dict[str, str]:
        """What the clients and their hooks see; nothing of the machine's own user."""
        kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
        return {
            **kept,
            "PATH": os.pathsep.join([str(BIN), os.environ["PATH"]]),
            "HOME": str(self.home),
            "TERM": "xterm-256color",
            "TACIT_DB": str(self.database),
            "TACIT_CONFIG": str(self.folder / "tacit.toml"),
            "TACIT_EMBEDDER": "none",
            "TACIT_HOOKS_SECONDS": "9",
            "TACIT_RUNTIME_DIR": str(self.runtime),
            "TACIT_LOG_FOLDER": str(self.folder / "log"),
        }

    def open_memory(self) -> Tacit:
        """The memory that the hooks use."""
        return Tacit.open(self.database, embedder=None)

    def remember(self, content: str, **fields: Any) -> None:
        """Something is known before the client starts."""
        with self.open_memory() as tacit:
            tacit.remember(content, **fields)

    def start_daemon(self) -> None:
        """Spare the first hook the start, which a busy machine may make too long for it."""
        command = [sys.executable, "-P", "-m", "tacit", "daemon", "run"]
        quiet = subprocess.DEVNULL
        self._started.append(
            subprocess.Popen(
                command, env=self.environment, cwd=self.home, stdout=quiet, stderr=quiet
            )
        )
        until(lambda: self._daemon() is not None)

    def end_daemon(self, how: signal.Signals) -> None:
        """Send it home, or strike it down."""
        found = self._daemon()
        if found is not None:
            os.kill(found, how)
        while self._started:
            self._started.pop().wait(PATIENCE)

    def leave(self) -> None:
        """The daemon goes home too."""
        self.end_daemon(signal.SIGTERM)

    def _daemon(self) -> int | None:
        """The number of its process, if it answers."""
        try:
            place = daemon_address(self.environment)
            return int(send_request(place, "GET", "/daemon", seconds=30).document["pid"])
        except OSError:
            return None

    def _answer(self, request: Recorded) -> Answer:
        asked = request.asked
        if "<state_snapshot>" in asked:
            return Answer("<state_snapshot>The work goes on.</state_snapshot>")
        if not request.offers_tools:
            return Answer("{}")
        if READ in asked:
            return Answer("", tool=self._reading(request), tokens=_FULL)
        if DELEGATE in asked:
            return Answer("", tool=self._delegating(request, self.task))
        return Answer()

    def _reading(self, request: Recorded) -> tuple[str, dict[str, Any]]:
        (self.project / "notes.txt").write_text("Nothing special.\n")
        path = str(self.project / "notes.txt")
        if "contents" in request.body:
            return "read_file", {"file_path": path}
        if "input" in request.body:
            return "exec_command", {"cmd": f"cat {path}"}
        return "Read", {"file_path": path}

    def _delegating(self, request: Recorded, task: str) -> tuple[str, dict[str, Any]]:
        if "contents" in request.body:
            return "invoke_agent", {"agent_name": "generalist", "prompt": task}
        if "input" in request.body:
            return "multi_agent_v1.spawn_agent", {"message": task}
        details = {"description": "look", "subagent_type": "general-purpose"}
        return "Agent", {"prompt": task, **details, "run_in_background": True}


def until(is_so: Callable[[], object]) -> None:
    """Wait for something that happens by itself."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.1)
