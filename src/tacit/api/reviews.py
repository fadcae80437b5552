"""What waits for a person, beside the memories that it is about."""

from collections.abc import Sequence

from tacit.api.visibility import is_owner_visible, is_visible
from tacit.core.changes import Review, ReviewReport
from tacit.core.kinds import Action, Scope
from tacit.core.memory import Memory
from tacit.core.permissions import Viewer
from tacit.store.protocols.unit import Unit
from tacit.writing.reviews import review_not_found


def waiting(unit: Unit, limit: int, after: str | None, viewer: Viewer) -> list[Review]:
    """A page of what waits, oldest first, without what is about memories that are not seen."""
    found: list[Review] = []
    while page := unit.reviews.pending(after, limit):
        found += visible_reviews(unit, page, viewer)
        after = page[-1].id
        if len(page) < limit or len(found) >= limit:
            break
    return found[:limit]


def report(unit: Unit, id: str, viewer: Viewer) -> ReviewReport:
    """One wish with the memories that it is about; what was forgotten shows where it would be back.

    One that is about a memory that is not seen is not found.
    """
    review = unit.reviews.get(id)
    if review is None or not visible_reviews(unit, [review], viewer):
        raise review_not_found(id, unit.workspace)
    known = unit.memories.get(_named(review))
    shown = {
        id: memory
        for id, memory in known.items()
        if not memory.forgotten or review.action is Action.RESTORE
    }
    other = None if review.other is None else shown.get(review.other)
    return ReviewReport(review=review, memory=shown.get(review.memory), other=other)


def _named(review: Review) -> list[str]:
    """The memories that a wish names; one that is new is not there yet."""
    named = (None if review.is_proposal else review.memory, review.other)
    return [id for id in named if id is not None]


def visible_reviews(unit: Unit, reviews: Sequence[Review], viewer: Viewer) -> list[Review]:
    """Those of the reviews that somebody may know of."""
    if not viewer.is_bound:
        return list(reviews)
    known = unit.memories.get([id for review in reviews for id in _named(review)])
    return [review for review in reviews if _is_visible(unit, review, known, viewer)]


def _is_visible(unit: Unit, review: Review, known: dict[str, Memory], viewer: Viewer) -> bool:
    """Whether all memories that a wish is about are seen, the one that it would bring too."""
    if not all(is_visible(viewer, unit, known[id]) for id in _named(review) if id in known):
        return False
    if not review.is_proposal:
        return True
    change = review.change
    owner = Scope(change["scope"]), change["scope_id"]
    return is_owner_visible(viewer, unit, change.get("agent"), owner)
