"""What waits for a person, beside the memories that it is about."""

from collections.abc import Sequence

from tacit.memory import Action, Memory, Review, ReviewReport
from tacit.store import Unit
from tacit.writing import nothing_waits


def waiting(unit: Unit, limit: int, after: str | None, agent: str | None) -> list[Review]:
    """A page of what waits, oldest first, without what is about another agent's own memories."""
    found: list[Review] = []
    while page := unit.reviews.pending(after, limit):
        found += _visible(unit, page, agent)
        after = page[-1].id
        if len(page) < limit or len(found) >= limit:
            break
    return found[:limit]


def report(unit: Unit, id: str, agent: str | None) -> ReviewReport:
    """One wish with the memories that it is about; what was forgotten shows where it would be back.

    One that is about another agent's own memory is not found.
    """
    review = unit.reviews.get(id)
    if review is None or not _visible(unit, [review], agent):
        raise nothing_waits(id, unit.workspace)
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


def _visible(unit: Unit, reviews: Sequence[Review], agent: str | None) -> list[Review]:
    """Those of the reviews that an agent may know of; without one, all."""
    if agent is None:
        return list(reviews)
    known = unit.memories.get([id for review in reviews for id in _named(review)])
    return [review for review in reviews if _owners(review, known) <= {None, agent}]


def _owners(review: Review, known: dict[str, Memory]) -> set[str | None]:
    """The agents whose own memories a wish is about; None for those that are everybody's."""
    own = {known[id].agent for id in _named(review) if id in known}
    return own | {review.change.get("agent")} if review.is_proposal else own
