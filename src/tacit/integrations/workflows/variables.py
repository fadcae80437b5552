"""What a session keeps from one event to the next, as steps see it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from tacit.integrations.workflows.action import LEDGER


class Variables(Mapping[str, Any]):
    """Values by name; the ledger's view is read when somebody asks for it."""

    def __init__(self, values: Mapping[str, Any], ledger: Callable[[], Sequence[str]]) -> None:
        self._values = {name: value for name, value in values.items() if name != LEDGER}
        self._read_ledger = ledger

    def changed(self, changes: Mapping[str, Any]) -> "Variables":
        """The same with changes; None removes a value, and the ledger is read anew."""
        merged = {**self._values, **changes}
        kept = {name: value for name, value in merged.items() if value is not None}
        return Variables(kept, self._read_ledger)

    @property
    def values_set(self) -> dict[str, Any]:
        """The values without the ledger's view."""
        return dict(self._values)

    @cached_property
    def _ledger(self) -> Sequence[str]:
        return list(self._read_ledger())

    def __getitem__(self, name: str) -> Any:
        return self._ledger if name == LEDGER else self._values[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._values
        yield LEDGER

    def __len__(self) -> int:
        return len(self._values) + 1
