"""Clauses: the pieces of a sentence that can state something by themselves."""

from collections.abc import Iterator
from typing import NamedTuple

from tacit.language.extraction.table import Table

_MOST = 24
"""So many clauses of a sentence are told apart; the rest is one."""


class Clause(NamedTuple):
    """A clause, where its own words begin and end, and what leads over to it."""

    start: int
    end: int
    joint: str = ""
    is_front: bool = False
    """Whether it is a phrase that belongs to the clause after it."""


def clauses(hidden: str, start: int, end: int, table: Table) -> list[Clause]:
    """The clauses of a sentence, without the words that only lead over to them."""
    found: list[Clause] = []
    joint = ""
    for piece_end, next_start, next_joint in _cuts(hidden, start, end, table):
        found += _pieces(hidden, start, piece_end, joint, table)
        start, joint = next_start, next_joint
    return found


def _cuts(hidden: str, start: int, end: int, table: Table) -> Iterator[tuple[int, int, str]]:
    cuts = 0
    for joint in table["joints"].finditer(hidden, start, end):
        if joint.start() > start and cuts < _MOST:
            cuts += 1
            yield joint.start(), joint.end(), joint[0].strip(" ,").casefold()
    yield end, end, ""


def _pieces(hidden: str, start: int, end: int, joint: str, table: Table) -> Iterator[Clause]:
    start = past_leads(hidden, start, end, table)
    front = table["fronts"].match(hidden, start, end)
    if front is not None and start < front.end():
        yield Clause(start, front.end(), joint, is_front=True)
        start, joint = past_leads(hidden, front.end(), end, table), ""
    if start < end:
        yield Clause(start, end, joint)


def past_leads(hidden: str, start: int, end: int, table: Table) -> int:
    """Where a clause begins after greetings and fillers."""
    while (lead := table["leads"].match(hidden, start, end)) and start < lead.end() < end:
        start = lead.end()
    return start
