"""The command that measures quality: eval."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tacit.cli import options as opt
from tacit.cli.output import console, notices, print_json, table
from tacit.errors import InvalidInput
from tacit.evals import (
    evaluate_abstention,
    evaluate_conflicts,
    evaluate_followups,
    evaluate_locomo,
    evaluate_longmemeval,
    evaluate_summaries,
)


class Benchmark(StrEnum):
    """What can be measured."""

    LOCOMO = "locomo"
    LONGMEMEVAL = "longmemeval"
    ABSTENTION = "abstention"
    CONFLICTS = "conflicts"
    FOLLOWUPS = "followups"
    SUMMARIES = "summaries"


_EVALUATIONS: Mapping[Benchmark, Callable[..., dict[str, Any]]] = {
    Benchmark.LOCOMO: evaluate_locomo,
    Benchmark.LONGMEMEVAL: evaluate_longmemeval,
    Benchmark.ABSTENTION: evaluate_abstention,
    Benchmark.CONFLICTS: evaluate_conflicts,
    Benchmark.FOLLOWUPS: evaluate_followups,
    Benchmark.SUMMARIES: evaluate_summaries,
}


def evaluate(
    benchmark: Annotated[Benchmark, typer.Argument(help=f"{', '.join(Benchmark)}.")],
    data: Annotated[
        Path | None,
        typer.Option(
            help="The benchmark's own file: LoCoMo's for abstention, followups, summaries."
        ),
    ] = None,
    notinject: Annotated[
        Path | None, typer.Option(help="NotInject's file, for abstention; else without it.")
    ] = None,
    as_json: opt.Json = False,
) -> None:
    """Measure how good search and turns are.

    The texts are embedded once and kept in your cache folder, by content; a second run takes
    seconds.
    """
    if data is None and benchmark is not Benchmark.FOLLOWUPS:
        raise InvalidInput("--data", f"name the file that {benchmark} reads")
    if notinject is not None and benchmark is not Benchmark.ABSTENTION:
        raise InvalidInput("--notinject", f"is for abstention; {benchmark} does not read it")
    watched = notices()
    columns = (TextColumn("reading in"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=watched, disable=not watched.is_terminal) as bar:
        task = bar.add_task("", total=None)
        figures = _EVALUATIONS[benchmark](
            data,
            lambda done, total: bar.update(task, completed=done, total=total),
            **({} if notinject is None else {"notinject": notinject}),
        )
    if as_json:
        print_json(figures)
    else:
        _print(figures)


def _print(figures: Mapping[str, Any]) -> None:
    drawn = table("measure", "")
    for name, value in figures.items():
        if name in ("settings", "curve"):
            continue
        if isinstance(value, Mapping):
            for part, number in value.items():
                drawn.add_row(f"{name} {part}", f"{number:g}")
        else:
            drawn.add_row(name, f"{value:g}")
    console().print(drawn)


COMMANDS = {"eval": evaluate}
