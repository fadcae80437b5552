"""What memory is asked: the words that were said and, where they lean on it, what came before."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import islice

from tacit.core.messages import is_assistant, is_human, text_of
from tacit.language.query.cleaning import cleaned
from tacit.language.query.excerpt import most_informative
from tacit.language.query.question import CHARACTERS, Meaning, Question
from tacit.language.text.analysis import QueryTerm, query_terms
from tacit.language.text.languages import guess

_EXCHANGES = 3
_FEW_WORDS = 4
_SOME_WORDS = 6
_MOST_WORDS = 14
_TERM_WEIGHT = 0.35
_ANSWER = 0.7
_FADING = 0.5
_LAST_SAID = 0.7
_LAST_ANSWERED = 0.5
_SAID_BEFORE = 0.3
_TOKENS = 64
_ANSWER_TOKENS = 32

_POINTERS = frozenset((files(__package__) / "pointers.txt").read_text("utf-8").split())
"""Words that point at something said before."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a person said and what was answered."""

    said: str
    answered: str


def exchanges_of(history: Sequence[object]) -> tuple[Exchange, ...]:
    """The last exchanges of a history without blocks, oldest first."""
    found: list[Exchange] = []
    for message in last_exchanges(history):
        if is_human(message):
            found.append(Exchange(cleaned(text_of(message)), ""))
        elif is_assistant(message) and found:
            answered = f"{found[-1].answered} {text_of(message)}".strip()
            found[-1] = replace(found[-1], answered=answered)
    return tuple(found)


def last_exchanges(history: Sequence[object]) -> Sequence[object]:
    """The messages of a history that a question reaches; it is not read to its beginning."""
    people = (place for place in reversed(range(len(history))) if is_human(history[place]))
    return history[next(islice(people, _EXCHANGES - 1, None), 0) :]


def ask(text: str, exchanges: Sequence[Exchange]) -> Question:
    """The question that a cleaned message asks, in the context of the exchanges before it.

    Only a message that leans on what came before is put into context; its own words count most.
    """
    own = query_terms(text[:CHARACTERS])
    itself = meaning_of(text)
    if not exchanges or not _leans_back(own, text):
        return Question(tuple(own), (itself,))
    context = _context_terms(own, exchanges)
    return Question((*own, *context), (itself, *_context_meanings(exchanges)), tuple(context))


def meaning_of(text: str) -> Meaning:
    """A message as it is embedded."""
    return Meaning(most_informative(text, _TOKENS))


def _leans_back(terms: Sequence[QueryTerm], text: str) -> bool:
    """Whether a message says too little by itself: few words of its own, or words that point.

    One that names somebody says what it is about.
    """
    words = [word.strip(".,;:!?¿¡'\"()") for word in text.split()]
    told = sum(not term.is_stop_word for term in terms)
    if len(words) > _MOST_WORDS or (told > 1 and _names(words)):
        return False
    points = any(word.casefold() in _POINTERS for word in words)
    return told <= _FEW_WORDS or (points and told <= _SOME_WORDS)


def _names(words: Sequence[str]) -> bool:
    """Whether a word stands out by its capital; in German every noun has one."""
    if guess(word.casefold() for word in words) == "german":
        return False
    return any(word[:1].isupper() and len(word) > 1 for word in words[1:])


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
    """What was said is embedded as it was when it was asked, so that its vector is at hand."""
    last = exchanges[-1]
    meanings = [
        Meaning(most_informative(last.said, _TOKENS), _LAST_SAID),
        Meaning(most_informative(last.answered, _ANSWER_TOKENS), _LAST_ANSWERED),
    ]
    if len(exchanges) > 1:
        meanings.append(Meaning(most_informative(exchanges[-2].said, _TOKENS), _SAID_BEFORE))
    return [meaning for meaning in meanings if meaning.text]
