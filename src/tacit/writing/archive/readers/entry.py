"""An entry: one statement that a reader found in a file."""

from dataclasses import dataclass
from typing import Any, Self

from tacit.core.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a statement stands, and the fields of its memory or why there is none.

    The number is that of its line or, in a file of JSON, of the entry.
    """

    number: int
    values: dict[str, Any] | None
    problem: InvalidInput | None = None

    @classmethod
    def left_out(cls, number: int, field: str, problem: str) -> Self:
        """An entry that does not become a memory, and why."""
        return cls(number, None, InvalidInput(field, problem))
