"""Reading a text: its statements, and what must agree before two texts can mean the same."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tacit.language.statements.choices import by_choice
from tacit.language.statements.clause import Clause, clauses
from tacit.language.statements.copulas import by_copula
from tacit.language.statements.figures import figures
from tacit.language.statements.names import is_capital, names
from tacit.language.statements.predicates import by_participle, by_state, of_a_kind
from tacit.language.statements.statement import Statement
from tacit.language.statements.vocabulary import ARTICLES, CONDITIONS
from tacit.language.statements.words import Word, cleaned, sentences, without_speaker

STATEMENTS_VERSION = 2
"""Raised whenever `claims` changes what it returns; a store then makes its claims anew."""

MAX_CHARACTERS = 2_000
"""So much of a text is read."""

_MAX_SENTENCES = 8
_FINDERS = (of_a_kind, by_choice, by_participle, by_state, by_copula)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a text says, as far as it can be told without a model."""

    statements: tuple[Statement, ...]
    numbers: frozenset[str]
    dates: frozenset[str]
    names: frozenset[str]
    negated: bool
    core: tuple[str, ...]


def read(text: str) -> Reading:
    """Read the beginning of a text, at most `MAX_CHARACTERS` of it."""
    return _read(text[:MAX_CHARACTERS])


def slots(text: str) -> tuple[str, ...]:
    """What a text gives a value to: the same string for the same attribute of the same entity."""
    found = (statement.slot for statement in read(text).statements if statement.functional)
    return tuple(dict.fromkeys(found))


def claims(text: str) -> tuple[str, ...]:
    """What another text must share to contradict this one; a store finds rivals by it."""
    return tuple(dict.fromkeys(statement.claim for statement in read(text).statements))


@lru_cache(maxsize=8_192)
def _read(text: str) -> Reading:
    speaker, said = without_speaker(cleaned(text))
    figured = figures(said)
    found = sentences(figured.text)
    parts = [
        (clause, sentence.asks) for sentence in found for clause in clauses(sentence.words, speaker)
    ]
    told = [clause for clause, asks in parts[:_MAX_SENTENCES] if not asks]
    return Reading(
        statements=tuple(dict.fromkeys(_statement(clause) for clause in told)),
        numbers=figured.numbers,
        dates=figured.dates,
        names=names(found),
        negated=any(clause.negated for clause, _ in parts),
        core=tuple(word for clause, _ in parts for word in _core(clause)),
    )


def _statement(clause: Clause) -> Statement:
    """What a clause states; where that has no known form, all its words as one value."""
    if not _is_conditional(clause.words):
        for find in _FINDERS:
            if (found := find(clause)) is not None:
                return found.with_polarity(clause.negated)
    return Statement("", "", " ".join(_core(clause)), negated=clause.negated)


def _is_conditional(words: Sequence[Word]) -> bool:
    """Whether a clause holds only if something else does; `When Harry Met Sally` is a name."""
    if any(word.folded in CONDITIONS and not is_capital(word) for word in words):
        return True
    return len(words) > 1 and words[0].folded in CONDITIONS and not is_capital(words[1])


def _core(clause: Clause) -> Iterator[str]:
    return (_singular(word.folded) for word in clause.words if word.folded not in ARTICLES)


@lru_cache(maxsize=32_768)
def _singular(folded: str) -> str:
    """A word without the ending that a plural or a third person has."""
    if len(folded) < 4 or not folded.endswith("s") or folded.endswith(("ss", "us", "is")):
        return folded
    if folded.endswith("ies"):
        return folded[:-3] + "y"
    return folded[:-2] if folded.endswith(("xes", "ches", "shes", "sses")) else folded[:-1]
