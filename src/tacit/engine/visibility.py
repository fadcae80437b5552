"""What an agent and a user may know of."""

from collections.abc import Sequence

from tacit.memory import Viewer
from tacit.store import Unit


def hidden_from(viewer: Viewer, unit: Unit, ids: Sequence[str]) -> set[str]:
    """Those of the memories that somebody may not see; from who sees everything, none is hidden.

    Of what is gone nobody knows whose it was, so a user does not see it.
    """
    if not viewer.is_bound:
        return set()
    known = unit.memories.get(ids)
    gone = set(ids) - known.keys() if viewer.user is not None else set()
    return gone | {id for id, memory in known.items() if not viewer.sees(memory)}
