"""Calls that observe a workspace: counts, activity, events."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from tacit.api.protocols.observation import WorkspaceProtocol
from tacit.api.visibility import hidden_from, is_visible, list_pending_reviews
from tacit.api.workspace import Part, WorkspaceContext
from tacit.core.activity import (
    Activity,
    MemoryGrowth,
    MemoryUse,
    count_memory_uses,
    summarize_activity,
)
from tacit.core.events import Event, EventKind, EventPage
from tacit.core.fields import MAX_LIMIT, check_field
from tacit.core.kinds import MemoryType, Scope, State, check_choice
from tacit.core.memory import Memory
from tacit.core.permissions import UNBOUND, Viewer
from tacit.embedding.embedder import model_of
from tacit.store.generations import report_generations
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query
from tacit.store.stats import Counts, GenerationReport, Stats
from tacit.store.workspaces import episodes_workspace, list_tenants
from tacit.writing.learning.lesson import Learned

if TYPE_CHECKING:
    from tacit.api.tacit import Tacit


class Workspace(Part, WorkspaceProtocol):
    """The tenant that every call reads and writes: its name, counts, activity and events."""

    def __init__(self, context: WorkspaceContext, open: Callable[[str], "Tacit"]) -> None:
        super().__init__(context)
        self._open = open

    def __repr__(self) -> str:
        return f"Workspace({self.name!r})"

    @property
    def name(self) -> str:
        """The name of the workspace."""
        return self._context.name

    def names(self) -> Sequence[str]:
        return list_tenants(self._context.store)

    def open(self, name: str) -> "Tacit":
        return self._open(name)

    @property
    def embedder_name(self) -> str | None:
        """The name of the embedding model, if there is one."""
        embedder = self._context.shared.embedders.configured
        return None if embedder is None else model_of(embedder).name

    def describe(self) -> Mapping[str, object]:
        """Describe the store: its backend and location."""
        return self._context.store.describe()

    def stats(self, *, agent: str | None = None, user: str | None = None) -> Stats:
        now, viewer = self._context.clock(), Viewer.of(agent, user)
        counts = self._context.read(lambda unit: count_visible(unit, viewer, now))
        owners = None if viewer.user is None else ((Scope.USER, viewer.user),)
        with self._context.store.read(episodes_workspace(self._context.name)) as unit:
            episodes = unit.memories.total(Query(now=now, state=None, owners=owners))
        return Stats(
            workspace=self._context.name,
            counts=counts,
            episodes=episodes,
            generations=() if viewer.is_bound else self._report_generations(),
            store=self._context.store.describe(),
        )

    def _report_generations(self) -> tuple[GenerationReport, ...]:
        return tuple(report_generations(self._context.store, self._context.name))

    def activity(
        self,
        *,
        turns: int = 500,
        days: int = 30,
        agent: str | None = None,
        user: str | None = None,
    ) -> Activity:
        last, since, now = (
            check_field("turns", turns),
            check_field("days", days),
            self._context.clock(),
        )
        seer = Viewer.of(agent, user)
        return self._context.read(
            lambda unit: load_activity(unit, turns=last, days=since, viewer=seer, now=now)
        )

    def events(self, *, after: int = 0, limit: int = 100) -> EventPage:
        size = check_field("limit", limit)
        return self._context.read(lambda unit: read_events(unit, after, size))

    def note(self, kind: EventKind | str, data: Mapping[str, Any]) -> int:
        """Add an event for those who watch the workspace; returns its number."""
        what = check_choice("kind", EventKind, kind)
        with self._context.store.write(self._context.name) as unit:
            return unit.events.append(what, self._context.clock(), data)

    def prune_events(self, keep: int) -> int:
        """Drop all but the newest `keep` events; returns how many."""
        with self._context.store.write(self._context.name) as unit:
            return unit.events.prune(keep)

    def watch_learning(self, watcher: Callable[[Learned], None]) -> None:
        """Call `watcher` with everything that is learned, in any workspace."""
        self._context.shared.learning_workers.watchers.append(watcher)


# Activity and counts


_TOP = 10

Kind = TypeVar("Kind")


def load_activity(
    unit: UnitOfWork,
    *,
    turns: int,
    days: int,
    viewer: Viewer,
    now: datetime,
    reach: Viewer = UNBOUND,
) -> Activity:
    """Figures of the last turns within reach and of the last days."""
    if not reach.is_bound:
        receipts = unit.receipts.recent(None, turns)
    else:
        receipts = unit.receipts.recent_reached(reach, turns)
    growth = MemoryGrowth.until(now.date(), days, unit.memories.by_day(viewer))
    return summarize_activity(
        receipts, _most_used(unit, count_memory_uses(receipts), viewer), growth
    )


def count_visible(unit: UnitOfWork, viewer: Viewer, now: datetime) -> Counts:
    """Counts of what a viewer may see."""
    if not viewer.is_bound:
        return unit.counts(now)

    def count(**wanted: Any) -> int:
        seen = Query(now=now, agent=viewer.agent, user=viewer.user, **wanted)
        return unit.memories.total(seen)

    return Counts(
        by_state=_without_zeros({state: count(state=state) for state in State}),
        by_type=_without_zeros({type: count(types=(type,)) for type in MemoryType}),
        by_scope=_without_zeros({scope: count(scope=scope) for scope in Scope}),
        reviews=len(list_pending_reviews(unit, MAX_LIMIT, None, viewer)),
    )


def _without_zeros(counts: dict[Kind, int]) -> dict[Kind, int]:
    """The counts that are not zero."""
    return {kind: number for kind, number in counts.items() if number}


def _most_used(unit: UnitOfWork, uses: Sequence[MemoryUse], viewer: Viewer) -> list[MemoryUse]:
    """The most used memories that a viewer can still read."""
    top: list[MemoryUse] = []
    for start in range(0, len(uses), _TOP):
        batch = uses[start : start + _TOP]
        known = unit.memories.get([each.memory for each in batch])
        top += [each for each in batch if _is_readable(unit, known.get(each.memory), viewer)]
        if len(top) >= _TOP:
            break
    return top[:_TOP]


def _is_readable(unit: UnitOfWork, memory: Memory | None, viewer: Viewer) -> bool:
    return memory is not None and not memory.forgotten and is_visible(viewer, unit, memory)


# Events


_AT_ONCE = 500


def read_events(unit: UnitOfWork, number: int, limit: int) -> EventPage:
    """A page of events after a number."""
    found = tuple(unit.events.after(number, limit))
    return _to_page(unit, found, found[-1].number if found else number)


def read_events_within_reach(unit: UnitOfWork, reach: Viewer, number: int, limit: int) -> EventPage:
    """A page of events after a number that concern a bound caller."""
    own: list[Event] = []
    seen, sessions = number, _SessionReach(unit, reach)
    while len(own) < limit:
        found = unit.events.after(seen, _AT_ONCE)
        for event in found:
            seen = event.number
            if (visible := _visible_part(unit, reach, sessions, event)) is not None:
                own.append(visible)
            if len(own) == limit:
                break
        if len(found) < _AT_ONCE:
            break
    return _to_page(unit, tuple(own), seen)


class _SessionReach:
    """The sessions that a bound caller reaches, each looked up once."""

    def __init__(self, unit: UnitOfWork, reach: Viewer) -> None:
        self._unit = unit
        self._reach = reach
        self._known: dict[str, bool] = {}

    def is_reached(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = self._reach.sees_session(self._unit.participants.of(name))
        return self._known[name]


def _to_page(unit: UnitOfWork, events: tuple[Event, ...], seen: int) -> EventPage:
    return EventPage(events=events, first=unit.events.first(), last=unit.events.last(), seen=seen)


def _visible_part(
    unit: UnitOfWork, reach: Viewer, sessions: _SessionReach, event: Event
) -> Event | None:
    """The part of an event that the caller may see, or None."""
    data = event.data
    if "session" in data:
        return event if sessions.is_reached(data["session"]) else None
    if event.kind is EventKind.MEMORIES_CHANGED:
        hidden = _hidden_memories(unit, reach, [each["memory"] for each in data["changes"]])
        seen = [each for each in data["changes"] if each["memory"] not in hidden]
        return replace(event, data={**data, "count": len(seen), "changes": seen}) if seen else None
    if event.kind is EventKind.REVIEW_DECIDED:
        return None if _hidden_memories(unit, reach, [data["memory"]]) else event
    return event


def _hidden_memories(unit: UnitOfWork, reach: Viewer, ids: list[str]) -> set[str]:
    """The ids that the caller may not see, and those that no longer exist."""
    gone = set(ids) - set(unit.memories.get(ids))
    return gone | hidden_from(reach, unit, ids)
