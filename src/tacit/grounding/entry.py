"""An entry of a chat log, and how it is written.

A heading says when and what, the text follows, and an empty line ends it. For that to be so
whatever a text says, a line of it that is empty or all spaces is written with one space more, and
one that looks like a heading with a backslash before its marks. Characters that cannot be seen are
shown by their codes. All of it is undone when an entry is read.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from tacit.core.times import parse_time
from tacit.language.characters import escape_line, unescape_line


class Kind(StrEnum):
    """Which way a message went."""

    INBOUND = "INBOUND"
    OUTBOUND = "OUTBOUND"
    TOOL = "TOOL"


END = b"\n\n"
"""What ends an entry, and stands nowhere else."""

_KINDS = "|".join(Kind)
HEADING = re.compile(
    rf"^## (\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{{3}})Z ({_KINDS})\n".encode(), re.MULTILINE
)

_LIKE_A_HEADING = re.compile(rf"([ \t]*)(?=\\*##[ \t]+\S+[ \t]+(?:{_KINDS}))")
_ESCAPED_HEADING = re.compile(rf"([ \t]*)\\(?=\\*##[ \t]+\S+[ \t]+(?:{_KINDS}))")
_BREAKS = re.compile(r"\r\n?")


@dataclass(frozen=True, slots=True)
class Entry:
    """One message of a chat log, and where it stands in the file."""

    kind: Kind
    at: datetime
    text: str
    start: int
    end: int


def unbroken(text: str) -> str:
    """The text with a line feed for every end of a line."""
    return _BREAKS.sub("\n", text)


def written(kind: Kind, text: str, at: datetime) -> bytes:
    """An entry as it stands in a log."""
    when = parse_time("at", at).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    lines = "\n".join(_line(line) for line in unbroken(text).split("\n"))
    return f"## {when} {kind}\n{lines}".encode() + END


def read(raw: bytes, heading: re.Match[bytes], end: int, start: int) -> Entry | None:
    """The entry from its heading up to an end; none where its time is none.

    `start` is where the bytes begin in the file.
    """
    try:
        at = datetime.fromisoformat(heading[1].decode()).replace(tzinfo=UTC)
    except ValueError:
        return None
    body = raw[heading.end() : end]
    body = body.removesuffix(END) if body.endswith(END) else body.removesuffix(b"\n")
    lines = body.decode(errors="replace").split("\n")
    text = "\n".join(_unescaped(line) for line in lines)
    kind = Kind(heading[2].decode())
    return Entry(kind, at, text, start + heading.start(), start + end)


def _line(line: str) -> str:
    line = escape_line(line) if line else line
    if not line.strip(" "):
        return f"{line} "
    return _LIKE_A_HEADING.sub(r"\1\\", line, count=1) if _LIKE_A_HEADING.match(line) else line


def _unescaped(line: str) -> str:
    if not line.strip(" "):
        return line[:-1]
    escaped = _ESCAPED_HEADING.match(line)
    return unescape_line(escaped[1] + line[escaped.end() :] if escaped else line)
