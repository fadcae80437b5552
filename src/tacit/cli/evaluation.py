"""The command that measures quality: eval."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tacit.cli import options as opt
from tacit.cli.output import console, notices, print_json, table
from tacit.evals import evaluate_locomo, evaluate_longmemeval


class Benchmark(StrEnum):
    """What can be measured."""

    LOCOMO = "locomo"
    LONGMEMEVAL = "longmemeval"


_EVALUATIONS = {
    Benchmark.LOCOMO: evaluate_locomo,
    Benchmark.LONGMEMEVAL: evaluate_longmemeval,
}


def evaluate(
    benchmark: Annotated[Benchmark, typer.Argument(help=f"{' or '.join(Benchmark)}.")],
    data: Annotated[Path, typer.Option(help="The benchmark's own file.")],
    as_json: opt.Json = False,
) -> None:
    """Measure how good search is on a public benchmark.

    The texts are embedded once and kept in your cache folder, by content; a second run takes
    seconds.
    """
    watched = notices()
    columns = (TextColumn("reading in"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=watched, disable=not watched.is_terminal) as bar:
        task = bar.add_task("", total=None)
        figures = _EVALUATIONS[benchmark](
            data, lambda done, total: bar.update(task, completed=done, total=total)
        )
    if as_json:
        print_json(figures)
    else:
        _print(figures)


def _print(figures: Mapping[str, Any]) -> None:
    drawn = table("measure", "")
    for name, value in figures.items():
        if name == "settings":
            continue
        if isinstance(value, Mapping):
            for part, number in value.items():
                drawn.add_row(f"{name} {part}", f"{number:g}")
        else:
            drawn.add_row(name, f"{value:g}")
    console().print(drawn)


COMMANDS = {"eval": evaluate}
