"""The layout of the graph around a memory: where nodes stand, and the edges between them."""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import cos, pi, sin

from tacit.core.kinds import MemoryType, Relation
from tacit.core.memory import Association, Graph, Memory
from tacit.turn.block import shorten

HALF_WIDTH, HALF_HEIGHT = 88.0, 20.0
"""Half the size of the frame around a label."""

_MARGIN_X, _MARGIN_Y = HALF_WIDTH + 8, HALF_HEIGHT + 8
_BEND = 0.18
_MAX_LABEL = 26
_STEP_X, _STEP_Y = 265.0, 105.0
"""The distance of one step, horizontally and vertically; labels are wider than high."""

_GAP = 10.0
_GROWTH = 1.15


Point = tuple[float, float]
Position = tuple[float, float, int]
"""The coordinates of a node, and its steps from the centre."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """A memory in the graph."""

    id: str
    x: float
    y: float
    step: int
    type: MemoryType
    label: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphEdge:
    """A link in the graph; `bend` separates the edges between the same two nodes."""

    source: GraphNode
    target: GraphNode
    start: Point
    end: Point
    bend: float
    relation: Relation
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphLayout:
    """Nodes, nearest first, and edges, in a frame of a size."""

    width: float
    height: float
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]

    @property
    def relations(self) -> tuple[Relation, ...]:
        """The relations in the legend."""
        used = {edge.relation for edge in self.edges}
        return tuple(each for each in Relation if each in used)

    @property
    def types(self) -> tuple[MemoryType, ...]:
        """The types in the legend."""
        used = {node.type for node in self.nodes}
        return tuple(each for each in MemoryType if each in used)


def lay_out_graph(graph: Graph, centre: str) -> GraphLayout:
    """Place a memory in the centre and the others around it, by their distance."""
    memories = {each.id: each for each in graph.nodes}
    children = _build_tree(memories, graph.edges, centre)
    places = _position_nodes(children, centre)
    width = 2 * (max((abs(x) for x, _, _ in places.values()), default=0) + _MARGIN_X)
    height = 2 * (max((abs(y) for _, y, _ in places.values()), default=0) + _MARGIN_Y)
    nodes = {
        id: _to_node(memories[id], x + width / 2, y + height / 2, step)
        for id, (x, y, step) in places.items()
    }
    edges = _to_edges(nodes, graph.edges)
    return GraphLayout(width=width, height=height, nodes=tuple(nodes.values()), edges=edges)


def _to_edges(
    nodes: Mapping[str, GraphNode], links: Sequence[Association]
) -> tuple[GraphEdge, ...]:
    seen: Counter[frozenset[str]] = Counter()
    edges = []
    for link in links:
        if link.source in nodes and link.target in nodes:
            pair = frozenset((link.source, link.target))
            source, target = nodes[link.source], nodes[link.target]
            edge = GraphEdge(
                source=source,
                target=target,
                start=_border_point(source, target),
                end=_border_point(target, source),
                bend=seen[pair] * _BEND,
                relation=link.relation,
                weight=link.weight,
            )
            edges.append(edge)
            seen[pair] += 1
    return tuple(edges)


def _border_point(node: GraphNode, other: GraphNode) -> Point:
    """Where an edge to another node leaves the frame of a label."""
    x, y = other.x - node.x, other.y - node.y
    share = min(HALF_WIDTH / abs(x) if x else 1.0, HALF_HEIGHT / abs(y) if y else 1.0, 1.0)
    return round(node.x + share * x, 1), round(node.y + share * y, 1)


def _to_node(memory: Memory, x: float, y: float, step: int) -> GraphNode:
    return GraphNode(
        id=memory.id,
        x=round(x, 1),
        y=round(y, 1),
        step=step,
        type=memory.type,
        label=shorten(" ".join(memory.content.split()), _MAX_LABEL),
        content=shorten(memory.content, 300),
    )


def _build_tree(
    memories: Mapping[str, Memory], edges: Sequence[Association], centre: str
) -> dict[str, list[str]]:
    """Each memory below the one that first led to it."""
    near: dict[str, list[str]] = {id: [] for id in memories}
    for edge in edges:
        if edge.source in near and edge.target in near:
            near[edge.source].append(edge.target)
            near[edge.target].append(edge.source)
    children: dict[str, list[str]] = {centre: []} if centre in memories else {}
    ahead = deque(children)
    while ahead:
        here = ahead.popleft()
        for next_one in dict.fromkeys(near[here]):
            if next_one not in children:
                children[next_one] = []
                children[here].append(next_one)
                ahead.append(next_one)
    return children


def _position_nodes(children: Mapping[str, Sequence[str]], centre: str) -> dict[str, Position]:
    """Place the nodes: every branch gets a sector as wide as its leaves need."""
    leaves: dict[str, int] = {}
    for id in reversed(list(children)):
        leaves[id] = sum(leaves[each] for each in children[id]) or 1
    places: dict[str, Position] = {}
    ahead = deque([(centre, 0.0, 2 * pi, 0)] if centre in children else [])
    while ahead:
        id, start, width, step = ahead.popleft()
        angle = start + width / 2 - pi / 2
        places[id] = (_STEP_X * step * cos(angle), _STEP_Y * step * sin(angle), step)
        for child in children[id]:
            share = width * leaves[child] / leaves[id]
            ahead.append((child, start, share, step + 1))
            start += share
    return _spread_apart(places)


def _spread_apart(places: dict[str, Position]) -> dict[str, Position]:
    """Move all nodes outwards until no label covers another."""
    while any(_overlaps(one, other) for one, other in combinations(places.values(), 2)):
        places = {id: (x * _GROWTH, y * _GROWTH, step) for id, (x, y, step) in places.items()}
    return places


def _overlaps(one: Position, other: Position) -> bool:
    is_beside = abs(one[0] - other[0]) >= 2 * HALF_WIDTH + _GAP
    is_above = abs(one[1] - other[1]) >= 2 * HALF_HEIGHT + _GAP
    return not is_beside and not is_above
