"""Reading the lines of a file that somebody wants imported."""

import codecs
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, BinaryIO

from tacit.core.errors import ArchiveError, InvalidInput
from tacit.language.redaction.text import redact_lines, redact_pieces
from tacit.writing.archive.format import Format
from tacit.writing.archive.readers.recognition import decided, guessed, read, seen, settled
from tacit.writing.archive.readers.sheet import Sheet, parsed

_CHUNK = 200
_MAX_LINE_BYTES = 4_000_000
_MAX_WHOLE_BYTES = 64_000_000
_BY_LINE = (Format.LINES, Format.JSONL)
_PACKED = (b"PK\x03\x04", b"\x1f\x8b")
_SECTION_BYTES = 1_000_000
_EDGE = re.compile(r"(<private|</private|-BEGIN|-END)(?![a-z])", re.IGNORECASE)
_CLOSING = ("</private", "-end")
_ALL_PRIVATE = "<private></private>"
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: its number, its size, and its values or what is wrong with it.

    What `is_foreign` was written for another program: what it says gives way to what the one who
    imports says, and to what is known. What `is_reworded` had a part of a secret.
    """

    number: int
    size: int
    values: dict[str, Any] | None
    problem: InvalidInput | None = None
    is_foreign: bool = False
    is_reworded: bool = False

    @property
    def text(self) -> str:
        """What it says, if it says something."""
        content = (self.values or {}).get("content")
        return content if isinstance(content, str) else ""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a file holds, and the format that it is read as."""

    format: Format
    lines: Iterator[Line]

    def chunks(self) -> Iterator[Sequence[Line]]:
        """Lines in groups that are worth a transaction."""
        while chunk := list(islice(self.lines, _CHUNK)):
            yield chunk


def contents(file: BinaryIO, format: Format, name: str | None = None) -> Contents:
    """The lines of a file, or what a reader makes of the whole; its name helps to tell which."""
    raws = _raw_lines(file)
    blank, first = _head(raws)
    guess = guessed(first, name) if format is Format.AUTO else format
    if format is Format.JSONL:
        _refuse_foreign(first)
    if guess in _BY_LINE:
        lines = _streamed(chain([first], raws), guess, above=blank)
        return Contents(guess, _without_secrets(lines, guess))
    raw = b"\n" * blank + first + file.read(_MAX_WHOLE_BYTES)
    if len(raw) > _MAX_WHOLE_BYTES:
        raise ArchiveError(f"this file is larger than {_MAX_WHOLE_BYTES // 1_000_000} MB; split it")
    if guess is None:
        guess = decided(first, raw)
    if guess in _BY_LINE:
        lines = _streamed(_raw_lines(io.BytesIO(raw)), guess)
        return Contents(guess, _without_secrets(lines, guess))
    sheet = Sheet.of(raw, name)
    found = guess if format is not Format.AUTO else settled(sheet, guess)
    return Contents(found, _without_secrets(_whole(sheet, len(raw), found), found))


def _head(raws: Iterator[bytes]) -> tuple[int, bytes]:
    """How many lines are blank, and the first that is not, without a byte order mark."""
    for blank, raw in enumerate(raws):
        if blank == 0:
            raw = raw.removeprefix(codecs.BOM_UTF8)
            _refuse_binary(raw)
        if raw.strip():
            return blank, raw
    return 0, b""


def _streamed(raws: Iterable[bytes], format: Format, above: int = 0) -> Iterator[Line]:
    """The lines that are not blank; a bad one comes with its problem instead of raising."""
    for number, raw in enumerate(raws, start=above + 1):
        if not raw.strip():
            continue
        try:
            yield Line(number, len(raw), _values(raw, format))
        except InvalidInput as error:
            yield Line(number, len(raw), None, error)


def _whole(sheet: Sheet, size: int, format: Format) -> Iterator[Line]:
    """What a reader finds in a file; each entry counts for its share of the bytes."""
    try:
        found = list(read(sheet, format))
    except RecursionError:
        raise ArchiveError("this file is nested too deeply to be read; write it flatter") from None
    for place, each in enumerate(found, start=1):
        share = size * place // len(found) - size * (place - 1) // len(found)
        yield Line(each.number, share, each.values, each.problem, is_foreign=True)


def _without_secrets(lines: Iterator[Line], format: Format) -> Iterator[Line]:
    """The lines without secrets that stand in several of them, which none shows by itself."""
    for section in _sections(lines):
        texts = [line.text for line in section]
        kept = redact_lines(texts) if format is Format.LINES else redact_pieces(texts)
        for line, text, words in zip(section, texts, kept, strict=True):
            if words == text or line.values is None:
                yield line
            else:
                values = {**line.values, "content": words if words.strip() else _ALL_PRIVATE}
                yield replace(line, values=values, is_reworded=True)


def _sections(lines: Iterator[Line]) -> Iterator[list[Line]]:
    """Lines in groups to be looked at together, cut where no secret of several lines is open."""
    section: list[Line] = []
    size, is_open = 0, False
    for line in lines:
        section.append(line)
        size += line.size
        ends = [edge[0].lower() in _CLOSING for edge in _EDGE.finditer(line.text)]
        is_open = not ends[-1] if ends else is_open
        if size >= (_MAX_LINE_BYTES if is_open else _SECTION_BYTES):
            yield section
            section, size = [], 0
    if section:
        yield section


def _refuse_foreign(first: bytes) -> None:
    """Say of JSON that another program wrote what it looks like."""
    looks = seen(parsed(first))
    if looks is not None:
        raise ArchiveError(f'this looks like {looks}; import it with the format "{looks}"')


def _refuse_binary(start: bytes) -> None:
    if start.startswith(_PACKED):
        raise ArchiveError("this is a compressed file; unpack it and import what is in it")
    if start.startswith(_WIDE):
        raise ArchiveError("this text is UTF-16; save it as UTF-8 and import it again")
    if b"\0" in start:
        raise ArchiveError("this is not a text file; give lines of text or JSON Lines in UTF-8")


def _raw_lines(file: BinaryIO) -> Iterator[bytes]:
    """Lines of bounded length; what is longer comes as an over-long piece, its rest skipped."""
    while raw := file.readline(_MAX_LINE_BYTES):
        yield raw
        while raw and not raw.endswith(b"\n"):
            raw = file.readline(_MAX_LINE_BYTES)


def _values(raw: bytes, format: Format) -> dict[str, Any]:
    try:
        text = raw.removesuffix(b"\n").removesuffix(b"\r").decode()
    except UnicodeDecodeError as error:
        raise InvalidInput("line", f"byte {error.start + 1} is not UTF-8; save as UTF-8") from None
    return {"content": text} if format is Format.LINES else _parsed(text)


def _parsed(text: str) -> dict[str, Any]:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("line", f"is not JSON ({error}); one object on each line") from None
    if not isinstance(values, dict):
        raise InvalidInput("line", 'is JSON but no object; write {"content": "..."}')
    return values
