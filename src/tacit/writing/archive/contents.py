"""The contents of a file to import: recognises its format and reads its lines or entries."""

import codecs
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from types import MappingProxyType
from typing import Any, BinaryIO

from tacit.core.errors import ArchiveError, InvalidInput
from tacit.language.redaction.redact import redact_lines, redact_pieces
from tacit.writing.archive.claude_reader import is_claude_export, is_memory_file, read_claude
from tacit.writing.archive.conversations_reader import (
    HEAD_BYTES,
    is_conversation_export,
    read_conversations,
)
from tacit.writing.archive.files import Format
from tacit.writing.archive.markdown_reader import read_markdown
from tacit.writing.archive.mem0_reader import is_mem0_export, read_mem0
from tacit.writing.archive.saved_list_reader import is_saved_list, read_saved_list
from tacit.writing.archive.source_file import SourceEntry, SourceFile, parse_json, refuse_large_text

# Recognising the format


_MARKDOWN = (".md", ".markdown")
_INSTRUCTIONS = ("claude.md", "claude.local.md")
_JSON = (b"{", b"[")
_TEXT = re.compile(rb"\s*\[\s*[^\s{]")
_BROKEN_JSON = (
    "this looks like JSON but cannot be read as such; export it again or, if it is text, import it"
    ' with the format "lines"'
)
_CLAUDE_MESSAGES = "chat_messages"
_CLAUDE_CONVERSATIONS = (
    "this is a Claude conversation export; it holds no memories; import the memories.json of the"
    " same export"
)


def guess_format(first: bytes, name: str | None) -> Format | None:
    """Guess the format from the name and the first line with text; None if that is not enough."""
    if name is not None and name.casefold().endswith(_MARKDOWN):
        return Format.CLAUDE if name.casefold() in _INSTRUCTIONS else Format.MARKDOWN
    if not first.lstrip().startswith(_JSON):
        return Format.LINES
    if is_saved_list([first.decode(errors="replace")]):
        return Format.CHATGPT
    data = parse_json(first)
    return recognise_json(data) or Format.JSONL if isinstance(data, dict) else None


def decide_format(first: bytes, whole: bytes) -> Format:
    """Decide the format from the whole file; a plain text may begin with a bracket too."""
    data = parse_json(whole)
    is_text = data is None and parse_json(first) is None and first.lstrip().startswith(b"[")
    if is_text and not _TEXT.match(first):
        raise ArchiveError(_BROKEN_JSON)
    if is_text:
        return Format.LINES
    return recognise_json(data) or (Format.JSON if isinstance(data, list) else Format.JSONL)


def recognise_json(data: Any) -> Format | None:
    """The format of JSON that another program wrote; the conversations of Claude are refused."""
    for each in data if isinstance(data, list) else [data]:
        if isinstance(each, Mapping) and _CLAUDE_MESSAGES in each:
            raise ArchiveError(_CLAUDE_CONVERSATIONS)
    if is_claude_export(data):
        return Format.CLAUDE
    return Format.MEM0 if is_mem0_export(data) else None


def read_entries(sheet: SourceFile, format: Format) -> Iterator[SourceEntry]:
    """Read the entries of a file in a format other than lines."""
    looks = None if sheet.data is None else recognise_json(sheet.data)
    if looks not in (None, format):
        raise ArchiveError(f'this looks like {looks}; import it with the format "{looks}"')
    if sheet.data is not None and looks is None and format not in (Format.MEM0, Format.JSON):
        raise ArchiveError(
            f'this is JSON, not {format}; import lines of it with the format "jsonl"'
        )
    if sheet.data is None and format not in (Format.MEM0, Format.JSON):
        refuse_large_text(sheet.lines)
    return _READERS[format](sheet)


def refine_format(sheet: SourceFile, guess: Format) -> Format:
    """The final format of a file, once it is read."""
    is_memory = guess is Format.MARKDOWN and is_memory_file(sheet)
    return Format.CLAUDE if is_memory else guess


def _read_array(sheet: SourceFile) -> Iterator[SourceEntry]:
    """The elements of a JSON array, as the lines of a file of JSON Lines would be."""
    if not isinstance(sheet.data, list):
        raise ArchiveError('this is no JSON array; write [{"content": "..."}]')
    for number, each in enumerate(sheet.data, start=1):
        if isinstance(each, str | dict):
            yield SourceEntry(number, {"content": each} if isinstance(each, str) else each)
        else:
            problem = 'is neither a text nor an object; write {"content": "..."}'
            yield SourceEntry.left_out(number, "entry", problem)


_READERS: Mapping[Format, Callable[[SourceFile], Iterator[SourceEntry]]] = MappingProxyType(
    {
        Format.MARKDOWN: read_markdown,
        Format.MEM0: read_mem0,
        Format.CHATGPT: read_saved_list,
        Format.CLAUDE: read_claude,
        Format.JSON: _read_array,
    }
)


# Reading the file


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
class InputLine:
    """One line of a file: its number, its size, and its values or its problem.

    `is_foreign` lines were written for another program: known values and those given by the
    importing user override them. `is_reworded` lines contained a part of a secret.
    """

    number: int
    size: int
    values: dict[str, Any] | None
    problem: InvalidInput | None = None
    is_foreign: bool = False
    is_reworded: bool = False

    @property
    def text(self) -> str:
        """The content of the line, if it has one."""
        content = (self.values or {}).get("content")
        return content if isinstance(content, str) else ""


@dataclass(frozen=True, slots=True)
class FileContents:
    """The lines of a file, and the format that it is read as."""

    format: Format
    lines: Iterator[InputLine]

    def chunks(self) -> Iterator[Sequence[InputLine]]:
        """The lines in groups, one for each transaction."""
        while chunk := list(islice(self.lines, _CHUNK)):
            yield chunk


def read_contents(file: BinaryIO, format: Format, name: str | None = None) -> FileContents:
    """Read the lines or entries of a file; its name helps to recognise the format."""
    raws = _raw_lines(file)
    blank, first = _read_head(raws)
    guess = guess_format(first, name) if format is Format.AUTO else format
    if format is Format.JSONL:
        _refuse_foreign(first)
    if guess in _BY_LINE:
        lines = _stream_lines(chain([first], raws), guess, above=blank)
        return FileContents(guess, _redact_across_lines(lines, guess))
    more = b""
    if guess in (None, Format.CHATGPT) and first.lstrip().startswith(b"["):
        more = b"" if len(first) >= HEAD_BYTES else file.read(HEAD_BYTES)
        if is_conversation_export(first + more):
            return FileContents(Format.CHATGPT, _stream_conversations(first + more, file))
    raw = b"\n" * blank + first + more + file.read(_MAX_WHOLE_BYTES)
    if len(raw) > _MAX_WHOLE_BYTES:
        raise ArchiveError(f"this file is larger than {_MAX_WHOLE_BYTES // 1_000_000} MB; split it")
    if guess is None:
        guess = decide_format(first, raw)
    if guess in _BY_LINE:
        lines = _stream_lines(_raw_lines(io.BytesIO(raw)), guess)
        return FileContents(guess, _redact_across_lines(lines, guess))
    sheet = SourceFile.of(raw, name)
    found = guess if format is not Format.AUTO else refine_format(sheet, guess)
    return FileContents(found, _redact_across_lines(_read_whole(sheet, len(raw), found), found))


def _read_head(raws: Iterator[bytes]) -> tuple[int, bytes]:
    """The number of blank lines and the first line with text, without a byte order mark."""
    for blank, raw in enumerate(raws):
        if blank == 0:
            raw = raw.removeprefix(codecs.BOM_UTF8)
            _refuse_binary(raw)
        if raw.strip():
            return blank, raw
    return 0, b""


def _stream_lines(raws: Iterable[bytes], format: Format, above: int = 0) -> Iterator[InputLine]:
    """The lines with text; a bad line carries its problem instead of raising."""
    for number, raw in enumerate(raws, start=above + 1):
        if not raw.strip():
            continue
        try:
            yield InputLine(number, len(raw), _line_values(raw, format))
        except InvalidInput as error:
            yield InputLine(number, len(raw), None, error)


def _stream_conversations(first: bytes, file: BinaryIO) -> Iterator[InputLine]:
    """What was said in conversations; a line counts for all that was read up to it."""
    head, read = io.BytesIO(first), 0
    for size, entries in read_conversations(lambda count: head.read(count) or file.read(count)):
        read += size
        for each in entries:
            yield InputLine(each.number, read, each.values, each.problem, is_foreign=True)
            read = 0


def _read_whole(sheet: SourceFile, size: int, format: Format) -> Iterator[InputLine]:
    """The entries of a file; each counts for its share of the bytes."""
    try:
        found = list(read_entries(sheet, format))
    except RecursionError:
        raise ArchiveError("this file is nested too deeply to be read; write it flatter") from None
    for place, each in enumerate(found, start=1):
        share = size * place // len(found) - size * (place - 1) // len(found)
        is_foreign = format is not Format.JSON
        yield InputLine(each.number, share, each.values, each.problem, is_foreign=is_foreign)


def _redact_across_lines(lines: Iterator[InputLine], format: Format) -> Iterator[InputLine]:
    """Remove secrets that span several lines."""
    for section in _split_sections(lines):
        texts = [line.text for line in section]
        kept = redact_lines(texts) if format is Format.LINES else redact_pieces(texts)
        for line, text, words in zip(section, texts, kept, strict=True):
            if words == text or line.values is None:
                yield line
            else:
                values = {**line.values, "content": words if words.strip() else _ALL_PRIVATE}
                yield replace(line, values=values, is_reworded=True)


def _split_sections(lines: Iterator[InputLine]) -> Iterator[list[InputLine]]:
    """Group lines to redact together, split where no secret of several lines is open."""
    section: list[InputLine] = []
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
    """Refuse JSON of another program, and name the format it looks like."""
    looks = recognise_json(parse_json(first))
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
    """Lines of bounded length; of a longer line, one over-long piece comes, the rest is skipped."""
    while raw := file.readline(_MAX_LINE_BYTES):
        yield raw
        while raw and not raw.endswith(b"\n"):
            raw = file.readline(_MAX_LINE_BYTES)


def _line_values(raw: bytes, format: Format) -> dict[str, Any]:
    try:
        text = raw.removesuffix(b"\n").removesuffix(b"\r").decode()
    except UnicodeDecodeError as error:
        raise InvalidInput("line", f"byte {error.start + 1} is not UTF-8; save as UTF-8") from None
    return {"content": text} if format is Format.LINES else _parse_line(text)


def _parse_line(text: str) -> dict[str, Any]:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("line", f"is not JSON ({error}); one object on each line") from None
    if not isinstance(values, dict):
        raise InvalidInput("line", 'is JSON but no object; write {"content": "..."}')
    return values
