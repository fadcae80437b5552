"""Find what asks in a sentence, and what it states beside."""

from collections.abc import Sequence
from typing import NamedTuple

from tacit.language.extraction.rule_tables import RuleTable
from tacit.language.extraction.sentences import (
    WORD,
    ClauseSpan,
    TextSpan,
    skip_lead_ins,
    split_clauses,
)

_ADDITION = 3
"""The most words of a clause that only adds to the one before it, as "not Vue" does."""


class SentenceOpening(NamedTuple):
    """How a sentence begins, and where its statement begins."""

    start: int
    is_explicit: bool
    is_task: bool
    is_wish: bool


def read_opening(hidden: str, sentence: TextSpan, table: RuleTable) -> SentenceOpening:
    """Read what leads up to a statement: greetings, "remember that", "could you always"."""
    start, end = sentence.start, sentence.end
    marks = {"explicit": False, "tasks_ahead": False, "wishes": False}
    before = -1
    while before != start:
        before = start
        for name in marks:
            mark = table[name].match(hidden, start, end)
            if mark is not None and start < mark.end() < end:
                marks[name] = True
                start = mark.end()
        if before == start:
            start = skip_lead_ins(hidden, start, end, table)
    return SentenceOpening(start, marks["explicit"], marks["tasks_ahead"], marks["wishes"])


class SentenceParts(NamedTuple):
    """The clauses of a sentence, and which of them asks."""

    opening: SentenceOpening
    clauses: list[ClauseSpan]
    asked: int
    """The index of the first clause that asks; the number of clauses if none does."""
    told_until: int
    """Where it stops telling and begins to ask; its end if it tells to the end."""
    only_asks: bool
    """Whether it only asks for something, and tells nothing besides."""


def split_sentence(hidden: str, sentence: TextSpan, table: RuleTable) -> SentenceParts:
    """Split a sentence into clauses, and find the one that asks."""
    opening = read_opening(hidden, sentence, table)
    found = split_clauses(hidden, opening.start, sentence.end, table)
    asked = _find_question(hidden, sentence, found, opening, table)
    told_until = found[asked].start if asked < len(found) else sentence.end
    is_request = len(found) == 1 and table["requests"].match(hidden, found[0].start, found[0].end)
    return SentenceParts(opening, found, asked, told_until, asked == 0 or bool(is_request))


def _find_question(
    hidden: str,
    sentence: TextSpan,
    found: list[ClauseSpan],
    opening: SentenceOpening,
    table: RuleTable,
) -> int:
    """Return the index of the first clause that asks; the clauses before it are statements."""
    said = hidden[sentence.start : sentence.end].rstrip("\"”»')* ")
    is_question = said.endswith(("?", "？")) and not table["nods"].search(said)
    if is_question and table["tags"].search(said):
        return 0
    for place, clause in enumerate(found):
        follows_front = place > 0 and found[place - 1].is_front
        if table["asks"].match(hidden, clause.start, clause.end):
            return place
        if not follows_front and table["inverts"].match(hidden, clause.start, clause.end):
            return place
        inside = table["asks_inside"].search(hidden, clause.start, clause.end)
        if is_question and inside is not None:
            found[place : place + 1] = [
                clause._replace(end=inside.start()),
                ClauseSpan(inside.start(), clause.end),
            ]
            return place + 1
    if is_question and not opening.is_wish:
        return _find_asked_last(hidden, found, table)
    return len(found)


def find_stated(
    hidden: str, found: Sequence[ClauseSpan], asked: int, table: RuleTable
) -> list[ClauseSpan]:
    """Return the clauses that tell something beside a question or a request.

    Those are the ones before it, and after a request what the speaker adds about themselves.
    """
    stated = list(found[:asked])
    if stated and table["supposes"].match(hidden, stated[-1].start) and not found[asked].joint:
        stated.pop()
    if not hidden[found[-1].start : found[-1].end].rstrip().endswith("?"):
        later = range(asked + 1, len(found))
        begun = next((n for n in later if table["own"].match(hidden, found[n].start)), len(found))
        stated += found[begun:]
    return stated


def _find_asked_last(hidden: str, found: Sequence[ClauseSpan], table: RuleTable) -> int:
    """Return the index of the clause to which the question mark at the end belongs.

    That is the last one, unless it only adds to the clause before it, which then asks too.
    """
    last = len(found) - 1
    if last < 1 or found[last - 1].is_front or is_supposed("", hidden[found[0].start :], table):
        return 0
    words = WORD.findall(hidden, found[last].start, found[last].end)
    adds = table["adds"].match(hidden, found[last].start) and len(words) <= _ADDITION
    return 0 if adds or (len(words) == 1 and found[last].joint) else last


def is_supposed(before: str, said: str, table: RuleTable) -> bool:
    """Whether a clause, or the sentence before it, begins with a condition or a supposition."""
    opening = before.lstrip() or said
    return bool(table["supposes"].match(opening) or table["supposes"].match(said))
