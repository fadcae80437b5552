"""What of a workspace's documents is indexed: a line for each file, kept in several parts.

A change of one file writes one part again, and an indexing that was broken off goes on with the
parts that are missing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from tacit.core.errors import StoreTooNew
from tacit.store.protocols.store import UnitOfWork

VERSION = 1
"""Raised when chunks are cut differently: then every file is read anew."""

PARTS = 64
_NAME = "documents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A file as it was indexed; `mtime` is 0 where it had just changed and may change unseen."""

    source: str
    mtime: int
    size: int
    sha256: str = ""
    chunks: tuple[str, ...] = ()
    problem: str = ""


Part = dict[str, Line]


def part_of(path: str) -> int:
    """The part that a file belongs to."""
    return crc32(path.encode()) % PARTS


def read_part(unit: UnitOfWork, number: int) -> Part:
    """The files of one part, by path."""
    kept = unit.progress.get(_named(number))
    version = 0 if kept is None else kept.get("version", 0)
    if version > VERSION:
        raise StoreTooNew(
            f"the documents were indexed by a newer Tacit (index {version}, this one knows"
            f" {VERSION}); upgrade with: pip install --upgrade tacit"
        )
    if kept is None or version < VERSION:
        return {path: _outdated(each) for path, each in (kept or {}).get("files", {}).items()}
    return {path: _line(each) for path, each in kept["files"].items()}


def write_part(unit: UnitOfWork, number: int, part: Mapping[str, Line]) -> None:
    """Keep one part."""
    if not part:
        unit.progress.remove(_named(number))
        return
    files = {
        path: [
            line.source,
            line.mtime,
            line.size,
            line.sha256,
            list(line.chunks),
            line.problem,
        ]
        for path, line in part.items()
    }
    unit.progress.put(_named(number), {"version": VERSION, "files": files})


def read_all(unit: UnitOfWork, numbers: Iterable[int] = range(PARTS)) -> dict[int, Part]:
    """Several parts by their numbers."""
    return {number: read_part(unit, number) for number in numbers}


def _named(number: int) -> str:
    return f"{_NAME}/{number}"


def _line(kept: Any) -> Line:
    source, mtime, size, sha256, chunks, problem = kept
    return Line(
        source=source,
        mtime=mtime,
        size=size,
        sha256=sha256,
        chunks=tuple(chunks),
        problem=problem,
    )


def _outdated(kept: Any) -> Line:
    """A line that no file agrees with, so that it is read anew."""
    return Line(source=str(kept[0]), mtime=0, size=-1, chunks=tuple(kept[4]))
