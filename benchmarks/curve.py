"""`python -m benchmarks.curve FIGURES --plot FILE`: what silence costs, as a picture.

FIGURES is what `tacit eval abstention --json` printed.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_WIDTH, _HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 170, 30, 50
_COLOURS = {
    "recall_kept": "#111111",
    "foreign_renamed": "#c44e52",
    "foreign": "#dd8452",
    "notinject": "#8172b3",
    "general_knowledge": "#4c72b0",
    "small_talk": "#55a868",
}


def main() -> None:
    """Draw the curve of one evaluation."""
    parser = argparse.ArgumentParser("python -m benchmarks.curve", description=__doc__)
    parser.add_argument("figures", type=Path, metavar="FIGURES")
    parser.add_argument("--plot", type=Path, required=True, metavar="FILE", help="an .svg file")
    arguments = parser.parse_args()
    figures = json.loads(arguments.figures.read_text("utf-8"))
    arguments.plot.write_text(draw(figures), "utf-8")


def draw(figures: Mapping[str, Any]) -> str:
    """One line for what is recalled, and one for each group that should get nothing."""
    curve: Sequence[Mapping[str, float]] = figures["curve"]
    lines = [name for name in _COLOURS if name in curve[0]]
    parts = [*_axes(), _floor(figures["floor"])]
    for place, name in enumerate(lines):
        points = " ".join(_at(point["floor"], point[name]) for point in curve)
        parts.append(_line(points, _COLOURS[name]))
        parts.append(_legend(place, name))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    style = 'font-family="sans-serif" font-size="12"'
    white = f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>'
    return "\n".join([f"{head} {style}>", white, *parts, "</svg>"]) + "\n"


def _place(floor: float, share: float) -> tuple[float, float]:
    width, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    return _LEFT + floor * width, _TOP + (1 - share) * height


def _at(floor: float, share: float) -> str:
    across, down = _place(floor, share)
    return f"{across:.1f},{down:.1f}"


def _line(points: str, colour: str) -> str:
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'


def _floor(floor: float) -> str:
    across, top = _place(floor, 1.0)
    _, bottom = _place(floor, 0.0)
    dashed = 'stroke="#999999" stroke-dasharray="4 4"'
    line = f'<line x1="{across:.1f}" y1="{top}" x2="{across:.1f}" y2="{bottom}" {dashed}/>'
    return f'{line}<text x="{across + 4:.1f}" y="{top + 120}" fill="#666666">default</text>'


def _axes() -> list[str]:
    parts = []
    for step in range(6):
        share = step / 5
        left, down = _place(0.0, share)
        right, _ = _place(1.0, share)
        across, bottom = _place(share, 0.0)
        grid = f'<line x1="{left}" y1="{down}" x2="{right}" y2="{down}" stroke="#e5e5e5"/>'
        up = f'<text x="{left - 8}" y="{down + 4}" text-anchor="end">{share:.1f}</text>'
        below = f'<text x="{across}" y="{bottom + 18}" text-anchor="middle">{share:.1f}</text>'
        parts += [grid, up, below]
    middle, _ = _place(0.5, 0.0)
    return [
        *parts,
        f'<text x="{middle}" y="{_HEIGHT - 10}" text-anchor="middle">contextual_min_score</text>',
        f'<text x="{_LEFT}" y="16">share of prompts that get a memory; recall kept</text>',
    ]


def _legend(place: int, name: str) -> str:
    across, down = _WIDTH - _RIGHT + 16, _TOP + 20 + 20 * place
    colour = _COLOURS[name]
    bar = f'<rect x="{across}" y="{down - 8}" width="14" height="4" fill="{colour}"/>'
    return f'{bar}<text x="{across + 20}" y="{down}">{name.replace("_", " ")}</text>'


if __name__ == "__main__":
    main()
