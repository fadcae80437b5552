"""What a block is recognised by: its prefix, and an id that the workspace knows."""

import json
import re
from collections.abc import Container, Iterable, Iterator
from hashlib import sha256

from tacit.core.messages import is_message, parts_of, role_of, text_of_part
from tacit.language.structure.templates import INJECTION_BLOCK_PREFIX

_HEADER = re.compile(rf"{re.escape(INJECTION_BLOCK_PREFIX)} #([0-9a-f]{{8}})(?=\n|\Z)")


def block_id(session: str, turn: int, body: str) -> str:
    """The id of a block: the same session, turn and body give the same."""
    return sha256(json.dumps([session, turn, body]).encode()).hexdigest()[:8]


def id_in(text: str, start: int = 0) -> str | None:
    """The id in the line at the start of a text, if that line is the header of a block."""
    header = _HEADER.match(text, start)
    return header[1] if header else None


def ids_in(history: Iterable[object]) -> set[str]:
    """The ids of all that looks like a block in a history."""
    texts = (text_of_part(part) for message in history for part in parts_of(message))
    return {id for text in texts if text is not None for id, _ in headers_in(text)}


def headers_in(text: str) -> Iterator[tuple[str, int]]:
    """The ids of all that looks like a block in a text, and where each begins."""
    return ((found[1], found.start()) for found in _HEADER.finditer(text))


def digests_to(text: str, session: str, turn: int, id: str) -> bool:
    """Whether a text is the block with this id, told by its digest where its words are erased."""
    if id_in(text) != id:
        return False
    _, _, body = text.partition("\n")
    return block_id(session, turn, body) == id


def is_injection_block(part: object, known_ids: Container[str]) -> bool:
    """Whether a text, a content part or a user's message is a block with a known id."""
    text = _whole_message(part) if is_message(part) else text_of_part(part)
    carried = None if text is None else id_in(text)
    return carried is not None and carried in known_ids


def _whole_message(message: object) -> str | None:
    parts = parts_of(message)
    return text_of_part(parts[0]) if role_of(message) == "user" and len(parts) == 1 else None
