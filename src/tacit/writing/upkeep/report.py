"""The report of a maintenance pass: what it did, or would do, and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Self

from tacit.core.fields import Id
from tacit.core.json_value import Example, JsonValue


class MaintenanceKind(StrEnum):
    """The kinds of maintenance actions."""

    PRUNE = "prune"
    MERGE = "merge"
    LINK = "link"


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenanceAction(JsonValue):
    """One thing that was done, or would be.

    `memory` is forgotten, replaces `other`, or is linked to it. `content` is its content, after a
    merge.
    """

    memory: Id
    content: Annotated[str, "What the memory says, after a merge."]
    reason: Annotated[str, Example("importance faded to 0.090, 45 days old")]
    other: Annotated[Id | None, "Superseded by the memory, or related to it."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepReport(JsonValue):
    """What one pass looked at and did; in a dry run, what it would have done.

    `done` is true if it reached the end of the workspace; the next pass resumes, or starts anew.
    Memories without a vector, `unembedded`, could not be compared with others.
    """

    looked_at: int = 0
    pruned: tuple[MaintenanceAction, ...] = ()
    merged: tuple[MaintenanceAction, ...] = ()
    linked: tuple[MaintenanceAction, ...] = ()
    unembedded: Annotated[int, "Had no vector, so they were compared with none."] = 0
    done: Annotated[bool, "Whether it came to the end of the workspace."] = True
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
