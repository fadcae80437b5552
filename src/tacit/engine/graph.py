"""The memories around one, and what relates them."""

from datetime import datetime

from tacit.memory import Association, Graph, Memory, Relation, State
from tacit.store import Unit


def around(
    unit: Unit, id: str, *, depth: int, limit: int, agent: str | None, now: datetime
) -> Graph:
    """What can be reached from a memory in so many steps, as far as an agent may see it."""
    edges = unit.associations.within([id], depth, frozenset(Relation))
    order = _by_distance(id, edges)
    known = unit.memories.get(list(order))
    nodes = [known[each] for each in order if each in known]
    seen = [each for each in nodes if each.id == id or _is_visible(each, agent, now)][:limit]
    ids = {each.id for each in seen}
    between = tuple(each for each in edges if each.source in ids and each.target in ids)
    return Graph(nodes=tuple(seen), edges=between)


def _by_distance(start: str, edges: list[Association]) -> dict[str, int]:
    """How many steps away each memory is, nearest first."""
    neighbours: dict[str, set[str]] = {}
    for edge in edges:
        neighbours.setdefault(edge.source, set()).add(edge.target)
        neighbours.setdefault(edge.target, set()).add(edge.source)
    found, ring, steps = {start: 0}, [start], 0
    while ring:
        steps += 1
        around = sorted({other for each in ring for other in neighbours.get(each, ())})
        ring = [each for each in around if each not in found]
        found |= dict.fromkeys(ring, steps)
    return found


def _is_visible(memory: Memory, agent: str | None, now: datetime) -> bool:
    is_others = agent is not None and memory.agent not in (None, agent)
    return not is_others and memory.state(now) is not State.FORGOTTEN
