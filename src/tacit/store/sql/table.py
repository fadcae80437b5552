"""Tables in SQL: their named queries, values as columns, and rows as values.

Every query binds the workspace: there is no way to run one without it.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from tacit.core.changes import AuditEntry, ChangePlace, Review
from tacit.core.fields import Origin
from tacit.core.kinds import Action, Actor, MemoryType, Owner, Relation, Scope, Subject, Trust
from tacit.core.marks import Mark, MarkAuthor
from tacit.core.memory import Association, Memory
from tacit.core.open_turn import compress_json
from tacit.core.receipt import Receipt
from tacit.core.sessions import Block, BlockState, LedgerEntry, Placement, Session
from tacit.core.times import from_micros, to_micros

_QUERY_MARK = "-- name: "
_END_OF_TIME = 2**62


@cache
def load_queries(package: str, topic: str) -> Mapping[str, str]:
    """The queries of a backend's `queries/<topic>.sql` by name."""
    text = (files(package) / "queries" / f"{topic}.sql").read_text("utf-8")
    blocks = text.split(_QUERY_MARK)[1:]
    parts = (block.partition("\n") for block in blocks)
    return MappingProxyType({name.strip(): body.strip() for name, _, body in parts})


class SqlTable(ABC):
    """The queries of one topic, for one workspace; a backend implements how they run."""

    topic: str
    _sql: Mapping[str, str]

    def _rows(self, name: str, /, **bindings: Any) -> list[tuple[Any, ...]]:
        return self._execute(self._sql[name], bindings)

    def _row(self, name: str, /, **bindings: Any) -> tuple[Any, ...] | None:
        return next(iter(self._rows(name, **bindings)), None)

    def count(self) -> int:
        """How many rows the workspace has here."""
        row = self._row("count")
        return int(row[0]) if row else 0

    @abstractmethod
    def _execute(self, sql: str, bindings: dict[str, Any]) -> list[tuple[Any, ...]]:
        """The rows that a query gives."""

    @abstractmethod
    def _run(self, name: str, /, **bindings: Any) -> int:
        """Run a change; returns how many rows it changed."""

    @abstractmethod
    def _send(self, name: str, /, **bindings: Any) -> None:
        """Run a change without waiting for its result."""

    @abstractmethod
    def _to_list_value(self, values: Iterable[str]) -> Any:
        """Several values as one that can be bound or stored in a column."""

    @abstractmethod
    def _from_list_value(self, kept: Any) -> Sequence[str]:
        """The reverse of `_to_list_value`."""


_NO_ORIGIN = Origin()


def to_memory_columns(memory: Memory) -> dict[str, Any]:
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
        origin=_NO_ORIGIN if origin == "{}" else Origin.from_dict(json.loads(origin)),
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


def to_place(memory: Memory) -> dict[str, Any]:
    """Where a memory stands in its session, and who may see it."""
    return {
        "session": memory.origin.session,
        "ordinal": memory.origin.ordinal,
        "scope": str(memory.scope),
        "scope_id": memory.scope_id,
        "agent": memory.agent,
    }


def to_context_columns(context: Sequence[str]) -> dict[str, str | None]:
    """The columns of up to two ids, oldest first."""
    older, newer = (None, None, *context)[-2:]
    return {"older": older, "newer": newer}


def to_association(row: Sequence[Any]) -> Association:
    """A row of the association queries."""
    source, target, relation, weight = row
    return Association(source=source, target=target, relation=Relation(relation), weight=weight)


def to_audit_columns(entry: AuditEntry) -> dict[str, Any]:
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


def to_change_place(before: ChangePlace | None) -> dict[str, Any]:
    """Where a page of changes begins."""
    if before is None:
        return {"at": _END_OF_TIME, "id": ""}
    at, id = before
    return {"at": to_micros(at), "id": id}


def to_review_columns(review: Review) -> dict[str, Any]:
    """The columns that make two reviews the same."""
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


def group_shared_claims(rows: Sequence[Sequence[Any]]) -> list[tuple[int, list[tuple[str, Owner]]]]:
    """Claims in order with the memories that make them; memories that ended are left out."""
    found: dict[int, list[tuple[str, Owner]]] = {}
    for claim, id, scope, scope_id in rows:
        members = found.setdefault(claim, [])
        if id is not None:
            members.append((id, (Scope(scope), scope_id)))
    return list(found.items())


def to_session_columns(session: Session) -> dict[str, Any]:
    """The columns of a session, except the workspace, which the unit binds."""
    return {
        "id": session.id,
        "turns": session.turns,
        "speakers": to_json(session.speakers),
        "created_at": to_micros(session.created_at),
        "updated_at": to_micros(session.updated_at),
        "cleared_at": to_micros(session.cleared_at),
        "clears": session.clears,
    }


def to_session(row: Sequence[Any]) -> Session:
    """A row of the session queries, its speakers as JSON."""
    id, turns, speakers, created_at, updated_at, cleared_at, clears = row
    return Session(
        id=id,
        turns=turns,
        speakers=tuple(json.loads(speakers)),
        created_at=from_micros(created_at),
        updated_at=from_micros(updated_at),
        cleared_at=from_micros(cleared_at),
        clears=clears,
    )


def to_block_columns(block: Block) -> dict[str, Any]:
    """The columns of a block, except the workspace and the memories in it."""
    return {
        "session": block.session,
        "id": block.id,
        "turn": block.turn,
        "text": block.placement.text,
        "anchor": block.placement.anchor,
        "ordinal": block.placement.ordinal,
        "made_in": block.made_in,
        "speaker": block.speaker,
        "state": str(block.state),
        "standing_rules": block.has_standing_rules,
    }


def to_block(row: Sequence[Any], memories: tuple[str, ...]) -> Block:
    """A row of the block queries, and the memories in it, already read."""
    session, id, turn, text, anchor, ordinal, _, made_in, speaker, state, standing_rules = row
    return Block(
        session=session,
        turn=turn,
        placement=Placement(id=id, text=text, anchor=anchor, ordinal=ordinal),
        memories=memories,
        made_in=made_in,
        speaker=speaker,
        state=BlockState(state),
        has_standing_rules=bool(standing_rules),
    )


def to_entry_columns(entry: LedgerEntry) -> dict[str, Any]:
    """The columns of a ledger entry, except the workspace."""
    return {
        "session": entry.session,
        "turn": entry.turn,
        "memory": entry.memory,
        "content_hash": entry.content_hash,
        "block": entry.block,
        "pruned_at": to_micros(entry.pruned_at),
    }


def to_entry(row: Sequence[Any]) -> LedgerEntry:
    """A row of the ledger queries."""
    session, turn, memory, content_hash, block, pruned_at = row
    return LedgerEntry(
        session=session,
        turn=turn,
        memory=memory,
        content_hash=content_hash,
        block=block,
        pruned_at=from_micros(pruned_at),
    )


def to_receipt_columns(receipt: Receipt) -> dict[str, Any]:
    """The columns of a receipt, except the workspace."""
    return {
        "id": receipt.id,
        "session": receipt.session,
        "turn": receipt.turn,
        "at": to_micros(receipt.at),
        "body": compress_json(receipt.to_dict()),
    }


def to_mark_columns(mark: Mark) -> dict[str, Any]:
    """The columns of a mark, except the workspace."""
    return {
        "id": mark.id,
        "memory": mark.memory,
        "terms": mark.terms,
        "at": to_micros(mark.at),
        "actor": str(mark.author.by),
        "agent": mark.author.agent,
        "user_name": mark.author.user,
    }


def to_mark(row: Sequence[Any]) -> Mark:
    """A row of the mark queries."""
    id, memory, terms, at, actor, agent, user = row
    author = MarkAuthor(by=Actor(actor), agent=agent, user=user)
    return Mark(id=id, memory=memory, terms=terms, at=from_micros(at), author=author)
