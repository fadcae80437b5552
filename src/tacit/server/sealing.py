"""Answers as they are kept: who has the request can read them, who has the file cannot.

An answer to a turn holds the conversation, secrets and all, and must be given again as it was.
"""

import secrets
from hashlib import shake_256

_SALT = 16


def sealed(answer: bytes, request: bytes) -> bytes:
    """The answer, mixed with what only the request can tell."""
    salt = secrets.token_bytes(_SALT)
    return salt + _mixed(answer, salt + request)


def opened(kept: bytes, request: bytes) -> bytes:
    """The answer, by the request that it was given to."""
    return _mixed(kept[_SALT:], kept[:_SALT] + request)


def _mixed(text: bytes, told: bytes) -> bytes:
    """The text, bit by bit against a stream that follows from what is told; twice is none."""
    stream = shake_256(told).digest(len(text))
    number = int.from_bytes(text) ^ int.from_bytes(stream)
    return number.to_bytes(len(text))
