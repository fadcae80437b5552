"""Blocks leave a history: they are taken out, and nothing beside them is touched."""

import re
from collections.abc import Mapping, Sequence

from tacit.core.messages import content_of, replace_content, role_of, text_of_part
from tacit.language.history.blocks import id_in

_BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)+")


def without_blocks(history: Sequence[object], known: Mapping[str, str]) -> list[object]:
    """The history without its blocks; `known` has the exact text of each by its id."""
    stripped = (_stripped(message, known) for message in history)
    return [message for message in stripped if message is not None]


def _stripped(message: object, known: Mapping[str, str]) -> object | None:
    """The message without blocks: the very same where there are none, None if nothing is left."""
    content = content_of(message)
    own = _own_content(content, known) if role_of(message) == "user" else content
    if own is content:
        return message
    return replace_content(message, own) if own else None


def _own_content(content: object, known: Mapping[str, str]) -> object:
    if isinstance(content, str):
        return _own_words(content, known)
    if isinstance(content, list | tuple):
        kept = [part for part in content if not _is_exactly_a_block(part, known)]
        return content if len(kept) == len(content) else type(content)(kept)
    return content


def _own_words(content: str, known: Mapping[str, str]) -> str:
    start = 0
    while (block := _block_at(content, start, known)) is not None:
        start += len(block)
        blank = _BLANK_LINES.match(content, start)
        start = blank.end() if blank else start
    return content[start:] if start else content


def _is_exactly_a_block(part: object, known: Mapping[str, str]) -> bool:
    text = text_of_part(part)
    return text is not None and text == _block_at(text, 0, known)


def _block_at(text: str, start: int, known: Mapping[str, str]) -> str | None:
    """The block that begins at a place of a text, if one does."""
    block = known.get(id_in(text, start) or "")
    return block if block and text.startswith(block, start) else None
