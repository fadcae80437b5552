"""Self-corrections inside a message: "Dr. Ek, no wait, Dr. Falk" is read as "Dr. Falk".

A marker stands between a value and the one that replaces it. Where it is not clear what is
replaced, the sentence states nothing: the episode has what was said.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from tacit.language.extraction.foreign_sentences import SpokenSentence
from tacit.language.extraction.messages import MessageText, Rewording, prepare_message
from tacit.language.extraction.repair_alignment import (
    Alignment,
    Fragment,
    align_value,
    align_words,
    is_value,
    may_replace,
)
from tacit.language.extraction.rule_tables import RuleTable, compile_cached
from tacit.language.extraction.sentences import skip_lead_ins
from tacit.language.sentences import is_question

_MOST = 4
"""The most repairs in a sentence; with more, it states nothing."""

_MOST_MARKERS = 8
_LEAST_BEFORE = 2
"""With fewer words before it, a marker answers or corrects what was said earlier."""

_LONGEST_MARKER = 80

_EDGE = r"[\s,;:.…!()–—-]"
_FRAGMENT_END = re.compile(r"[,;:](?=\s|$)|[!?…)]|\.{2,}|\.(?=\s*$)|\s[–—-]+\s")
_PUNCTUATION = frozenset(",;:.…!(–—-")
_NEW_SENTENCE = frozenset(".!…")


class _Marker(NamedTuple):
    """What takes words back, between the end of these words and the beginning of others."""

    start: int
    end: int
    is_sure: bool
    edge: str
    """What stands before it: a comma, a full stop, or only a space."""

    @property
    def is_apart(self) -> bool:
        """Whether punctuation separates it from the words before it."""
        return not _PUNCTUATION.isdisjoint(self.edge)

    @property
    def begins_sentence(self) -> bool:
        """Whether it begins a sentence of its own."""
        return not _NEW_SENTENCE.isdisjoint(self.edge)


class _Wording(NamedTuple):
    """Words as they were said, and the same with their quotes masked."""

    said: str
    hidden: str

    def join(self, spans: Sequence[tuple[int, int]]) -> "_Wording":
        """The words between some places."""
        return _Wording(*("".join(text[start:end] for start, end in spans) for text in self))


@cache
def _compile_marker(core: str) -> re.Pattern[str]:
    return compile_cached(rf"(?<!{_EDGE})(?P<edge>{_EDGE}++)(?:{core})(?!\w)(?:{_EDGE}++|$)")


def repair_message(message: MessageText) -> MessageText:
    """A message as it is after its own corrections, which says what was said of each part."""
    spoken = message.sentences
    found = [each for unit in _group_sentences(message, spoken) for each in _reword(message, unit)]
    return message.reword(found) if found else message


def repair_text(text: str) -> str | None:
    """A text after its own corrections; None if it is not clear what one replaces."""
    message = repair_message(prepare_message(text))
    is_unclear = any(not each.is_clear for each in message.reworded)
    return None if is_unclear else message.said


def _group_sentences(
    message: MessageText, spoken: Sequence[SpokenSentence]
) -> Iterator[list[SpokenSentence]]:
    """Sentences, each with those after it that correct it."""
    unit: list[SpokenSentence] = []
    for each in spoken:
        if unit and not _corrects(message.hidden, unit, each):
            yield unit
            unit = []
        unit.append(each)
    if unit:
        yield unit


def _corrects(hidden: str, unit: Sequence[SpokenSentence], each: SpokenSentence) -> bool:
    """Whether a sentence begins by taking back the one before it."""
    last, sentence = unit[-1].sentence, each.sentence
    if last.line != sentence.line or len(unit) > _MOST:
        return False
    if is_question(hidden[last.start : last.end]):
        return False
    opening = hidden[last.end - 1 : min(sentence.end, sentence.start + _LONGEST_MARKER)]
    markers = (
        _compile_marker(table["repairs"].pattern) for table in (*unit[0].tables, *each.tables)
    )
    return any(
        found.start() <= 1 for marker in markers for found in islice(marker.finditer(opening), 1)
    )


def _reword(message: MessageText, unit: Sequence[SpokenSentence]) -> Iterator[Rewording]:
    """The words that a sentence becomes, if it corrects itself."""
    start, end = unit[0].sentence.start, unit[-1].sentence.end
    wording = _Wording(message.said[start:end], message.hidden[start:end])
    tables = {table.language: table for each in unit for table in each.tables}
    for table in tables.values():
        repaired = _repair(wording, table)
        if repaired is None:
            yield Rewording(start, end, *wording, is_clear=False)
            return
        if repaired != wording:
            yield Rewording(start, end, *repaired, is_clear=True)
            return


def _repair(wording: _Wording, table: RuleTable) -> _Wording | None:
    """A sentence after its corrections; None if one of them is not clear."""
    for _ in range(_MOST):
        repaired = _repair_next(wording, table)
        if repaired is None or repaired == wording:
            return repaired
        wording = repaired
    return None


def _repair_next(wording: _Wording, table: RuleTable) -> _Wording | None:
    """A sentence after its first correction; the same if there is none, None if it is unclear."""
    hidden = wording.hidden
    for marker in islice(_find_markers(hidden, table), _MOST_MARKERS):
        start = skip_lead_ins(hidden, 0, len(hidden), table)
        before = Fragment(hidden, 0, marker.start, table)
        fragment = Fragment(hidden, marker.end, _end_of_fragment(hidden, marker.end, table), table)
        if len(hidden[start : marker.start].split()) < _LEAST_BEFORE:
            continue
        if marker.is_sure and fragment.is_clause:
            if not marker.begins_sentence or _has_same_subject(before, fragment):
                return wording.join([(fragment.start, len(hidden))])
            continue
        aligned = _align(before, fragment, marker)
        if aligned is not None:
            return wording.join(_find_kept(before, fragment, aligned, marker))
        if _is_unclear(fragment, marker):
            return None
    return wording


def _find_markers(hidden: str, table: RuleTable) -> list[_Marker]:
    """The markers of a sentence in their order, at each place the surer one first."""
    found = [
        _Marker(each.start(), each.end(), is_sure, each["edge"])
        for name, is_sure in (("repairs", True), ("weak_repairs", False))
        for each in _compile_marker(table[name].pattern).finditer(hidden)
    ]
    return sorted(found, key=lambda marker: (marker.start, not marker.is_sure))


def _end_of_fragment(hidden: str, start: int, table: RuleTable) -> int:
    """Where a replacement ends: at punctuation, or where another clause begins."""
    ends = (_FRAGMENT_END.search(hidden, start), table["joints"].search(hidden, start))
    end = min((found.start() for found in ends if found is not None), default=len(hidden))
    return start + len(hidden[start : max(start, end)].rstrip())


def _has_same_subject(before: Fragment, fragment: Fragment) -> bool:
    return before.words[0][0].casefold() == fragment.words[0][0].casefold()


def _align(before: Fragment, fragment: Fragment, marker: _Marker) -> Alignment | None:
    if not marker.is_sure and (not marker.is_apart or marker.begins_sentence):
        return None
    aligned = align_value(before, fragment) if marker.is_sure or is_value(fragment) else None
    if aligned is None and (marker.is_sure or may_replace(before, fragment)):
        aligned = align_words(before, fragment, is_apart=marker.is_apart)
    return aligned


def _is_unclear(fragment: Fragment, marker: _Marker) -> bool:
    """Whether something is taken back, but nobody can tell what is right."""
    if not marker.is_apart:
        return False
    if marker.begins_sentence:
        return marker.is_sure and not fragment.words
    return marker.is_sure or is_value(fragment)


def _find_kept(
    before: Fragment, fragment: Fragment, aligned: Alignment, marker: _Marker
) -> list[tuple[int, int]]:
    """The places of what is kept of a sentence, in their new order."""
    hidden, table = before.hidden, before.table
    closes = "(" in marker.edge and hidden.startswith(")", fragment.end)
    comma = hidden.startswith(", ", fragment.end)
    is_aside = hidden[: aligned.start].rstrip().endswith(",")
    comma = comma and not is_aside and _goes_on(before, fragment.end + len(", "), table)
    return [
        (0, aligned.start),
        (fragment.start, fragment.end),
        (aligned.end, before.end),
        (fragment.end + (closes or comma), len(hidden)),
    ]


def _goes_on(before: Fragment, start: int, table: RuleTable) -> bool:
    """Whether the clause before a repair ends only after it: "Julia, no wait, Juliet, lives"."""
    has_verb = any(table["copulas"].fullmatch(word[0].casefold()) for word in before.words)
    return not has_verb and table["subjects"].match(before.hidden, start) is None
