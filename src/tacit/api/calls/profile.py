"""The call that tells what is known of a person."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from tacit.api.protocols.memories import ProfileProtocol
from tacit.api.workspace import Part
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, MemoryType, Scope, Sort, Trust
from tacit.core.memory import Memory
from tacit.core.profile import Profile
from tacit.language.neutralization import neutralize_line
from tacit.language.prompt_templates import (
    PROFILE,
    DayLabel,
    format_day_remark,
    format_writing_remark,
)
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query
from tacit.turn.block import BlockSection, MemoryLine, find_days, render_line
from tacit.turn.standing import may_stand

_FACTS = (MemoryType.FACT, MemoryType.GOAL, MemoryType.DECISION)
_WRITERS = {
    Actor.OPERATOR: "an operator",
    Actor.AGENT: "an agent",
    Actor.TOOL: "a tool",
    Actor.IMPORT: "an import",
}
"""Who wrote what the user did not write."""
_SPOKEN = (Actor.USER, Actor.SYSTEM)
"""The sources of what was learned from a conversation."""


class Profiles(Part, ProfileProtocol):
    """What is known of a person, in one call."""

    def profile(
        self, *, user: str | None = None, agent: str | None = None, limit: int = 10
    ) -> Profile:
        whose = "" if user is None else check_field("user", user)
        seer = None if agent is None else check_field("agent", agent)
        most, now = check_field("limit", limit), self._context.clock()

        def read(unit: UnitOfWork) -> Profile:
            def find(*types: MemoryType) -> tuple[Memory, ...]:
                query = Query(
                    now=now,
                    types=types,
                    scope=Scope.USER,
                    scope_id=whose,
                    agent=seer,
                    sort=Sort.IMPORTANCE,
                    limit=most,
                )
                found = unit.memories.find(query)
                return tuple(each for each in found if each.trust is not Trust.UNTRUSTED)

            rules = tuple(each for each in find(MemoryType.CONSTRAINT) if may_stand(each))
            return Profile(
                user=user,
                identity=find(MemoryType.IDENTITY),
                preferences=find(MemoryType.PREFERENCE),
                rules=rules,
                facts=find(*_FACTS),
                todos=find(MemoryType.TODO),
            )

        found = self._context.read(read)
        return replace(found, text=_render(found.memories, now))


def _render(memories: Iterable[Memory], now: datetime) -> str:
    """The memories as lines under a title, each with its source and day; empty without any."""
    lines = [_render_line(each, now) for each in memories]
    return "\n".join([PROFILE, *lines]) if lines else ""


def _render_line(memory: Memory, now: datetime) -> str:
    days = find_days(memory, now)
    days.pop(DayLabel.SAID, None)
    remarks = [_describe_source(memory), *([format_day_remark(days)] if days else [])]
    return render_line(MemoryLine(memory, days=" ".join(remarks)), BlockSection.PINNED)


def _describe_source(memory: Memory) -> str:
    """Whether it was said or written, by whom if that is known, and on which day.

    A line that is not trusted says by whom anyway.
    """
    day = memory.said_at.date()
    if not memory.explicit and memory.source in _SPOKEN:
        return format_day_remark({DayLabel.SAID: day})
    writer = _WRITERS.get(memory.source) or memory.origin.author or memory.scope_id
    if memory.trust is not Trust.TRUSTED or not writer:
        return format_day_remark({DayLabel.WRITTEN: day})
    return format_writing_remark(neutralize_line(writer), day)
