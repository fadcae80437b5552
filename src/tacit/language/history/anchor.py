"""What a human message is recognised by when the history comes back."""

import json
from functools import lru_cache
from hashlib import sha256

from tacit.core.messages import parts_of, text_of_part, to_plain_data

_MOVES = "cache_control"
"""Clients move this mark from message to message: it is no part of what was said."""


def anchor_of(message: object) -> str:
    """A digest of all that a message holds; the same text has the same one in every shape."""
    parts = parts_of(message)
    if len(parts) == 1 and (text := text_of_part(parts[0])) is not None:
        return _anchor_of_text(text)
    return _digest(
        [_plain(each) if text_of_part(each) is None else text_of_part(each) for each in parts]
    )


@lru_cache(maxsize=16_384)
def _anchor_of_text(text: str) -> str:
    """Plain messages come back turn after turn, so their digests are kept."""
    return _digest([text])


def _digest(said: list[object]) -> str:
    return sha256(json.dumps(said, sort_keys=True, default=repr).encode()).hexdigest()


def _plain(part: object) -> object:
    return to_plain_data(part, lambda name: name != _MOVES)
