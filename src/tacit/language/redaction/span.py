"""A stretch of a text that is to go."""

from typing import NamedTuple


class Span(NamedTuple):
    """Where a secret stands, what kind it is, and where what it was recognised by begins."""

    start: int
    end: int
    name: str
    sign: int
