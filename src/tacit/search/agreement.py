"""Whether two statements agree: what a later one does to an earlier one, and how sure that is.

A model reads both together. Rules about words (`language/supersession`) are the guard below it:
where there is no model they decide alone, and beside it they count only if it does not object.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

from tacit.core.errors import TacitError
from tacit.embedding.pair_reading import PAIR_RELATIONS, PairReader, PairRelation
from tacit.language.function_words import FUNCTION_WORDS, TIMES
from tacit.language.statements.comparison import Comparison, compare_texts
from tacit.language.statements.parser import parse_text
from tacit.language.supersession.decision import find_replacement
from tacit.language.terms import find_words, stem_in_all_languages

CLEAR = 0.85
"""From this likelihood on a later statement replaces an earlier one (docs/conflicts.md)."""

DOUBTFUL = 0.5
"""From this likelihood on two statements are shown as a contradiction that nobody has decided."""

_WITHOUT_WORDS = 0.9
"""Statements without a word in common are about different things below this likelihood."""

_OBJECTION = 0.01
"""Below this likelihood the model objects to what the rules about words say."""

_KEPT = 4_096
_SAYING_LITTLE = FUNCTION_WORDS | TIMES

TextPair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Agreement:
    """What a later statement does to an earlier one, and how likely it replaces it."""

    relation: PairRelation
    score: float
    by_model: bool

    @property
    def replaces(self) -> bool:
        """Whether the earlier statement clearly no longer holds."""
        return self.relation is PairRelation.REPLACES and self.score >= CLEAR

    @property
    def is_doubtful(self) -> bool:
        """Whether they may contradict each other, and nothing decides it."""
        return not self.replaces and self.score >= DOUBTFUL


_SAME = Agreement(PairRelation.SAME, 0.0, by_model=False)
_APART = Agreement(PairRelation.UNRELATED, 0.0, by_model=False)
_BY_RULES = Agreement(PairRelation.REPLACES, 1.0, by_model=False)


class AgreementJudge:
    """Compares statements; what was compared lately is known without the model."""

    def __init__(self, reader: PairReader | None = None) -> None:
        self._reader = reader
        self._latest: OrderedDict[TextPair, Agreement] = OrderedDict()
        self._lock = Lock()

    @property
    def has_model(self) -> bool:
        """Whether a model reads what is compared; without one only rules about words do."""
        return self._reader is not None

    @property
    def is_ready(self) -> bool:
        """Whether a comparison need not wait for a model to be loaded."""
        return self._reader is None or self._reader.is_loaded

    def load(self) -> None:
        """Load the model now, if there is one."""
        self.compare([("I live in Porto", "I live in Faro")])

    def compare(self, pairs: Sequence[TextPair]) -> list[Agreement]:
        """What each later text does to the earlier one it is paired with."""
        with self._lock:
            known = {pair: self._latest[pair] for pair in pairs if pair in self._latest}
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        found = dict(zip(fresh, self._decide(fresh), strict=True))
        with self._lock:
            self._latest.update(found)
            while len(self._latest) > _KEPT:
                self._latest.popitem(last=False)
        return [known.get(pair) or found[pair] for pair in pairs]

    def _decide(self, pairs: Sequence[TextPair]) -> list[Agreement]:
        decided = [_decide_by_structure(old, new) for old, new in pairs]
        open_pairs = [pair for pair, each in zip(pairs, decided, strict=True) if each is None]
        if self._reader is None or not open_pairs:
            return [each or _by_rules(*pair) for pair, each in zip(pairs, decided, strict=True)]
        try:
            shares = iter(self._reader.read_pairs(open_pairs).tolist())
        except TacitError:  # the model is not to be had, so the rules decide alone
            return [each or _by_rules(*pair) for pair, each in zip(pairs, decided, strict=True)]
        return [
            each or _judge(*pair, next(shares)) for pair, each in zip(pairs, decided, strict=True)
        ]


def _decide_by_structure(old: str, new: str) -> Agreement | None:
    """What needs no model: the same words agree; formal facts about other things are apart."""
    if compare_texts(old, new) is Comparison.REPEATS:
        return _SAME
    ours, theirs = _named_claims(old), _named_claims(new)
    return _APART if ours and theirs and ours.isdisjoint(theirs) else None


def _named_claims(text: str) -> frozenset[str]:
    """What a text states of things with a name of which there is one value: a capital, a spouse."""
    reading = parse_text(text)
    return frozenset(
        each.claim
        for each in reading.statements
        if each.is_functional and not reading.names.isdisjoint(each.entity.split())
    )


def find_common_words(old: str, new: str) -> list[str]:
    """The words of an earlier text that say what it is about, and that a later one has too."""
    known = _telling_stems(new)
    words = dict.fromkeys(word for _, word in find_words(old))
    return [word for word in words if not known.isdisjoint(_telling_stems(word))]


@lru_cache(maxsize=_KEPT)
def _telling_stems(text: str) -> frozenset[str]:
    """The stems of the words that say what a text is about."""
    words = {word.casefold() for _, word in find_words(text)} - _SAYING_LITTLE
    return frozenset(
        stem for word in words if not word.isdigit() for stem in stem_in_all_languages(word)
    )


def _by_rules(old: str, new: str) -> Agreement:
    return _APART if find_replacement(old, new) is None else _BY_RULES


def _judge(old: str, new: str, shares: Sequence[float]) -> Agreement:
    likelihood = shares[0]
    if likelihood < _WITHOUT_WORDS and _telling_stems(old).isdisjoint(_telling_stems(new)):
        return _APART
    if likelihood < CLEAR and likelihood >= _OBJECTION and find_replacement(old, new) is not None:
        return Agreement(PairRelation.REPLACES, CLEAR, by_model=True)
    best = max(range(len(shares)), key=shares.__getitem__)
    relation = PairRelation.REPLACES if likelihood >= CLEAR else PAIR_RELATIONS[best]
    return Agreement(relation, likelihood, by_model=True)
