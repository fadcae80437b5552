"""A sheet: a whole file in memory, with what is known about it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from tacit.core.errors import ArchiveError
from tacit.language.redaction.text import redact_lines
from tacit.writing.archive.readers.entry import Entry
from tacit.writing.archive.readers.front import Front, front_of
from tacit.writing.archive.readers.passage import Passage

_MOST_LINES = 100_000
_MOST_CELLS = 300_000
_CELL = "|"


@dataclass(frozen=True, slots=True)
class Sheet:
    """The lines of a file, its front matter, its name if it has one, and what it holds if it is
    JSON."""

    lines: list[str]
    front: Front
    name: str | None = None
    data: Any = None

    @classmethod
    def of(cls, raw: bytes, name: str | None) -> Self:
        """Read the bytes of a file."""
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            place = f"byte {error.start + 1} is not UTF-8"
            raise ArchiveError(f"{place}; save the file as UTF-8 and import it again") from None
        lines = lines_of(text)
        return cls(lines, front_of(lines), name, parsed(text))

    @property
    def body(self) -> list[str]:
        """The lines below the front matter, without secrets: a key may stand in several."""
        return redact_lines(self.lines[self.front.lines :])

    def origin(self, **parts: Any) -> dict[str, Any]:
        """Where a statement of this file comes from: only what is known."""
        known = {"file": self.name, **parts}
        return {name: part for name, part in known.items() if part is not None}

    def entry(self, passage: Passage, **metadata: Any) -> Entry:
        """What a passage of the text becomes; `metadata` is about the whole file."""
        if passage.objection:
            return Entry.left_out(passage.number, "text", passage.objection)
        return Entry(
            passage.number,
            {
                "content": passage.content,
                "origin": self.origin(),
                "metadata": {**metadata, "line": passage.number},
            },
        )


def lines_of(text: str) -> list[str]:
    """The lines of a text, as editors count them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def refuse_large(lines: Sequence[str]) -> None:
    """Refuse a text of which more would have to be read than somebody waits for."""
    if len(lines) > _MOST_LINES:
        raise ArchiveError(
            f"this text has more than {_MOST_LINES:,} lines; split it or, with a memory on each"
            ' line, import it with the format "lines"'
        )
    if sum(line.count(_CELL) for line in lines) > _MOST_CELLS:
        raise ArchiveError(f"this text has tables of more than {_MOST_CELLS:,} cells; split it")


def parsed(text: str | bytes) -> Any:
    """What a text of JSON holds: None if it is no JSON, or no object and no list."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict | list) else None
