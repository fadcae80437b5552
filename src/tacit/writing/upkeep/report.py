"""The report of a maintenance pass: what it did, or would do, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self


class MaintenanceKind(StrEnum):
    """The kinds of maintenance actions."""

    PRUNE = "prune"
    MERGE = "merge"
    LINK = "link"


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenanceAction:
    """One thing that was done, or would be.

    `memory` is forgotten, replaces `other`, or is linked to it. `content` is its content, after a
    merge.
    """

    memory: str
    content: str
    reason: str
    other: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "memory": self.memory,
            "other": self.other,
            "content": self.content,
            "reason": self.reason,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            memory=values["memory"],
            other=values["other"],
            content=values["content"],
            reason=values["reason"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepReport:
    """What one pass looked at and did; in a dry run, what it would have done.

    `done` is true if it reached the end of the workspace; the next pass resumes, or starts anew.
    Memories without a vector, `unembedded`, could not be compared with others.
    """

    looked_at: int = 0
    pruned: tuple[MaintenanceAction, ...] = ()
    merged: tuple[MaintenanceAction, ...] = ()
    linked: tuple[MaintenanceAction, ...] = ()
    unembedded: int = 0
    done: bool = True
    dry_run: bool = False

    @classmethod
    def together(cls, passes: Sequence["UpkeepReport"]) -> Self:
        """Join the reports of several passes."""
        return cls(
            looked_at=sum(each.looked_at for each in passes),
            pruned=tuple(deed for each in passes for deed in each.pruned),
            merged=tuple(deed for each in passes for deed in each.merged),
            linked=tuple(deed for each in passes for deed in each.linked),
            unembedded=sum(each.unembedded for each in passes),
            done=passes[-1].done,
            dry_run=passes[-1].dry_run,
        )

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "looked_at": self.looked_at,
            "pruned": [deed.to_dict() for deed in self.pruned],
            "merged": [deed.to_dict() for deed in self.merged],
            "linked": [deed.to_dict() for deed in self.linked],
            "unembedded": self.unembedded,
            "done": self.done,
            "dry_run": self.dry_run,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        deeds = {
            name: tuple(MaintenanceAction.from_dict(each) for each in values[name])
            for name in ("pruned", "merged", "linked")
        }
        return cls(
            looked_at=values["looked_at"],
            unembedded=values["unembedded"],
            done=values["done"],
            dry_run=values["dry_run"],
            **deeds,
        )
