"""Substance: what a model noted must be a statement that somebody can use later."""

import re
from datetime import datetime

from tacit.language.extraction.extracting import extract
from tacit.language.extraction.finding import Reason
from tacit.language.extraction.objection import objection
from tacit.language.text.analysis import query_terms
from tacit.language.text.languages import guess
from tacit.language.text.words import split
from tacit.writing.learning.cues import is_remark

_LEAST_WORDS = 3
_LEAST_TELLING = 2
_RULED = frozenset({"english", "german", "french", "spanish"})
_ENDS = " \"'”’)»!"
_MARKS = re.compile(r"[\W_]+")


def has_substance(content: str, quote: str, now: datetime) -> bool:
    """Whether a note and the words it rests on are more than a question, a remark or noise.

    Who only copies what was said has judged nothing; then it is for the rules to say, in the
    languages that they know.
    """
    said = query_terms(content)
    telling = [term for term in said if not term.is_stop_word]
    return (
        len(said) >= _LEAST_WORDS
        and len(telling) >= _LEAST_TELLING
        and not content.rstrip(_ENDS).endswith("?")
        and not is_remark(quote)
        and _is_sound(content)
        and _is_sound(quote)
        and (_plain(content) != _plain(quote) or _is_for_the_rules(content, now))
    )


def _is_for_the_rules(said: str, now: datetime) -> bool:
    words = split(said.casefold())
    if any(word.is_unspaced for word in words) or guess(word.text for word in words) not in _RULED:
        return True
    return bool(extract(said, now).findings)


def _plain(text: str) -> str:
    return _MARKS.sub(" ", text.casefold()).strip()


def _is_sound(text: str) -> bool:
    """Whether the rules would hear of it; how short it is, they cannot tell without spaces."""
    reason = objection(text)
    if reason is Reason.TOO_SHORT:
        return any(word.is_unspaced for word in split(text))
    return reason is None
