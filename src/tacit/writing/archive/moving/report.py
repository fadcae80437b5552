"""What a move did, and whether everything arrived."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedKind:
    """Rows of one kind: how many the source has, how many of those the target has, and how many
    were copied now; the checksums are over what the rows say."""

    name: str
    source: int
    target: int
    copied: int
    source_checksum: str
    target_checksum: str

    @property
    def is_equal(self) -> bool:
        """Whether both sides say the same."""
        return self.source_checksum == self.target_checksum


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedWorkspace:
    """One workspace on both sides; `changed` if the source was written to meanwhile."""

    name: str
    kinds: tuple[MovedKind, ...]
    changed: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether the target has everything, as the source has it now."""
        return not self.changed and all(kind.is_equal for kind in self.kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveReport:
    """What was moved from where to where, each workspace for itself."""

    source: str
    target: str
    workspaces: tuple[MovedWorkspace, ...]

    @property
    def is_complete(self) -> bool:
        """Whether everything arrived as it was."""
        return all(each.is_complete for each in self.workspaces)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {**asdict(self), "complete": self.is_complete}
