"""A person's word that a memory was of no use for a query."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from tacit.memory import check, rfc3339


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The memory, and the query's terms as packed codes, so that similar ones are recognised."""

    id: str
    memory: str
    terms: bytes
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """That a memory is marked, and since when; the words of the query are not kept."""

    id: str
    memory: str
    at: datetime

    @classmethod
    def of(cls, mark: Mark) -> Self:
        """What is told of a mark."""
        return cls(id=mark.id, memory=mark.memory, at=mark.at)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"id": self.id, "memory": self.memory, "at": rfc3339(self.at)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(id=values["id"], memory=values["memory"], at=check("at", values["at"]))
