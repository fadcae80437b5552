"""Whether two workspaces can become one: nothing that is there stands in the way."""

from collections.abc import Iterable
from typing import Any

from tacit.core.errors import MoveRefused
from tacit.store.protocols.unit import Unit
from tacit.writing.archive.moving.kind import Kind, Row


def refuse_collisions(
    source: Unit, target: Unit, kinds: Iterable[Kind[Any]], page_size: int
) -> None:
    """Look at everything that the target has; an empty one is done at once."""
    for kind in kinds:
        for after, page in kind.pages(target, page_size):
            known = kind.counterparts(source, after, page, page_size)
            for row in page:
                _refuse_collision(source, kind, row, known.get(kind.key(row)))


def _refuse_collision(source: Unit, kind: Kind[Row], there: Row, here: Row | None) -> None:
    if here is not None:
        refuse_difference(source.workspace, kind, here, there)
        return
    rival = kind.rival(source, there)
    if rival is not None:
        raise MoveRefused(
            f"workspace {source.workspace!r}, {kind.named(rival)} says exactly what"
            f" {' '.join(map(str, kind.key(there)))} says at the target already; erase one of the"
            " two, or move into an empty place"
        )


def refuse_difference(workspace: str, kind: Kind[Row], here: Row, there: Row | None) -> None:
    """A row that both sides have must say the same on both."""
    if there is not None and kind.differ(here, there):
        raise MoveRefused(
            f"workspace {workspace!r}, {kind.named(here)} is at the target already and differs:"
            " one of the two stores was used since it was copied. Nothing there was changed;"
            " stop what uses them, and move into an empty place"
        )
