"""Which format a file has: by its name, by its first words, or by what it holds."""

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from tacit.core.errors import ArchiveError
from tacit.writing.archive.format import Format
from tacit.writing.archive.readers import claude, markdown, mem0, saved
from tacit.writing.archive.readers.entry import Entry
from tacit.writing.archive.readers.sheet import Sheet, parsed, refuse_large

_MARKDOWN = (".md", ".markdown")
_INSTRUCTIONS = ("claude.md", "claude.local.md")
_JSON = (b"{", b"[")
_TEXT = re.compile(rb"\s*\[\s*[^\s{]")
_CUT_OFF = (
    "this looks like JSON but cannot be read as such; export it again or, if it is text, import it"
    ' with the format "lines"'
)
_CONVERSATIONS = MappingProxyType(
    {
        "mapping": "this is a ChatGPT conversation export; it holds no saved memories; copy them"
        " from Settings, Personalization, Manage memories into a text file, and import that"
        ' with the format "chatgpt"',
        "chat_messages": "this is a Claude conversation export; it holds no memories; import"
        " the memories.json of the same export",
    }
)


def guessed(first: bytes, name: str | None) -> Format | None:
    """What the first line that is not blank and the name tell; None if only the whole does."""
    if name is not None and name.casefold().endswith(_MARKDOWN):
        return Format.CLAUDE if name.casefold() in _INSTRUCTIONS else Format.MARKDOWN
    if not first.lstrip().startswith(_JSON):
        return Format.LINES
    if saved.is_list([first.decode(errors="replace")]):
        return Format.CHATGPT
    data = parsed(first)
    return seen(data) or Format.JSONL if isinstance(data, dict) else None


def decided(first: bytes, whole: bytes) -> Format:
    """What a file is whose first line leaves it open: a text, too, may begin with a bracket."""
    data = parsed(whole)
    is_text = data is None and parsed(first) is None and first.lstrip().startswith(b"[")
    if is_text and not _TEXT.match(first):
        raise ArchiveError(_CUT_OFF)
    return Format.LINES if is_text else seen(data) or Format.JSONL


def seen(data: Any) -> Format | None:
    """What JSON that another program wrote looks like; conversations are refused."""
    for each in data if isinstance(data, list) else [data]:
        for field, problem in _CONVERSATIONS.items():
            if isinstance(each, Mapping) and field in each:
                raise ArchiveError(problem)
    if claude.is_export(data):
        return Format.CLAUDE
    return Format.MEM0 if mem0.is_export(data) else None


def read(sheet: Sheet, format: Format) -> Iterator[Entry]:
    """The entries of a file that is laid out in a format other than lines."""
    looks = None if sheet.data is None else seen(sheet.data)
    if looks not in (None, format):
        raise ArchiveError(f'this looks like {looks}; import it with the format "{looks}"')
    if sheet.data is not None and looks is None and format is not Format.MEM0:
        raise ArchiveError(
            f'this is JSON, not {format}; import lines of it with the format "jsonl"'
        )
    if sheet.data is None and format is not Format.MEM0:
        refuse_large(sheet.lines)
    return _READERS[format](sheet)


def settled(sheet: Sheet, guess: Format) -> Format:
    """The format of a file that nobody named, once it is read."""
    is_memory = guess is Format.MARKDOWN and claude.is_memory_file(sheet)
    return Format.CLAUDE if is_memory else guess


_READERS: Mapping[Format, Callable[[Sheet], Iterator[Entry]]] = MappingProxyType(
    {
        Format.MARKDOWN: markdown.read,
        Format.MEM0: mem0.read,
        Format.CHATGPT: saved.read,
        Format.CLAUDE: claude.read,
    }
)
