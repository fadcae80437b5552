"""Blocks enter a history, each directly before the message that it was made for."""

from collections.abc import Mapping, Sequence
from itertools import chain

from tacit.core.blocks import Placement
from tacit.core.messages import is_tool_result, parts_of, replace_content, user_message
from tacit.language.history.alignment import find


def place(history: Sequence[object], placements: Sequence[Placement]) -> list[object]:
    """The history with every block whose message is still there, in user messages of their own.

    A message in which tools answer must directly follow their calls: there the block is a part
    between the answers and the user's words.
    """
    texts = _texts_by_index(history, placements)
    placed = (
        _with_blocks(message, texts.get(index, ()), history)
        for index, message in enumerate(history)
    )
    return list(chain.from_iterable(placed))


def _texts_by_index(
    history: Sequence[object], placements: Sequence[Placement]
) -> Mapping[int, Sequence[str]]:
    found = find(history, placements)
    texts: dict[int, list[str]] = {}
    for placement in placements:
        if placement.id in found:
            texts.setdefault(found[placement.id], []).append(placement.text)
    return texts


def _with_blocks(
    message: object, texts: Sequence[str], history: Sequence[object]
) -> Sequence[object]:
    if texts and any(map(is_tool_result, parts_of(message))):
        return (_with_parts(message, texts),)
    return (*(user_message(text, history) for text in texts), message)


def _with_parts(message: object, texts: Sequence[str]) -> object:
    parts = parts_of(message)
    after = 1 + max(index for index, part in enumerate(parts) if is_tool_result(part))
    blocks = [{"type": "text", "text": text} for text in texts]
    mixed = [*parts[:after], *blocks, *parts[after:]]
    return replace_content(message, tuple(mixed) if isinstance(parts, tuple) else mixed)
