"""Owners: giving memories to a user."""

from collections.abc import Callable, Iterable
from typing import Any, Unpack

from tacit.api.client.arguments import said_by
from tacit.api.client.face.face import Face
from tacit.core.fields import check_field
from tacit.core.kinds import Actor
from tacit.core.memory import BaseFilters, check_assign_filters, to_json_value
from tacit.writing.assignment import Assignment

_PAGE = 1_000
"""So many memories change hands in one request, so that none takes too long."""


class Owners(Face):
    """Whose memories are."""

    def assign(
        self,
        user: str,
        *,
        ids: Iterable[str] | None = None,
        from_user: str = "",
        limit: int | None = None,
        after: str | None = None,
        dry_run: bool = False,
        by: Actor | str = Actor.USER,
        progress: Callable[[int, int], None] = lambda *_: None,
        **filters: Unpack[BaseFilters],
    ) -> Assignment:
        """Give memories of the scope `user` to a user: those named, or all that belong to no user.

        `from_user` gives away the memories of another user instead, and filters as of `list`
        narrow that; every state is meant unless one is named. If it was interrupted, a repeat goes
        on. `limit` stops after so many memories, and `after` goes on from there. `progress` hears
        how many are done, and how many there are, or 0 where that is not known.
        """
        owner = check_field("user", user)
        named = None if ids is None else list(dict.fromkeys(check_field("ids", ids)))
        conditions = check_assign_filters(owner, named, from_user, filters)
        whose = {"ids": named} if named is not None else {"from_user": from_user}
        asked = {
            "user": owner,
            **whose,
            **{name: to_json_value(value) for name, value in conditions.items()},
            "dry_run": dry_run,
            **said_by(by),
        }
        most = None if limit is None else check_field("limit", limit)
        place = None if after is None else check_field("id", after)
        return self._assign_pages(asked, most, place, progress)

    def _assign_pages(
        self,
        asked: dict[str, Any],
        limit: int | None,
        after: str | None,
        progress: Callable[[int, int], None],
    ) -> Assignment:
        done = Assignment(user=asked["user"], dry_run=asked["dry_run"], next=after)
        while True:
            size = _PAGE if limit is None else min(_PAGE, limit - done.total)
            page = {**asked, "limit": size, "after": done.next}
            done += self._at.write("/v1/memories/assign", page, read=Assignment.from_dict)
            progress(done.total, 0)
            if done.next is None or (limit is not None and done.total >= limit):
                return done
