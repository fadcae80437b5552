"""Observation: what there is, and what happens."""

from collections.abc import Mapping, Sequence
from typing import Any

from tacit.api.activity import activity_in, counts_for
from tacit.api.events import events_after
from tacit.api.face.face import Face
from tacit.core.activity import Activity
from tacit.core.events import EventKind, EventPage
from tacit.core.fields import check_field
from tacit.core.kinds import check_choice
from tacit.core.permissions import Viewer
from tacit.store.stats import Stats
from tacit.store.tenants import tenants


class Observation(Face):
    """Counts, places, events and keys, for those who watch or serve a store."""

    def describe(self) -> Mapping[str, object]:
        """Where memories are, for people."""
        return self._store.describe()

    def stats(self, *, agent: str | None = None, user: str | None = None) -> Stats:
        """What the workspace holds, and where.

        For an `agent` and a `user`, the memories and reviews that they may see are counted, and
        nothing else.
        """
        now, viewer = self._clock(), Viewer.of(agent, user)
        counts = self._read(lambda unit: counts_for(unit, viewer, now))
        return Stats(workspace=self.workspace, counts=counts, store=self._store.describe())

    def activity(
        self,
        *,
        turns: int = 500,
        days: int = 30,
        agent: str | None = None,
        user: str | None = None,
    ) -> Activity:
        """What the last turns did, and how many memories came in the last days.

        Memories that the `agent` or the `user` may not see are neither named nor counted.
        """
        last, since, now = check_field("turns", turns), check_field("days", days), self._clock()
        seer = Viewer.of(agent, user)
        return self._read(
            lambda unit: activity_in(unit, turns=last, days=since, viewer=seer, now=now)
        )

    def workspaces(self) -> Sequence[str]:
        """Every workspace of the store that was ever written to, by name."""
        return tenants(self._store)

    def events(self, *, after: int = 0, limit: int = 100) -> EventPage:
        """What happened in the workspace after an event, by any program, oldest first."""
        size = check_field("limit", limit)
        return self._read(lambda unit: events_after(unit, after, size))

    def note(self, kind: EventKind | str, data: Mapping[str, Any]) -> int:
        """Tell those who watch the workspace of something; returns the event's number."""
        what = check_choice("kind", EventKind, kind)
        with self._store.write(self._workspace) as unit:
            return unit.events.append(what, self._clock(), data)

    def prune_events(self, keep: int) -> int:
        """Drop all events but the newest; returns how many."""
        with self._store.write(self._workspace) as unit:
            return unit.events.prune(keep)
