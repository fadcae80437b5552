"""Sentences: where one ends and the next begins."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tacit.language.extraction.lines import Line

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
"""Nobody says more in one sentence; what goes on for longer is read in pieces."""


class Sentence(NamedTuple):
    """A sentence and where it stands in the message."""

    start: int
    end: int
    line: int
    is_item: bool


def sentences(hidden: str, number: int, line: Line) -> Iterator[Sentence]:
    """The sentences of a line; quotations are hidden and do not end any."""
    start = line.start
    for end in _END.finditer(hidden, line.start, line.end):
        if end[0] == "." and _is_abbreviation(hidden, start, end.end()):
            continue
        yield from _sentence(hidden, start, end.end(), number, line)
        start = end.end()
    yield from _sentence(hidden, start, line.end, number, line)


def _is_abbreviation(hidden: str, start: int, end: int) -> bool:
    before = max(start, end - 12)
    if _ABBREVIATION.search(hidden[before:end]):
        return True
    return any(_ORDINAL.match(hidden, max(start, end - back)) for back in (2, 3))


def _sentence(hidden: str, start: int, end: int, number: int, line: Line) -> Iterator[Sentence]:
    while start < end and hidden[start].isspace():
        start += 1
    while end > start and hidden[end - 1].isspace():
        end -= 1
    while end - start > _LONGEST:
        cut = hidden.rfind(" ", start + 1, start + _LONGEST) + 1 or start + _LONGEST
        yield Sentence(start, cut, number, line.is_item)
        start = cut
    if end > start:
        yield Sentence(start, end, number, line.is_item)
