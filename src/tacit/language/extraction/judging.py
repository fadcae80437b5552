"""What a clause is: something to know, or something that only sounds like it."""

from collections.abc import Sequence
from typing import NamedTuple

from tacit.core.kinds import MemoryType
from tacit.language.extraction.clauses import Clause
from tacit.language.extraction.finding import Reason
from tacit.language.extraction.table import Rule, Table, ready
from tacit.language.extraction.wording import LONGEST, TAIL

_WIDEST = 3
"""Over so many clauses a rule may reach."""
_READ = LONGEST + TAIL
"""So many characters of them it is held against: what is longer is too long to be kept."""


class Setting(NamedTuple):
    """The sentence that a clause stands in."""

    hidden: str
    start: int
    """Where the sentence begins, or what it openly says to remember."""
    end: int
    """Where what it states ends: the sentence, or the question at its end."""
    is_explicit: bool
    """Whether it was openly said to be worth remembering."""


class Match(NamedTuple):
    """A rule that applies to a clause, as far as it reaches."""

    rule: Rule
    end: int


def matched(
    setting: Setting, following: Sequence[Clause], start: int, table: Table
) -> Match | Reason | None:
    """The first rule that a clause meets, or why it does not count; None where none is met.

    A rule may reach over the clauses that follow the first, but no further than it must.
    `start` is where the phrase before the clause begins, or the clause itself.
    """
    hidden, said_from = setting.hidden, following[0].start
    ends = [clause.end for clause in following[:_WIDEST]]
    farthest = min(ends[-1], said_from + _READ)
    for rule in table.rules:
        if not rule.pattern.match(hidden, said_from, farthest):
            continue
        end = _reach(rule, hidden, said_from, ends)
        if end is None:
            continue
        reason = _exception(rule, hidden, said_from, end)
        reason = reason or guarded(setting, Clause(start, end), rule, table)
        return reason or Match(rule, end)
    return None


def _reach(rule: Rule, hidden: str, start: int, ends: Sequence[int]) -> int | None:
    """The end of the clause that a rule is met with, if it is met."""
    for end in ends:
        if rule.pattern.match(hidden, start, min(end, start + _READ)):
            return end
    return None


def _exception(rule: Rule, hidden: str, start: int, end: int) -> Reason | None:
    said = hidden[start:end]
    return next((reason for reason, pattern in rule.unless if ready(pattern).search(said)), None)


def guarded(setting: Setting, clause: Clause, rule: Rule | None, table: Table) -> Reason | None:
    """What takes a statement back, whichever rule it meets."""
    said = setting.hidden[clause.start : clause.end]
    before = setting.hidden[setting.start : clause.start]
    is_ruled = rule is not None and rule.type is MemoryType.CONSTRAINT
    is_modal = rule is not None and rule.is_modal
    is_conditional = rule is not None and rule.is_conditional
    checks: Sequence[tuple[bool, Reason]] = (
        (bool(table["idioms"].search(said)), Reason.IDIOM),
        (bool(table["doubts"].search(before + said)) and not setting.is_explicit, Reason.NEGATED),
        (bool(table["reports"].search(before)), Reason.QUOTATION),
        (not is_conditional and _is_supposed(before, said, table), Reason.HYPOTHETICAL),
        (not is_modal and bool(table["unreal"].search(said)), Reason.HYPOTHETICAL),
        (not is_ruled and bool(table["dangling"].match(said)), Reason.NO_REFERENT),
        (
            rule is not None and rule.is_plain and bool(table["complaints"].search(said)),
            Reason.COMPLAINT,
        ),
        (
            rule is not None and rule.is_open and bool(table["passing"].search(said)),
            Reason.MOMENT,
        ),
    )
    return next((reason for holds, reason in checks if holds), None)


_EXCUSES = (
    ("idioms", Reason.IDIOM),
    ("doubts", Reason.NEGATED),
    ("complaints", Reason.COMPLAINT),
)


def excuse(said: str, table: Table) -> Reason | None:
    """What a sentence is that meets no rule, so far as can be told."""
    if table["supposes"].match(said):
        return Reason.HYPOTHETICAL
    if table["pleasantries"].match(said):
        return Reason.PLEASANTRY
    reason = next((reason for name, reason in _EXCUSES if table[name].search(said)), None)
    return reason or (Reason.NO_REFERENT if table["dangling"].match(said) else None)


def _is_supposed(before: str, said: str, table: Table) -> bool:
    opening = before.lstrip() or said
    return bool(table["supposes"].match(opening) or table["supposes"].match(said))
