"""The chat log: what was said in a conversation, in a file that only grows.

Writers wait for each other. One that is killed leaves half an entry at most, which nobody reads and
the next one cuts off.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from io import SEEK_END
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from filelock import FileLock

from tacit.grounding.entry import END, HEADING, Entry, Kind, read, unbroken, written
from tacit.language.injection_blocks import remove_quoted_blocks
from tacit.language.redaction.redact import redact
from tacit.runtime.files import make_private_folder, open_regular_file

_OWNER_ONLY = 0o600
_BLOCK = 16_384
_PATIENCE_SECONDS = 10.0
_POLL_SECONDS = 0.002
_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Growth:
    """The user's turns in a stretch of a log, and where its last whole entry ends."""

    turns: int
    end: int


def append(
    path: Path, kind: Kind, text: str, at: datetime, known: Mapping[str, str] = _NONE
) -> None:
    """Add an entry without its secrets and without the blocks in it, and nothing if it was all one.

    `known` has the exact text of each block by its id. Raises OSError where it cannot be written.
    """
    own = remove_quoted_blocks(text, known)
    if own != text and not own.strip():
        return
    data = written(kind, redact(unbroken(own)).text, at)
    make_private_folder(path.parent)
    with locked(path), open(path, "a+b", buffering=0, opener=_opened) as file:
        whole = _whole_end(file)
        if whole < file.seek(0, SEEK_END):
            file.truncate(whole)
        left = memoryview(data)
        while left:
            left = left[file.write(left) :]


def entries(path: Path, end: int | None = None) -> Iterator[Entry]:
    """The whole entries of a log up to some place, the last first; none where there is no log.

    No more of the file is read than it takes for those that are asked for.
    """
    with suppress(FileNotFoundError), open_regular_file(path) as file:
        yield from _backwards(file, _whole_end(file) if end is None else end)


def growth(path: Path, since: int = 0) -> Growth | None:
    """What came after some place in a log; None where no entry ends there, or there is no log."""
    try:
        with open_regular_file(path) as file:
            return _growth(file, since)
    except FileNotFoundError:
        return None


def _growth(file: BinaryIO, since: int) -> Growth | None:
    end = _whole_end(file)
    if since and (since > end or not _ends_at(file, since)):
        return None
    file.seek(since)
    place, turns = since, 0
    while place < end:
        line = file.readline()
        place += len(line)
        heading = HEADING.match(line) if line.startswith(b"## ") else None
        turns += heading is not None and heading[2] == Kind.INBOUND.encode()
        if not line:
            break
    return Growth(turns, end)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Be the only one who writes to a log."""
    lock = FileLock(
        path.with_name(f".{path.name}.lock"),
        timeout=_PATIENCE_SECONDS,
        mode=_OWNER_ONLY,
        poll_interval=_POLL_SECONDS,
    )
    with lock:
        yield


def _opened(name: str, flags: int) -> int:
    return os.open(name, flags, _OWNER_ONLY)


def _backwards(file: BinaryIO, end: int) -> Iterator[Entry]:
    """Entries that end before some place; larger blocks are read while no heading is found."""
    start, held, block = end, b"", _BLOCK
    while start > 0:
        start, piece = _before(file, start, block)
        held = piece + held
        block *= 2
        last = len(held)
        for heading in reversed(list(HEADING.finditer(held))):
            if heading.start() == 0 and start > 0:
                break
            entry = read(held, heading, last, start)
            if entry is not None:
                last, block = heading.start(), _BLOCK
                yield entry
        held = held[:last]


def _whole_end(file: BinaryIO) -> int:
    """Where the last entry ends that is not torn."""
    start, block, held = file.seek(0, SEEK_END), len(END), b""
    while start > 0:
        start, piece = _before(file, start, block)
        held = piece + held[: len(END) - 1]
        found = held.rfind(END)
        if found >= 0:
            return start + found + len(END)
        block = max(2 * block, _BLOCK)
    return 0


def _before(file: BinaryIO, end: int, size: int) -> tuple[int, bytes]:
    """The bytes before some place, so many at most, and where they begin."""
    start = max(0, end - size)
    file.seek(start)
    return start, file.read(end - start)


def _ends_at(file: BinaryIO, place: int) -> bool:
    _, last = _before(file, place, len(END))
    return last == END
