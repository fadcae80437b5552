"""Texts compared by their words alone."""

import unicodedata
from collections.abc import Sequence
from hashlib import sha256

from tacit.core.memory import Memory
from tacit.language.text.analysis import QueryTerm, terms


def wording_hash(content: str) -> bytes:
    """The same for contents that differ only in case, spaces and Unicode form."""
    folded = unicodedata.normalize("NFKC", content).casefold()
    return sha256(" ".join(folded.split()).encode()).digest()


def matches(query: Sequence[QueryTerm], memory: Memory) -> bool:
    """Whether a memory's key or content holds a telling word of the query."""
    held = set(terms(memory.content))
    if memory.key is not None:
        held.update(terms(memory.key.replace(".", " ").replace("_", " ")))
    return any(not term.is_stop_word and not held.isdisjoint(term.alternatives) for term in query)
