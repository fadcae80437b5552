"""What an import did, and what it could not do and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from tacit.writing.archive.format import Format


@dataclass(frozen=True, slots=True, order=True)
class Rejected:
    """A line that was not imported."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """How many lines ended how; `rejected` names lines that were left out.

    Of very many it names the first ones only; `rejected_count` is how many there were. `format` is
    what the file was read as.
    """

    format: Format
    counts: Mapping[str, int] = field(default_factory=dict)
    rejected: tuple[Rejected, ...] = ()
    rejected_count: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "format": str(self.format),
            "counts": dict(self.counts),
            "rejected": [{"line": each.line, "reason": each.reason} for each in self.rejected],
            "rejected_count": self.rejected_count,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            format=Format(values["format"]),
            counts=dict(values["counts"]),
            rejected=tuple(Rejected(each["line"], each["reason"]) for each in values["rejected"]),
            rejected_count=values["rejected_count"],
        )
