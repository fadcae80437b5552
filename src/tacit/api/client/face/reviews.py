"""Reviews: what waits for a person, and what a person decides."""

from collections.abc import Sequence
from dataclasses import asdict

from tacit.api.client.answers import items
from tacit.api.client.arguments import said_by
from tacit.api.client.face.face import Face
from tacit.core.changes import Review, ReviewReport
from tacit.core.fields import check_field
from tacit.core.kinds import Actor
from tacit.core.permissions import Viewer
from tacit.writing.draft import Written


class Reviews(Face):
    """Changes that only a person may make: looked at, accepted and rejected."""

    def reviews(
        self,
        *,
        limit: int = 50,
        after: str | None = None,
        agent: str | None = None,
        user: str | None = None,
    ) -> Sequence[Review]:
        """Changes that wait for a person, oldest first.

        `agent` and `user` leave out what is about memories that they may not see.
        """
        size, who = check_field("limit", limit), Viewer.of(agent, user)
        last = None if after is None else check_field("id", after)
        read = items(Review.from_dict)
        return self._at.get("/v1/reviews", read, limit=size, after=last, **asdict(who))

    def review(self, id: str, *, agent: str | None = None, user: str | None = None) -> ReviewReport:
        """One change that waits, with the memory as it is now and what would become of it.

        For an `agent` and a `user`, what is about memories that they may not see is not there.
        """
        path, who = _path(id), Viewer.of(agent, user)
        return self._at.get(path, ReviewReport.from_dict, **asdict(who))

    def accept(self, id: str, *, reason: str = "", by: Actor | str = Actor.USER) -> Written:
        """Carry out a change that waits, in the name of the person who accepts it."""
        asked = {"reason": check_field("reason", reason), **said_by(by)}
        return self._at.write(_path(id, "/accept"), asked, read=Written.from_dict)

    def reject(self, id: str, *, reason: str = "", by: Actor | str = Actor.USER) -> Review:
        """Drop a change that waits; no memory changes."""
        asked = {"reason": check_field("reason", reason), **said_by(by)}
        return self._at.write(_path(id, "/reject"), asked, read=Review.from_dict)


def _path(id: str, what: str = "") -> str:
    """The path of a review, or of what is done with it."""
    return f"/v1/reviews/{check_field('id', id)}{what}"
