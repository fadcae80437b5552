"""Recognise, remove and insert the blocks of memories in a conversation's history.

A block is recognised by its prefix and an id that the workspace knows. It stands directly before
the message that it was made for. When the history comes back, messages are matched by their
digests, so blocks find their place again even if the history changed.
"""

import json
import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import chain, pairwise
from typing import NamedTuple

from tacit.core.messages import (
    content_of,
    is_human,
    is_message,
    is_tool_result,
    parts_of,
    replace_content,
    role_of,
    text_of_part,
    to_plain_data,
    user_message,
)
from tacit.core.sessions import Placement
from tacit.language.prompt_templates import INJECTION_BLOCK_PREFIX

# Recognising blocks.


_HEADER = re.compile(rf"{re.escape(INJECTION_BLOCK_PREFIX)} #([0-9a-f]{{8}})(?=\n|\Z)")


_BETWEEN_BLOCKS = "\n\n"


def compute_block_id(session: str, turn: int, body: str) -> str:
    """Compute the id of a block from its session, turn and body."""
    return sha256(json.dumps([session, turn, body]).encode()).hexdigest()[:8]


def block_id_in(text: str, start: int = 0) -> str | None:
    """Return the id if the line at `start` is the header of a block."""
    header = _HEADER.match(text, start)
    return header[1] if header else None


def block_ids_in(history: Iterable[object]) -> set[str]:
    """Return the ids of everything in a history that looks like a block."""
    texts = (text_of_part(part) for message in history for part in parts_of(message))
    return {id for text in texts if text is not None for id, _ in find_block_headers(text)}


def find_block_headers(text: str) -> Iterator[tuple[str, int]]:
    """Yield the id and the start of everything in a text that looks like a block."""
    return ((found[1], found.start()) for found in _HEADER.finditer(text))


def matches_block_id(text: str, session: str, turn: int, id: str) -> bool:
    """Whether a text is the block with this id, by its digest, where its words were erased."""
    if block_id_in(text) != id:
        return False
    _, _, body = text.partition("\n")
    return compute_block_id(session, turn, body) == id


def join_blocks(texts: Iterable[str]) -> str:
    """Join the texts of several blocks, for a caller that puts them into one message."""
    return _BETWEEN_BLOCKS.join(texts)


def split_joined_blocks(text: str) -> list[str]:
    """Split a text before everything in it that looks like a block; the reverse of joining."""
    starts = [start for _, start in find_block_headers(text) if start]
    pieces = [text[start:end] for start, end in pairwise((0, *starts, len(text)))]
    return [*(piece.removesuffix(_BETWEEN_BLOCKS) for piece in pieces[:-1]), pieces[-1]]


def is_injection_block(part: object, known_ids: Container[str]) -> bool:
    """Whether a text, a content part or a user's message is a block with a known id."""
    text = _sole_text(part) if is_message(part) else text_of_part(part)
    carried = None if text is None else block_id_in(text)
    return carried is not None and carried in known_ids


def _sole_text(message: object) -> str | None:
    parts = parts_of(message)
    return text_of_part(parts[0]) if role_of(message) == "user" and len(parts) == 1 else None


# Removing blocks.


_BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)+")


def remove_blocks(history: Sequence[object], known: Mapping[str, str]) -> list[object]:
    """Remove the blocks from a history; `known` maps ids to the exact text of each block."""
    stripped = (_strip_blocks(message, known) for message in history)
    return [message for message in stripped if message is not None]


def _strip_blocks(message: object, known: Mapping[str, str]) -> object | None:
    """Remove blocks from a message; the same object if there are none, None if nothing is left."""
    content = content_of(message)
    own = _content_without_blocks(content, known) if role_of(message) == "user" else content
    if own is content:
        return message
    return replace_content(message, own) if own else None


def _content_without_blocks(content: object, known: Mapping[str, str]) -> object:
    if isinstance(content, str):
        return _text_without_blocks(content, known)
    if isinstance(content, list | tuple):
        kept = [part for part in content if not _is_block(part, known)]
        return content if len(kept) == len(content) else type(content)(kept)
    return content


def _text_without_blocks(content: str, known: Mapping[str, str]) -> str:
    start = 0
    while (block := _block_at(content, start, known)) is not None:
        start += len(block)
        blank = _BLANK_LINES.match(content, start)
        start = blank.end() if blank else start
    return content[start:] if start else content


def _is_block(part: object, known: Mapping[str, str]) -> bool:
    """Whether a part of a message holds nothing but blocks."""
    text = text_of_part(part)
    return text is not None and text != "" and not _text_without_blocks(text, known)


def _block_at(text: str, start: int, known: Mapping[str, str]) -> str | None:
    """Return the block that begins at a place of a text, if any."""
    block = known.get(block_id_in(text, start) or "")
    return block if block and text.startswith(block, start) else None


# Removing blocks that somebody quotes inside another text.


_QUOTED_HEADER = re.compile(rf"{re.escape(INJECTION_BLOCK_PREFIX)} #([0-9a-f]{{8}})")


def remove_quoted_blocks(text: str, known: Mapping[str, str]) -> str:
    """Remove blocks anywhere in a text; `known` maps ids to the exact text of each block."""
    return "".join(_text_around_blocks(text, known)) if INJECTION_BLOCK_PREFIX in text else text


def _text_around_blocks(text: str, known: Mapping[str, str]) -> Iterator[str]:
    start = 0
    header = _QUOTED_HEADER.search(text)
    while header:
        block, end = known.get(header[1]), header.end()
        if block and text.startswith(block, header.start()):
            yield text[start : header.start()]
            start = end = header.start() + len(block)
        header = _QUOTED_HEADER.search(text, end)
    yield text[start:]


# Anchors: how a message is recognised when the history comes back.


_IGNORED_FIELD = "cache_control"
"""Clients move this field from message to message, so it is not part of the content."""


def compute_anchor(message: object) -> str:
    """Compute a digest of a message; the same text has the same digest in every message format."""
    parts = parts_of(message)
    if len(parts) == 1 and (text := text_of_part(parts[0])) is not None:
        return _text_anchor(text)
    return _digest(
        [_plain(each) if text_of_part(each) is None else text_of_part(each) for each in parts]
    )


@lru_cache(maxsize=16_384)
def _text_anchor(text: str) -> str:
    """Plain messages come back turn after turn, so their digests are cached."""
    return _digest([text])


def _digest(said: list[object]) -> str:
    return sha256(json.dumps(said, sort_keys=True, default=repr).encode()).hexdigest()


def _plain(part: object) -> object:
    return to_plain_data(part, lambda name: name != _IGNORED_FIELD)


# Locating messages in a history that may have changed.


_Anchor = tuple[str, int]
"""A digest and an ordinal; placements that share both stand before the same message."""


class _Alignment(NamedTuple):
    """Which human message each anchor was found at; the better of two alignments is the greater."""

    placed: int = 0
    exact: int = 0
    nearness: int = 0
    found: tuple[tuple[_Anchor, int], ...] = ()

    def at(self, anchor: _Anchor, position: int) -> "_Alignment":
        """Add one more anchor."""
        distance = abs(position - anchor[1])
        return _Alignment(
            self.placed + 1,
            self.exact + (distance == 0),
            self.nearness - distance,
            (*self.found, (anchor, position)),
        )


def locate_placements(history: Sequence[object], placements: Sequence[Placement]) -> dict[str, int]:
    """Find the index of the message before which each block stands, in a history without blocks.

    Where not every ordinal fits any more, as many placements as possible are found by their
    digests, each at a message of its own and all in the order given; exact ordinals count first,
    then nearness. A placement whose message is gone is absent.
    """
    if not placements:
        return {}
    humans = [index for index, message in enumerate(history) if is_human(message)]
    positions = _locate_exactly(history, humans, placements)
    if positions is None:
        digests = [compute_anchor(history[index]) for index in humans]
        positions = _align(dict.fromkeys(map(_placement_anchor, placements)), digests)
    return {
        placement.id: humans[positions[_placement_anchor(placement)]]
        for placement in placements
        if _placement_anchor(placement) in positions
    }


def _placement_anchor(placement: Placement) -> _Anchor:
    return placement.anchor, placement.ordinal


def _locate_exactly(
    history: Sequence[object], humans: Sequence[int], placements: Sequence[Placement]
) -> dict[_Anchor, int] | None:
    """Return the positions if nothing moved, which is usual, without hashing every message."""
    anchors = dict.fromkeys(map(_placement_anchor, placements))
    ordinals = [ordinal for _, ordinal in anchors]
    fits = ordinals == sorted(set(ordinals)) and all(
        ordinal < len(humans) and compute_anchor(history[humans[ordinal]]) == digest
        for digest, ordinal in anchors
    )
    return {anchor: anchor[1] for anchor in anchors} if fits else None


def _align(anchors: Collection[_Anchor], digests: Sequence[str]) -> dict[_Anchor, int]:
    """Find the best alignment; `best[n]` is the best within the first n eligible messages."""
    wanted = {digest for digest, _ in anchors}
    eligible = [position for position, digest in enumerate(digests) if digest in wanted]
    best = [_Alignment()] * (len(eligible) + 1)
    for anchor in anchors:
        row = best[:1]
        for n, position in enumerate(eligible):
            options = [row[n], best[n + 1]]
            if digests[position] == anchor[0]:
                options.append(best[n].at(anchor, position))
            row.append(max(options))
        best = row
    return dict(best[-1].found)


# Inserting blocks.


def insert_blocks(history: Sequence[object], placements: Sequence[Placement]) -> list[object]:
    """Insert every block whose message is still there, each in a user message of its own.

    A message with tool results must directly follow the calls: there the block becomes a part
    between the results and the user's words.
    """
    texts = _texts_by_index(history, placements)
    placed = (
        _insert_before(message, texts.get(index, ()), history)
        for index, message in enumerate(history)
    )
    return list(chain.from_iterable(placed))


def _texts_by_index(
    history: Sequence[object], placements: Sequence[Placement]
) -> Mapping[int, Sequence[str]]:
    found = locate_placements(history, placements)
    texts: dict[int, list[str]] = {}
    for placement in placements:
        if placement.id in found:
            texts.setdefault(found[placement.id], []).append(placement.text)
    return texts


def _insert_before(
    message: object, texts: Sequence[str], history: Sequence[object]
) -> Sequence[object]:
    if texts and any(map(is_tool_result, parts_of(message))):
        return (_insert_parts(message, texts),)
    return (*(user_message(text, history) for text in texts), message)


def _insert_parts(message: object, texts: Sequence[str]) -> object:
    parts = parts_of(message)
    after = 1 + max(index for index, part in enumerate(parts) if is_tool_result(part))
    blocks = [{"type": "text", "text": text} for text in texts]
    mixed = [*parts[:after], *blocks, *parts[after:]]
    return replace_content(message, tuple(mixed) if isinstance(parts, tuple) else mixed)
