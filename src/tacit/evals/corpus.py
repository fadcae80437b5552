"""The texts of a benchmark in a store that is kept, so that a second run takes seconds."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.engine import Tacit
from tacit.errors import ArchiveError
from tacit.files.locations import cache_folder

LAYOUT = 1
"""Raised whenever what is written for a benchmark changes."""

Progress = Callable[[int, int], None]

_BATCH = 64


@dataclass(frozen=True, slots=True)
class Conversation:
    """Memories that are searched together, under a name."""

    name: str
    drafts: Sequence[Mapping[str, Any]]


def read_bytes(path: Path) -> bytes:
    """The benchmark's file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise ArchiveError(f"{path}: cannot be read ({error.strerror})") from error


def opened(
    data: bytes, conversations: Sequence[Conversation], progress: Progress
) -> Iterator[tuple[str, Tacit]]:
    """Each conversation in a workspace of its own, filled where it is not yet."""
    path = _place(data)
    total = sum(len(each.drafts) for each in conversations)
    done = 0
    for conversation in conversations:
        tacit = Tacit.open(path, conversation.name)
        held = sum(tacit.stats().counts.by_state.values())
        for start in range(0, len(conversation.drafts), _BATCH):
            batch = conversation.drafts[start : start + _BATCH]
            if start + len(batch) > held:
                tacit.remember_all(batch, by="import")
            done += len(batch)
            progress(done, total)
        yield conversation.name, tacit


def _place(data: bytes) -> Path:
    """A file named by what it is made of."""
    content = hashlib.sha256(data).hexdigest()[:16]
    return cache_folder() / "evals" / f"{content}-v{LAYOUT}.db"
