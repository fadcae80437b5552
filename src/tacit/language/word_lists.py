"""Lists of words in the tables of this package, and the words of a text as they are looked up."""

import tomllib
from importlib.resources import files
from typing import Any


def load_table(name: str) -> dict[str, str]:
    """The lists of a table of this package, as they are written."""
    table: dict[str, str] = _read_toml(name)
    return table


def load_tables(name: str) -> dict[str, dict[str, str]]:
    """The tables of a file of this package that has several."""
    tables: dict[str, dict[str, str]] = _read_toml(name)
    return tables


def _read_toml(name: str, package: str = "tacit.language") -> dict[str, Any]:
    return tomllib.loads((files(package) / name).read_text("utf-8"))


def load_word_lists(name: str, package: str = "tacit.language") -> dict[str, frozenset[str]]:
    """The lists of a table that has words alone."""
    lists: dict[str, str] = _read_toml(name, package)
    return {list_name: frozenset(words.split()) for list_name, words in lists.items()}


def split_phrases(written: str) -> frozenset[str]:
    """The phrases of a list that separates them by bars and lines."""
    return frozenset(each.strip() for each in written.replace("\n", "|").split("|")) - {""}


_MOST_READ = 800
_PUNCTUATION = '.,;:!?¿¡…"()[]“”„«»'


def find_spoken_words(text: str) -> list[str]:
    """The words at the beginning of a text as they are written, without punctuation."""
    words = (each.strip(_PUNCTUATION) for each in text[:_MOST_READ].split())
    return [word for word in words if word]


def split_contractions(words: list[str]) -> list[str]:
    """Words in lower case; "what's" and "l'été" are two."""
    folded = [word.casefold().replace("’", "'") for word in words]
    parts = [part for word in folded for part in word.replace("'", "' ").split()]
    return [part if len(part) <= 2 else part.rstrip("'") for part in parts if part != "s"]


def split_words(text: str) -> list[str]:
    """The words at the beginning of a text in lower case, contractions in their parts."""
    return split_contractions(find_spoken_words(text))
