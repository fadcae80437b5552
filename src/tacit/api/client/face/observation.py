"""Observation: what there is, and what happens."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tacit.api.client.answers import items
from tacit.api.client.face.face import Face
from tacit.api.client.watching import newest, watched
from tacit.core.activity import Activity
from tacit.core.events import Event, EventPage
from tacit.core.fields import check_field
from tacit.core.permissions import Viewer
from tacit.store.stats import Stats


class Observation(Face):
    """Counts, events and workspaces, for those who watch."""

    def stats(self, *, agent: str | None = None, user: str | None = None) -> Stats:
        """What the workspace holds, and where.

        For an `agent` and a `user`, the memories and reviews that they may see are counted, and
        nothing else.
        """
        return self._at.get("/v1/stats", Stats.from_dict, **asdict(Viewer.of(agent, user)))

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
        asked = {"turns": check_field("turns", turns), "days": check_field("days", days)}
        return self._at.get(
            "/v1/activity", Activity.from_dict, **asked, **asdict(Viewer.of(agent, user))
        )

    def workspaces(self) -> Sequence[str]:
        """Every workspace of the store that was ever written to, by name."""
        return self._at.get("/v1/workspaces", items(str))

    def events(self, *, after: int = 0, limit: int = 100) -> EventPage:
        """What happened in the workspace after an event, by any program, oldest first."""
        size = check_field("limit", limit)
        return self._at.get("/v1/events/list", EventPage.from_dict, after=after, limit=size)

    def watch(self, after: int | None = None) -> Iterator[Event]:
        """What happens from now on, or after an event that is known, as it happens; never ends.

        Where the server goes away, it is waited for, and no event is left out or comes twice.
        """
        return watched(self._at, newest(self._at) if after is None else after)
