"""What memory is asked: the words that were said and, where they lean on it, what came before."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from tacit.messages import is_assistant, is_human, text_of
from tacit.query.cleaning import cleaned
from tacit.query.excerpt import most_informative
from tacit.query.question import CHARACTERS, Meaning, Question
from tacit.text import QueryTerm, query_terms

_EXCHANGES = 3
_FEW_WORDS = 4
_MOST_WORDS = 14
_TERM_WEIGHT = 0.35
_ANSWER = 0.7
_FADING = 0.5
_LAST_EXCHANGE = 0.7
_EXCHANGE_BEFORE = 0.35
_TOKENS = 64
_CONTEXT_TOKENS = 48

_POINTERS = frozenset((files(__package__) / "pointers.txt").read_text("utf-8").split())
"""Words that point at something said before."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a person said and what was answered."""

    said: str
    answered: str


def exchanges_of(history: Iterable[object]) -> tuple[Exchange, ...]:
    """The last exchanges of a history without blocks, oldest first."""
    found: list[Exchange] = []
    for message in history:
        if is_human(message):
            found.append(Exchange(cleaned(text_of(message)), ""))
        elif is_assistant(message) and found:
            answered = f"{found[-1].answered} {text_of(message)}".strip()
            found[-1] = replace(found[-1], answered=answered)
    return tuple(found[-_EXCHANGES:])


def ask(text: str, exchanges: Sequence[Exchange]) -> Question:
    """The question that a cleaned message asks, in the context of the exchanges before it.

    Only a message that leans on what came before is put into context; its own words count most.
    """
    own = query_terms(text[:CHARACTERS])
    itself = Meaning(most_informative(text, _TOKENS))
    if not exchanges or not _leans_back(own, text):
        return Question(tuple(own), (itself,))
    context = _context_terms(own, exchanges)
    return Question((*own, *context), (itself, *_context_meanings(exchanges)), tuple(context))


def _leans_back(terms: Sequence[QueryTerm], text: str) -> bool:
    """Whether a message says too little by itself: few words of its own, or words that point."""
    words = text.casefold().split()
    if len(words) > _MOST_WORDS:
        return False
    told = sum(not term.is_stop_word for term in terms)
    points = any(word.strip(".,;:!?¿¡'\"()") in _POINTERS for word in words)
    return told <= _FEW_WORDS or points


def _context_terms(own: Sequence[QueryTerm], exchanges: Sequence[Exchange]) -> list[QueryTerm]:
    """Terms of the exchanges, fading with distance; answers count less than what a person said."""
    seen = {term.alternatives for term in own}
    found: dict[tuple[str, ...], QueryTerm] = {}
    for distance, exchange in enumerate(reversed(exchanges)):
        weight = _TERM_WEIGHT * _FADING**distance
        for part, share in ((exchange.said, 1.0), (exchange.answered, _ANSWER)):
            for term in query_terms(part[:CHARACTERS]):
                if not term.is_stop_word and term.alternatives not in seen:
                    found.setdefault(term.alternatives, replace(term, weight=weight * share))
    return list(found.values())


def _context_meanings(exchanges: Sequence[Exchange]) -> list[Meaning]:
    last = exchanges[-1]
    whole = most_informative(f"{last.said} {last.answered}", _CONTEXT_TOKENS)
    meanings = [Meaning(whole, _LAST_EXCHANGE)]
    if len(exchanges) > 1:
        before = most_informative(exchanges[-2].said, _CONTEXT_TOKENS)
        meanings.append(Meaning(before, _EXCHANGE_BEFORE))
    return [meaning for meaning in meanings if meaning.text]
