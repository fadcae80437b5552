"""Whether anything is kept under the name of a session, whoever kept it there."""

from collections.abc import Iterator
from datetime import datetime

from tacit.core.changes import Review
from tacit.core.kinds import Scope
from tacit.store.protocols.unit import Unit
from tacit.store.query import Query

_PAGE = 500


def is_anything_kept(unit: Unit, session: str, now: datetime) -> bool:
    """Whether a workspace keeps anything under a name, besides who used it."""
    scoped = Query(now=now, state=None, scope=Scope.SESSION, scope_id=session)
    said = Query(now=now, state=None, session=session)
    return (
        unit.sessions.get(session) is not None
        or (Scope.SESSION, session) in unit.sessions.paused()
        or bool(unit.variables.of(session))
        or any(turn.abandoned is None for turn in unit.receipts.opened(session))
        or bool(unit.receipts.recent(session, 1))
        or bool(unit.blocks.of(session))
        or bool(unit.ledger.of(session))
        or bool(unit.heard.waiting(session, 1))
        or unit.memories.total(scoped) > 0
        or unit.memories.total(said) > 0
        or any(_is_of(review, session) for review in _reviews(unit))
    )


def _is_of(review: Review, session: str) -> bool:
    """Whether a new memory that waits for a person would be a session's, or was said in it."""
    change = review.change
    is_own = change.get("scope") == Scope.SESSION and change.get("scope_id") == session
    return is_own or (change.get("origin") or {}).get("session") == session


def _reviews(unit: Unit) -> Iterator[Review]:
    last: str | None = None
    while page := unit.reviews.pending(last, _PAGE):
        yield from page
        last = page[-1].id
