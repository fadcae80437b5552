"""A kind of rows, and walking through all rows of a kind."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeAlias, TypeVar

from tacit.core.times import to_rfc3339
from tacit.store.protocols.unit import Unit

Row = TypeVar("Row")
Key: TypeAlias = tuple[Any, ...]


def _no_rival(unit: Unit, row: Any) -> None:
    """Rows of most kinds differ from all others by their keys alone."""


@dataclass(frozen=True, kw_only=True)
class Kind(Generic[Row]):
    """How rows of one kind are told apart, read in the order of their keys, compared and written.

    `rival` finds a row of another key that cannot be in one workspace together with this one.
    """

    name: str
    key: Callable[[Row], Key]
    values: Callable[[Row], Mapping[str, Any]]
    scan: Callable[[Unit, Row | None, int], Sequence[Row]]
    write: Callable[[Unit, Sequence[Row]], object]
    rival: Callable[[Unit, Row], Row | None] = _no_rival

    def form(self, row: Row) -> bytes:
        """The same bytes for the same row, whatever store it comes from."""
        written = json.dumps(self.values(row), ensure_ascii=False, sort_keys=True, default=_written)
        return written.encode()

    def differ(self, one: Row, other: Row) -> bool:
        """Whether two rows say different things; most are equal, which is quicker to see."""
        return one != other and self.form(one) != self.form(other)

    def named(self, row: Row) -> str:
        """The row as an error names it."""
        return f"{self.name}: {' '.join(map(str, self.key(row)))}"

    def pages(self, unit: Unit, size: int) -> Iterator[tuple[Row | None, Sequence[Row]]]:
        """All rows in pages, each with the row that it comes after."""
        after = None
        while page := self.scan(unit, after, size):
            yield after, page
            after = page[-1]

    def counterparts(
        self, unit: Unit, after: Row | None, page: Sequence[Row], size: int
    ) -> dict[Key, Row]:
        """The rows of another store that have the keys of a page's rows."""
        wanted = {self.key(row) for row in page}
        last = self.key(page[-1])
        found: dict[Key, Row] = {}
        while there := self.scan(unit, after, size):
            found |= {key: row for row in there if (key := self.key(row)) in wanted}
            after = there[-1]
            if self.key(after) >= last:
                break
        return found


def _written(value: Any) -> str:
    return to_rfc3339(value) if isinstance(value, datetime) else bytes(value).hex()
