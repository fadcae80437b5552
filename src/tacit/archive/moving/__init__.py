"""From one store to another: everything, as it is, and proof that it arrived."""

from tacit.archive.moving.course import chosen, move
from tacit.archive.moving.report import MovedKind, MovedWorkspace, MoveReport

__all__ = ["MoveReport", "MovedKind", "MovedWorkspace", "chosen", "move"]
