"""What an agent may know of."""

from collections.abc import Sequence

from tacit.store import Unit


def hidden_from(agent: str | None, unit: Unit, ids: Sequence[str]) -> set[str]:
    """Those of the memories that are another agent's own; without an agent, none is hidden."""
    if agent is None:
        return set()
    known = unit.memories.get(ids)
    return {id for id, memory in known.items() if memory.agent not in (None, agent)}
