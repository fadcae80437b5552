"""Projects: which one a folder belongs to, and what joining another one moves."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from tacit.api.face.owners import Owners
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, Scope, Sort
from tacit.core.projects import Checkout, ProjectMatch, ProjectPlace
from tacit.runtime.files.locations import machine
from tacit.store.protocols.unit import Unit
from tacit.store.query import Query
from tacit.writing.assignment import Assignment

_PAGE = 500

Row = TypeVar("Row")


class Projects(Owners):
    """The folders that projects are at.

    What a folder says of itself is never enough to see a project that is known elsewhere.
    """

    def match_project(self, checkout: Checkout) -> ProjectMatch:
        """The project that a folder belongs to; a place that is new is remembered.

        The first folder that names a remote becomes the project of that remote. Every later one
        is a project of its own, and is offered to join, until a person decides.
        """
        here = self._located(checkout)
        match, new_place = self._read(lambda unit: match_checkout(unit, here, self._clock()))
        if new_place is None:
            return match
        with self._store.write(self._workspace) as unit:  # another process may have been quicker
            match, new_place = match_checkout(unit, here, self._clock())
            if new_place is not None:
                unit.places.put(new_place)
        return match

    def project_places(self, *, project: str | None = None) -> Sequence[ProjectPlace]:
        """The folders that projects are at, or those of one project."""
        if project is not None:
            name = check_field("project", project)
            return self._read(lambda unit: unit.places.of_project(name))
        return self._read(lambda unit: list(_pages(unit.places.scan)))

    def join_project(
        self,
        checkout: Checkout,
        project: str | None = None,
        *,
        by: Actor | str = Actor.USER,
        progress: Callable[[int, int], None] = lambda *_: None,
    ) -> Assignment:
        """Let a folder share a project: the one that it says it is, or the one that is named.

        What was learned in the folder's own project moves along, and what both know is merged. If
        it was interrupted, a repeat goes on.
        """
        actor, here, now = check_field("by", by), self._located(checkout), self._clock()
        named, own = None if project is None else check_field("project", project), here.own_project
        with self._store.write(self._workspace) as unit:
            target = _claimed(unit, here) if named is None else named
            _refuse_to_join(unit, here, target, now, is_named=named is not None)
            unit.places.put(_place(here, target, now))
            is_alone = all(each.path == here.path for each in unit.places.of_project(own))
            if is_alone:
                _move_waiting(unit, own, target)
        if not is_alone:  # others share it, and keep it
            return Assignment(user=target)
        return self._assign_found(target, _memories_of(own, now), None, actor, False, progress)

    def leave_project(self, checkout: Checkout) -> ProjectMatch:
        """Let a folder be a project of its own from now on; what is known stays where it is."""
        here, now = self._located(checkout), self._clock()
        with self._store.write(self._workspace) as unit:
            if here.claim == here.path:
                unit.places.remove(_place(here, None, now))
            else:
                unit.places.put(_place(here, here.own_project, now))
        return ProjectMatch(project=here.own_project)

    def forget_place(self, path: str, *, host: str | None = None) -> int:
        """Know a folder no longer, such as one that is gone; returns how many entries that were."""
        here = self._located(Checkout(path=path, host=host))
        with self._store.write(self._workspace) as unit:
            known = unit.places.at(here.host or "", here.path)
            return sum(unit.places.remove(place) for place in known)

    def _located(self, checkout: Checkout) -> Checkout:
        """The same on a machine that is named, if several machines share the store."""
        check_field("project", checkout.path)
        if checkout.host is not None:
            return checkout
        return replace(checkout, host=machine() if self._store.is_shared else "")


def match_checkout(
    unit: Unit, here: Checkout, now: datetime
) -> tuple[ProjectMatch, ProjectPlace | None]:
    """The project of a folder, and its place if that is to be remembered."""
    own = ProjectMatch(project=here.own_project)
    place = unit.places.get(here.host or "", here.path, here.claim)
    if place is not None and place.project is not None:
        return ProjectMatch(project=place.project), None
    offered = _claimed(unit, here)
    if offered == here.path:
        return own, None
    known_at = tuple(each.label for each in unit.places.of_project(offered))
    is_first = place is None and not known_at and here.remote is not None
    if is_first and not here.is_foreign:
        return ProjectMatch(project=offered), _place(here, offered, now)
    if not known_at and not unit.memories.total(_memories_of(offered, now)):
        return own, None
    waiting = _place(here, None, now) if place is None else None
    return replace(own, offered=offered, known_at=known_at), waiting


def _place(here: Checkout, project: str | None, now: datetime) -> ProjectPlace:
    return ProjectPlace(
        host=here.host or "", path=here.path, claim=here.claim, project=project, at=now
    )


def _memories_of(project: str, now: datetime) -> Query:
    """The memories of a project in every state."""
    return Query(now=now, state=None, scope=Scope.PROJECT, scope_id=project, sort=Sort.CREATED)


def _claimed(unit: Unit, here: Checkout) -> str:
    """The project that a folder says it is."""
    if here.remote is not None or here.source is None:
        return here.claim
    places = unit.places.at(here.host or "", here.source)
    return next((each.project for each in places if each.project is not None), here.source)


def _refuse_to_join(
    unit: Unit, here: Checkout, target: str, now: datetime, *, is_named: bool
) -> None:
    if target in (here.path, here.own_project):
        raise InvalidInput("project", _NOTHING_TO_JOIN)
    is_known = unit.places.of_project(target) or unit.memories.total(_memories_of(target, now))
    if is_named and not is_known:
        raise NotFound(f"there is no project {target!r}; tacit project list shows them")


def _move_waiting(unit: Unit, old: str, new: str) -> None:
    """Let what is not learned, decided or answered yet belong to the other project."""
    for queued in _pages(lambda after, most: unit.heard.scan(after.id if after else None, most)):
        if queued.turn.project == old:
            unit.heard.put(replace(queued, turn=replace(queued.turn, project=new)))
    for review in _pages(
        lambda after, most: unit.reviews.pending(after.id if after else None, most)
    ):
        if (review.change.get("scope"), review.change.get("scope_id")) == (Scope.PROJECT, old):
            unit.reviews.drop(review.id)
            moved = replace(review, change={**review.change, "scope_id": new})
            if unit.reviews.same(moved) is None:
                unit.reviews.add(moved)
    for turn in _pages(unit.receipts.scan_opened):
        if turn.receipt.project == old:
            heard = turn.captured and replace(turn.captured, project=new)
            unit.receipts.close(turn.session, turn.id)
            receipt = replace(turn.receipt, project=new)
            unit.receipts.open(replace(turn, receipt=receipt, captured=heard))
    unit.sessions.resume(Scope.PROJECT, old)


def _pages(scan: Callable[[Row | None, int], list[Row]]) -> Iterator[Row]:
    """Every row, page by page; rows may be changed meanwhile."""
    after: Row | None = None
    while page := scan(after, _PAGE):
        yield from page
        after = page[-1]


_NOTHING_TO_JOIN = (
    "this folder is no checkout of a project that is known elsewhere; name one:"
    " tacit project join PROJECT (tacit project list shows them)"
)
