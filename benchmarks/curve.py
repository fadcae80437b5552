"""`python -m benchmarks.curve FIGURES --plot FILE`: what silence costs, as a picture.

FIGURES is what `tacit eval abstention --json` printed.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.drawing import SHARES, axes, legend, line, picture, place

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
    title = "share of prompts that get a memory; recall kept"
    parts = [*axes(SHARES, "contextual_min_score", title), _floor(figures["floor"])]
    for row, name in enumerate(lines):
        parts.append(line(((point["floor"], point[name]) for point in curve), _COLOURS[name]))
        parts.append(legend(row, name.replace("_", " "), _COLOURS[name]))
    return picture(parts)


def _floor(floor: float) -> str:
    across, top = place(floor, 1.0)
    _, bottom = place(floor, 0.0)
    dashed = 'stroke="#999999" stroke-dasharray="4 4"'
    upright = f'<line x1="{across:.1f}" y1="{top}" x2="{across:.1f}" y2="{bottom}" {dashed}/>'
    return f'{upright}<text x="{across + 4:.1f}" y="{top + 120}" fill="#666666">default</text>'


if __name__ == "__main__":
    main()
