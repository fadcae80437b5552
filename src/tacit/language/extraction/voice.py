"""Whose words the sentences of a message are: a play, a text to work on, or the speaker's own."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tacit.language.extraction.clauses import past_leads
from tacit.language.extraction.finding import Reason
from tacit.language.extraction.pages import is_page
from tacit.language.extraction.sentences import Sentence
from tacit.language.extraction.table import Table

_LONG = 300
"""So many characters above a task are the text that it speaks of."""
_ABOVE = re.compile(
    r"\b(?:above|previous|preceding|obig\w{1,2}|oben|vorstehend\w{0,2}|ci-dessus|plus haut"
    r"|pr[ée]c[ée]dente?|arriba|anterior)\b",
    re.IGNORECASE,
)
"""Where a task says so, so is a shorter one."""
_PASTED = 1_500
"""In longer messages, only what is said before and after all the rest is the speaker's own."""
_BEFORE = 400
_AFTER = 300


class Spoken(NamedTuple):
    """A sentence and the languages that it may be in."""

    sentence: Sentence
    tables: Sequence[Table]


def foreign(hidden: str, spoken: Sequence[Spoken]) -> dict[int, Reason]:
    """The places of sentences that are not said in earnest by the speaker, and why."""
    count = len(spoken)
    if is_page(hidden):
        return dict.fromkeys(range(count), Reason.QUOTATION)
    reasons = _pasted(hidden, spoken)
    for place, each in enumerate(spoken):
        if _speaks(hidden, each, "hijacks", anywhere=True):
            return dict.fromkeys(range(count), Reason.ABOUT_MEMORY)
        if _speaks(hidden, each, "fiction"):
            return dict.fromkeys(range(count), Reason.QUOTATION)
        if _works_on(hidden, spoken, place):
            return reasons | dict.fromkeys(range(place, count), Reason.QUOTATION)
        if _speaks(hidden, each, "plays") or _speaks(hidden, each, "supposes_on"):
            return reasons | dict.fromkeys(range(place, count), Reason.HYPOTHETICAL)
    return reasons | _above(hidden, spoken)


def _pasted(hidden: str, spoken: Sequence[Spoken]) -> dict[int, Reason]:
    last = len(hidden.rstrip())
    if last < _PASTED:
        return {}
    return {
        place: Reason.QUOTATION
        for place, each in enumerate(spoken)
        if _BEFORE < each.sentence.start < last - _AFTER
    }


def _speaks(hidden: str, each: Spoken, name: str, *, anywhere: bool = False) -> bool:
    sentence = each.sentence
    for table in each.tables:
        if anywhere:
            if table[name].search(hidden, sentence.start, sentence.end):
                return True
        else:
            start = past_leads(hidden, sentence.start, sentence.end, table)
            if table[name].match(hidden, start, sentence.end):
                return True
    return False


def _works_on(hidden: str, spoken: Sequence[Spoken], place: int) -> bool:
    """Whether what follows is a text that something is to be done with."""
    if not _speaks(hidden, spoken[place], "tasks"):
        return False
    sentence = spoken[place].sentence
    if ":" in hidden[sentence.start : sentence.end]:
        return True
    following = spoken[place + 1] if place + 1 < len(spoken) else None
    return following is not None and following.sentence.line != sentence.line


def _above(hidden: str, spoken: Sequence[Spoken]) -> dict[int, Reason]:
    """The text above a task at the end of a message."""
    if not spoken or not _speaks(hidden, spoken[-1], "tasks"):
        return {}
    last = spoken[-1].sentence
    above = [place for place, each in enumerate(spoken) if each.sentence.line != last.line]
    is_long = last.start - spoken[0].sentence.start >= _LONG
    if not above or not (is_long or _ABOVE.search(hidden, last.start, last.end)):
        return {}
    return dict.fromkeys(above, Reason.QUOTATION)
