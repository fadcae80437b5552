"""Everything that a workspace holds and that is not derived from the rest."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from tacit.core.blocks import Block, LedgerEntry
from tacit.core.changes import AuditEntry, Review
from tacit.core.kinds import Scope, Sort
from tacit.core.learning_queue import QueuedTurn
from tacit.core.marks import Mark
from tacit.core.memory import Association, Memory
from tacit.core.open_turn import OpenTurn, decompress_json
from tacit.core.projects import ProjectPlace
from tacit.core.receipt import Receipt
from tacit.core.sessions import Participant, Session, SessionVariable
from tacit.core.vectors import EmbeddingModel
from tacit.store.journal import put_derived
from tacit.store.protocols.unit import Unit
from tacit.store.query import Query
from tacit.writing.archive.moving.kind import Kind, Row
from tacit.writing.archive.records import VectorRecord

_EVER = datetime(1970, 1, 1, tzinfo=UTC)

Pause = tuple[Scope, str]


def kinds_of(models: Iterable[EmbeddingModel]) -> tuple[Kind[Any], ...]:
    """All kinds, in an order in which a row comes after what it refers to."""
    return (_MEMORIES, *map(_vectors, models), *_OTHERS)


def known_totals(unit: Unit) -> dict[str, int]:
    """How many rows there are of the kinds that are counted anyway."""
    counts = unit.counts(_EVER)
    return {
        "memories": sum(counts.by_state.values()),
        "associations": counts.associations,
        "audit entries": counts.audit_entries,
        "reviews": counts.reviews,
        **{f"vectors of {model}": count for model, count in counts.vectors.items()},
    }


def _id(row: Memory | AuditEntry | Review | Session | Receipt | QueuedTurn | None) -> str | None:
    return row.id if row else None


def _each(put: Callable[[Unit, Row], object]) -> Callable[[Unit, Sequence[Row]], None]:
    """Write rows one by one."""

    def write(unit: Unit, rows: Sequence[Row]) -> None:
        for row in rows:
            put(unit, row)

    return write


def _insert(unit: Unit, memory: Memory) -> None:
    unit.memories.insert(memory)
    put_derived(unit, memory)


def _memories_after(unit: Unit, after: Memory | None, limit: int) -> list[Memory]:
    query = Query(now=_EVER, state=None, sort=Sort.CREATED, limit=limit, after=_id(after))
    return unit.memories.find(query)


def _twin(unit: Unit, memory: Memory) -> Memory | None:
    return unit.memories.same(memory.content_hash) if memory.superseded_by is None else None


def _vectors(model: EmbeddingModel) -> Kind[VectorRecord]:
    """The vectors of one model."""

    def scan(unit: Unit, after: VectorRecord | None, limit: int) -> list[VectorRecord]:
        page = unit.vectors.scan(model, after.memory if after else None, limit)
        return [VectorRecord(id, model, tuple(vector)) for id, vector in page]

    return Kind(
        name=f"vectors of {model.name} ({model.dims}, {model.revision})",
        key=lambda row: (row.memory,),
        values=VectorRecord.to_dict,
        scan=scan,
        write=_each(lambda unit, row: unit.vectors.put(row.memory, row.model, row.vector)),
    )


def _pauses_after(unit: Unit, after: Pause | None, limit: int) -> list[Pause]:
    pauses = sorted(unit.sessions.paused())
    return [each for each in pauses if after is None or each > after][:limit]


_MEMORIES = Kind[Memory](
    name="memories",
    key=lambda row: (row.id,),
    values=Memory.to_dict,
    scan=_memories_after,
    write=_each(_insert),
    rival=_twin,
)

_OTHERS: tuple[Kind[Any], ...] = (
    Kind[Association](
        name="associations",
        key=lambda row: (row.source, row.target, str(row.relation)),
        values=Association.to_dict,
        scan=lambda unit, after, limit: unit.associations.scan(after, limit),
        write=_each(lambda unit, row: unit.associations.put(row)),
    ),
    Kind[AuditEntry](
        name="audit entries",
        key=lambda row: (row.id,),
        values=AuditEntry.to_dict,
        scan=lambda unit, after, limit: unit.audit.scan(_id(after), limit),
        write=lambda unit, rows: unit.audit.append(rows),
    ),
    Kind[Review](
        name="reviews",
        key=lambda row: (row.id,),
        values=Review.to_dict,
        scan=lambda unit, after, limit: unit.reviews.pending(_id(after), limit),
        write=_each(lambda unit, row: unit.reviews.add(row)),
        rival=lambda unit, row: unit.reviews.same(row),
    ),
    Kind[Mark](
        name="marks",
        key=lambda row: (row.memory, row.id),
        values=asdict,
        scan=lambda unit, after, limit: unit.marks.scan(after, limit),
        write=_each(lambda unit, row: unit.marks.add(row)),
    ),
    Kind[Session](
        name="sessions",
        key=lambda row: (row.id,),
        values=Session.to_dict,
        scan=lambda unit, after, limit: unit.sessions.scan(_id(after), limit),
        write=_each(lambda unit, row: unit.sessions.put(row)),
    ),
    Kind[Participant](
        name="participants",
        key=lambda row: (row.session, row.agent or "", row.user or ""),
        values=Participant.to_dict,
        scan=lambda unit, after, limit: unit.participants.scan(after, limit),
        write=_each(lambda unit, row: unit.participants.put(row)),
    ),
    Kind[Pause](
        name="pauses",
        key=lambda row: row,
        values=lambda row: {"scope": row[0], "scope_id": row[1]},
        scan=_pauses_after,
        write=_each(lambda unit, row: unit.sessions.pause(*row)),
    ),
    Kind[Block](
        name="blocks",
        key=lambda row: (row.session, row.id),
        values=asdict,
        scan=lambda unit, after, limit: unit.blocks.scan(after, limit),
        write=_each(lambda unit, row: unit.blocks.put(row)),
    ),
    Kind[LedgerEntry](
        name="ledger entries",
        key=lambda row: (row.session, row.turn, row.memory),
        values=asdict,
        scan=lambda unit, after, limit: unit.ledger.scan(after, limit),
        write=lambda unit, rows: unit.ledger.add(rows),
    ),
    Kind[Receipt](
        name="receipts",
        key=lambda row: (row.id,),
        values=Receipt.to_dict,
        scan=lambda unit, after, limit: unit.receipts.scan(_id(after), limit),
        write=_each(lambda unit, row: unit.receipts.put(row)),
    ),
    Kind[OpenTurn](
        name="open turns",
        key=lambda row: (row.session, row.id),
        values=lambda row: decompress_json(row.packed()),
        scan=lambda unit, after, limit: unit.receipts.scan_opened(after, limit),
        write=_each(lambda unit, row: unit.receipts.open(row)),
    ),
    Kind[QueuedTurn](
        name="heard turns",
        key=lambda row: (row.id,),
        values=QueuedTurn.to_dict,
        scan=lambda unit, after, limit: unit.heard.scan(_id(after), limit),
        write=_each(lambda unit, row: unit.heard.put(row)),
    ),
    Kind[SessionVariable](
        name="variables",
        key=lambda row: (row.session, row.name),
        values=SessionVariable.to_dict,
        scan=lambda unit, after, limit: unit.variables.scan(after, limit),
        write=_each(lambda unit, row: unit.variables.put(row)),
    ),
    Kind[ProjectPlace](
        name="places of projects",
        key=lambda row: row.key,
        values=ProjectPlace.to_dict,
        scan=lambda unit, after, limit: unit.places.scan(after, limit),
        write=_each(lambda unit, row: unit.places.put(row)),
    ),
)
