"""Erasing many things: what is asked for, and what came of it."""

from typing import Any

from pydantic import Field

from tacit.core.kinds import Scope, State
from tacit.server.models.common import Given, Told, example
from tacit.server.models.listing import Conditions
from tacit.server.models.memories import By

_DRY = "Only count what would go."
_OWN = {"dry_run", "by"}


class Sweeping(Given):
    """Whether anything is to be done, and who asks."""

    model_config = example(dry_run=True)

    dry_run: bool = Field(False, description=_DRY)
    by: By = None


class OwnerSweeping(Sweeping):
    """Whose memories and turns are to go."""

    model_config = example(scope="user", scope_id="ann", dry_run=True)

    scope: Scope
    scope_id: str = Field(description="Which one; empty for the one without a name.")


class MatchSweeping(Conditions):
    """Which memories are to go, in every state unless one is named."""

    model_config = example(contains="heliotrope", dry_run=True)

    state: State | None = Field(None, description="every one if nothing is said")
    dry_run: bool = Field(False, description=_DRY)
    by: By = None

    def filters(self) -> dict[str, Any]:
        """What the library is asked."""
        return self.model_dump(exclude=_OWN)


class SweepShape(Told):
    """How much of each kind went, or would, and what could not be reached."""

    removed: dict[str, int]
    not_reached: list[str]
    dry_run: bool
