"""Reviews: what only a person may do waits, until one accepts or rejects it."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from tacit.core.changes import Review, derive_proposal_id
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.events import EventKind
from tacit.core.kinds import Action
from tacit.core.memory import Memory
from tacit.language.redaction.text import redact
from tacit.writing.author import Author
from tacit.writing.draft import Draft
from tacit.writing.fulfilling import fulfil
from tacit.writing.outcome import Status, Written
from tacit.writing.remembering import Embedded, identity, remember_all


class Decision(StrEnum):
    """How a review can end."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"


def propose(author: Author, memory: Memory) -> Review:
    """Let a new memory wait for a person; the same statement waits only once.

    The id in the review only stands for it: what is accepted gets an id of its own time.
    """
    wished = replace(memory, id=derive_proposal_id(memory.content_hash))
    waiting = [each for each in author.unit.reviews.about(wished.id) if each.is_proposal]
    return waiting[0] if waiting else author.journal.queue(Action.INSERT, wished, wished.to_dict())


def submit_all(author: Author, drafts: Sequence[Draft], embedded: Embedded) -> list[Written]:
    """Recognise what is known, and let what is new wait for a person."""
    return [_submitted(author, draft, embedded) for draft in drafts]


def _submitted(author: Author, draft: Draft, embedded: Embedded) -> Written:
    if author.unit.memories.same(identity(draft)) is not None:
        return remember_all(author, [draft], embedded)[0]
    made = draft.memory(
        id=author.new_id(), workspace=author.unit.workspace, by=author.by, now=author.now
    )
    wish = propose(author, made)
    return Written(memory=replace(made, id=wish.memory), status=Status.QUEUED, review=wish)


def accept(author: Author, id: str, reason: str = "") -> Written:
    """Carry out a wish as the person who accepts it; says what became of the memory."""
    review = _taken(author, id)
    why = redact(reason or str(review.change.get("reason", ""))).text
    written = fulfil(replace(author, reason=why), review)
    _tell(author, review, Decision.ACCEPTED, written.id, reason)
    return written


def reject(author: Author, id: str, reason: str = "") -> Review:
    """Drop a wish; no memory changes."""
    review = _taken(author, id)
    _tell(author, review, Decision.REJECTED, review.memory, reason)
    return review


def _taken(author: Author, id: str) -> Review:
    """A review that nobody else can decide any more."""
    if not author.is_person:
        raise InvalidInput("by", f"only a person decides a review; the {author.by} can wait")
    review = author.unit.reviews.get(id)
    if review is None or not author.unit.reviews.drop(id):
        raise nothing_waits(id, author.unit.workspace)
    return review


def nothing_waits(id: str, workspace: str) -> NotFound:
    """The error for a review that is not there, or not any more."""
    where = f"in workspace {workspace!r}"
    return NotFound(f"no review {id} waits {where}; it may have been decided already")


def _tell(author: Author, review: Review, decision: Decision, memory: str, reason: str) -> None:
    told = {"review": review.id, "memory": memory, "decision": str(decision), "by": str(author.by)}
    why = {"reason": redact(reason).text} if reason else {}
    author.unit.events.append(EventKind.REVIEW_DECIDED, author.now, told | why)
