"""Summarise a transcript without a model, by choosing its most informative sentences.

At each step the sentence that adds most for its length is taken, until nothing fits. Of sentences
that conflict, the last one is kept.
"""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from tacit.language.summary_scores import (
    ScoredSentence,
    SummarySection,
    score_sentences,
    weigh_terms,
)
from tacit.language.transcript import SentenceSource, TranscriptSentence, split_transcript
from tacit.statements.comparison import Comparison, compare_texts
from tacit.statements.parser import parse_text


class Summarizer(Protocol):
    """Shortens a transcript."""

    def summarize(self, transcript: str, characters: int) -> str:
        """Summarise a transcript in at most this many characters."""
        ...


# Layout: one line for each speaker, under headings where there are several sections.


class CharacterBudget:
    """The characters that are left, counted as `format_summary` uses them."""

    def __init__(self, characters: int) -> None:
        self._left = characters + 1
        self._lines: set[tuple[SummarySection, int]] = set()
        self._groups: set[SummarySection] = set()

    def fits(self, values: Sequence[ScoredSentence]) -> bool:
        """Whether all of these sentences fit."""
        return self._cost(values) <= self._left

    def take(self, values: Sequence[ScoredSentence]) -> None:
        """Use up the characters of these sentences, which fit."""
        self._left -= self._cost(values)
        self._lines |= {(value.group, value.sentence.turn) for value in values}
        self._groups |= {value.group for value in values}

    def _cost(self, values: Sequence[ScoredSentence]) -> int:
        lines = {(value.group, value.sentence.turn): value for value in values}
        openings = sum(len(_line_prefix(lines[line])) for line in lines.keys() - self._lines)
        headings = {value.group for value in values} - self._groups
        texts = sum(len(value.sentence.text) + 1 for value in values)
        return texts + openings + sum(len(heading) + 1 for heading in headings)


def format_summary(values: Sequence[ScoredSentence]) -> str:
    """Format the selected sentences; headings are omitted if all are facts."""
    groups = {group: [each for each in values if each.group is group] for group in SummarySection}
    shown = {group: held for group, held in groups.items() if held}
    headed = shown.keys() != {SummarySection.FACT}
    lines: list[str] = []
    for group, held in shown.items():
        lines += [str(group)] if headed else []
        lines += _format_lines(held)
    return "\n".join(lines)


def truncate_sentence(value: ScoredSentence, characters: int) -> str:
    """Cut a sentence that does not fit after a whole word."""
    line = _line_prefix(value) + value.sentence.text
    kept, _, _ = line[: max(characters, 0)].rpartition(" ")
    return f"{kept}…" if len(kept) > len(_line_prefix(value)) else ""


def _format_lines(values: Sequence[ScoredSentence]) -> list[str]:
    return [
        _line_prefix(said[0]) + " ".join(each.sentence.text for each in said)
        for _, turn in groupby(values, key=lambda value: value.sentence.turn)
        if (said := list(turn))
    ]


def _line_prefix(value: ScoredSentence) -> str:
    return f"- {value.sentence.speaker}: " if value.sentence.speaker else "- "


# Conflicts: of statements about the same thing, the last one holds.


_POSTINGS = 24
"""How many of the last sentences with a term are considered."""
_COMPARED = 6
_SHARED = 0.5
"""The share of the shorter sentence that both must have before they are compared."""


class ConflictFinder:
    """Finds the later sentence that replaces a sentence."""

    def __init__(self, values: Sequence[ScoredSentence]) -> None:
        self._values = values
        self._places: dict[str, list[int]] = defaultdict(list)
        for value in values:
            if _is_statement(value):
                for term in value.terms:
                    self._places[term].append(value.place)

    def latest(self, value: ScoredSentence) -> ScoredSentence:
        """Return the last sentence that conflicts with this one, or this one itself."""
        if not _is_statement(value) or not _has_attribute(value):
            return value
        for place in sorted(self._alike(value), reverse=True):
            other = self._values[place]
            if compare_texts(_with_speaker(value), _with_speaker(other)) is Comparison.CONFLICTS:
                return other
        return value

    def _alike(self, value: ScoredSentence) -> list[int]:
        """Return the later sentences that have most in common with this one."""
        shared = Counter(
            place
            for term in value.terms
            for place in reversed(self._places[term][-_POSTINGS:])
            if place > value.place
        )
        size = len(value.terms)
        return [
            place
            for place, count in shared.most_common(_COMPARED)
            if count >= _SHARED * min(size, len(self._values[place].terms))
        ]


def _has_attribute(value: ScoredSentence) -> bool:
    return any(statement.attribute for statement in parse_text(_with_speaker(value)).statements)


def _is_statement(value: ScoredSentence) -> bool:
    said = value.sentence
    return (
        not said.is_question
        and said.source is not SentenceSource.TOOL
        and value.group is not SummarySection.QUESTION
    )


def _with_speaker(value: ScoredSentence) -> str:
    speaker = value.sentence.speaker
    return f"{speaker}: {value.sentence.text}" if speaker else value.sentence.text


# Selection.


_REPEATED_TERM_SHARE = 0.1
"""The remaining worth of a term once a selected sentence has it."""
_MAX_MISSES = 100
"""How many sentences may fail to fit before the summary counts as full."""
_LENGTH_EXPONENT = 0.8
"""How much length counts against a sentence: not at all at 0, in full at 1."""
_ADDED_LENGTH = 20
"""Characters that are added to the length of every sentence: short ones say little."""


@dataclass(frozen=True, slots=True)
class SentenceSelection:
    """The selected sentences in order; if none fits, the best one."""

    values: Sequence[ScoredSentence]
    wanted: ScoredSentence | None


def select_sentences(found: Sequence[TranscriptSentence], characters: int) -> SentenceSelection:
    """Select the sentences that say most together within this many characters."""
    choice = _Selector(score_sentences(found), characters)
    choice.fill()
    return SentenceSelection(
        sorted(choice.taken.values(), key=lambda value: value.place), choice.wanted
    )


class _Selector:
    """The sentences taken so far, their terms, and the budget that is left."""

    def __init__(self, values: Sequence[ScoredSentence], characters: int) -> None:
        self.taken: dict[int, ScoredSentence] = {}
        self.wanted: ScoredSentence | None = None
        self._values = values
        self._weights = weigh_terms(values)
        self._covered: set[str] = set()
        self._room = CharacterBudget(characters)
        self._misses = 0
        self._rivals = ConflictFinder(values)

    def fill(self) -> None:
        """Take the best sentence again and again; the gain of a sentence never grows."""
        gains = ((self._gain(value), value.place) for value in self._values)
        queue = [(-gain, -place) for gain, place in gains if gain > 0]
        heapq.heapify(queue)
        self.wanted = self._values[-queue[0][1]] if queue else None
        while queue and self._misses < _MAX_MISSES:
            _, place = heapq.heappop(queue)
            value = self._values[-place]
            gain = self._gain(value)
            if queue and gain < -queue[0][0]:
                heapq.heappush(queue, (-gain, place))
            elif gain > 0:
                self._take(value)

    def _gain(self, value: ScoredSentence) -> float:
        """Return what a sentence adds for its length; 0 if all its terms are covered."""
        if not value.factor or self._covered.issuperset(value.terms):
            return 0.0
        weights, covered = self._weights, self._covered
        new = 0.0
        for term in value.terms:
            new += weights[term] * _REPEATED_TERM_SHARE if term in covered else weights[term]
        return (
            value.factor
            * new
            / math.pow(len(value.sentence.text) + _ADDED_LENGTH, _LENGTH_EXPONENT)
        )

    def _take(self, value: ScoredSentence) -> None:
        if not self._room.fits(self._new(value)):
            self._misses += 1
            return
        new = self._new(self._rivals.latest(value))
        if self._room.fits(new):
            self._room.take(new)
            self.taken |= {each.place: each for each in new}
            self._covered.update(*(each.terms for each in new))

    def _new(self, value: ScoredSentence) -> list[ScoredSentence]:
        """Return the sentence and the question it answers, unless they are taken."""
        question = [] if value.context is None else [self._values[value.context]]
        return [each for each in (*question, value) if each.place not in self.taken]


class ExtractiveSummarizer:
    """Keeps decisions, facts and open questions in their original words."""

    def summarize(self, transcript: str, characters: int) -> str:
        """Select the most informative sentences, in order; deterministic."""
        choice = select_sentences(split_transcript(transcript), characters)
        if choice.values or choice.wanted is None:
            return format_summary(choice.values)
        return truncate_sentence(choice.wanted, characters)
