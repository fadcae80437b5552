"""A message in our own shape."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """Who speaks, and the words."""

    role: str
    content: str
