"""Whether two statements agree: what a later one does to an earlier one, and how sure that is.

A model reads both together. The structure of formal statements (`language/statements`) is the guard
below it: where there is no model it decides alone, and beside one it counts unless that objects.
An earlier text of several clauses is also read clause by clause: news about one of them puts the
text in doubt, and does not replace what its other clauses say. So does what changes only a part of
a clause, by its form (`language/statements/partial_change`).
"""

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

from tacit.core.errors import TacitError
from tacit.embedding.pair_reading import PAIR_RELATIONS, PairReader, PairRelation
from tacit.language.extraction.expiry import remove_stated_day
from tacit.language.extraction.sentences import find_clauses
from tacit.language.languages import DEFAULT_LANGUAGE, FUNCTION_WORDS, TIMES, guess_language
from tacit.language.statements.comparison import Comparison, compare_texts
from tacit.language.statements.parser import parse_text
from tacit.language.statements.partial_change import leaves_part_standing
from tacit.language.statements.subjects import (
    differ_in_numbers_only,
    have_different_subjects,
    tells_new_number,
)
from tacit.language.statements.vocabulary import MILD
from tacit.language.terms import find_words, stem_in_all_languages

READING_VERSION = 3
"""Raised when texts are read otherwise than before: then everything is compared again."""

CLEAR = 0.8
"""From this likelihood on a later statement replaces an earlier one (docs/conflicts.md)."""

_CLEAR_FOREIGN = 0.9
"""So sure the model must be of texts that are not in English, which it knows less well."""

DOUBTFUL = 0.5
"""From this likelihood on two statements are shown as a contradiction that nobody has decided."""

_MOST_DOUBTFUL = 0.79
"""What is in doubt is at most so likely replaced: as a text is of which one clause is replaced."""

_MOST_CLAUSES = 4
"""Clauses of an earlier text that are read by themselves."""

_UNTOUCHED = 0.1
"""Below this likelihood a clause still holds, although the text it stands in is replaced."""

_CLEAR_NUMBER = 0.6
"""So likely another number must be of what two words or more say that it is the same thing."""

_SAYS_THE_SAME = 0.15
"""From this likelihood on two statements that resemble each other are in no doubt."""

_FEWEST_STEMS = 2
"""Words that say what a number is of."""

_OBJECTION = 0.4
"""Below this likelihood the model objects to a contradiction of structure."""

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_KEPT = 4_096
_SAYING_LITTLE = FUNCTION_WORDS | TIMES
_MILD_STEMS = frozenset(stem for word in MILD for stem in stem_in_all_languages(word))

TextPair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Agreement:
    """What a later statement does to an earlier one, and how likely it replaces it."""

    relation: PairRelation
    score: float
    by_model: bool
    in_part: bool = False
    """Whether it clearly replaces one clause of several, so that the text is in doubt."""
    sameness: float | None = None
    """How likely both say the same; nothing if neither a model nor their subjects tell."""

    @property
    def replaces(self) -> bool:
        """Whether the earlier statement clearly no longer holds."""
        return self.relation is PairRelation.REPLACES and self.score >= CLEAR

    @property
    def is_doubtful(self) -> bool:
        """Whether they may contradict each other, and nothing decides it."""
        return not self.replaces and self.score >= DOUBTFUL

    @property
    def is_told(self) -> bool:
        """Whether a turn has a use for it: the earlier one is replaced, or may be."""
        return self.replaces or self.is_doubtful


_SAME = Agreement(PairRelation.SAME, 0.0, by_model=False)
_APART = Agreement(PairRelation.UNRELATED, 0.0, by_model=False)
_OF_SIBLINGS = Agreement(PairRelation.UNRELATED, 0.0, by_model=False, sameness=0.0)
_BY_STRUCTURE = Agreement(PairRelation.REPLACES, 1.0, by_model=False)
_REPLACED_IN_PART = Agreement(PairRelation.REPLACES, _MOST_DOUBTFUL, by_model=True, in_part=True)


class AgreementJudge:
    """Compares statements; what was compared lately is known without the model."""

    def __init__(self, reader: PairReader | None = None) -> None:
        self._reader = reader
        self._latest: OrderedDict[TextPair, Agreement] = OrderedDict()
        self._lock = Lock()

    @property
    def reader(self) -> PairReader | None:
        """The model that reads what is compared, if there is one."""
        return self._reader

    @property
    def has_model(self) -> bool:
        """Whether a model reads what is compared; without one only their structure is."""
        return self._reader is not None

    @property
    def version(self) -> int:
        """The version of what is read of a pair; 0 if only its structure is."""
        return READING_VERSION if self.has_model else 0

    def compare(self, pairs: Sequence[TextPair], *, must_read: bool = False) -> list[Agreement]:
        """What each later text does to the earlier one it is paired with.

        If there is a model and it cannot be had, their structure decides until the next time; with
        `must_read` the error is raised.
        """
        with self._lock:
            known = {pair: self._latest[pair] for pair in pairs if pair in self._latest}
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        try:
            found = self._decide(fresh)
        except TacitError:
            if must_read:
                raise
            return [known.get(pair) or _decide_without_model(*pair) for pair in pairs]
        with self._lock:
            self._latest.update(found)
            while len(self._latest) > _KEPT:
                self._latest.popitem(last=False)
        return [known.get(pair) or found[pair] for pair in pairs]

    def prepare(self, pairs: Sequence[TextPair]) -> "PreparedJudge":
        """Compare pairs now, for work that must not wait for the model."""
        return PreparedJudge(dict(zip(pairs, self.compare(pairs), strict=True)))

    def _decide(self, pairs: Sequence[TextPair]) -> dict[TextPair, Agreement]:
        decided = {pair: told for pair in pairs if (told := _decide_by_structure(*pair))}
        open_pairs = [pair for pair in pairs if pair not in decided]
        return decided | (self._read(open_pairs) if open_pairs else {})

    def _read(self, pairs: Sequence[TextPair]) -> dict[TextPair, Agreement]:
        """What the model says of pairs, or their structure if there is none."""
        if self._reader is None:
            return {pair: _judge_by_structure(*pair) for pair in pairs}
        bare = [(remove_stated_day(old), remove_stated_day(new)) for old, new in pairs]
        shares = self._reader.read_pairs(bare).tolist()
        whole = {pair: _judge(*pair, each) for pair, each in zip(pairs, shares, strict=True)}
        return _mark_partial_replacements(whole, self._reader)


@dataclass(frozen=True, slots=True)
class PreparedJudge:
    """Knows what was compared beforehand, and reads nothing: for work that must not wait.

    Of other pairs the structure decides.
    """

    agreements: Mapping[TextPair, Agreement]

    def compare(self, pairs: Sequence[TextPair]) -> list[Agreement]:
        """What each later text does to the earlier one it is paired with."""
        return [self.agreements.get(pair) or _decide_without_model(*pair) for pair in pairs]


def _mark_partial_replacements(
    whole: Mapping[TextPair, Agreement], reader: PairReader
) -> dict[TextPair, Agreement]:
    """Put earlier texts in doubt of which one clause is replaced, and another is not."""
    clauses = [(pair, each) for pair in whole for each in _find_clauses(pair, whole[pair])]
    shares = reader.read_pairs([(clause, new) for (_, new), clause in clauses]) if clauses else ()
    in_part = {
        pair: _REPLACED_IN_PART
        for (pair, _), each in zip(clauses, shares, strict=True)
        if (each[0] < _UNTOUCHED if whole[pair].replaces else each[0] >= CLEAR)
    }
    return {**whole, **in_part}


def _find_clauses(pair: TextPair, agreement: Agreement) -> list[str]:
    """The clauses of an earlier text that decide whether it is replaced in part.

    That is all of what is replaced, else what has something in common with the later text.
    """
    old, new = pair
    clauses, known = find_clauses(old), find_telling_stems(new)
    if len(clauses) < 2 or agreement.in_part:
        return []
    if not agreement.replaces:
        clauses = [each for each in clauses if not known.isdisjoint(find_telling_stems(each))]
    return clauses[:_MOST_CLAUSES]


def _decide_by_structure(old: str, new: str) -> Agreement | None:
    """What needs no model: the same words agree; formal facts about other things are apart."""
    if compare_texts(old, new) is Comparison.REPEATS:
        return _SAME
    if have_different_subjects(old, new):
        return _OF_SIBLINGS
    ours, theirs = _named_claims(old), _named_claims(new)
    return _APART if ours and theirs and ours.isdisjoint(theirs) else None


def _named_claims(text: str) -> frozenset[str]:
    """What a text states of things with a name of which there is one value: a capital, a spouse.

    "Our CI" is the same thing as "CI".
    """
    reading = parse_text(text)
    return frozenset(
        each.claim.replace(each.entity, _without_function_words(each.entity), 1)
        for each in reading.statements
        if each.is_functional and not reading.names.isdisjoint(each.entity.split())
    )


def _without_function_words(entity: str) -> str:
    return " ".join(word for word in entity.split() if word not in FUNCTION_WORDS)


def find_common_words(old: str, new: str) -> list[str]:
    """The words of an earlier text that say what it is about, and that a later one has too."""
    known = find_telling_stems(new)
    words = dict.fromkeys(word for _, word in find_words(old))
    return [word for word in words if not known.isdisjoint(find_telling_stems(word))]


def is_fuller(text: str, other: str) -> bool:
    """Whether a text says something more than another one that is much like it, and not less."""
    ours, theirs = (find_telling_stems(each) - _MILD_STEMS for each in (text, other))
    return len(ours - theirs) > len(theirs - ours)


def has_own_words(old: str, new: str) -> bool:
    """Whether a later text says something with a word that an earlier one does not have."""
    return not find_telling_stems(new) <= find_telling_stems(old)


@lru_cache(maxsize=_KEPT)
def find_telling_stems(text: str) -> frozenset[str]:
    """The stems of the words that say what a text is about."""
    words = {word.casefold() for _, word in find_words(text)} - _SAYING_LITTLE
    return frozenset(
        stem for word in words if not word[0].isdigit() for stem in stem_in_all_languages(word)
    )


def _decide_without_model(old: str, new: str) -> Agreement:
    return _decide_by_structure(old, new) or _judge_by_structure(old, new)


def _judge_by_structure(old: str, new: str) -> Agreement:
    return _BY_STRUCTURE if _contradict(old, new) else _APART


def _contradict(old: str, new: str) -> bool:
    return compare_texts(old, new) is Comparison.CONTRADICTS


def _find_clear(old: str, new: str) -> float:
    """From which likelihood on a text replaces an earlier one, in the languages of both.

    Another number of the same thing is plainer than other changes, in every language.
    """
    if _has_another_number(old, new):
        shared = find_common_words(old, new)
        return _CLEAR_NUMBER if len(shared) >= _FEWEST_STEMS else CLEAR
    languages = {
        guess_language(word.casefold() for _, word in find_words(text)) for text in (old, new)
    }
    return CLEAR if languages == {DEFAULT_LANGUAGE} else _CLEAR_FOREIGN


def _has_another_number(old: str, new: str) -> bool:
    ours, theirs = set(_NUMBER.findall(old)), set(_NUMBER.findall(new))
    is_other = bool(ours) and bool(theirs) and ours.isdisjoint(theirs)
    return is_other and not find_telling_stems(old).isdisjoint(find_telling_stems(new))


def _judge(old: str, new: str, shares: Sequence[float]) -> Agreement:
    likelihood, sameness = shares[0], shares[1]
    contradict = tells_new_number(old, new) or (
        likelihood >= _OBJECTION and (_contradict(old, new) or differ_in_numbers_only(old, new))
    )
    clear = _find_clear(old, new) if likelihood >= DOUBTFUL else CLEAR
    is_unlike = find_telling_stems(old).isdisjoint(find_telling_stems(new))
    says_of_what = len(find_telling_stems(new)) >= _FEWEST_STEMS or not _NUMBER.search(new)
    if is_unlike and not contradict and (likelihood < clear or not says_of_what):
        return _APART
    if likelihood >= clear and leaves_part_standing(old, new):
        return _REPLACED_IN_PART
    if likelihood >= clear:
        score = max(likelihood, CLEAR)
        return Agreement(PairRelation.REPLACES, score, by_model=True, sameness=sameness)
    if contradict:
        return Agreement(PairRelation.REPLACES, CLEAR, by_model=True, sameness=sameness)
    if sameness >= _SAYS_THE_SAME and compare_texts(old, new) is Comparison.RESEMBLES:
        return Agreement(PairRelation.SAME, 0.0, by_model=True, sameness=sameness)
    best = max(range(len(shares)), key=shares.__getitem__)
    doubted = min(likelihood, _MOST_DOUBTFUL)
    return Agreement(PAIR_RELATIONS[best], doubted, by_model=True, sameness=sameness)
