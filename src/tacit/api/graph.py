"""The memories around one, and what relates them."""

from datetime import datetime

from tacit.api.visibility import hidden_from, is_visible
from tacit.core.kinds import Relation, State
from tacit.core.memory import Association, Graph, Memory
from tacit.core.permissions import Viewer
from tacit.store.protocols.unit import Unit


def around(unit: Unit, id: str, *, depth: int, limit: int, viewer: Viewer, now: datetime) -> Graph:
    """What can be reached from a memory in so many steps, as far as somebody may see it."""
    edges = unit.associations.within([id], depth, frozenset(Relation))
    ends = {end for edge in edges for end in (edge.source, edge.target)}
    known = unit.memories.get(sorted(ends | {id}))
    seen = {each for each in known if _is_shown(unit, known[each], viewer, now)} | {id}
    nodes = _nearest_first(id, [each for each in edges if {each.source, each.target} <= seen])
    shown = [each for each in nodes if nodes[each] <= depth][:limit]
    between = tuple(each for each in edges if {each.source, each.target} <= set(shown))
    return Graph(nodes=tuple(known[each] for each in shown), edges=between)


def links_of(unit: Unit, id: str, viewer: Viewer) -> list[Association]:
    """The associations at a memory whose other end somebody may see."""
    edges = unit.associations.of(id)
    hidden = hidden_from(
        viewer, unit, [end for edge in edges for end in (edge.source, edge.target)]
    )
    return [edge for edge in edges if hidden.isdisjoint((edge.source, edge.target))]


def _nearest_first(start: str, edges: list[Association]) -> dict[str, int]:
    """The memories that edges lead to, and how many steps away each is."""
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


def _is_shown(unit: Unit, memory: Memory, viewer: Viewer, now: datetime) -> bool:
    return is_visible(viewer, unit, memory) and memory.state(now) is not State.FORGOTTEN
