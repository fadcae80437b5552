"""Running named queries with the workspace bound: there is no way to run one without it."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


class SqlTable(ABC):
    """The queries of one topic, for one workspace; a backend says how they are run."""

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
        """Run a change that nobody waits for."""

    @abstractmethod
    def _listed(self, values: Iterable[str]) -> Any:
        """Several values as one that can be bound, or kept in a column."""

    @abstractmethod
    def _unlisted(self, kept: Any) -> Sequence[str]:
        """The reverse of `_listed`."""
