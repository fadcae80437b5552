"""A drawing: where the memories around one stand, and the lines between them."""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import cos, pi, sin

from tacit.core.memory.association import Association
from tacit.core.memory.graph import Graph
from tacit.core.memory.kinds import MemoryType, Relation
from tacit.core.memory.record import Memory
from tacit.turn.block import shorten

HALF_WIDTH, HALF_HEIGHT = 88.0, 20.0
"""Of the frame around a label."""

_SIDE, _TOP = HALF_WIDTH + 8, HALF_HEIGHT + 8
_BEND = 0.18
_LABEL = 26
_WIDE, _HIGH = 265.0, 105.0
"""How far a step leads to the side, and up or down; labels are wider than high."""

_GAP = 10.0
_GROWTH = 1.15


Point = tuple[float, float]
Place = tuple[float, float, int]
"""Where something stands, and how many steps from the centre."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A memory in the drawing."""

    id: str
    x: float
    y: float
    step: int
    type: MemoryType
    label: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An association in the drawing, from edge to edge; `bend` keeps those of one pair apart."""

    source: Dot
    target: Dot
    start: Point
    end: Point
    bend: float
    relation: Relation
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Dots, nearest first, and lines, in a frame of a size."""

    width: float
    height: float
    dots: tuple[Dot, ...]
    lines: tuple[Line, ...]

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Those that the legend explains."""
        used = {line.relation for line in self.lines}
        return tuple(each for each in Relation if each in used)

    @property
    def types(self) -> tuple[MemoryType, ...]:
        """Those that the legend explains."""
        used = {dot.type for dot in self.dots}
        return tuple(each for each in MemoryType if each in used)


def drawn(graph: Graph, centre: str) -> Drawing:
    """A memory in the middle, what is one step away around it, and so on outwards."""
    memories = {each.id: each for each in graph.nodes}
    children = _tree(memories, graph.edges, centre)
    places = _places(children, centre)
    width = 2 * (max((abs(x) for x, _, _ in places.values()), default=0) + _SIDE)
    height = 2 * (max((abs(y) for _, y, _ in places.values()), default=0) + _TOP)
    dots = {
        id: _dot(memories[id], x + width / 2, y + height / 2, step)
        for id, (x, y, step) in places.items()
    }
    lines = _lines(dots, graph.edges)
    return Drawing(width=width, height=height, dots=tuple(dots.values()), lines=lines)


def _lines(dots: Mapping[str, Dot], edges: Sequence[Association]) -> tuple[Line, ...]:
    seen: Counter[frozenset[str]] = Counter()
    lines = []
    for edge in edges:
        if edge.source in dots and edge.target in dots:
            pair = frozenset((edge.source, edge.target))
            source, target = dots[edge.source], dots[edge.target]
            line = Line(
                source=source,
                target=target,
                start=_border(source, target),
                end=_border(target, source),
                bend=seen[pair] * _BEND,
                relation=edge.relation,
                weight=edge.weight,
            )
            lines.append(line)
            seen[pair] += 1
    return tuple(lines)


def _border(dot: Dot, other: Dot) -> Point:
    """Where a line towards another dot leaves the frame of a label."""
    x, y = other.x - dot.x, other.y - dot.y
    share = min(HALF_WIDTH / abs(x) if x else 1.0, HALF_HEIGHT / abs(y) if y else 1.0, 1.0)
    return round(dot.x + share * x, 1), round(dot.y + share * y, 1)


def _dot(memory: Memory, x: float, y: float, step: int) -> Dot:
    return Dot(
        id=memory.id,
        x=round(x, 1),
        y=round(y, 1),
        step=step,
        type=memory.type,
        label=shorten(" ".join(memory.content.split()), _LABEL),
        content=shorten(memory.content, 300),
    )


def _tree(
    memories: Mapping[str, Memory], edges: Sequence[Association], centre: str
) -> dict[str, list[str]]:
    """Each memory under the one that first led to it."""
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


def _places(children: Mapping[str, Sequence[str]], centre: str) -> dict[str, Place]:
    """Where each stands: every branch has a part of the circle as large as its leaves need."""
    leaves: dict[str, int] = {}
    for id in reversed(list(children)):
        leaves[id] = sum(leaves[each] for each in children[id]) or 1
    places: dict[str, Place] = {}
    ahead = deque([(centre, 0.0, 2 * pi, 0)] if centre in children else [])
    while ahead:
        id, start, width, step = ahead.popleft()
        angle = start + width / 2 - pi / 2
        places[id] = (_WIDE * step * cos(angle), _HIGH * step * sin(angle), step)
        for child in children[id]:
            share = width * leaves[child] / leaves[id]
            ahead.append((child, start, share, step + 1))
            start += share
    return _apart(places)


def _apart(places: dict[str, Place]) -> dict[str, Place]:
    """The same places, as much further out as it takes that no label covers another."""
    while any(_covers(one, other) for one, other in combinations(places.values(), 2)):
        places = {id: (x * _GROWTH, y * _GROWTH, step) for id, (x, y, step) in places.items()}
    return places


def _covers(one: Place, other: Place) -> bool:
    is_beside = abs(one[0] - other[0]) >= 2 * HALF_WIDTH + _GAP
    is_above = abs(one[1] - other[1]) >= 2 * HALF_HEIGHT + _GAP
    return not is_beside and not is_above
