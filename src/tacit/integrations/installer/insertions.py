"""Text inserted into configuration files, and the record that allows removing it to the byte.

The record holds, for each file, whether we created it and which spans of its text we inserted. It
holds no text of anybody's configuration. Without it, our entries are recognised by their command.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from tacit.runtime.files import default_database_path

# Insertions


Span: TypeAlias = tuple[int, int]
"""Start and end of a part of a text."""


@dataclass(frozen=True, slots=True)
class Insertion:
    """A text to insert, and its position."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class EditedText:
    """A text, and the spans of it that were inserted."""

    text: str
    spans: tuple[Span, ...] = ()

    def with_insertions(self, insertions: Sequence[Insertion]) -> "EditedText":
        """Insert more, in order of position; an insertion inside a span extends it."""
        text, spans = self.text, list(self.spans)
        for each in reversed(insertions):
            text = text[: each.at] + each.text + text[each.at :]
            spans = _shift_spans(spans, each.at, len(each.text))
        return EditedText(text, tuple(spans))


def remove_spans(text: str, spans: Sequence[Span]) -> str:
    """The text without these spans."""
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return text


def _shift_spans(spans: Iterable[Span], at: int, length: int) -> list[Span]:
    """The spans after one more insertion, including it."""
    shifted: list[Span] = []
    is_inside = False
    for start, end in spans:
        if start < at <= end:
            is_inside = True
            shifted.append((start, end + length))
        else:
            shifted.append((start + length, end + length) if start >= at else (start, end))
    return shifted if is_inside else sorted([*shifted, (at, at + length)])


# The record


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecord:
    """What the installation did to one file."""

    digest: str
    """Digest of the whole text after the installation."""
    spans: tuple[Span, ...] = ()
    made: bool = False
    folders: tuple[str, ...] = ()
    """Folders that were created for it, the innermost first."""


@dataclass(frozen=True, slots=True)
class InstallRecord:
    """The records of all files, by path."""

    entries: Mapping[str, FileRecord] = field(default_factory=dict)

    def get(self, path: Path) -> FileRecord | None:
        """The record of a file, if there is one."""
        return self.entries.get(str(path))

    def with_record(self, path: Path, entry: FileRecord | None) -> "InstallRecord":
        """The record with another entry for a file, or without it."""
        rest = {name: each for name, each in self.entries.items() if name != str(path)}
        return InstallRecord(rest if entry is None else {**rest, str(path): entry})

    def to_bytes(self) -> bytes | None:
        """The file's content; None without entries."""
        if not self.entries:
            return None
        files = {name: asdict(each) for name, each in self.entries.items()}
        return (json.dumps({"files": files}, indent=1) + "\n").encode()


def text_digest(text: str) -> str:
    """The SHA-256 digest of a text."""
    return sha256(text.encode(errors="surrogatepass")).hexdigest()


def record_path() -> Path:
    """The path of this user's record."""
    return default_database_path().with_name("installed.json")


def read_record(content: bytes | None) -> InstallRecord:
    """Parse the record; an unreadable one counts as empty."""
    try:
        files = json.loads(content or b"{}").get("files", {})
        return InstallRecord({name: _to_file_record(each) for name, each in files.items()})
    except (ValueError, TypeError, AttributeError, KeyError):
        return InstallRecord()


def _to_file_record(kept: Mapping[str, Any]) -> FileRecord:
    return FileRecord(
        digest=str(kept["digest"]),
        spans=tuple((int(start), int(end)) for start, end in kept["spans"]),
        made=bool(kept["made"]),
        folders=tuple(map(str, kept["folders"])),
    )
