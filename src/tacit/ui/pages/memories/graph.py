"""The graph around a memory, on the page."""

from collections.abc import Callable
from typing import Any

from nicegui.element import Element

from tacit.ui.pages.memories.drawing import HALF_HEIGHT, HALF_WIDTH, Dot, Drawing, Line

_MOST_NAMES = 14
"""With more lines than these, their names would cover each other; the legend tells them."""


class GraphView(Element, component="graph.js"):
    """A drawing, with a link at every memory."""

    def __init__(self, drawing: Drawing, address: Callable[[str], str]) -> None:
        super().__init__()
        self.props["width"] = drawing.width
        self.props["height"] = drawing.height
        self.props["half"] = [HALF_WIDTH, HALF_HEIGHT]
        self.props["dots"] = [_dot(dot, address(dot.id)) for dot in drawing.dots]
        self.props["lines"] = [_line(number, line) for number, line in enumerate(drawing.lines)]
        self.props["named"] = len(drawing.lines) <= _MOST_NAMES


def relation_words(relation: str) -> str:
    """A relation as a person reads it."""
    return relation.replace("_", " ")


def _dot(dot: Dot, address: str) -> dict[str, Any]:
    return {
        "id": dot.id,
        "x": dot.x,
        "y": dot.y,
        "step": dot.step,
        "type": str(dot.type),
        "label": dot.label,
        "content": dot.content,
        "address": address,
    }


def _line(number: int, line: Line) -> dict[str, Any]:
    name = relation_words(line.relation)
    return {
        "key": number,
        "x1": line.start[0],
        "y1": line.start[1],
        "x2": line.end[0],
        "y2": line.end[1],
        "bend": line.bend,
        "relation": str(line.relation),
        "name": name,
        "told": f"{line.source.label} {name} {line.target.label}",
    }
