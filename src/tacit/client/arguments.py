"""What callers give, checked and ready to be sent."""

from collections.abc import Iterable

from tacit.errors import InvalidInput
from tacit.memory import Actor, check


def said_by(by: Actor | str) -> dict[str, str]:
    """Who asks."""
    return {"by": str(check("by", by))}


def checked_ids(ids: Iterable[str]) -> list[str]:
    """The ids of several memories."""
    if isinstance(ids, str):
        raise InvalidInput("ids", "expected a list of ids, not a single one")
    return [check("id", each) for each in ids]


def memory_path(id: str, what: str = "") -> str:
    """The path of a memory, or of something about it."""
    return f"/v1/memories/{check('id', id)}" + (f"/{what}" if what else "")
