"""The kinds of rows that a workspace holds, and how a move reads, compares and writes each."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from datetime import UTC, datetime
from typing import Any, Generic, TypeAlias, TypeVar

from tacit.core.changes import AuditEntry, Review
from tacit.core.kinds import Scope, Sort
from tacit.core.marks import Mark
from tacit.core.memory import Association, Memory
from tacit.core.open_turn import OpenTurn, QueuedTurn, decompress_json
from tacit.core.projects import ProjectPlace
from tacit.core.receipt import Receipt
from tacit.core.sessions import Block, LedgerEntry, Participant, Session, SessionVariable
from tacit.core.times import to_rfc3339
from tacit.core.vectors import EmbeddingModel, Generation, GenerationState
from tacit.store.journal import insert_memory
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query
from tacit.writing.archive.records import VectorRecord

Row = TypeVar("Row")
RowKey: TypeAlias = tuple[Any, ...]


def _no_rival(unit: UnitOfWork, row: Any) -> None:
    """Most kinds of rows collide only by their keys."""


@dataclass(frozen=True, kw_only=True)
class RowKind(Generic[Row]):
    """How rows of one kind are identified, read in the order of their keys, compared and written.

    `rival` finds a row with another key that cannot be in the same workspace as this one.
    """

    name: str
    key: Callable[[Row], RowKey]
    values: Callable[[Row], Mapping[str, Any]]
    scan: Callable[[UnitOfWork, Row | None, int], Sequence[Row]]
    write: Callable[[UnitOfWork, Sequence[Row]], object]
    rival: Callable[[UnitOfWork, Row], Row | None] = _no_rival

    def form(self, row: Row) -> bytes:
        """The same bytes for the same row, whatever store it comes from."""
        written = json.dumps(
            self.values(row), ensure_ascii=False, sort_keys=True, default=_to_json_value
        )
        return written.encode()

    def differ(self, one: Row, other: Row) -> bool:
        """Whether two rows differ; equal rows are recognised quickly."""
        return one != other and self.form(one) != self.form(other)

    def named(self, row: Row) -> str:
        """The name of the row in error messages."""
        return f"{self.name}: {' '.join(map(str, self.key(row)))}"

    def pages(self, unit: UnitOfWork, size: int) -> Iterator[tuple[Row | None, Sequence[Row]]]:
        """All rows in pages, each with the row before it."""
        after = None
        while page := self.scan(unit, after, size):
            yield after, page
            after = page[-1]

    def counterparts(
        self, unit: UnitOfWork, after: Row | None, page: Sequence[Row], size: int
    ) -> dict[RowKey, Row]:
        """The rows of another store that have the keys of a page's rows."""
        wanted = {self.key(row) for row in page}
        last = self.key(page[-1])
        found: dict[RowKey, Row] = {}
        while there := self.scan(unit, after, size):
            found |= {key: row for row in there if (key := self.key(row)) in wanted}
            after = there[-1]
            if self.key(after) >= last:
                break
        return found


def _to_json_value(value: Any) -> str:
    return to_rfc3339(value) if isinstance(value, datetime) else bytes(value).hex()


# All kinds of rows that are not derived from others


_EVER = datetime(1970, 1, 1, tzinfo=UTC)

Pause = tuple[Scope, str]


def list_row_kinds(models: Iterable[EmbeddingModel]) -> tuple[RowKind[Any], ...]:
    """All kinds, each after those that it refers to."""
    return (_MEMORY_KIND, *map(_vector_kind, models), *_OTHER_KINDS)


def list_episode_kinds(models: Iterable[EmbeddingModel]) -> tuple[RowKind[Any], ...]:
    """The kinds of rows in a workspace of episodes, which are rows like those of memories."""
    named = ("generations", "audit entries", "marks")
    others = [kind for kind in _OTHER_KINDS if kind.name in named]
    return (
        replace(_MEMORY_KIND, name="episodes"),
        *(replace(kind, name=f"{kind.name} of episodes") for kind in map(_vector_kind, models)),
        *(replace(kind, name=f"{kind.name} of episodes") for kind in others),
    )


def count_rows(unit: UnitOfWork) -> dict[str, int]:
    """The numbers of rows of the kinds that the store counts anyway."""
    counts = unit.counts(_EVER)
    return {
        "memories": sum(counts.by_state.values()),
        "associations": counts.associations,
        "audit entries": counts.audit_entries,
        "reviews": counts.reviews,
        **{f"vectors of {model}": count for model, count in counts.vectors.items()},
    }


def _id_of(row: Memory | AuditEntry | Review | Session | Receipt | QueuedTurn | None) -> str | None:
    return row.id if row else None


def _write_each(
    put: Callable[[UnitOfWork, Row], object],
) -> Callable[[UnitOfWork, Sequence[Row]], None]:
    """Write rows one by one."""

    def write(unit: UnitOfWork, rows: Sequence[Row]) -> None:
        for row in rows:
            put(unit, row)

    return write


def _scan_memories(unit: UnitOfWork, after: Memory | None, limit: int) -> list[Memory]:
    query = Query(now=_EVER, state=None, sort=Sort.CREATED, limit=limit, after=_id_of(after))
    return unit.memories.find(query)


def _find_twin(unit: UnitOfWork, memory: Memory) -> Memory | None:
    return unit.memories.same(memory.content_hash) if memory.superseded_by is None else None


def _vector_kind(model: EmbeddingModel) -> RowKind[VectorRecord]:
    """The vectors of one model."""

    def scan(unit: UnitOfWork, after: VectorRecord | None, limit: int) -> list[VectorRecord]:
        page = unit.vectors.scan(model, after.memory if after else None, limit)
        return [VectorRecord(id, model, tuple(vector)) for id, vector in page]

    return RowKind(
        name=f"vectors of {model.name} ({model.dims}, {model.revision})",
        key=lambda row: (row.memory,),
        values=VectorRecord.to_dict,
        scan=scan,
        write=_write_each(lambda unit, row: unit.vectors.put(row.memory, row.model, row.vector)),
    )


def _scan_pauses(unit: UnitOfWork, after: Pause | None, limit: int) -> list[Pause]:
    pauses = sorted(unit.sessions.paused())
    return [each for each in pauses if after is None or each > after][:limit]


_MEMORY_KIND = RowKind[Memory](
    name="memories",
    key=lambda row: (row.id,),
    values=Memory.to_dict,
    scan=_scan_memories,
    write=_write_each(insert_memory),
    rival=_find_twin,
)


def _scan_generations(unit: UnitOfWork, after: Generation | None, limit: int) -> list[Generation]:
    found = sorted(unit.generations.all(), key=_model_key)
    return [each for each in found if after is None or _model_key(each) > _model_key(after)][:limit]


def _model_key(generation: Generation) -> RowKey:
    return astuple(generation.model)


def _write_generation(unit: UnitOfWork, row: Generation) -> None:
    """Add a generation; where another one serves or is filled already, that goes on."""
    taken = {each.state for each in unit.generations.all()}
    if row.state in taken & {GenerationState.SERVING, GenerationState.FILLING}:
        row = replace(row, state=GenerationState.PREVIOUS)
    unit.generations.put(row)


_GENERATION_KIND = RowKind[Generation](
    name="generations",
    key=_model_key,
    values=lambda row: asdict(row.model),
    scan=_scan_generations,
    write=_write_each(_write_generation),
)

_OTHER_KINDS: tuple[RowKind[Any], ...] = (
    _GENERATION_KIND,
    RowKind[Association](
        name="associations",
        key=lambda row: (row.source, row.target, str(row.relation)),
        values=Association.to_dict,
        scan=lambda unit, after, limit: unit.associations.scan(after, limit),
        write=_write_each(lambda unit, row: unit.associations.put(row)),
    ),
    RowKind[AuditEntry](
        name="audit entries",
        key=lambda row: (row.id,),
        values=AuditEntry.to_dict,
        scan=lambda unit, after, limit: unit.audit.scan(_id_of(after), limit),
        write=lambda unit, rows: unit.audit.append(rows),
    ),
    RowKind[Review](
        name="reviews",
        key=lambda row: (row.id,),
        values=Review.to_dict,
        scan=lambda unit, after, limit: unit.reviews.pending(_id_of(after), limit),
        write=_write_each(lambda unit, row: unit.reviews.add(row)),
        rival=lambda unit, row: unit.reviews.same(row),
    ),
    RowKind[Mark](
        name="marks",
        key=lambda row: (row.memory, row.id),
        values=asdict,
        scan=lambda unit, after, limit: unit.marks.scan(after, limit),
        write=_write_each(lambda unit, row: unit.marks.add(row)),
    ),
    RowKind[Session](
        name="sessions",
        key=lambda row: (row.id,),
        values=Session.to_dict,
        scan=lambda unit, after, limit: unit.sessions.scan(_id_of(after), limit),
        write=_write_each(lambda unit, row: unit.sessions.put(row)),
    ),
    RowKind[Participant](
        name="participants",
        key=lambda row: (row.session, row.agent or "", row.user or ""),
        values=Participant.to_dict,
        scan=lambda unit, after, limit: unit.participants.scan(after, limit),
        write=_write_each(lambda unit, row: unit.participants.put(row)),
    ),
    RowKind[Pause](
        name="pauses",
        key=lambda row: row,
        values=lambda row: {"scope": row[0], "scope_id": row[1]},
        scan=_scan_pauses,
        write=_write_each(lambda unit, row: unit.sessions.pause(*row)),
    ),
    RowKind[Block](
        name="blocks",
        key=lambda row: (row.session, row.id),
        values=asdict,
        scan=lambda unit, after, limit: unit.blocks.scan(after, limit),
        write=_write_each(lambda unit, row: unit.blocks.put(row)),
    ),
    RowKind[LedgerEntry](
        name="ledger entries",
        key=lambda row: (row.session, row.turn, row.memory),
        values=asdict,
        scan=lambda unit, after, limit: unit.ledger.scan(after, limit),
        write=lambda unit, rows: unit.ledger.add(rows),
    ),
    RowKind[Receipt](
        name="receipts",
        key=lambda row: (row.id,),
        values=Receipt.to_dict,
        scan=lambda unit, after, limit: unit.receipts.scan(_id_of(after), limit),
        write=_write_each(lambda unit, row: unit.receipts.put(row)),
    ),
    RowKind[OpenTurn](
        name="open turns",
        key=lambda row: (row.session, row.id),
        values=lambda row: decompress_json(row.to_bytes()),
        scan=lambda unit, after, limit: unit.receipts.scan_open_turns(after, limit),
        write=_write_each(lambda unit, row: unit.receipts.open_turn(row)),
    ),
    RowKind[QueuedTurn](
        name="heard turns",
        key=lambda row: (row.id,),
        values=QueuedTurn.to_dict,
        scan=lambda unit, after, limit: unit.heard.scan(_id_of(after), limit),
        write=_write_each(lambda unit, row: unit.heard.put(row)),
    ),
    RowKind[SessionVariable](
        name="variables",
        key=lambda row: (row.session, row.name),
        values=SessionVariable.to_dict,
        scan=lambda unit, after, limit: unit.variables.scan(after, limit),
        write=_write_each(lambda unit, row: unit.variables.put(row)),
    ),
    RowKind[ProjectPlace](
        name="places of projects",
        key=lambda row: row.key,
        values=ProjectPlace.to_dict,
        scan=lambda unit, after, limit: unit.places.scan(after, limit),
        write=_write_each(lambda unit, row: unit.places.put(row)),
    ),
)
