"""The call that tells what is known of a person."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from tacit.api.protocols.memories import ProfileProtocol
from tacit.api.workspace import Part
from tacit.core.fields import check_field
from tacit.core.kinds import MemoryType, Scope, Sort, Trust
from tacit.core.memory import Memory
from tacit.core.profile import Profile
from tacit.language.prompt_templates import PROFILE, DayLabel, format_day_remark
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query
from tacit.turn.block import BlockSection, MemoryLine, describe_days, render_line
from tacit.turn.standing import may_stand

_FACTS = (MemoryType.FACT, MemoryType.GOAL, MemoryType.DECISION)


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
    """The memories as lines under a title, each with the day it was said; empty without any."""
    lines = [_render_line(each, now) for each in memories]
    return "\n".join([PROFILE, *lines]) if lines else ""


def _render_line(memory: Memory, now: datetime) -> str:
    said = format_day_remark({DayLabel.SAID: memory.said_at.date()})
    line = MemoryLine(memory, days=describe_days(memory, now) or said)
    return render_line(line, BlockSection.PINNED)
