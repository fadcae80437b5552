"""The chat log of a conversation: an append-only file of entries, and its tail for a prompt.

A heading says when and what, the text follows, and an empty line ends the entry. To keep that true
whatever a text says, a line that is empty or all spaces is written with one more space, and a line
that looks like a heading with a backslash before its marks. Invisible characters are shown by their
codes. Reading an entry undoes all of this.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from io import SEEK_END
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO
from unicodedata import category

from filelock import FileLock

from tacit.core.times import parse_time
from tacit.grounding.prompt import PromptPart, body_tokens
from tacit.language.characters import escape_line, unescape_line
from tacit.language.code_fences import CodeFence, take_last_lines
from tacit.language.injection_blocks import remove_quoted_blocks
from tacit.language.neutralization import (
    close_markup,
    neutralize_lines,
    restore_lines,
)
from tacit.language.prompt_templates import ASSISTANT, USER
from tacit.language.redaction.redact import redact
from tacit.language.tokens import TextSize
from tacit.runtime.files import make_private_folder, open_regular_file
from tacit.settings.grounding import GroundingSettings

# Entries


class EntryKind(StrEnum):
    """The direction of a message."""

    INBOUND = "INBOUND"
    OUTBOUND = "OUTBOUND"
    TOOL = "TOOL"


ENTRY_END = b"\n\n"
"""Ends an entry, and occurs nowhere else."""

_KINDS = "|".join(EntryKind)
ENTRY_HEADING = re.compile(
    rf"^## (\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{{3}})Z ({_KINDS})\n".encode(), re.MULTILINE
)

_LIKE_A_HEADING = re.compile(rf"([ \t]*)(?=\\*##[ \t]+\S+[ \t]+(?:{_KINDS}))")
_ESCAPED_HEADING = re.compile(rf"([ \t]*)\\(?=\\*##[ \t]+\S+[ \t]+(?:{_KINDS}))")
_BREAKS = re.compile(r"\r\n?")


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One message of a chat log, and its position in the file."""

    kind: EntryKind
    at: datetime
    text: str
    start: int
    end: int


def normalise_line_ends(text: str) -> str:
    """Replace every line end with a line feed."""
    return _BREAKS.sub("\n", text)


def format_entry(kind: EntryKind, text: str, at: datetime) -> bytes:
    """Format an entry for a log."""
    when = parse_time("at", at).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    lines = "\n".join(_escape_line(line) for line in normalise_line_ends(text).split("\n"))
    return f"## {when} {kind}\n{lines}".encode() + ENTRY_END


def parse_entry(raw: bytes, heading: re.Match[bytes], end: int, start: int) -> LogEntry | None:
    """Parse the entry from its heading up to an end; None if its time is invalid.

    `start` is where the bytes begin in the file.
    """
    try:
        at = datetime.fromisoformat(heading[1].decode()).replace(tzinfo=UTC)
    except ValueError:
        return None
    body = raw[heading.end() : end]
    body = body.removesuffix(ENTRY_END) if body.endswith(ENTRY_END) else body.removesuffix(b"\n")
    lines = body.decode(errors="replace").split("\n")
    text = "\n".join(_unescape_line(line) for line in lines)
    kind = EntryKind(heading[2].decode())
    return LogEntry(kind, at, text, start + heading.start(), start + end)


def _escape_line(line: str) -> str:
    line = escape_line(line) if line else line
    if not line.strip(" "):
        return f"{line} "
    return _LIKE_A_HEADING.sub(r"\1\\", line, count=1) if _LIKE_A_HEADING.match(line) else line


def _unescape_line(line: str) -> str:
    if not line.strip(" "):
        return line[:-1]
    escaped = _ESCAPED_HEADING.match(line)
    return unescape_line(escaped[1] + line[escaped.end() :] if escaped else line)


# The file. Writers wait for each other. One that is killed leaves at most half an entry, which
# nobody reads and the next writer cuts off.


_OWNER_ONLY = 0o600
_BLOCK = 16_384
_PATIENCE_SECONDS = 10.0
_POLL_SECONDS = 0.002
_NO_BLOCKS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class LogGrowth:
    """The number of user turns in a part of a log, and the end of its last whole entry."""

    turns: int
    end: int


def append_entry(
    path: Path, kind: EntryKind, text: str, at: datetime, known: Mapping[str, str] = _NO_BLOCKS
) -> None:
    """Append an entry without secrets and injected blocks; nothing if it was only a block.

    `known` has the exact text of each block by its id. Raises OSError if it cannot be written.
    """
    own = remove_quoted_blocks(text, known)
    if own != text and not own.strip():
        return
    data = format_entry(kind, redact(normalise_line_ends(own)).text, at)
    make_private_folder(path.parent)
    with lock_log(path), open(path, "a+b", buffering=0, opener=_open_private) as file:
        whole = _find_whole_end(file)
        if whole < file.seek(0, SEEK_END):
            file.truncate(whole)
        left = memoryview(data)
        while left:
            left = left[file.write(left) :]


def iter_entries(path: Path, end: int | None = None) -> Iterator[LogEntry]:
    """The whole entries of a log up to a position, the last first; none if there is no log.

    Reads no more of the file than the consumed entries need.
    """
    with suppress(FileNotFoundError), open_regular_file(path) as file:
        yield from _iter_backwards(file, _find_whole_end(file) if end is None else end)


def measure_growth(path: Path, since: int = 0) -> LogGrowth | None:
    """What was added after a position; None if no entry ends there or there is no log."""
    try:
        with open_regular_file(path) as file:
            return _measure_growth(file, since)
    except FileNotFoundError:
        return None


def _measure_growth(file: BinaryIO, since: int) -> LogGrowth | None:
    end = _find_whole_end(file)
    if since and (since > end or not _has_end_at(file, since)):
        return None
    file.seek(since)
    place, turns = since, 0
    while place < end:
        line = file.readline()
        place += len(line)
        heading = ENTRY_HEADING.match(line) if line.startswith(b"## ") else None
        turns += heading is not None and heading[2] == EntryKind.INBOUND.encode()
        if not line:
            break
    return LogGrowth(turns, end)


@contextmanager
def lock_log(path: Path) -> Iterator[None]:
    """Lock a log for writing."""
    lock = FileLock(
        path.with_name(f".{path.name}.lock"),
        timeout=_PATIENCE_SECONDS,
        mode=_OWNER_ONLY,
        poll_interval=_POLL_SECONDS,
    )
    with lock:
        yield


def _open_private(name: str, flags: int) -> int:
    return os.open(name, flags, _OWNER_ONLY)


def _iter_backwards(file: BinaryIO, end: int) -> Iterator[LogEntry]:
    """Entries that end before a position; blocks grow while no heading is found."""
    start, held, block = end, b"", _BLOCK
    while start > 0:
        start, piece = _read_before(file, start, block)
        held = piece + held
        block *= 2
        last = len(held)
        for heading in reversed(list(ENTRY_HEADING.finditer(held))):
            if heading.start() == 0 and start > 0:
                break
            entry = parse_entry(held, heading, last, start)
            if entry is not None:
                last, block = heading.start(), _BLOCK
                yield entry
        held = held[:last]


def _find_whole_end(file: BinaryIO) -> int:
    """The end of the last entry that is complete."""
    start, block, held = file.seek(0, SEEK_END), len(ENTRY_END), b""
    while start > 0:
        start, piece = _read_before(file, start, block)
        held = piece + held[: len(ENTRY_END) - 1]
        found = held.rfind(ENTRY_END)
        if found >= 0:
            return start + found + len(ENTRY_END)
        block = max(2 * block, _BLOCK)
    return 0


def _read_before(file: BinaryIO, end: int, size: int) -> tuple[int, bytes]:
    """The bytes before a position, up to a size, and where they begin."""
    start = max(0, end - size)
    file.seek(start)
    return start, file.read(end - start)


def _has_end_at(file: BinaryIO, place: int) -> bool:
    _, last = _read_before(file, place, len(ENTRY_END))
    return last == ENTRY_END


# Messages without tool output


_OF_TOOLS = re.compile(r"\[Tool (?:Result\]|Call): ?")
SPEAKERS = {EntryKind.INBOUND: USER, EntryKind.OUTBOUND: ASSISTANT}


@dataclass(frozen=True, slots=True)
class SpokenMessage:
    """The lines of a message that say something."""

    entry: LogEntry
    lines: tuple[str, ...]


def find_spoken(entries: Iterable[LogEntry]) -> Iterator[SpokenMessage]:
    """The messages of both sides without tool output and empty lines."""
    for entry in entries:
        lines = _spoken_lines(entry) if entry.kind in SPEAKERS else ()
        if lines:
            yield SpokenMessage(entry, lines)


def _spoken_lines(entry: LogEntry) -> tuple[str, ...]:
    lines = (line.rstrip() for line in entry.text.split("\n"))
    own = entry.kind is EntryKind.INBOUND
    return tuple(line for line in lines if line and (own or not _OF_TOOLS.match(line)))


# The tail


_ROLES: Mapping[str, str] = {
    SPEAKERS[EntryKind.INBOUND]: "user",
    SPEAKERS[EntryKind.OUTBOUND]: "assistant",
}
_CUT_MARK = "…"
_INDENT = "  "
_JOINER = "\u200d"
_SKIN_TONES = "".join(map(chr, range(0x1F3FB, 0x1F400)))
_FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
"""Two of them are one flag."""


def build_tail(log: Path, settings: GroundingSettings) -> str:
    """The last lines of a chat log that fit; each message begins with its speaker.

    Further lines of a message are indented. A … marks a message that was cut at its start.
    """
    if not settings.chat_tail_max_tokens:
        return ""
    shown: list[str] = []
    for said in find_spoken(iter_entries(log)):
        if len(said.lines) <= settings.chat_tail_lines:
            whole = [*_format_message(said, said.lines), *shown]
            if _fits(whole, settings):
                shown = whole
                continue
        shown = _cut_message(said, shown, settings)
        break
    return "\n".join(shown)


def parse_tail(tail: str) -> tuple[Mapping[str, str], ...]:
    """The messages of a tail, as a history has them."""
    found: list[tuple[str, list[str]]] = []
    for line in tail.splitlines():
        if line.startswith(_INDENT) and found:
            found[-1][1].append(line.removeprefix(_INDENT))
        else:
            speaker, _, words = line.partition(":")
            found.append((_ROLES.get(speaker, "user"), [words.strip()]))
    said = [(role, restore_lines("\n".join(lines))) for role, lines in found]
    return tuple({"role": role, "content": content} for role, content in said)


def _format_message(said: SpokenMessage, lines: Sequence[str], mark: str = "") -> list[str]:
    shown = neutralize_lines("\n".join(take_last_lines(lines, len(lines)))).split("\n")
    first, others = ("", shown) if CodeFence.of(shown[0]) else (shown[0], shown[1:])
    opening = f"{SPEAKERS[said.entry.kind]}: {mark}{first}".rstrip()
    return close_markup("\n".join([opening, *(f"{_INDENT}{line}" for line in others)])).split("\n")


def _cut_message(said: SpokenMessage, shown: list[str], settings: GroundingSettings) -> list[str]:
    """The tail with as many last lines of one more message as fit."""
    near = take_last_lines(said.lines, settings.chat_tail_lines)
    for count in range(min(len(said.lines) - 1, len(near)), 0, -1):
        lines = [*_format_message(said, [_CUT_MARK, *take_last_lines(near, count)]), *shown]
        if _fits(lines, settings):
            return lines
    return shown or _cut_last_line(said, settings)


def _cut_last_line(said: SpokenMessage, settings: GroundingSettings) -> list[str]:
    """The last words of a line that is too long, or its last characters."""
    line = said.lines[-1][-settings.chat_tail_bytes :]
    low, high = 0, len(line)
    while low < high:
        middle = (low + high) // 2
        if _fits(_format_message(said, [line[middle:]], f"{_CUT_MARK} "), settings):
            high = middle
        else:
            low = middle + 1
    while low < len(line) and _is_joined(line, low):
        low += 1
    words = line[low:].split(None, 1)
    if not words:
        return []
    is_broken = low > 0 and not line[low - 1].isspace()
    kept = words[-1] if is_broken else " ".join(words)
    return _format_message(said, [kept], f"{_CUT_MARK} ")


def _is_joined(line: str, place: int) -> bool:
    """Whether the character at a position belongs to the one before it."""
    character = line[place]
    if character in _FLAG_LETTERS:
        letters = place - len(line[:place].rstrip(_FLAG_LETTERS))
        return letters % 2 == 1
    is_joined = character == _JOINER or line[place - 1 : place] == _JOINER
    return is_joined or character in _SKIN_TONES or category(character).startswith("M")


def _fits(lines: Sequence[str], settings: GroundingSettings) -> bool:
    if len(lines) > settings.chat_tail_lines or sum(map(len, lines)) > settings.chat_tail_bytes:
        return False
    size = TextSize.of("\n".join(lines))
    tokens = body_tokens(PromptPart.TAIL, settings.chat_tail_max_tokens)
    return size.bytes <= settings.chat_tail_bytes and size.tokens <= tokens
