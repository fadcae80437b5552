"""From what was said to what is asked of memory: cleaned, weighed, and put into context."""

from tacit.query.asking import Exchange, ask, exchanges_of, last_exchanges, meaning_of
from tacit.query.cleaning import cleaned
from tacit.query.information import is_low_information
from tacit.query.question import CHARACTERS, Meaning, Question

__all__ = [
    "CHARACTERS",
    "Exchange",
    "Meaning",
    "Question",
    "ask",
    "cleaned",
    "exchanges_of",
    "is_low_information",
    "last_exchanges",
    "meaning_of",
]
