"""A configuration file as it was at some time."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """The text of a file at some time, and a version that tells it from any other text."""

    text: str
    version: str
