"""Words that say little by themselves: they point, ask, or name who speaks.

The lists stand in `function_words.toml`, and those of one topic in the table of its module, all
languages together; `language_words.toml` has by language what would say too much in another.
"""

import tomllib
from importlib.resources import files
from typing import Any

from tacit.language.terms import STOP_WORDS


def load_table(name: str) -> dict[str, str]:
    """The lists of a table of this package, as they are written."""
    table: dict[str, str] = _read_toml(name)
    return table


def load_tables(name: str) -> dict[str, dict[str, str]]:
    """The tables of a file of this package that has several."""
    tables: dict[str, dict[str, str]] = _read_toml(name)
    return tables


def _read_toml(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / name).read_text("utf-8"))


def load_word_lists(name: str) -> dict[str, frozenset[str]]:
    """The lists of a table that has words alone."""
    return {list_name: frozenset(words.split()) for list_name, words in load_table(name).items()}


def split_phrases(written: str) -> frozenset[str]:
    """The phrases of a list that separates them by bars and lines."""
    return frozenset(each.strip() for each in written.replace("\n", "|").split("|")) - {""}


_LISTS = load_word_lists("function_words.toml")
LANGUAGE_TABLES: dict[str, dict[str, str]] = load_tables("language_words.toml")
"""Small words by language; `language_words` reads them."""
_COMMON_LANGUAGES = ("english", "german", "french", "spanish", "russian")
"""Those whose words are in the common lists."""
POINTERS = frozenset(
    word for name in _COMMON_LANGUAGES for word in LANGUAGE_TABLES[name]["pointers"].split()
)
CONTINUATIONS = _LISTS["continuations"]
INTERJECTIONS = _LISTS["interjections"]
INTERROGATIVES = _LISTS["interrogatives"]
SPEAKERS = _LISTS["speakers"]
ADDRESSEES = _LISTS["addressees"]
KNOWING = _LISTS["knowing"]
DETERMINERS = _LISTS["determiners"]
TIMES = _LISTS["times"]
FUNCTION_WORDS = STOP_WORDS.union(
    POINTERS, *(words for name, words in _LISTS.items() if name != "times")
)
"""All of them but times, which name something where nothing points at them."""

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
