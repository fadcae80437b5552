"""Split a line into sentences, and a sentence into clauses."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tacit.language.extraction.lines import MessageLine
from tacit.language.extraction.rule_tables import RuleTable

_END = re.compile(
    r"(?:[.…]{1,9}|[!?][!?.]{0,9})[\"”»')\]*]{0,2}(?= )|[。！？]"
    r"|(?<= )(?:[:;]-?[)(DP]|[\U0001F300-\U0001FAFF\u2600-\u27bf]+)(?= )"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'/])(?:[^\W\d_]|mr|mrs|ms|dr|prof|st|inc|ltd|co|corp|jr|sr|no|nr|vs|etc|incl|excl"
    r"|approx|ca|max|min|dept|ext|est|fig|tel|resp|e\.?g|i\.?e|cf|[ap]\.m|z\.\s?b|bzw|d\.h|u\.a|ggf"
    r"|evtl|usw|inkl|str|mme|mlle|av|p\.?\s?ex|sra|srta|ud|uds|pág|jan|feb|mar|apr|aug|sept?|oct|nov"
    r"|dec|mon|tue|wed|thu|fri)\.$",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    r"\d{1,2}\. (?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|geburtstag|klasse|stock"
    r"|lebensjahr|semester|woche|bis\b|und\b|oder\b|etage)",
    re.IGNORECASE,
)

_LONGEST = 1_000
"""The maximum length of a sentence; longer ones are read in pieces."""


class SentenceSpan(NamedTuple):
    """A sentence and its position in the message."""

    start: int
    end: int
    line: int
    is_item: bool


def split_sentences(hidden: str, number: int, line: MessageLine) -> Iterator[SentenceSpan]:
    """Split a line into sentences; masked quotations do not end any."""
    start = line.start
    for end in _END.finditer(hidden, line.start, line.end):
        if end[0] == "." and _is_abbreviation(hidden, start, end.end()):
            continue
        yield from _sentence_spans(hidden, start, end.end(), number, line)
        start = end.end()
    yield from _sentence_spans(hidden, start, line.end, number, line)


def _is_abbreviation(hidden: str, start: int, end: int) -> bool:
    before = max(start, end - 12)
    if _ABBREVIATION.search(hidden[before:end]):
        return True
    return any(_ORDINAL.match(hidden, max(start, end - back)) for back in (2, 3))


def _sentence_spans(
    hidden: str, start: int, end: int, number: int, line: MessageLine
) -> Iterator[SentenceSpan]:
    while start < end and hidden[start].isspace():
        start += 1
    while end > start and hidden[end - 1].isspace():
        end -= 1
    while end - start > _LONGEST:
        cut = hidden.rfind(" ", start + 1, start + _LONGEST) + 1 or start + _LONGEST
        yield SentenceSpan(start, cut, number, line.is_item)
        start = cut
    if end > start:
        yield SentenceSpan(start, end, number, line.is_item)


_MAX_CLAUSES = 24
"""The most clauses of a sentence; the rest is one clause."""


class ClauseSpan(NamedTuple):
    """A clause, the position of its own words, and the conjunction before it."""

    start: int
    end: int
    joint: str = ""
    is_front: bool = False
    """Whether it is a phrase that belongs to the clause after it."""


def split_clauses(hidden: str, start: int, end: int, table: RuleTable) -> list[ClauseSpan]:
    """Split a sentence into clauses without the words that only connect them."""
    found: list[ClauseSpan] = []
    joint = ""
    for piece_end, next_start, next_joint in _find_cuts(hidden, start, end, table):
        found += _split_piece(hidden, start, piece_end, joint, table)
        start, joint = next_start, next_joint
    return found


def _find_cuts(
    hidden: str, start: int, end: int, table: RuleTable
) -> Iterator[tuple[int, int, str]]:
    cuts = 0
    for joint in table["joints"].finditer(hidden, start, end):
        if joint.start() > start and cuts < _MAX_CLAUSES:
            cuts += 1
            yield joint.start(), joint.end(), joint[0].strip(" ,").casefold()
    yield end, end, ""


def _split_piece(
    hidden: str, start: int, end: int, joint: str, table: RuleTable
) -> Iterator[ClauseSpan]:
    start = skip_lead_ins(hidden, start, end, table)
    front = table["fronts"].match(hidden, start, end)
    if front is not None and start < front.end():
        yield ClauseSpan(start, front.end(), joint, is_front=True)
        start, joint = skip_lead_ins(hidden, front.end(), end, table), ""
    if start < end:
        yield ClauseSpan(start, end, joint)


def skip_lead_ins(hidden: str, start: int, end: int, table: RuleTable) -> int:
    """Return where a clause begins after greetings and fillers."""
    while (lead := table["leads"].match(hidden, start, end)) and start < lead.end() < end:
        start = lead.end()
    return start
