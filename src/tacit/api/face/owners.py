"""Owners: giving memories to a user."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Unpack

from tacit.api.face.face import Face
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, Scope, Sort
from tacit.core.memory import BaseFilters, Memory, check_assign_filters
from tacit.store.query import Query
from tacit.writing.assignment import Assignment, assign_owner, plan_assignment
from tacit.writing.author import Author
from tacit.writing.draft import Written

_LOT = 200
"""So many memories change hands in one transaction."""

Assign = Callable[[Author, Memory, str], Written]


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
        owner, actor = check_field("user", user), check_field("by", by)
        conditions = check_assign_filters(owner, ids, from_user, filters)
        if ids is not None:
            named = list(dict.fromkeys(check_field("ids", ids)))
            done = self._run(actor, dry_run, partial(_assign_named, ids=named, user=owner))
            progress(len(named), len(named))
            return Assignment.of(owner, done, dry_run=dry_run)
        query = Query(
            **conditions,
            now=self._clock(),
            scope=Scope.USER,
            scope_id=from_user,
            sort=Sort.CREATED,
            after=None if after is None else check_field("id", after),
        )
        most = None if limit is None else check_field("limit", limit)
        return self._assign_found(owner, query, most, actor, dry_run, progress)

    def _assign_found(
        self,
        user: str,
        query: Query,
        limit: int | None,
        by: Actor,
        dry_run: bool,
        progress: Callable[[int, int], None],
    ) -> Assignment:
        """Lot by lot, so that nobody waits long for a transaction and a repeat can go on."""
        total = self._read(lambda unit: unit.memories.total(query))
        done = Assignment(user=user, dry_run=dry_run)
        while limit is None or done.total < limit:
            size = _LOT if limit is None else min(_LOT, limit - done.total)
            lot = replace(query, limit=size, after=done.next or query.after)
            written = self._run(by, dry_run, partial(_assign_lot, query=lot, user=user))
            is_last = len(written) < size
            part = Assignment.of(user, written, dry_run=dry_run)
            done += replace(part, next=None if is_last else written[-1].id)
            progress(done.total, max(total, done.total))
            if is_last:
                break
        return done

    def _run(
        self, by: Actor, dry_run: bool, work: Callable[[Author, Assign], list[Written]]
    ) -> list[Written]:
        """Do it in one transaction, or only plan it."""
        if not dry_run:
            return self._write(by, lambda author: work(author, assign_owner))
        now, new_id = self._clock(), self._new_id
        return self._read(
            lambda unit: work(Author(unit=unit, by=by, now=now, new_id=new_id), plan_assignment)
        )


def _assign_named(author: Author, act: Assign, ids: Sequence[str], user: str) -> list[Written]:
    found = author.unit.memories.get(ids)
    for id in ids:
        if id not in found:
            raise NotFound(f"there is no memory {id} in workspace {author.unit.workspace!r}")
        if (scope := found[id].scope) is not Scope.USER:
            problem = f"memory {id} is of the scope {scope}; edit changes its scope first"
            raise InvalidInput("ids", problem)
    return [act(author, found[id], user) for id in ids]


def _assign_lot(author: Author, act: Assign, query: Query, user: str) -> list[Written]:
    return [act(author, memory, user) for memory in author.unit.memories.find(query)]
