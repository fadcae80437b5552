"""A question to memory: words to match, and texts whose meaning to look for."""

from dataclasses import dataclass
from typing import Self

from tacit.language.text.analysis import QueryTerm, query_terms

CHARACTERS = 800
"""So much of a text is matched by words."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """A text to embed, and how much it counts."""

    text: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Question:
    """Terms with their weights, and what to embed, the text itself first.

    `context` are those of the terms that were not said now.
    """

    terms: tuple[QueryTerm, ...]
    meanings: tuple[Meaning, ...]
    context: tuple[QueryTerm, ...] = ()

    @classmethod
    def of(cls, text: str) -> Self:
        """A text alone."""
        return cls(tuple(query_terms(text[:CHARACTERS])), (Meaning(text),))
