"""Lines over a range from 0 to 1, drawn as SVG by hand."""

from collections.abc import Iterable, Sequence

_WIDTH, _HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 170, 30, 50
_STEPS = 5

SHARES = tuple((step / _STEPS, f"{step / _STEPS:.1f}") for step in range(_STEPS + 1))
"""Marks at every fifth, each with its place from 0 to 1 and its label."""

Mark = tuple[float, str]
Point = tuple[float, float]


def picture(parts: Iterable[str]) -> str:
    """A whole file of parts on white."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    style = 'font-family="sans-serif" font-size="12"'
    white = f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>'
    return "\n".join([f"{head} {style}>", white, *parts, "</svg>"]) + "\n"


def place(across: float, up: float) -> Point:
    """Where a point of the unit square stands in the picture."""
    width, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    return _LEFT + across * width, _TOP + (1 - up) * height


def line(points: Iterable[Point], colour: str) -> str:
    """A line through points of the unit square."""
    placed = " ".join("{:.1f},{:.1f}".format(*place(*point)) for point in points)
    return f'<polyline points="{placed}" fill="none" stroke="{colour}" stroke-width="2"/>'


def axes(marks: Sequence[Mark], below: str, title: str) -> list[str]:
    """A grid of shares, marks below it, and what both of them mean."""
    middle, _ = place(0.5, 0.0)
    return [
        *(_rung(share, label) for share, label in SHARES),
        *(_mark(across, label) for across, label in marks),
        f'<text x="{middle}" y="{_HEIGHT - 10}" text-anchor="middle">{below}</text>',
        f'<text x="{_LEFT}" y="16">{title}</text>',
    ]


def legend(row: int, name: str, colour: str) -> str:
    """One row of the legend, the first one on top."""
    across, down = _WIDTH - _RIGHT + 16, _TOP + 20 + 20 * row
    bar = f'<rect x="{across}" y="{down - 8}" width="14" height="4" fill="{colour}"/>'
    return f'{bar}<text x="{across + 20}" y="{down}">{name}</text>'


def _rung(share: float, label: str) -> str:
    left, down = place(0.0, share)
    right, _ = place(1.0, share)
    grid = f'<line x1="{left}" y1="{down}" x2="{right}" y2="{down}" stroke="#e5e5e5"/>'
    return f'{grid}\n<text x="{left - 8}" y="{down + 4}" text-anchor="end">{label}</text>'


def _mark(across: float, label: str) -> str:
    right, bottom = place(across, 0.0)
    return f'<text x="{right:.1f}" y="{bottom + 18}" text-anchor="middle">{label}</text>'
