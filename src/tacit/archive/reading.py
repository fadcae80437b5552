"""Reading the lines of a file that somebody wants imported."""

import codecs
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any, BinaryIO

from tacit.errors import ArchiveError, InvalidInput

_CHUNK = 200
_MAX_LINE_BYTES = 4_000_000


class Format(StrEnum):
    """How a file is laid out."""

    AUTO = "auto"
    LINES = "lines"
    JSONL = "jsonl"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: its number, its size, and its values or what is wrong with it."""

    number: int
    size: int
    values: dict[str, Any] | None
    problem: InvalidInput | None = None


def read_chunks(file: BinaryIO, format: Format) -> Iterator[Sequence[Line]]:
    """Lines in groups that are worth a transaction."""
    lines = _lines(file, format)
    while chunk := list(islice(lines, _CHUNK)):
        yield chunk


def _lines(file: BinaryIO, format: Format) -> Iterator[Line]:
    """The lines that are not blank; a bad one comes with its problem instead of raising."""
    for number, raw in enumerate(_raw_lines(file), start=1):
        if number == 1:
            raw = raw.removeprefix(codecs.BOM_UTF8)
            _refuse_binary(raw)
        if not raw.strip():
            continue
        if format is Format.AUTO:
            format = Format.JSONL if raw.lstrip().startswith((b"{", b"[")) else Format.LINES
        try:
            yield Line(number, len(raw), _values(raw, format))
        except InvalidInput as error:
            yield Line(number, len(raw), None, error)


def _refuse_binary(start: bytes) -> None:
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
