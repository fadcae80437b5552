"""Upkeep: what is asked for, and what came of it."""

from pydantic import Field

from tacit.server.models.common import Given, Told, example
from tacit.server.models.memories import Id
from tacit.writing.upkeep.maintenance import MOST_LOOKED_AT


class UpkeepAsked(Given):
    """How much to look at, and whether anything is to be done about it."""

    model_config = example(dry_run=True, limit=100)

    dry_run: bool = Field(False, description="Only tell what would be done.")
    limit: int | None = Field(
        None, ge=1, le=MOST_LOOKED_AT, description="So many memories at most; else as settings say."
    )


class DeedShape(Told):
    """One thing that was done, or would be, and why."""

    memory: Id
    other: Id | None = Field(description="Superseded by the memory, or related to it.")
    content: str = Field(description="What the memory says, after a merge.")
    reason: str = Field(examples=["importance faded to 0.090, 45 days old"])


class UpkeepShape(Told):
    """What one pass looked at and did."""

    looked_at: int
    pruned: list[DeedShape]
    merged: list[DeedShape]
    linked: list[DeedShape]
    unembedded: int = Field(description="Had no vector, so they were compared with none.")
    done: bool = Field(description="Whether it came to the end of the workspace.")
    dry_run: bool
