"""Which memories a search may see."""

from dataclasses import dataclass
from datetime import datetime

from tacit.core.kinds import MemoryType, Owner, Scope, Trust
from tacit.store.episodes import NO_PROJECT
from tacit.store.query import Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Conditions that all must hold, inside every source; None leaves a field free.

    Only live memories are searched: not forgotten, not superseded, valid and not expired now.
    `owners` are whose memories may be seen; `agent` and `user` are who looks, `inside` a session
    (see `Viewer`).
    `project` leaves out what belongs to other projects.
    """

    now: datetime
    types: tuple[MemoryType, ...] | None = None
    scope: Scope | None = None
    scope_id: str | None = None
    owners: tuple[Owner, ...] | None = None
    agent: str | None = None
    user: str | None = None
    inside: str | None = None
    project: str | None = None
    trust: Trust | None = None
    min_confidence: float = 0.0

    def query(self) -> Query:
        """The same conditions as a query of the store."""
        return Query(
            now=self.now,
            types=self.types,
            scope=self.scope,
            scope_id=self.scope_id,
            owners=self.owners,
            agent=self.agent,
            user=self.user,
            inside=self.inside,
            project=self.project,
            trust=self.trust,
            min_confidence=self.min_confidence,
        )


def episode_filter(owners: tuple[Owner, ...], project: str | None, now: datetime) -> Filter:
    """Which episodes of some owners are seen in a project, or outside of any.

    The rows of episodes are limited to a project as those of memories are to an agent.
    """
    return Filter(now=now, owners=owners, agent=project or NO_PROJECT)
