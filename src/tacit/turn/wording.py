"""Wording: whether two texts say the same, in the same or nearly the same words."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from tacit.language.languages import INTERJECTIONS
from tacit.language.sentences import is_question, split_sentences
from tacit.language.terms import extract_query_terms, extract_terms, split_words
from tacit.language.vocabulary import (
    CONDITIONS,
    DENIALS,
    HEDGES,
    LOOSE_OWNERS,
    PREPOSITIONS,
    PRIVATIVES,
    word_set,
)
from tacit.statements.comparison import Comparison, compare_texts, may_be_near_duplicates
from tacit.statements.words import normalize_text, split_speaker

_PUNCTUATION = re.compile(r"[\W_]+")
_QUOTED = re.compile(r"^[-*+•\s]*[>\"'“„«‹‘`]|~~")
"""How a sentence begins that is quoted, or what strikes it out."""

_NEARLY = 0.8
"""Two texts with this share of their words in common say the same, unless they differ in a number,
a name or a negation."""

_LONGEST = 2_000
"""A longer text is no statement, and repeats another only in the same words."""

_DENIES = re.compile(
    r"\b(?:wrong|false|untrue|incorrect|outdated|obsolete|deprecated|myths?|no longer|not true"
    r"|don't believe|do not believe|falsch|unwahr|veraltet|stimmt nicht|nicht mehr|mythen|faux"
    r"|fausse|obsolète|périmé|plus vrai|mythes?|falso|falsa|incorrecto|obsoleto|anticuado|mitos?)\b"
    r"|❌|✗|✘|<!--|‹!--|^\s*(?:```|~~~)|^\s*[-*] \[ \]",
    re.IGNORECASE | re.MULTILINE,
)
_DENIED = 300
"""So many characters before and after words that deny something may be what they deny."""


def is_shown_by_host(content: str, shown: Sequence[str]) -> bool:
    """Whether a sentence of those that a host shows states the same, and nothing else.

    A longer sentence may deny or suppose what it contains ("It is wrong that …"), a question or a
    quotation states nothing, and what is struck out no longer holds. Nor does what stands under
    or above words that deny it ("Outdated:", "# Myths").
    """
    if not plain_words(content):
        return False
    place = 0
    for text in shown:
        if _shares_words(content, text):
            for sentence in _split_statements(text):
                if plain_words(content) != plain_words(sentence) and not _repeats(
                    content, sentence
                ):
                    continue
                if not _is_denied(shown, place + max(text.find(sentence), 0)):
                    return True
        place += len(text) + 1
    return False


def _is_denied(shown: Sequence[str], place: int) -> bool:
    """Whether words shortly before or after a place in what is shown deny what stands there."""
    around = "\n".join(shown)[max(place - _DENIED, 0) : place + _DENIED]
    return _DENIES.search(around) is not None


@lru_cache(maxsize=4_096)
def _split_statements(line: str) -> tuple[str, ...]:
    """The sentences of a text that state something by themselves."""
    return tuple(
        sentence
        for sentence in split_sentences(line)
        if not is_question(sentence) and not _QUOTED.search(sentence)
    )


def _repeats(content: str, sentence: str) -> bool:
    """Whether both say the same, and no label stands before the one alone ("Wrong: …")."""
    if _is_long(content, sentence) or split_speaker(content)[0] != split_speaker(sentence)[0]:
        return False
    return compare_texts(content, sentence) is Comparison.REPEATS


def is_stated(content: str, sentences: Sequence[str]) -> bool:
    """Whether a sentence says the same as a statement and nothing else."""
    return bool(plain_words(content)) and any(
        plain_words(content) == plain_words(sentence) or is_near_repeat(content, sentence)
        for sentence in sentences
        if _shares_words(content, sentence)
    )


def _shares_words(content: str, line: str) -> bool:
    """Whether two texts share a word; assumed for long texts."""
    return _is_long(content, line) or not _words(content).isdisjoint(_words(line))


def _is_long(content: str, line: str) -> bool:
    return max(len(content), len(line)) > _LONGEST


def is_near_repeat(content: str, line: str) -> bool:
    """Whether two texts say the same in nearly the same words; long ones do not."""
    if _is_long(content, line):
        return False
    words, others = _words(content), _words(line)
    if len(words & others) < _NEARLY * len(words | others):
        return False
    likeness = compare_texts(content, line)
    return likeness is Comparison.REPEATS or may_be_near_duplicates(content, line)


@lru_cache(maxsize=4_096)
def _words(text: str) -> frozenset[str]:
    return frozenset(extract_terms(text))


@lru_cache(maxsize=4_096)
def plain_words(text: str) -> str:
    """The words of a text, folded and without punctuation."""
    return _PUNCTUATION.sub(" ", text.casefold()).strip()


def word_coverage(said: str, other: str) -> float:
    """The share of the words of one text, without stop words, that another has too."""
    own = _content_terms(said)
    return len(own & _content_terms(other)) / len(own) if own else 0.0


@lru_cache(maxsize=4_096)
def _content_terms(text: str) -> frozenset[str]:
    terms: Sequence[str] = [
        term.alternatives[0] for term in extract_query_terms(text) if not term.is_stop_word
    ]
    return frozenset(terms)


def says_all(said: str, shown: Iterable[str], learned: Iterable[str] = ()) -> bool:
    """Whether what a text tells is said by others: each sentence whole, by one sentence of them.

    What was learned from the text itself may say a sentence together, each a part of it. Questions
    tell nothing, nor do interjections and most stop words; the order of the words counts, and so do
    numbers and the short words that change what is meant: "not", "or", "if", "for".
    """
    parts = [_SentenceWords.of(each) for text in learned for each in split_sentences(text)]
    lines = [each for text in shown for each in split_sentences(text)]
    return all(
        _SentenceWords.of(told).is_told_by(parts) or any(_says(line, told) for line in lines)
        for told in split_sentences(said)
        if not is_question(told)
    )


def _says(line: str, told: str) -> bool:
    """Whether a sentence says another whole, from its first word on, or in another order."""
    words, spoken = _SentenceWords.of(line), _SentenceWords.of(told)
    if is_question(line) or words.turns != spoken.turns:
        return False
    if _count_in_order(spoken.words, words.words, 0) == len(spoken.words):
        return not spoken.words or spoken.words[0].is_like(words.words[0], is_first=True)
    return not _is_long(line, told) and compare_texts(line, told) is Comparison.REPEATS


_JOINING = word_set("and und et y e")
_BINDING = (
    _JOINING
    | PREPOSITIONS
    | LOOSE_OWNERS
    | word_set("""
        or oder ou o u than als only nur seulement solo sólo solamente except außer sauf excepto
        your yours dein deine euer tes votre vos tus
        an am auf aus bei beim bis durch für gegen im mit nach seit statt über um unter vom von vor
        zu zum zur zwischen
        à au aux après avant avec chez contre dans de depuis des du entre par pendant pour sous sur
        vers al bajo con contra del desde en hacia hasta para por según sobre tras
        """)
)
"""Short words that bind the next word to those before it: another one says something else."""
_TURNING = DENIALS | PRIVATIVES | CONDITIONS | (HEDGES - word_set("to can will used once"))
"""Words that turn what a sentence says, wherever they stand in it."""


class _BoundWord(NamedTuple):
    """A word by its stems, with the short words that bind it."""

    stems: frozenset[str]
    bound_by: frozenset[str]

    def is_like(self, other: "_BoundWord", *, is_first: bool = False) -> bool:
        """Whether it is the same word in the same role; "and" may lead to the first of a part."""
        ours, theirs = self.bound_by, other.bound_by
        is_bound_alike = ours == theirs or (is_first and ours - _JOINING == theirs - _JOINING)
        return is_bound_alike and not self.stems.isdisjoint(other.stems)


@dataclass(frozen=True, slots=True)
class _SentenceWords:
    """The words of a sentence that say something, in their order."""

    words: tuple[_BoundWord, ...]
    turns: frozenset[str]

    @classmethod
    @lru_cache(maxsize=4_096)
    def of(cls, text: str) -> "_SentenceWords":
        words: list[_BoundWord] = []
        turns: set[str] = set()
        binding: set[str] = set()
        for run in split_words(normalize_text(text).casefold()):
            if run.text in _TURNING:
                turns.add(run.text)
            elif run.text in _BINDING:
                binding.add(run.text)
            else:
                for term in extract_query_terms(run.text):
                    if not term.is_stop_word and INTERJECTIONS.isdisjoint(term.alternatives):
                        words.append(_BoundWord(frozenset(term.alternatives), frozenset(binding)))
                        binding.clear()
        return cls(tuple(words), frozenset(turns))

    def is_told_by(self, parts: Sequence["_SentenceWords"]) -> bool:
        """Whether sentences tell this one together, each a part of it that is not told yet."""
        place, rest = 0, list(parts)
        used: frozenset[str] = frozenset()
        while place < len(self.words) and rest:
            counts = [_count_in_order(self.words, each.words, place) for each in rest]
            if not max(counts):
                return False
            part = rest.pop(counts.index(max(counts)))
            place, used = place + max(counts), used | part.turns
        return place == len(self.words) and used == self.turns


def _count_in_order(told: Sequence[_BoundWord], held: Sequence[_BoundWord], first: int) -> int:
    """How many words of a sentence, from one on, another has in the same order."""
    count = 0
    for word in held:
        place = first + count
        if place < len(told) and told[place].is_like(word, is_first=not count):
            count += 1
    return count
