"""Values as rows and rows as values, where backends keep them alike; JSON is read as text."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tacit.core.changes import AuditEntry, Review
from tacit.core.fields import Origin
from tacit.core.kinds import Action, Actor, MemoryType, Owner, Relation, Scope, Subject, Trust
from tacit.core.memory import Association, Memory
from tacit.core.times import from_micros, to_micros

_NOWHERE = Origin()


def from_memory(memory: Memory) -> dict[str, Any]:
    """The columns of a memory, except the workspace, which the unit binds, and the tags."""
    return {
        "id": memory.id,
        "content": memory.content,
        "content_hash": memory.content_hash,
        "type": str(memory.type),
        "key": memory.key,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "scope": str(memory.scope),
        "scope_id": memory.scope_id,
        "agent": memory.agent,
        "source": str(memory.source),
        "origin": to_json(memory.origin.to_dict()),
        "trust": str(memory.trust),
        "explicit": memory.explicit,
        "pinned": memory.pinned,
        "metadata": to_json(memory.metadata),
        "created_at": to_micros(memory.created_at),
        "updated_at": to_micros(memory.updated_at),
        "last_accessed_at": to_micros(memory.last_accessed_at),
        "access_count": memory.access_count,
        "valid_from": to_micros(memory.valid_from),
        "valid_to": to_micros(memory.valid_to),
        "superseded_by": memory.superseded_by,
        "expires_at": to_micros(memory.expires_at),
        "forgotten": memory.forgotten,
    }


def to_memory(workspace: str, row: Sequence[Any], tags: tuple[str, ...]) -> Memory:
    """A row that has the columns of a memory from its id on, and its tags, already read."""
    (id, content, _, type, key, importance, confidence, scope, scope_id, agent) = row[:10]
    (source, origin, trust, explicit, pinned, _, metadata, created, updated) = row[10:19]
    (accessed, access_count, valid_from, valid_to, superseded_by, expires, forgotten) = row[19:26]
    return Memory(
        id=id,
        workspace=workspace,
        content=content,
        type=MemoryType(type),
        key=key,
        importance=importance,
        confidence=confidence,
        scope=Scope(scope),
        scope_id=scope_id,
        agent=agent,
        source=Actor(source),
        origin=_NOWHERE if origin == "{}" else Origin.from_dict(json.loads(origin)),
        trust=Trust(trust),
        explicit=bool(explicit),
        pinned=bool(pinned),
        tags=tags,
        metadata={} if metadata == "{}" else json.loads(metadata),
        created_at=from_micros(created),
        updated_at=from_micros(updated),
        last_accessed_at=from_micros(accessed),
        access_count=access_count,
        valid_from=from_micros(valid_from),
        valid_to=from_micros(valid_to),
        superseded_by=superseded_by,
        expires_at=from_micros(expires),
        forgotten=bool(forgotten),
    )


def to_association(row: Sequence[Any]) -> Association:
    """A row of the association queries."""
    source, target, relation, weight = row
    return Association(source=source, target=target, relation=Relation(relation), weight=weight)


def from_audit_entry(entry: AuditEntry) -> dict[str, Any]:
    """The columns of an audit row, except the workspace."""
    return {
        "id": entry.id,
        "memory": entry.memory,
        "action": str(entry.action),
        "actor": str(entry.by),
        "at": to_micros(entry.at),
        "subject": str(entry.subject),
        "old": None if entry.old is None else to_json(entry.old),
        "new": None if entry.new is None else to_json(entry.new),
    }


def to_audit_entry(row: Sequence[Any]) -> AuditEntry:
    """A row of the audit queries."""
    id, memory, action, actor, at, subject, old, new = row
    return AuditEntry(
        id=id,
        memory=memory,
        action=Action(action),
        by=Actor(actor),
        at=from_micros(at),
        subject=Subject(subject),
        old=old and json.loads(old),
        new=new and json.loads(new),
    )


def from_wish(review: Review) -> dict[str, Any]:
    """What makes two wishes the same."""
    return {
        "memory": review.memory,
        "action": str(review.action),
        "change": json.dumps(review.change, ensure_ascii=False, sort_keys=True),
        "actor": str(review.by),
    }


def to_review(row: Sequence[Any]) -> Review:
    """A row of the review queries."""
    id, memory, action, change, actor, created_at = row
    return Review(
        id=id,
        memory=memory,
        action=Action(action),
        change=json.loads(change),
        by=Actor(actor),
        created_at=from_micros(created_at),
    )


def to_json(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def to_shared(rows: Sequence[Sequence[Any]]) -> list[tuple[int, list[tuple[str, Owner]]]]:
    """Claims in order with those that make them; a row without a memory is of one that is past."""
    found: dict[int, list[tuple[str, Owner]]] = {}
    for claim, id, scope, scope_id in rows:
        members = found.setdefault(claim, [])
        if id is not None:
            members.append((id, (Scope(scope), scope_id)))
    return list(found.items())
