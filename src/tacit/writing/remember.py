"""Remember, edit, forget and restore memories.

The same statement of the same owner is one memory, however often it is said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from tacit.core.changes import AuditEntry
from tacit.core.errors import AlreadyKnown, InvalidInput
from tacit.core.fields import Origin, check_all_fields, check_field, check_key_scope
from tacit.core.kinds import (
    AGENTS,
    DEFAULT_CONFIDENCE,
    Action,
    Actor,
    Relation,
    Scope,
    State,
    Trust,
)
from tacit.core.memory import (
    IDENTITY_FIELDS,
    Association,
    Memory,
    hash_content,
    may_stand_as_rule,
)
from tacit.core.permissions import may_change, may_revive
from tacit.core.vectors import TextVectors
from tacit.language.redaction.redact import redact_fields
from tacit.language.relative_dates import depends_on_day
from tacit.store.generations import put_vectors
from tacit.writing.author import Author
from tacit.writing.draft import DRAFT_FIELDS, MemoryDraft, Status, Written, default_trust
from tacit.writing.key_values import (
    KeySlot,
    apply_value_change,
    plan_ends,
    release_values,
    replace_older_values,
)

EmbeddedTexts = Mapping[str, TextVectors]
"""The vectors of each text, with the models that made them."""


def remember_all(
    author: Author, drafts: Sequence[MemoryDraft], embedded: EmbeddedTexts
) -> list[Written]:
    """Write drafts or recognise them as known; all are looked up at once."""
    author.unit.memories.same_as([identity_of(draft) for draft in drafts])
    return [remember(author, draft, embedded.get(draft.search_text)) for draft in drafts]


def remember(author: Author, draft: MemoryDraft, embedded: TextVectors | None = None) -> Written:
    """Write a draft or recognise it as known; a vector is stored in the same transaction."""
    _refuse_undue_trust(author, draft)
    _refuse_ended(author, draft)
    known = author.unit.memories.same(identity_of(draft))
    if known is not None:
        return _record_repeat(author, known, draft)
    memory = draft.memory(
        id=author.new_id(), workspace=author.unit.workspace, by=author.by, now=author.now
    )
    author.journal.insert(memory)
    if embedded is not None:
        put_vectors(author.unit, memory.id, embedded)
    return replace_older_values(author, memory, Status.CREATED)


def identity_of(draft: MemoryDraft) -> bytes:
    """The hash that identifies the memory a draft becomes."""
    return hash_content(**{name: getattr(draft, name) for name in IDENTITY_FIELDS})


def _record_repeat(author: Author, known: Memory, draft: MemoryDraft) -> Written:
    if known.state(author.now) in (State.FORGOTTEN, State.PAST):
        return _revive_memory(author, known, draft)
    changes = _find_news(author, known, draft)
    if not changes:
        return Written(memory=known, status=Status.KNOWN)
    if not may_change(known, author.by) or _makes_rule(author, known, changes):
        review = author.journal.queue(Action.UPDATE, known, changes)
        return Written(memory=known, status=Status.QUEUED, review=review)
    memory = author.journal.update(known, **changes)
    return apply_value_change(author, known, memory)


def _revive_memory(author: Author, known: Memory, draft: MemoryDraft) -> Written:
    """Restore a forgotten or ended memory that is stated again, with the new end if any."""
    if not may_revive(known, find_forgetter(author, known), author.by):
        review = author.journal.queue(Action.RESTORE, known, {})
        return Written(memory=known, status=Status.QUEUED, review=review)
    changes = _find_news(author, known, draft)
    changes |= {"valid_to": draft.valid_to, "expires_at": draft.expires_at}
    if known.origin.author != draft.origin.author:
        origin = changes.get("origin", known.origin)
        changes["origin"] = replace(origin, author=draft.origin.author)
    memory = author.journal.restore(known, **changes)
    return replace_older_values(author, memory, Status.RESTORED)


def _find_news(author: Author, known: Memory, draft: MemoryDraft) -> dict[str, Any]:
    """What a repeated statement adds: other values of fields, and a person's confirmation.

    A memory that is valid already ignores a later start. A future one becomes valid now if somebody
    states it without a start, unless it comes from a file.
    """
    changes = {name: getattr(draft, name) for name in draft.given.difference(IDENTITY_FIELDS)}
    if "origin" in changes:
        changes |= _find_new_origin(known, changes.pop("origin"))
    state = known.state(author.now)
    if state is State.LIVE and draft.valid_from is not None and draft.valid_from > author.now:
        del changes["valid_from"]
    if state is State.FUTURE and draft.valid_from is None and author.by is not Actor.IMPORT:
        changes["valid_from"] = None
    if author.is_person and not known.explicit:
        confidence = changes.get("confidence", DEFAULT_CONFIDENCE[author.by])
        changes |= {"explicit": True, "trust": Trust.TRUSTED, "confidence": confidence}
    if author.is_person and "origin" not in changes:
        changes |= find_new_day(known, author.now)
    return {name: value for name, value in changes.items() if getattr(known, name) != value}


def _find_new_origin(known: Memory, told: Origin) -> dict[str, Any]:
    """The origin of a statement that is repeated; who said it first stays its author."""
    if told == Origin(author=told.author):
        return {}
    return {"origin": replace(told, author=known.origin.author)}


def find_new_day(known: Memory, said: datetime) -> dict[str, Any]:
    """What changes if a memory is stated again on a later day: "tomorrow" is another day then."""
    if said.date() <= known.said_at.date() or not depends_on_day(known.content):
        return {}
    return {"origin": replace(known.origin, time=said)}


def find_forgetter(author: Author, known: Memory) -> Actor:
    """The actor who forgot a memory last; the system if nobody did."""
    entries = author.unit.audit.of(known.id)
    actors = [entry.by for entry in entries if entry.action is Action.FORGET]
    return actors[-1] if actors else Actor.SYSTEM


def _refuse_undue_trust(author: Author, draft: MemoryDraft) -> None:
    most = default_trust(author.by, draft.origin)
    if draft.trust is not None and draft.trust.rank > most.rank:
        who = f"the {author.by}'s" if author.by is not Actor.IMPORT else "imported"
        raise InvalidInput("trust", f"{who} words can be {most} at most, not {draft.trust}")


def _refuse_ended(author: Author, draft: MemoryDraft) -> None:
    end = draft.expires_at
    if end is not None and end <= author.now:
        raise InvalidInput("expires_at", f"{end:%Y-%m-%d %H:%M} UTC is past; give a time to come")


# Edit, forget and restore


def edit_memory(author: Author, id: str, values: Mapping[str, Any]) -> Written:
    """Change the given fields; None clears a field that can be empty."""
    memory = author.visible(id)
    changes = _check_changes(author, memory, values)
    if not changes:
        return Written(memory=memory, status=Status.UNCHANGED)
    if not may_change(memory, author.by) or _makes_rule(author, memory, changes):
        return _queue_change(author, Action.UPDATE, memory, changes)
    _refuse_twin(author, memory, changes)
    edited = author.journal.update(memory, **changes)
    return apply_value_change(author, memory, edited)


def forget_memory(author: Author, id: str, reason: str = "") -> Written:
    """Hide a memory from every read path; `restore_memory` brings it back."""
    memory = author.existing(id)
    if memory.forgotten:
        return Written(memory=memory, status=Status.UNCHANGED)
    if not author.may_replace(memory):
        return _queue_change(author, Action.FORGET, memory, {})
    hidden = author.journal.forget(memory, reason)
    release_values(author, [memory])
    return Written(memory=hidden, status=Status.FORGOTTEN)


def restore_memory(author: Author, id: str) -> Written:
    """Restore a forgotten memory as it was; the value of its key is current again.

    One that was replaced holds again beside what replaced it, and so does what was merged.
    """
    memory = author.existing(id)
    if memory.superseded_by is not None and not memory.forgotten:
        return _bring_back_replaced(author, memory)
    if not memory.forgotten:
        return Written(memory=memory, status=Status.UNCHANGED)
    if not may_revive(memory, find_forgetter(author, memory), author.by):
        return _queue_change(author, Action.RESTORE, memory, {})
    return replace_older_values(author, author.journal.restore(memory), Status.RESTORED)


_LONGEST_CHAIN = 100


def _bring_back_replaced(author: Author, memory: Memory) -> Written:
    """Let a replaced memory hold again beside what replaced it, and note that both are right.

    So nothing lets one of them replace the other again.
    """
    newer = _load_successors(author, memory)
    if not all(may_change(each, author.by) for each in (memory, *newer)):
        return _queue_change(author, Action.RESTORE, memory, {})
    twin = author.unit.memories.same(memory.content_hash)
    if twin is not None:
        raise AlreadyKnown(f"memory {twin.id} says exactly this already, and is no older")
    rows = [row for row in author.unit.audit.of(memory.id) if row.action is Action.SUPERSEDE]
    end = check_field("valid_to", (rows[-1].old or {}).get("valid_to")) if rows else None
    end = end if end is not None and end > author.now else None
    restored = author.journal.restore(memory, superseded_by=None, valid_to=end)
    for each in newer:
        first, second = sorted((memory.id, each.id))
        edge = Association(source=first, target=second, relation=Relation.COMPATIBLE_WITH)
        author.journal.link(edge)
        author.unit.uncompared.add(each.id)
    if rows and newer:
        _split_words(author, rows[-1], newer[0])
    slot = KeySlot.of(restored)
    if slot is not None and slot.members(author, State.FUTURE):
        plan_ends(author, slot)
    return Written(memory=author.existing(restored.id), status=Status.RESTORED)


def _load_successors(author: Author, memory: Memory) -> list[Memory]:
    """What replaced a memory, what replaced that, and so on, as far as it is still there."""
    found: dict[str, Memory] = {}
    last = memory
    while last.superseded_by is not None and len(found) < _LONGEST_CHAIN:
        successor = author.unit.memories.get([last.superseded_by]).get(last.superseded_by)
        if successor is None or successor.id in found or successor.id == memory.id:
            break
        found[successor.id] = last = successor
    return list(found.values())


def _split_words(author: Author, merge: AuditEntry, winner: Memory) -> None:
    """Give a memory that took the words of another in a merge its own words back.

    What was changed since then stays as it is.
    """
    for row in author.unit.audit.of(winner.id):
        old, new = row.old or {}, row.new or {}
        is_merge = row.action is Action.UPDATE and (row.at, row.by) == (merge.at, merge.by)
        if not is_merge or "content" not in old or new.get("content") != winner.content:
            continue
        own = {name: check_field(name, old[name]) for name in _MERGED_FIELDS if name in old}
        twin = author.unit.memories.same(replace(winner, content=own["content"]).content_hash)
        if twin is None:
            author.journal.update(winner, **own)


_MERGED_FIELDS = ("content", "importance", "tags", "trust")


def _check_changes(author: Author, memory: Memory, values: Mapping[str, Any]) -> dict[str, Any]:
    period = {"valid_from": memory.valid_from, "valid_to": memory.valid_to}
    checked = redact_fields(check_all_fields({**period, **values}, DRAFT_FIELDS))
    given = {name: checked[name] for name in values}
    changes = {name: value for name, value in given.items() if getattr(memory, name) != value}
    check_key_scope(changes.get("key", memory.key), changes.get("scope", memory.scope))
    if "origin" not in given:
        changes |= _find_new_author(memory, changes)
    if "content" in changes:
        changes = _apply_author_trust(author, memory) | changes
    most = default_trust(author.by, changes.get("origin", memory.origin))
    trust: Trust = changes.get("trust", memory.trust)
    if "trust" in given and trust.rank > max(most.rank, memory.trust.rank):
        raise InvalidInput("trust", f"the {author.by} can make it {most} at most, not {trust}")
    return {name: value for name, value in changes.items() if getattr(memory, name) != value}


def _find_new_author(memory: Memory, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The author of a changed memory: who shares their own wrote it, of new words nobody knows."""
    origin = memory.origin
    if {"content", "key"} & changes.keys():
        return {"origin": replace(origin, author=None)}
    is_shared_now = memory.scope is Scope.USER and changes.get("scope", Scope.USER) != Scope.USER
    if is_shared_now and memory.scope_id and origin.author is None:
        return {"origin": replace(origin, author=memory.scope_id)}
    return {}


def _apply_author_trust(author: Author, memory: Memory) -> dict[str, Any]:
    """New content is trusted like its author; a person's becomes explicit."""
    if author.is_person:
        return {"explicit": True, "trust": Trust.TRUSTED}
    own = default_trust(author.by, memory.origin)
    return {"trust": min(own, memory.trust, key=lambda trust: trust.rank)}


def _makes_rule(author: Author, memory: Memory, changes: Mapping[str, Any]) -> bool:
    """Whether an agent would make a memory a pin or a rule, or change one that is."""
    after = {name: changes.get(name, getattr(memory, name)) for name in _MAKES_RULE}
    return author.by in AGENTS and may_stand_as_rule(**after)


_MAKES_RULE = ("type", "confidence", "pinned")


def _refuse_twin(author: Author, memory: Memory, changes: Mapping[str, Any]) -> None:
    """Refuse an edit that would make two memories say the same."""
    parts = {name: changes.get(name, getattr(memory, name)) for name in IDENTITY_FIELDS}
    twin = author.unit.memories.same(hash_content(**parts))
    if memory.superseded_by is None and twin is not None and twin.id != memory.id:
        state = "forgotten memory" if twin.forgotten else "memory"
        raise AlreadyKnown(
            f"{state} {twin.id} says exactly this already; restore or edit that one instead"
        )


def _queue_change(
    author: Author, action: Action, memory: Memory, change: Mapping[str, Any]
) -> Written:
    review = author.journal.queue(action, memory, change)
    return Written(memory=memory, status=Status.QUEUED, review=review)
