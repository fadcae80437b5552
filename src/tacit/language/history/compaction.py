"""Making room in a history: which messages go, and what stands in their place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from tacit.core.messages import role_of, user_message
from tacit.language.history.pairs import cuts
from tacit.language.history.summary import is_summary, summary_text
from tacit.language.history.usage import Level

_PERCENT = {Level.BACKGROUND: 30, Level.AGGRESSIVE: 50, Level.EMERGENCY: 50}
_ALWAYS_STAY = 2
_INSTRUCTIONS = ("system", "developer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A history in three: the instructions in front, what goes, and what stays."""

    level: Level
    head: tuple[object, ...]
    zone: tuple[object, ...]
    kept: tuple[object, ...]


def plan(messages: Sequence[object], level: Level, known: Mapping[str, str]) -> Plan:
    """Choose the oldest messages that go; `known` has the exact text of each block by its id.

    The cut is the nearest to the share of the level that parts no tool call from its results and
    no block from its message; of two equally near the later. Where there is none, nothing goes.
    """
    head = tuple(takewhile(_instructs, messages))
    rest = tuple(messages[len(head) :])
    cut = _cut(rest, level, known)
    return Plan(level=level, head=head, zone=rest[:cut], kept=rest[cut:])


def plan_at(
    messages: Sequence[object], level: Level, cut: int, known: Mapping[str, str]
) -> Plan | None:
    """The plan that lets so many of the oldest messages go, where they may be cut off."""
    head = tuple(takewhile(_instructs, messages))
    rest = tuple(messages[len(head) :])
    if cut > len(rest) - _ALWAYS_STAY or cut not in cuts(rest, known):
        return None
    return Plan(level=level, head=head, zone=rest[:cut], kept=rest[cut:])


def compacted(plan: Plan, summary: str | None) -> list[object]:
    """The history with a summary for what went, or with a count where there is no summary."""
    if not plan.zone:
        return [*plan.head, *plan.kept]
    text = summary_text(summary, plan.zone)
    stand_in = user_message(text, [*plan.head, *plan.zone, *plan.kept])
    return [*plan.head, stand_in, *plan.kept]


def _instructs(message: object) -> bool:
    return role_of(message) in _INSTRUCTIONS


def _cut(rest: Sequence[object], level: Level, known: Mapping[str, str]) -> int:
    """How many messages go: more than summaries of what went before, or none."""
    if level not in _PERCENT:
        return 0
    wanted = len(rest) * _PERCENT[level] // 100
    summaries = sum(1 for _ in takewhile(is_summary, rest))
    possible = (cut for cut in cuts(rest, known) if summaries < cut <= len(rest) - _ALWAYS_STAY)
    return min(possible, key=lambda cut: (abs(cut - wanted), -cut), default=0)
