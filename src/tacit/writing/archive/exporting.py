"""Writing out a workspace: memories, associations, audit and reviews, vectors on request."""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, BinaryIO, TypeVar

from tacit.core.changes import AuditEntry, Review
from tacit.core.kinds import Sort
from tacit.core.memory import Memory
from tacit.store.protocols.unit import Unit
from tacit.store.query import Query
from tacit.writing.archive.records import Exported, VectorRecord, header, to_line

_PAGE = 500

Row = TypeVar("Row")


def export(unit: Unit, target: BinaryIO, *, now: datetime, embeddings: bool) -> int:
    """Write one JSON object per line, forgotten and superseded memories included."""
    written = 0
    for values in _lines(unit, now, embeddings):
        target.write(json.dumps(values, ensure_ascii=False).encode() + b"\n")
        written += 1
    return written


def _lines(unit: Unit, now: datetime, embeddings: bool) -> Iterator[dict[str, Any]]:
    yield header(unit.workspace, now)
    for record in _records(unit, now, embeddings):
        yield to_line(record)


def _records(unit: Unit, now: datetime, embeddings: bool) -> Iterator[Exported]:
    models = unit.vectors.models() if embeddings else []
    for page in _pages(lambda last: unit.memories.find(_all(now, last))):
        yield from page
        ids = [memory.id for memory in page]
        for model in models:
            held = unit.vectors.get(ids, model)
            yield from (VectorRecord(id, model, held[id]) for id in ids if id in held)
    for edges in _pages(lambda last: unit.associations.scan(last, _PAGE)):
        yield from edges
    for entries in _pages(lambda last: unit.audit.scan(_id(last), _PAGE)):
        yield from entries
    for reviews in _pages(lambda last: unit.reviews.pending(_id(last), _PAGE)):
        yield from reviews


def _all(now: datetime, last: Memory | None) -> Query:
    return Query(now=now, state=None, sort=Sort.CREATED, limit=_PAGE, after=_id(last))


def _id(row: Memory | AuditEntry | Review | None) -> str | None:
    return row.id if row else None


def _pages(fetch: Callable[[Row | None], Sequence[Row]]) -> Iterator[Sequence[Row]]:
    page = fetch(None)
    while page:
        yield page
        page = fetch(page[-1])
