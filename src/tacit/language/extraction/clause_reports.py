"""Say of each clause of a message what was taken, why it was refused, or that it states nothing."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tacit.language.extraction.findings import ClauseOutcome, ClauseReport, RefusalReason
from tacit.language.extraction.rule_tables import RuleTable
from tacit.language.extraction.sentences import split_clauses

MAX_CLAUSES = 200
"""The most clauses that are reported for one message."""
_MAX_TEXT = 400
_EDGES = " ,;:–—-"


class TakenSpan(NamedTuple):
    """Where a statement stands in a message, and the content that it became."""

    start: int
    end: int
    content: str
    is_explicit: bool = False
    """Whether somebody asked to keep it; then it is not weighed."""


class ReadSpan(NamedTuple):
    """A sentence or a line that was read, and what was found in it."""

    start: int
    end: int
    reason: RefusalReason | None = None
    """Why what was not taken of it was refused, if it was."""
    taken: tuple[TakenSpan, ...] = ()
    table: RuleTable | None = None
    """The rules that it was read by; a line that was not read has none."""
    refused: tuple[tuple[int, RefusalReason], ...] = ()
    """Where clauses begin that no rule reads and that cannot be kept either, and why."""


def report_clauses(text: str, hidden: str, spans: Sequence[ReadSpan]) -> tuple[ClauseReport, ...]:
    """The reports of a message, in the order of its words; `hidden` has its quotes masked."""
    reports: list[ClauseReport] = []
    for span in _join_lines(sorted(spans, key=lambda span: span[:2])):
        reports += _report_span(text, hidden, span)
        if len(reports) >= MAX_CLAUSES:
            break
    return tuple(each for each in reports if each.text)[:MAX_CLAUSES]


def _join_lines(spans: Sequence[ReadSpan]) -> Iterator[ReadSpan]:
    """Join lines that follow each other and were refused for the same reason."""
    last: ReadSpan | None = None
    for span in spans:
        if last is not None and _is_same_refusal(last, span):
            last = last._replace(end=span.end)
            continue
        if last is not None:
            yield last
        last = span
    if last is not None:
        yield last


def _is_same_refusal(one: ReadSpan, other: ReadSpan) -> bool:
    return one.table is other.table is None and one.reason is other.reason


def _report_span(text: str, hidden: str, span: ReadSpan) -> Iterator[ClauseReport]:
    if span.table is None or not (span.taken or span.refused):
        yield _to_report(text, span.start, span.end, span.reason, span.taken)
        return
    refused = dict(span.refused)
    for start, end, taken in split_span(hidden, span, span.table):
        yield _to_report(text, start, end, span.reason or refused.get(start), taken)


def split_span(
    hidden: str, span: ReadSpan, table: RuleTable
) -> Iterator[tuple[int, int, tuple[TakenSpan, ...]]]:
    """The clauses of a sentence; what one statement was taken from is one clause."""
    start: int | None = None
    end = span.start
    taken: tuple[TakenSpan, ...] = ()
    is_front = False
    for clause in split_clauses(hidden, span.start, span.end, table):
        held = tuple(each for each in span.taken if _overlap(each, clause.start, clause.end))
        goes_on = is_front or clause.is_bound or set(held) & set(taken)
        if start is not None and not goes_on:
            yield start, end, taken
            start, taken = None, ()
        start = clause.start if start is None else start
        end, taken, is_front = clause.end, tuple(dict.fromkeys((*taken, *held))), clause.is_front
    if start is not None:
        yield start, end, taken


def _overlap(taken: TakenSpan, start: int, end: int) -> bool:
    return taken.start < end and start < taken.end


def _to_report(
    text: str,
    start: int,
    end: int,
    reason: RefusalReason | None,
    taken: Sequence[TakenSpan],
) -> ClauseReport:
    words = text[start:end].strip().strip(_EDGES)[:_MAX_TEXT]
    if taken:
        contents = tuple(dict.fromkeys(each.content for each in taken))
        return ClauseReport(text=words, outcome=ClauseOutcome.TAKEN, contents=contents)
    if reason is not None:
        return ClauseReport(text=words, outcome=ClauseOutcome.REFUSED, reason=reason)
    return ClauseReport(text=words, outcome=ClauseOutcome.NOTHING)
