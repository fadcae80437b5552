"""Calls about owners: assign memories to users, and folders to projects."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeVar, Unpack

from tacit.api.workspace import Part, WorkspaceContext
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.fields import check_field
from tacit.core.kinds import PERSONS, Actor, Scope, Sort
from tacit.core.memory import BaseFilters, Memory, check_assign_filters
from tacit.core.projects import Checkout, ProjectMatch, ProjectPlace
from tacit.runtime.files import machine_name
from tacit.store.episodes import EpisodeTable
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query
from tacit.store.workspaces import episodes_workspace
from tacit.writing.assignment import Assignment, assign_owner, plan_assignment
from tacit.writing.author import Author
from tacit.writing.draft import Written

_BATCH = 200
"""So many memories change hands in one transaction."""

Assign = Callable[[Author, Memory, str], Written]


class Assignments(Part):
    """Assign memories to users."""

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
        owner, actor = check_field("user", user), check_field("by", by)
        conditions = check_assign_filters(owner, ids, from_user, filters)
        if ids is not None:
            named = list(dict.fromkeys(check_field("ids", ids)))
            done = self._assign_or_plan(
                actor, dry_run, partial(_assign_named, ids=named, user=owner)
            )
            progress(len(named), len(named))
            return Assignment.of(owner, done, dry_run=dry_run)
        query = Query(
            **conditions,
            now=self._context.clock(),
            scope=Scope.USER,
            scope_id=from_user,
            sort=Sort.CREATED,
            after=None if after is None else check_field("id", after, "after"),
        )
        most = None if limit is None else check_field("limit", limit)
        found = self.assign_found(owner, query, most, actor, dry_run, progress)
        if conditions != {"state": None} or found.next is not None:
            return found
        return replace(found, episodes=self._assign_episodes(from_user, owner, actor, dry_run))

    def _assign_episodes(self, from_user: str, user: str, by: Actor, dry_run: bool) -> int:
        """Assign what a user said along with all their memories; returns how many episodes."""
        old, new = (Scope.USER, from_user), (Scope.USER, user)
        if by not in PERSONS:
            return 0
        if dry_run:
            with self._context.store.read(episodes_workspace(self._context.name)) as unit:
                return EpisodeTable(unit).count(old)
        total = 0
        while count := self._context.write_episodes(
            by, lambda author: EpisodeTable(author.unit).assign(old, new, _BATCH)
        ):
            total += count
        return total

    def assign_found(
        self,
        user: str,
        query: Query,
        limit: int | None,
        by: Actor,
        dry_run: bool,
        progress: Callable[[int, int], None],
    ) -> Assignment:
        """Assign in batches, so that transactions stay short and a repeated call continues."""
        total = self._context.read(lambda unit: unit.memories.total(query))
        done = Assignment(user=user, dry_run=dry_run)
        while limit is None or done.total < limit:
            size = _BATCH if limit is None else min(_BATCH, limit - done.total)
            batch = replace(query, limit=size, after=done.next or query.after)
            written = self._assign_or_plan(
                by, dry_run, partial(_assign_batch, query=batch, user=user)
            )
            is_last = len(written) < size
            part = Assignment.of(user, written, dry_run=dry_run)
            done += replace(part, next=None if is_last else written[-1].id)
            progress(done.total, max(total, done.total))
            if is_last:
                break
        return done

    def _assign_or_plan(
        self, by: Actor, dry_run: bool, work: Callable[[Author, Assign], list[Written]]
    ) -> list[Written]:
        """Assign in one transaction, or only plan it."""
        if not dry_run:
            return self._context.write(by, lambda author: work(author, assign_owner))
        now, new_id = self._context.clock(), self._context.new_id
        return self._context.read(
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


def _assign_batch(author: Author, act: Assign, query: Query, user: str) -> list[Written]:
    return [act(author, memory, user) for memory in author.unit.memories.find(query)]


# Projects


_PAGE = 500

Row = TypeVar("Row")


class Projects(Part):
    """The folders of projects.

    What a folder says of itself is never enough to see a project that is known elsewhere.
    """

    def __init__(self, context: WorkspaceContext) -> None:
        super().__init__(context)
        self._assignments = Assignments(context)

    def match(self, checkout: Checkout, *, remember: bool = True) -> ProjectMatch:
        """The project of a folder; a new folder is remembered, unless that is not wanted.

        The first folder that names a remote becomes the project of that remote. Every later one
        is a project of its own, and is offered to join, until a person decides.
        """
        here = self._with_host(checkout)
        match, new_place = self._context.read(
            lambda unit: match_checkout(unit, here, self._context.clock())
        )
        if new_place is None or not remember:
            return match
        with self._context.store.write(
            self._context.name
        ) as unit:  # another process may have been quicker
            match, new_place = match_checkout(unit, here, self._context.clock())
            if new_place is not None:
                unit.places.put(new_place)
        return match

    def places(
        self,
        *,
        project: str | None = None,
        limit: int = 100,
        after: ProjectPlace | None = None,
    ) -> Sequence[ProjectPlace]:
        """The folders of all projects, or of one, by their machine and path.

        At most `limit` of them; `after` is the last one of the page before.
        """
        most = check_field("limit", limit)
        if project is None:
            return self._context.read(lambda unit: unit.places.scan(after, most))
        name = check_field("project", project)
        found = self._context.read(lambda unit: unit.places.of_project(name))
        return [each for each in found if after is None or each.key > after.key][:most]

    def join(
        self,
        checkout: Checkout,
        project: str | None = None,
        *,
        by: Actor | str = Actor.USER,
        progress: Callable[[int, int], None] = lambda *_: None,
    ) -> Assignment:
        """Join a folder to a project: the one it claims to be, or the one that is named.

        What was learned in the folder's own project moves along, and what both know is merged. If
        it was interrupted, a repeat goes on.
        """
        actor, here, now = check_field("by", by), self._with_host(checkout), self._context.clock()
        named, own = None if project is None else check_field("project", project), here.own_project
        with self._context.store.write(self._context.name) as unit:
            target = _find_claimed_project(unit, here) if named is None else named
            _check_joinable(unit, here, target, now, is_named=named is not None)
            unit.places.put(_to_place(here, target, now))
            is_alone = all(each.path == here.path for each in unit.places.of_project(own))
            if is_alone:
                _move_pending_work(unit, own, target)
        if not is_alone:  # others share it, and keep it
            return Assignment(user=target)
        self._move_episodes(own, target, actor)
        return self._assignments.assign_found(
            target, _query_project(own, now), None, actor, False, progress
        )

    def _move_episodes(self, own: str, target: str, by: Actor) -> None:
        """Limit what was said in a project to the one that it joins."""

        def move(author: Author, after: str | None) -> str | None:
            return EpisodeTable(author.unit).move_project(own, target, after, _PAGE)

        last = self._context.write_episodes(by, partial(move, after=None))
        while last is not None:
            last = self._context.write_episodes(by, partial(move, after=last))

    def leave(self, checkout: Checkout) -> ProjectMatch:
        """Make a folder its own project from now on; existing memories stay where they are."""
        here, now = self._with_host(checkout), self._context.clock()
        with self._context.store.write(self._context.name) as unit:
            if here.claim == here.path:
                unit.places.remove(_to_place(here, None, now))
            else:
                unit.places.put(_to_place(here, here.own_project, now))
        return ProjectMatch(project=here.own_project)

    def forget_place(self, path: str, *, host: str | None = None) -> int:
        """Forget a folder, such as a deleted one; returns how many entries were removed."""
        here = self._with_host(Checkout(path=path, host=host))
        with self._context.store.write(self._context.name) as unit:
            known = unit.places.at(here.host or "", here.path)
            return sum(unit.places.remove(place) for place in known)

    def _with_host(self, checkout: Checkout) -> Checkout:
        """The checkout with its machine's name, if several machines share the store."""
        check_field("project", checkout.path)
        if checkout.host is not None:
            return checkout
        return replace(checkout, host=machine_name() if self._context.store.is_shared else "")


def match_checkout(
    unit: UnitOfWork, here: Checkout, now: datetime
) -> tuple[ProjectMatch, ProjectPlace | None]:
    """The project of a folder, and its place if it is new and to be remembered."""
    own = ProjectMatch(project=here.own_project)
    place = unit.places.get(here.host or "", here.path, here.claim)
    if place is not None and place.project is not None:
        return ProjectMatch(project=place.project), None
    offered = _find_claimed_project(unit, here)
    if offered == here.path:
        return own, None
    known_at = tuple(each.label for each in unit.places.of_project(offered))
    is_first = place is None and not known_at and here.remote is not None
    if is_first and not here.is_foreign:
        return ProjectMatch(project=offered), _to_place(here, offered, now)
    if not known_at and not unit.memories.total(_query_project(offered, now)):
        return own, None
    waiting = _to_place(here, None, now) if place is None else None
    return replace(own, offered=offered, known_at=known_at), waiting


def _to_place(here: Checkout, project: str | None, now: datetime) -> ProjectPlace:
    return ProjectPlace(
        host=here.host or "", path=here.path, claim=here.claim, project=project, at=now
    )


def _query_project(project: str, now: datetime) -> Query:
    """A query for all memories of a project, in every state."""
    return Query(now=now, state=None, scope=Scope.PROJECT, scope_id=project, sort=Sort.CREATED)


def _find_claimed_project(unit: UnitOfWork, here: Checkout) -> str:
    """The project that a folder claims to be."""
    if here.remote is not None or here.source is None:
        return here.claim
    places = unit.places.at(here.host or "", here.source)
    return next((each.project for each in places if each.project is not None), here.source)


def _check_joinable(
    unit: UnitOfWork, here: Checkout, target: str, now: datetime, *, is_named: bool
) -> None:
    if target in (here.path, here.own_project):
        raise InvalidInput("project", _NOTHING_TO_JOIN)
    is_known = unit.places.of_project(target) or unit.memories.total(_query_project(target, now))
    if is_named and not is_known:
        raise NotFound(f"there is no project {target!r}; tacit project list shows them")


def _move_pending_work(unit: UnitOfWork, old: str, new: str) -> None:
    """Move queued turns, reviews and open turns to another project."""
    for queued in _iterate_rows(
        lambda after, most: unit.heard.scan(after.id if after else None, most)
    ):
        if queued.turn.project == old:
            unit.heard.put(replace(queued, turn=replace(queued.turn, project=new)))
    for review in _iterate_rows(
        lambda after, most: unit.reviews.pending(after.id if after else None, most)
    ):
        if (review.change.get("scope"), review.change.get("scope_id")) == (Scope.PROJECT, old):
            unit.reviews.drop(review.id)
            moved = replace(review, change={**review.change, "scope_id": new})
            if unit.reviews.same(moved) is None:
                unit.reviews.add(moved)
    for turn in _iterate_rows(unit.receipts.scan_open_turns):
        if turn.receipt.project == old:
            heard = turn.captured and replace(turn.captured, project=new)
            unit.receipts.close_turn(turn.session, turn.id)
            receipt = replace(turn.receipt, project=new)
            unit.receipts.open_turn(replace(turn, receipt=receipt, captured=heard))
    unit.sessions.resume(Scope.PROJECT, old)


def _iterate_rows(scan: Callable[[Row | None, int], list[Row]]) -> Iterator[Row]:
    """All rows, page by page; rows may change meanwhile."""
    after: Row | None = None
    while page := scan(after, _PAGE):
        yield from page
        after = page[-1]


_NOTHING_TO_JOIN = (
    "this folder is no checkout of a project that is known elsewhere; name one:"
    " tacit project join PROJECT (tacit project list shows them)"
)
