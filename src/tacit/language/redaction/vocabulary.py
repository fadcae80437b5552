"""Words that tell a secret from what is said about one, read from their file."""

import tomllib
from importlib.resources import files

_WORDS = tomllib.loads((files(__package__) / "words.toml").read_text("utf-8"))


def words(heading: str) -> frozenset[str]:
    """The words under a heading."""
    return frozenset(_WORDS[heading])


def alternatives(heading: str) -> str:
    """The part of a regular expression under a heading."""
    return str(_WORDS[heading])
