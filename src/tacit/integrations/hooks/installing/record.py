"""What installing made, kept so that it can be undone to the byte.

Of every file: whether it is ours alone, and which stretches of its text we put in. No text of
anybody's configuration is kept. Without it, what is ours is still recognised by its command.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from tacit.integrations.hooks.installing.splice import Span
from tacit.runtime.files.locations import default_database


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What was made of one file."""

    digest: str
    """Of the whole text, as it was left."""
    spans: tuple[Span, ...] = ()
    made: bool = False
    folders: tuple[str, ...] = ()
    """Those that were made for it, the innermost first."""


@dataclass(frozen=True, slots=True)
class Record:
    """The entries by path."""

    entries: Mapping[str, Entry] = field(default_factory=dict)

    def of(self, path: Path) -> Entry | None:
        """What is known of a file."""
        return self.entries.get(str(path))

    def changed(self, path: Path, entry: Entry | None) -> "Record":
        """With another entry for a file, or none."""
        rest = {name: each for name, each in self.entries.items() if name != str(path)}
        return Record(rest if entry is None else {**rest, str(path): entry})

    def written(self) -> bytes | None:
        """As a file; without entries there is none."""
        if not self.entries:
            return None
        files = {name: asdict(each) for name, each in self.entries.items()}
        return (json.dumps({"files": files}, indent=1) + "\n").encode()


def digest(text: str) -> str:
    """What tells a text from any other."""
    return sha256(text.encode(errors="surrogatepass")).hexdigest()


def record_file() -> Path:
    """Where the record of this user is."""
    return default_database().with_name("installed.json")


def read_record(content: bytes | None) -> Record:
    """The record in a file; what cannot be read says nothing."""
    try:
        files = json.loads(content or b"{}").get("files", {})
        return Record({name: _entry(each) for name, each in files.items()})
    except (ValueError, TypeError, AttributeError, KeyError):
        return Record()


def _entry(kept: Mapping[str, Any]) -> Entry:
    return Entry(
        digest=str(kept["digest"]),
        spans=tuple((int(start), int(end)) for start, end in kept["spans"]),
        made=bool(kept["made"]),
        folders=tuple(map(str, kept["folders"])),
    )
