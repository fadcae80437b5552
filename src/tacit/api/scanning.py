"""All that is kept of a kind in a workspace, page by page, each page in a transaction."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from tacit.core.changes import Review
from tacit.core.kinds import Owner, Scope
from tacit.core.learning_queue import QueuedTurn
from tacit.core.memory import Memory
from tacit.core.open_turn import OpenTurn
from tacit.core.permissions import Viewer
from tacit.core.receipt import Receipt
from tacit.core.sessions import Session, SessionVariable
from tacit.store.bounds import Bounds
from tacit.store.protocols.store import Store
from tacit.store.protocols.unit import Unit
from tacit.store.query import Query
from tacit.writing.erasure import EraseTarget, is_session_of_user

_PAGE = 500
_LOT = 2_000
"""So many memories are looked for at once: their words are then looked for in every file."""

Row = TypeVar("Row")
Scan = Callable[[Unit, Any], Sequence[Row]]
"""A page of rows after one of them, or the first."""


def pages(store: Store, workspace: str, scan: Scan[Row]) -> Iterator[Sequence[Row]]:
    """The pages of a scan, until one is empty."""
    last: Row | None = None
    while True:
        with store.read(workspace) as unit:
            page = scan(unit, last)
        if not page:
            return
        yield page
        last = page[-1]


def sessions_of(store: Store, workspace: str, owner: Owner, reach: Viewer) -> frozenset[str]:
    """The sessions within reach that are an owner's alone."""
    found = _sessions_of(store, workspace, owner)
    if not reach.is_bound:
        return found
    with store.read(workspace) as unit:
        return frozenset(filter(Bounds(unit, reach).has_session, found))


def _sessions_of(store: Store, workspace: str, owner: Owner) -> frozenset[str]:
    scope, name = owner
    if scope is Scope.SESSION:
        return frozenset([name] if name else [])
    if scope is not Scope.USER:
        return frozenset()
    listed = pages(store, workspace, _sessions)
    return frozenset(each.id for page in listed for each in page if is_session_of_user(name, each))


def memories(target: EraseTarget) -> list[Scan[Memory]]:
    """The memories that a target names or asks for."""
    named = [_memories_named(target.ids)] if target.ids else []
    return [*named, *map(_memories_found, target.memories)]


def heard(unit: Unit, last: QueuedTurn | None) -> list[QueuedTurn]:
    """What waits to be learned from."""
    return unit.heard.scan(last.id if last else None, _PAGE)


def opened(unit: Unit, last: OpenTurn | None) -> list[OpenTurn]:
    """The turns that have not ended, and those that were abandoned."""
    return unit.receipts.scan_opened(last, _PAGE)


def reviews(unit: Unit, last: Review | None) -> list[Review]:
    """What waits for a person."""
    return unit.reviews.pending(last.id if last else None, _PAGE)


def variables(unit: Unit, last: SessionVariable | None) -> list[SessionVariable]:
    """What workflows noted."""
    return unit.variables.scan(last, _PAGE)


def all_receipts(unit: Unit, last: Receipt | None) -> list[Receipt]:
    """The receipts of a workspace."""
    return unit.receipts.scan(last.id if last else None, _PAGE)


def receipts(target: EraseTarget) -> list[Scan[Receipt]]:
    """Where the receipts of a target are: anywhere, or in the sessions that go."""
    if target.owner is not None and target.owner[0] is not Scope.SESSION:
        return [all_receipts]
    return [_receipts_of(session) for session in sorted(target.sessions)]


def _memories_named(ids: Sequence[str]) -> Scan[Memory]:
    return lambda unit, last: [] if last else list(unit.memories.get(ids).values())


def _memories_found(query: Query) -> Scan[Memory]:
    return lambda unit, last: unit.memories.find(
        replace(query, limit=_LOT, after=last.id if last else None)
    )


def _receipts_of(session: str) -> Scan[Receipt]:
    return lambda unit, last: unit.receipts.recent(session, _PAGE, last.id if last else None)


def _sessions(unit: Unit, last: Session | None) -> list[Session]:
    return unit.sessions.scan(last.id if last else None, _PAGE)
