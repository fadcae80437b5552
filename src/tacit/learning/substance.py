"""Substance: what a model noted must be a statement that somebody can use later."""

from tacit.extraction import Reason, objection
from tacit.learning.cues import is_remark
from tacit.text import query_terms
from tacit.text.words import split

_LEAST_WORDS = 3
_LEAST_TELLING = 2


def has_substance(content: str, quote: str) -> bool:
    """Whether a note and the words it rests on are more than a question, a remark or noise."""
    said = query_terms(content)
    telling = [term for term in said if not term.is_stop_word]
    return (
        len(said) >= _LEAST_WORDS
        and len(telling) >= _LEAST_TELLING
        and not is_remark(quote)
        and _is_sound(content)
        and _is_sound(quote)
    )


def _is_sound(text: str) -> bool:
    """Whether the rules would hear of it; how short it is, they cannot tell without spaces."""
    reason = objection(text)
    if reason is Reason.TOO_SHORT:
        return any(word.is_unspaced for word in split(text))
    return reason is None
