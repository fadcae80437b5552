"""Marks: somebody's statement that a memory was of no use for a query."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Self

from tacit.core.errors import InvalidInput
from tacit.core.fields import Id, check_field
from tacit.core.json_value import INLINE, JsonValue
from tacit.core.kinds import PERSONS, Actor
from tacit.core.permissions import Viewer


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkAuthor(JsonValue):
    """Who made a mark, and in whose turns it counts.

    The mark of a person counts for everybody, or for the given user. Any other mark counts in the
    turns of the agent that made it.
    """

    by: Actor = Actor.USER
    agent: str | None = None
    user: str | None = None

    @classmethod
    def of(cls, by: Actor | str, agent: str | None, user: str | None) -> Self:
        """Check the names."""
        actor, viewer = check_field("by", by), Viewer.of(agent, user)
        if actor not in PERSONS and viewer.agent is None:
            problem = f"name the agent: a mark by {actor} counts in the turns of one agent only"
            raise InvalidInput("agent", problem)
        return cls(by=actor, agent=viewer.agent, user=viewer.user)

    @property
    def is_person(self) -> bool:
        """Whether a person made it."""
        return self.by in PERSONS

    def counts_for(self, agent: str | None, user: str | None) -> bool:
        """Whether it counts in the turns of an agent and a user."""
        return (self.is_person or self.agent == agent) and self.user in (None, user)

    def is_visible_to(self, viewer: Viewer) -> bool:
        """Whether a viewer may see it: it is theirs, or counts in their turns."""
        is_agents = viewer.agent is None or self.is_person or self.agent == viewer.agent
        return is_agents and (viewer.user is None or self.user in (None, viewer.user))

    def is_removable_by(self, viewer: Viewer) -> bool:
        """Whether a viewer may remove it; a bound viewer only its own marks."""
        is_agents = viewer.agent is None or self.agent == viewer.agent
        return is_agents and (viewer.user is None or self.user == viewer.user)


BY_A_PERSON = MarkAuthor()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A memory and the terms of a query as packed codes, so that similar queries are recognised."""

    id: str
    memory: str
    terms: bytes
    at: datetime
    author: MarkAuthor = field(default=BY_A_PERSON)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked(JsonValue):
    """A mark as callers see it: its memory, time and author; the query is not stored."""

    id: Id
    memory: Id
    at: datetime
    author: Annotated[MarkAuthor, INLINE] = field(default=BY_A_PERSON)

    @classmethod
    def of(cls, mark: Mark) -> Self:
        """The public part of a mark."""
        return cls(id=mark.id, memory=mark.memory, at=mark.at, author=mark.author)
