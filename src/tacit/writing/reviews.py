"""Reviews: changes that only a person may make wait until a person accepts or rejects them.

An accepted change is applied only if nobody changed the memory in the meantime.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import NoReturn

from tacit.core.changes import Review, derive_proposal_id
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.events import EventKind
from tacit.core.fields import check_field, nested_field
from tacit.core.kinds import Action, Scope, State, Subject
from tacit.core.memory import IDENTITY_FIELDS, Association, Memory
from tacit.language.redaction.redact import redact
from tacit.writing.assignment import assign_owner
from tacit.writing.author import Author
from tacit.writing.draft import DRAFT_FIELDS, MemoryDraft, Status, Written
from tacit.writing.key_values import replace_older_values
from tacit.writing.relations import link_memories
from tacit.writing.remember import (
    EmbeddedTexts,
    edit_memory,
    forget_memory,
    identity_of,
    remember,
    remember_all,
    restore_memory,
)


class ReviewDecision(StrEnum):
    """How a review can end."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"


def propose_memory(author: Author, memory: Memory) -> Review:
    """Queue a new memory for review; the same statement waits only once.

    The id in the review is a placeholder: an accepted memory gets an id of its own.
    """
    wished = replace(memory, id=derive_proposal_id(memory.content_hash))
    waiting = [each for each in author.unit.reviews.about(wished.id) if each.is_proposal]
    return waiting[0] if waiting else author.journal.queue(Action.INSERT, wished, wished.to_dict())


def submit_drafts(
    author: Author, drafts: Sequence[MemoryDraft], embedded: EmbeddedTexts, *, all_wait: bool
) -> list[Written]:
    """Write drafts, but queue those for review that wait for a person: all, or an agent's rules."""
    author.unit.memories.same_as([identity_of(draft) for draft in drafts])
    return [
        _submit_draft(author, draft, embedded)
        if all_wait or draft.waits_for_person(author.by)
        else remember(author, draft, embedded.get(draft.search_text))
        for draft in drafts
    ]


def _submit_draft(author: Author, draft: MemoryDraft, embedded: EmbeddedTexts) -> Written:
    if author.unit.memories.same(identity_of(draft)) is not None:
        return remember_all(author, [draft], embedded)[0]
    made = draft.memory(
        id=author.new_id(), workspace=author.unit.workspace, by=author.by, now=author.now
    )
    wish = propose_memory(author, made)
    return Written(memory=replace(made, id=wish.memory), status=Status.QUEUED, review=wish)


def accept_review(author: Author, id: str, reason: str = "") -> Written:
    """Apply a review in the name of the person who accepts it; returns the written memory."""
    review = _claim_review(author, id)
    why = redact(reason or str(review.change.get("reason", ""))).text
    written = apply_review(replace(author, reason=why), review)
    _emit_decision(author, review, ReviewDecision.ACCEPTED, written.id, reason)
    return written


def reject_review(author: Author, id: str, reason: str = "") -> Review:
    """Drop a review; no memory changes."""
    review = _claim_review(author, id)
    _emit_decision(author, review, ReviewDecision.REJECTED, review.memory, reason)
    return review


def _claim_review(author: Author, id: str) -> Review:
    """Take a review, so that nobody else can decide it."""
    if not author.is_person:
        raise InvalidInput("by", f"only a person decides a review; the {author.by} can wait")
    review = author.unit.reviews.get(id)
    if review is None or not author.unit.reviews.drop(id):
        raise review_not_found(id, author.unit.workspace)
    return review


def review_not_found(id: str, workspace: str) -> NotFound:
    """The error for a review that does not exist or was decided already."""
    where = f"in workspace {workspace!r}"
    return NotFound(f"no review {id} waits {where}; it may have been decided already")


def _emit_decision(
    author: Author, review: Review, decision: ReviewDecision, memory: str, reason: str
) -> None:
    told = {"review": review.id, "memory": memory, "decision": str(decision), "by": str(author.by)}
    why = {"reason": redact(reason).text} if reason else {}
    author.unit.events.append(EventKind.REVIEW_DECIDED, author.now, told | why)


# Applying accepted reviews


_PROPOSED = DRAFT_FIELDS - {"trust", "confidence"}
"""The fields taken from a proposed memory; trust and confidence follow from who accepts it."""


def apply_review(author: Author, review: Review) -> Written:
    """Apply the change of a review in a person's name; returns the written memory."""
    if review.action not in _APPLIERS:
        _refuse(f"to {review.action} is nothing that can be asked of a person")
    return _APPLIERS[review.action](author, review)


def to_proposed_draft(review: Review) -> MemoryDraft:
    """The draft of the memory that a review proposes."""
    with nested_field("change"):
        values = {name: review.change.get(name) for name in _PROPOSED}
        return replace(MemoryDraft.of(values), given=frozenset())


def _apply_update(author: Author, review: Review) -> Written:
    memory = _load_visible(author, review.memory)
    present = memory.to_dict()
    wished = {name for name, value in review.fields.items() if present.get(name) != value}
    later = _find_later_changes(author, review)
    if wished & later:
        _refuse_changed(memory, wished & later)
    if wished and memory.superseded_by and "superseded_by" in later:
        _refuse(_describe_state(memory.id, memory, author.now))
    if review.fields.keys() == {"scope_id"} and memory.scope is Scope.USER:
        return assign_owner(author, memory, check_field("scope_id", review.fields["scope_id"]))
    with nested_field("change"):
        return edit_memory(author, memory.id, review.fields)


def _apply_forget(author: Author, review: Review) -> Written:
    memory = _load_existing(author, review.memory)
    if not memory.forgotten and "content" in _find_later_changes(author, review):
        _refuse_changed(memory, {"content"})
    return forget_memory(author, memory.id)


def _apply_restore(author: Author, review: Review) -> Written:
    """Restore a forgotten or replaced memory, or an ended one as if it were stated again."""
    memory = _load_existing(author, review.memory)
    if memory.forgotten or memory.state(author.now) is not State.PAST:
        return restore_memory(author, memory.id)
    if memory.superseded_by is not None:
        if "superseded_by" in _find_later_changes(author, review):
            _refuse(_describe_state(memory.id, memory, author.now))
        return restore_memory(author, memory.id)
    return remember(
        author, MemoryDraft(**{name: getattr(memory, name) for name in IDENTITY_FIELDS})
    )


def _apply_supersede(author: Author, review: Review) -> Written:
    memory = _load_visible(author, review.memory)
    if review.other is None:
        _refuse(f"it does not say what would replace memory {memory.id}")
    if memory.superseded_by == review.other:
        return Written(memory=memory, status=Status.UNCHANGED)
    if "content" in _find_later_changes(author, review):
        _refuse_changed(memory, {"content"})
    old, successor = (_load_live(author, id) for id in (memory.id, review.other))
    replaced = author.journal.supersede(old, successor)
    return Written(memory=replaced, status=Status.SUPERSEDED)


def _apply_insert(author: Author, review: Review) -> Written:
    if review.subject is Subject.ASSOCIATION:
        return _apply_relation(author, review)
    draft = to_proposed_draft(review)
    if draft.expires_at is not None and draft.expires_at <= author.now:
        _refuse(f"it was to last until {draft.expires_at:%Y-%m-%d %H:%M} UTC, which is past")
    if author.unit.memories.same(identity_of(draft)) is not None:
        return remember(author, draft)
    with nested_field("change"):
        source = check_field("source", review.change.get("source"))
    id, workspace = author.new_id(), author.unit.workspace
    memory = draft.memory(id=id, workspace=workspace, by=author.by, now=author.now)
    memory = replace(memory, source=source)
    author.journal.insert(memory)
    return replace_older_values(author, memory, Status.CREATED)


def _apply_relation(author: Author, review: Review) -> Written:
    with nested_field("change"):
        parts = {name: review.change.get(name) for name in ("source", "target", "relation")}
        edge = Association.from_dict({"weight": review.change.get("weight"), **parts})
    memory = _load_visible(author, review.memory)
    for end in (edge.source, edge.target):
        _load_visible(author, end)
    if author.unit.associations.get(edge.source, edge.target, edge.relation) == edge:
        return Written(memory=memory, status=Status.UNCHANGED)
    link_memories(author, edge)
    return Written(memory=memory, status=Status.KEPT)


_APPLIERS: Mapping[Action, Callable[[Author, Review], Written]] = MappingProxyType(
    {
        Action.UPDATE: _apply_update,
        Action.FORGET: _apply_forget,
        Action.RESTORE: _apply_restore,
        Action.SUPERSEDE: _apply_supersede,
        Action.INSERT: _apply_insert,
    }
)


def _load_existing(author: Author, id: str) -> Memory:
    """Load a memory, forgotten or not."""
    memory = author.unit.memories.get([id]).get(id)
    return memory or _refuse(_describe_state(id, memory, author.now))


def _load_visible(author: Author, id: str) -> Memory:
    """Load a memory that was not forgotten."""
    memory = _load_existing(author, id)
    return _refuse(_describe_state(id, memory, author.now)) if memory.forgotten else memory


def _load_live(author: Author, id: str) -> Memory:
    """Load a memory that is current."""
    memory = _load_existing(author, id)
    is_live = memory.state(author.now) is State.LIVE
    return memory if is_live else _refuse(_describe_state(id, memory, author.now))


def _find_later_changes(author: Author, review: Review) -> set[str]:
    """The fields of the memory that somebody changed after the review was queued."""
    rows = author.unit.audit.of(review.memory)
    later = [row for row in rows if row.id > review.id and row.subject is Subject.MEMORY]
    return {name for row in later for name in row.new or ()}


def _describe_state(id: str, memory: Memory | None, now: datetime) -> str:
    """Why a memory is not current."""
    if memory is None:
        return f"memory {id} is gone"
    if memory.forgotten:
        return f"memory {id} was forgotten (restore brings it back)"
    if memory.superseded_by is not None:
        return f"memory {id} was replaced by {memory.superseded_by}"
    ended = memory.state(now) is State.PAST
    return f"memory {id} has ended" if ended else f"memory {id} is not true yet"


def _refuse_changed(memory: Memory, fields: Collection[str]) -> NoReturn:
    """Refuse a review that would undo a later change."""
    named = ", ".join(sorted(fields))
    _refuse(f"memory {memory.id} was changed ({named}) after this was asked")


def _refuse(problem: str) -> NoReturn:
    """Refuse a review that can no longer be applied."""
    raise InvalidInput("review", f"{problem}; reject it, and do yourself what is left to do")
