"""What a list of memories is asked for."""

from dataclasses import dataclass
from datetime import datetime

from tacit.core.kinds import Actor, MemoryType, Owner, Scope, Sort, State, Trust
from tacit.core.permissions import Viewer


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Filters that all must hold; None leaves a field free. The workspace is never free.

    `owners` are whose memories may be seen; `agent` and `user` are who looks (see `Viewer`).
    """

    now: datetime
    state: State | None = State.LIVE
    types: tuple[MemoryType, ...] | None = None
    scope: Scope | None = None
    scope_id: str | None = None
    agent: str | None = None
    user: str | None = None
    owners: tuple[Owner, ...] | None = None
    key: str | None = None
    keyed: bool = False
    tag: str | None = None
    pinned: bool | None = None
    contains: str | None = None
    source: Actor | None = None
    trust: Trust | None = None
    explicit: bool | None = None
    session: str | None = None
    expires: bool | None = None
    min_importance: float | None = None
    max_importance: float | None = None
    min_confidence: float = 0.0
    created_from: datetime | None = None
    created_to: datetime | None = None
    updated_from: datetime | None = None
    sort: Sort = Sort.RECENT
    limit: int = 50
    after: str | None = None

    @property
    def viewer(self) -> Viewer:
        """Who looks: into a session, if one is named as the owner."""
        session = self.scope_id if self.scope is Scope.SESSION else None
        return Viewer(agent=self.agent, user=self.user, session=session)
