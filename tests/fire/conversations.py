"""The conversations of a host with several processes: one history each, which they share.

A host has one history for a conversation, whichever of its processes serves the next turn; if each
had its own, they would be different conversations under one name, and nothing that one is shown
would stand in front of another. So it is kept outside of all of them, in a file under a lock, which
the system takes from a process that is killed. Who holds it for a whole turn has the conversation
to itself; who does not, adds what was said in its turn to what others said meanwhile. A file is
replaced as a whole: the history is that before the turn or that after it.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NAMES = ("first", "second", "third", "fourth", "fifth")
_OLD = "old-"


@dataclass
class Conversation:
    """A session with its history, the one that now goes on under the conversation's name."""

    folder: Path
    name: str
    session: str
    turns: int = 0
    history: list[Any] = field(default_factory=list)

    def keep(self, history: list[Any]) -> None:
        """The history after one more turn."""
        self.turns += 1
        self.replace(history)

    def replace(self, history: list[Any]) -> None:
        """Another history in place of this one."""
        self.history = history
        self._write(self.name)

    def go_on_in(self, session: str, history: list[Any]) -> None:
        """Go on in another session, a branch or a new one; the old one stays as it is."""
        self._write(f"{_OLD}{self.session}")
        self.session, self.turns = session, 0
        self.replace(history)

    def _write(self, name: str) -> None:
        kept = {each: getattr(self, each) for each in ("name", "session", "turns", "history")}
        unfinished = self.folder / f"{name}.{os.getpid()}"
        unfinished.write_text(json.dumps(kept))
        unfinished.replace(self.folder / f"{name}.json")


class Conversations:
    """All that go on, and all that did."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def held(self, name: str) -> Iterator[Conversation]:
        """A conversation that nobody else has meanwhile."""
        with (self._folder / f"{name}.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            path = self._folder / f"{name}.json"
            if path.exists():
                yield self._read(path)
            else:
                yield Conversation(self._folder, name, f"{name}-0")

    def everything(self) -> list[Conversation]:
        """Every session with its last history; one that goes on is newer than its old file."""
        paths = sorted(self._folder.glob("*.json"), key=lambda path: not path.stem.startswith(_OLD))
        found = [self._read(path) for path in paths]
        return list({each.session: each for each in found}.values())

    def _read(self, path: Path) -> Conversation:
        return Conversation(self._folder, **json.loads(path.read_text()))
