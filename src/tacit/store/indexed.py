"""Memories as search sees them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Self


class Indexed(NamedTuple):
    """What filters, ranks and finds a memory; times are microseconds since 1970.

    `terms` are packed codes, `vector` half-precision floats of the model that was asked for.
    """

    id: str
    type: str
    scope: str
    scope_id: str
    agent: str | None
    confidence: float
    importance: float
    trust: str
    updated_at: int
    valid_from: int | None
    valid_to: int | None
    expires_at: int | None
    superseded: bool
    forgotten: bool
    session: str | None
    ordinal: int | None
    speaker: str | None
    terms: bytes
    vector: bytes | None


class IndexedBatch:
    """Many of them, field by field: a hundred thousand become arrays without a step for each."""

    def __init__(self, columns: Sequence[Sequence[Any]]) -> None:
        self._columns = dict(zip(Indexed._fields, columns, strict=True))

    @classmethod
    def of(cls, rows: Iterable[Sequence[Any]]) -> Self:
        """Rows that have the fields of `Indexed`, turned by ninety degrees."""
        columns = list(zip(*rows, strict=True))
        return cls(columns or [()] * len(Indexed._fields))

    def __len__(self) -> int:
        return len(self._columns["id"])

    def __iter__(self) -> Iterator[Indexed]:
        return map(Indexed._make, zip(*self._columns.values(), strict=True))

    def column(self, name: str) -> Sequence[Any]:
        """One field of all rows."""
        return self._columns[name]
