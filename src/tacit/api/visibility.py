"""What an agent and a user may see: memories, their history, reviews and lessons."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tacit.core.changes import AuditEntry, Review, ReviewReport
from tacit.core.kinds import Action, Owner, Scope, Subject
from tacit.core.memory import Memory
from tacit.core.open_turn import QueuedTurn, QueueStage, UnreadTurn
from tacit.core.permissions import Viewer
from tacit.store.journal import SUCCESSOR
from tacit.store.protocols.store import UnitOfWork
from tacit.writing.learning.lesson import Learned, Lesson, Verdict
from tacit.writing.reviews import review_not_found

_OTHERS = {
    Subject.MEMORY: ("superseded_by", SUCCESSOR),
    Subject.ASSOCIATION: ("source", "target"),
}
"""The values in a change that name other memories."""


def is_visible(viewer: Viewer, unit: UnitOfWork, memory: Memory) -> bool:
    """Whether a viewer may see a memory, in any state."""
    return is_owner_visible(viewer, unit, memory.agent, memory.owner)


def is_owner_visible(viewer: Viewer, unit: UnitOfWork, agent: str | None, owner: Owner) -> bool:
    """Whether a viewer may see what belongs to an agent and an owner.

    What belongs to a session is seen by the agent and the user whose session it is.
    """
    scope, id = owner
    if not viewer.is_bound or scope is not Scope.SESSION:
        return viewer.sees_owner(agent, owner)
    return viewer.sees_agent(agent) and viewer.sees_session(unit.participants.of(id))


def hidden_from(viewer: Viewer, unit: UnitOfWork, ids: Sequence[str]) -> set[str]:
    """The ids of memories that a viewer may not see; none for an unbound viewer.

    Of what is gone nobody knows whose it was, so a user does not see it.
    """
    if not viewer.is_bound:
        return set()
    known = unit.memories.get(ids)
    gone = set(ids) - known.keys() if viewer.user is not None else set()
    return gone | {id for id, memory in known.items() if not is_visible(viewer, unit, memory)}


def visible_history(
    viewer: Viewer, unit: UnitOfWork, memory: Memory | None, changes: Sequence[AuditEntry]
) -> list[AuditEntry]:
    """The changes of a memory, oldest first, that a viewer could have seen when they were made.

    Whose it was is read backwards from whose it is; what was erased has no values left. A change
    that names memories which are hidden from them is left out too.
    """
    if not viewer.is_bound or memory is None:
        return list(changes)
    named = {id: None for change in changes for id in _other_memories_in(change)}
    hidden = hidden_from(viewer, unit, list(named))
    whose = {"agent": memory.agent, "scope": memory.scope, "scope_id": memory.scope_id}
    seen = []
    for change in reversed(changes):
        before = whose
        if change.subject is Subject.MEMORY and change.old:
            before = {name: change.old.get(name, value) for name, value in whose.items()}
        is_seen = all(_was_visible(viewer, unit, each) for each in (before, whose))
        if is_seen and hidden.isdisjoint(_other_memories_in(change)):
            seen.append(change)
        whose = before
    return seen[::-1]


def _was_visible(viewer: Viewer, unit: UnitOfWork, whose: Mapping[str, Any]) -> bool:
    owner = (Scope(whose["scope"]), whose["scope_id"])
    return is_owner_visible(viewer, unit, whose["agent"], owner)


def _other_memories_in(change: AuditEntry) -> list[str]:
    """The ids of the other memories that a change names."""
    values = [each for each in (change.old, change.new) if each]
    named = (value[name] for value in values for name in _OTHERS[change.subject] if value.get(name))
    return [id for id in named if id != change.memory]


# Reviews


def list_pending_reviews(
    unit: UnitOfWork, limit: int, after: str | None, viewer: Viewer
) -> list[Review]:
    """A page of pending reviews, oldest first, without those about hidden memories."""
    found: list[Review] = []
    while page := unit.reviews.pending(after, limit):
        found += visible_reviews(unit, page, viewer)
        after = page[-1].id
        if len(page) < limit or len(found) >= limit:
            break
    return found[:limit]


def list_unread_turns(
    unit: UnitOfWork, limit: int, after: str | None, viewer: Viewer
) -> list[UnreadTurn]:
    """A page of the turns that were set aside, oldest first, without those of others."""
    found: list[QueuedTurn] = []
    while page := unit.heard.at_stage(QueueStage.SET_ASIDE, limit, after):
        found += [each for each in page if viewer.sees_turn(each.turn.agent, each.turn.user)]
        after = page[-1].id
        if len(page) < limit or len(found) >= limit:
            break
    return [UnreadTurn.of(each) for each in found[:limit]]


def load_review_report(unit: UnitOfWork, id: str, viewer: Viewer) -> ReviewReport:
    """A review with its memories; a forgotten memory is shown if the review would restore it.

    One that is about a memory that is not seen is not found.
    """
    review = unit.reviews.get(id)
    if review is None or not visible_reviews(unit, [review], viewer):
        raise review_not_found(id, unit.workspace)
    known = unit.memories.get(_memories_named_in(review))
    shown = {
        id: memory
        for id, memory in known.items()
        if not memory.forgotten or review.action is Action.RESTORE
    }
    other = None if review.other is None else shown.get(review.other)
    return ReviewReport(review=review, memory=shown.get(review.memory), other=other)


def _memories_named_in(review: Review) -> list[str]:
    """The existing memories that a review names."""
    named = (None if review.is_proposal else review.memory, review.other)
    return [id for id in named if id is not None]


def visible_reviews(unit: UnitOfWork, reviews: Sequence[Review], viewer: Viewer) -> list[Review]:
    """The reviews that a viewer may see."""
    if not viewer.is_bound:
        return list(reviews)
    known = unit.memories.get([id for review in reviews for id in _memories_named_in(review)])
    return [review for review in reviews if _is_review_visible(unit, review, known, viewer)]


def _is_review_visible(
    unit: UnitOfWork, review: Review, known: dict[str, Memory], viewer: Viewer
) -> bool:
    """Whether a viewer may see all memories of a review, and the one it would create."""
    if not all(
        is_visible(viewer, unit, known[id]) for id in _memories_named_in(review) if id in known
    ):
        return False
    if not review.is_proposal:
        return True
    change = review.change
    owner = Scope(change["scope"]), change["scope_id"]
    return is_owner_visible(viewer, unit, change.get("agent"), owner)


# Lessons


def visible_lessons(unit: UnitOfWork, learned: Learned, viewer: Viewer) -> Learned:
    """The part of what was learned that a viewer may see.

    Words that became no memory may repeat one that was shown to another agent or user alone.
    """
    if not viewer.is_bound:
        return learned
    known = unit.memories.get([each.memory for each in learned.lessons if each.memory is not None])
    seen = tuple(each for each in learned.lessons if _is_lesson_visible(unit, each, known, viewer))
    return replace(learned, lessons=seen)


def _is_lesson_visible(
    unit: UnitOfWork, lesson: Lesson, known: dict[str, Memory], viewer: Viewer
) -> bool:
    memory = known.get(lesson.memory or "")
    if memory is None:
        return lesson.verdict is Verdict.PROPOSED and viewer.user is None
    return is_visible(viewer, unit, memory)
