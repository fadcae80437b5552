"""Changing, forgetting and restoring a memory."""

from collections.abc import Mapping
from typing import Any

from tacit.core.errors import AlreadyKnown, InvalidInput
from tacit.core.fields import check_all_fields
from tacit.core.kinds import Action, Trust
from tacit.core.memory import IDENTITY_FIELDS, Memory, hash_content
from tacit.core.permissions import may_change, may_revive
from tacit.language.redaction.privacy import without_secrets
from tacit.writing.author import Author
from tacit.writing.draft import DRAFT_FIELDS, default_trust
from tacit.writing.outcome import Status, Written
from tacit.writing.remembering import forgotten_by
from tacit.writing.succession import follow_change, leave_place, take_place


def edit(author: Author, id: str, values: Mapping[str, Any]) -> Written:
    """Change the fields that are given; None clears a field that can be empty."""
    memory = author.visible(id)
    changes = _changes(author, memory, values)
    if not changes:
        return Written(memory=memory, status=Status.UNCHANGED)
    if not may_change(memory, author.by):
        return _queued(author, Action.UPDATE, memory, changes)
    _refuse_twin(author, memory, changes)
    edited = author.journal.update(memory, **changes)
    return follow_change(author, memory, edited)


def forget(author: Author, id: str) -> Written:
    """Hide a memory from every read path; `restore` brings it back."""
    memory = author.existing(id)
    if memory.forgotten:
        return Written(memory=memory, status=Status.UNCHANGED)
    if not may_change(memory, author.by):
        return _queued(author, Action.FORGET, memory, {})
    hidden = author.journal.forget(memory)
    leave_place(author, [memory])
    return Written(memory=hidden, status=Status.FORGOTTEN)


def restore(author: Author, id: str) -> Written:
    """Bring back what was forgotten, as it was; the value of a key is current again."""
    memory = author.existing(id)
    if not memory.forgotten:
        return Written(memory=memory, status=Status.UNCHANGED)
    if not may_revive(memory, forgotten_by(author, memory), author.by):
        return _queued(author, Action.RESTORE, memory, {})
    return take_place(author, author.journal.restore(memory), Status.RESTORED)


def _changes(author: Author, memory: Memory, values: Mapping[str, Any]) -> dict[str, Any]:
    period = {"valid_from": memory.valid_from, "valid_to": memory.valid_to}
    checked = without_secrets(check_all_fields({**period, **values}, DRAFT_FIELDS))
    given = {name: checked[name] for name in values}
    changes = {name: value for name, value in given.items() if getattr(memory, name) != value}
    if "content" in changes:
        changes = _as_authors_words(author, memory) | changes
    most = default_trust(author.by, changes.get("origin", memory.origin))
    trust: Trust = changes.get("trust", memory.trust)
    if "trust" in given and trust.rank > max(most.rank, memory.trust.rank):
        raise InvalidInput("trust", f"the {author.by} can make it {most} at most, not {trust}")
    return {name: value for name, value in changes.items() if getattr(memory, name) != value}


def _as_authors_words(author: Author, memory: Memory) -> dict[str, Any]:
    """New words are trusted like their author; a person's become explicit."""
    if author.is_person:
        return {"explicit": True, "trust": Trust.TRUSTED}
    own = default_trust(author.by, memory.origin)
    return {"trust": min(own, memory.trust, key=lambda trust: trust.rank)}


def _refuse_twin(author: Author, memory: Memory, changes: Mapping[str, Any]) -> None:
    """An edit must not make two memories say the same."""
    parts = {name: changes.get(name, getattr(memory, name)) for name in IDENTITY_FIELDS}
    twin = author.unit.memories.same(hash_content(**parts))
    if memory.superseded_by is None and twin is not None and twin.id != memory.id:
        state = "forgotten memory" if twin.forgotten else "memory"
        raise AlreadyKnown(
            f"{state} {twin.id} says exactly this already; restore or edit that one instead"
        )


def _queued(author: Author, action: Action, memory: Memory, change: Mapping[str, Any]) -> Written:
    review = author.journal.queue(action, memory, change)
    return Written(memory=memory, status=Status.QUEUED, review=review)
