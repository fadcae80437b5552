"""Remembering: the same statement of the same owner is one memory, however often it is said."""

from collections.abc import Mapping, Sequence
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.kinds import DEFAULT_CONFIDENCE, Action, Actor, State, Trust
from tacit.core.memory import IDENTITY_FIELDS, Memory, hash_content
from tacit.core.permissions import may_change, may_revive
from tacit.core.vectors import EmbeddingModel, Vector
from tacit.writing.author import Author
from tacit.writing.draft import Draft, default_trust
from tacit.writing.outcome import Status, Written
from tacit.writing.succession import follow_change, take_place

Embedded = Mapping[str, tuple[EmbeddingModel, Vector]]
"""Vectors by the text they were made of, and by which model."""


def remember_all(author: Author, drafts: Sequence[Draft], embedded: Embedded) -> list[Written]:
    """Write drafts, or recognise that they are known, which is asked for all of them at once."""
    author.unit.memories.same_as([identity(draft) for draft in drafts])
    return [
        remember(author, draft, embedded.get(draft.origin.spoken(draft.content)))
        for draft in drafts
    ]


def remember(
    author: Author, draft: Draft, embedded: tuple[EmbeddingModel, Vector] | None = None
) -> Written:
    """Write a draft, or recognise that it is known; a vector is stored in the same transaction."""
    _refuse_undue_trust(author, draft)
    _refuse_ended(author, draft)
    known = author.unit.memories.same(identity(draft))
    if known is not None:
        return _repeat(author, known, draft)
    memory = draft.memory(
        id=author.new_id(), workspace=author.unit.workspace, by=author.by, now=author.now
    )
    author.journal.insert(memory)
    if embedded is not None:
        author.unit.vectors.put(memory.id, *embedded)
    return take_place(author, memory, Status.CREATED)


def identity(draft: Draft) -> bytes:
    """The hash of the memory that the draft becomes."""
    return hash_content(**{name: getattr(draft, name) for name in IDENTITY_FIELDS})


def _repeat(author: Author, known: Memory, draft: Draft) -> Written:
    if known.state(author.now) in (State.FORGOTTEN, State.PAST):
        return _revive(author, known, draft)
    changes = _news(author, known, draft)
    if not changes:
        return Written(memory=known, status=Status.KNOWN)
    if not may_change(known, author.by):
        review = author.journal.queue(Action.UPDATE, known, changes)
        return Written(memory=known, status=Status.QUEUED, review=review)
    memory = author.journal.update(known, **changes)
    return follow_change(author, known, memory)


def _revive(author: Author, known: Memory, draft: Draft) -> Written:
    """Say again what was forgotten or has ended: it is back, with the new end if any."""
    if not may_revive(known, forgotten_by(author, known), author.by):
        review = author.journal.queue(Action.RESTORE, known, {})
        return Written(memory=known, status=Status.QUEUED, review=review)
    changes = _news(author, known, draft)
    changes |= {"valid_to": draft.valid_to, "expires_at": draft.expires_at}
    memory = author.journal.restore(known, **changes)
    return take_place(author, memory, Status.RESTORED)


def _news(author: Author, known: Memory, draft: Draft) -> dict[str, Any]:
    """What a repeat adds: fields given with another value, and a person's word for it.

    What is true already does not wait for the beginning that a repeat names; what is to come is
    true from now on if somebody says it without one, unless a file does.
    """
    changes = {name: getattr(draft, name) for name in draft.given.difference(IDENTITY_FIELDS)}
    state = known.state(author.now)
    if state is State.LIVE and draft.valid_from is not None and draft.valid_from > author.now:
        del changes["valid_from"]
    if state is State.FUTURE and draft.valid_from is None and author.by is not Actor.IMPORT:
        changes["valid_from"] = None
    if author.is_person and not known.explicit:
        confidence = changes.get("confidence", DEFAULT_CONFIDENCE[author.by])
        changes |= {"explicit": True, "trust": Trust.TRUSTED, "confidence": confidence}
    return {name: value for name, value in changes.items() if getattr(known, name) != value}


def forgotten_by(author: Author, known: Memory) -> Actor:
    """Who forgot a memory last; the system, where nobody did."""
    entries = author.unit.audit.of(known.id)
    actors = [entry.by for entry in entries if entry.action is Action.FORGET]
    return actors[-1] if actors else Actor.SYSTEM


def _refuse_undue_trust(author: Author, draft: Draft) -> None:
    most = default_trust(author.by, draft.origin)
    if draft.trust is not None and draft.trust.rank > most.rank:
        who = f"the {author.by}'s" if author.by is not Actor.IMPORT else "imported"
        raise InvalidInput("trust", f"{who} words can be {most} at most, not {draft.trust}")


def _refuse_ended(author: Author, draft: Draft) -> None:
    end = draft.expires_at
    if end is not None and end <= author.now:
        raise InvalidInput("expires_at", f"{end:%Y-%m-%d %H:%M} UTC is past; give a time to come")
