"""The part of a long text that is worth embedding."""

import re
from functools import lru_cache

from tacit.language.text.analysis import query_terms

_WORD = re.compile(r"\S+")
_TOKENS_PER_WORD = 1.3
_CHARACTERS = 4_000
"""What stands further down a text is not looked at."""


def most_informative(text: str, tokens: int) -> str:
    """At most so many tokens of a text, roughly: its most telling words, in their order.

    Embedding costs time by the token, and small words tell a model little once there are many.
    """
    most = int(tokens / _TOKENS_PER_WORD)
    words = _WORD.findall(text[:_CHARACTERS])
    if len(words) <= most:
        return " ".join(words)
    by_weight = sorted(range(len(words)), key=lambda place: (-_telling(words[place]), place))
    return " ".join(words[place] for place in sorted(by_weight[:most]))


@lru_cache(maxsize=65_536)
def _telling(word: str) -> int:
    """Names and numbers tell most, then longer words, and small words nothing."""
    terms = query_terms(word)
    if not terms or all(term.is_stop_word for term in terms):
        return 0
    stands_out = any(character.isdigit() or character.isupper() for character in word)
    return 3 if stands_out else 2 if len(word) > _SHORT else 1


_SHORT = 5
