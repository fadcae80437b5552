"""What a human message is recognised by when the history comes back."""

import json
from collections.abc import Mapping
from hashlib import sha256

from tacit.messages import parts_of, text_in

_MOVES = "cache_control"
"""Clients move this mark from message to message: it is no part of what was said."""


def anchor_of(message: object) -> str:
    """A digest of all that a message holds; the same text has the same one in every shape."""
    said = [_plain(part) if text_in(part) is None else text_in(part) for part in parts_of(message)]
    return sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _plain(value: object) -> object:
    """A value as JSON has it; what an object leaves empty counts as absent."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    fields = value if isinstance(value, Mapping) else getattr(value, "__dict__", None)
    if fields is None:
        return repr(value)
    return {
        str(name): _plain(each)
        for name, each in fields.items()
        if each is not None and name != _MOVES
    }
