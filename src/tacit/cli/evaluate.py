"""The command that measures quality: eval."""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tacit.cli import options as opt
from tacit.cli.output import console, make_table, notices, print_json
from tacit.cli.terminal_text import escape_unseen
from tacit.core.errors import InvalidInput
from tacit.evals.abstention import evaluate_abstention
from tacit.evals.authorship import evaluate_authorship
from tacit.evals.benchmarks import evaluate_locomo, evaluate_longmemeval
from tacit.evals.conflicts import evaluate_conflicts
from tacit.evals.context_needs import evaluate_followups, evaluate_strategy
from tacit.evals.documents import evaluate_documents
from tacit.evals.echoes import evaluate_echoes
from tacit.evals.extraction import evaluate_extraction, evaluate_noise
from tacit.evals.injection import evaluate_injection
from tacit.evals.languages import evaluate_languages
from tacit.evals.requests import evaluate_requests
from tacit.evals.rewording import Wording
from tacit.evals.secrets import evaluate_secrets
from tacit.evals.summaries import evaluate_summaries
from tacit.evals.supersession import evaluate_supersession


class Benchmark(StrEnum):
    """What can be measured."""

    LOCOMO = "locomo"
    LONGMEMEVAL = "longmemeval"
    ABSTENTION = "abstention"
    INJECTION = "injection"
    CONFLICTS = "conflicts"
    FOLLOWUPS = "followups"
    SUMMARIES = "summaries"
    EXTRACTION = "extraction"
    SUPERSESSION = "supersession"
    SECRETS = "secrets"
    ECHOES = "echoes"
    NOISE = "noise"
    STRATEGY = "strategy"
    AUTHORSHIP = "authorship"
    DOCUMENTS = "documents"
    LANGUAGES = "languages"
    REQUESTS = "requests"


_EVALUATIONS: Mapping[Benchmark, Callable[..., dict[str, Any]]] = {
    Benchmark.LOCOMO: evaluate_locomo,
    Benchmark.LONGMEMEVAL: evaluate_longmemeval,
    Benchmark.ABSTENTION: evaluate_abstention,
    Benchmark.INJECTION: evaluate_injection,
    Benchmark.CONFLICTS: evaluate_conflicts,
    Benchmark.FOLLOWUPS: evaluate_followups,
    Benchmark.SUMMARIES: evaluate_summaries,
    Benchmark.EXTRACTION: evaluate_extraction,
    Benchmark.SUPERSESSION: evaluate_supersession,
    Benchmark.SECRETS: evaluate_secrets,
    Benchmark.ECHOES: evaluate_echoes,
    Benchmark.NOISE: evaluate_noise,
    Benchmark.STRATEGY: evaluate_strategy,
    Benchmark.AUTHORSHIP: evaluate_authorship,
    Benchmark.DOCUMENTS: evaluate_documents,
    Benchmark.LANGUAGES: evaluate_languages,
    Benchmark.REQUESTS: evaluate_requests,
}
_WITH_SETS_OF_OUR_OWN = frozenset(
    (
        Benchmark.INJECTION,
        Benchmark.FOLLOWUPS,
        Benchmark.EXTRACTION,
        Benchmark.SUPERSESSION,
        Benchmark.SECRETS,
        Benchmark.ECHOES,
        Benchmark.STRATEGY,
        Benchmark.AUTHORSHIP,
        Benchmark.LANGUAGES,
        Benchmark.REQUESTS,
    )
)
_READ_BY = {
    "notinject": Benchmark.ABSTENTION,
    "facts": Benchmark.SUPERSESSION,
    "wording": Benchmark.CONFLICTS,
    "deadline": Benchmark.CONFLICTS,
}
"""The options that one evaluation reads."""


def evaluate(
    benchmark: Annotated[Benchmark, typer.Argument(help=f"{', '.join(Benchmark)}.")],
    data: Annotated[
        Path | None,
        typer.Option(
            help="The benchmark's own file: LoCoMo's for abstention, followups, summaries; "
            "LongMemEval's for noise; the folder of Django's documentation for documents; "
            "a set of your own for injection, extraction, supersession, secrets, echoes, "
            "strategy, authorship, languages and requests, else ours, mostly the half that was "
            "held out."
        ),
    ] = None,
    notinject: Annotated[
        Path | None, typer.Option(help="NotInject's file, for abstention; else without it.")
    ] = None,
    facts: Annotated[
        Path | None, typer.Option(help="FactConsolidation's file, for supersession; else without.")
    ] = None,
    wording: Annotated[
        Wording | None,
        typer.Option(
            help="How the facts of conflicts are written: as in the file (original), in one of two "
            "other ways (first, second), or each in one of the three (mixed)."
        ),
    ] = None,
    deadline: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Milliseconds that a question of conflicts may take, else a minute; what is late "
            "is counted.",
        ),
    ] = None,
    failures: Annotated[
        bool,
        typer.Option(
            "--failures",
            help="List the failures on our held-out sets too, which nobody who works on the rules "
            "should read. Failures on a file that you name are always listed.",
        ),
    ] = False,
    as_json: opt.Json = False,
) -> None:
    """Measure how good search, turns and learning are.

    The texts are embedded once and kept in your cache folder, by content; a second run takes
    seconds.
    """
    if data is None and benchmark not in _WITH_SETS_OF_OUR_OWN:
        raise InvalidInput("--data", f"name the file that {benchmark} reads")
    named = {"notinject": notinject, "facts": facts, "wording": wording, "deadline": deadline}
    more = {name: value for name, value in named.items() if value is not None}
    for name in more:
        if benchmark is not _READ_BY[name]:
            raise InvalidInput(
                f"--{name}", f"is for {_READ_BY[name]}; {benchmark} does not read it"
            )
    watched = notices()
    columns = (TextColumn("reading in"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=watched, disable=not watched.is_terminal) as bar:
        task = bar.add_task("", total=None)
        figures = _EVALUATIONS[benchmark](
            data,
            lambda done, total: bar.update(task, completed=done, total=total),
            **more,
        )
    if data is None and not failures:
        figures.pop("failures", None)
    if as_json:
        print_json(figures)
    else:
        _print(figures)


def _print(figures: Mapping[str, Any], title: str = "measure") -> None:
    drawn = make_table(title.replace("_", " "), "")
    nested: dict[str, Mapping[str, Any]] = {}
    for name, value in figures.items():
        if name in ("settings", "curve") or isinstance(value, list):
            continue
        if isinstance(value, Mapping) and any(isinstance(each, Mapping) for each in value.values()):
            nested[name] = value
            continue
        for row, number in _rows(name, value):
            drawn.add_row(row, f"{number:g}")
    if drawn.row_count:
        console().print(drawn)
    for name, parts in nested.items():
        if all(isinstance(each, Mapping) for each in parts.values()):
            _print_columns(name, parts)
        else:
            _print(parts, name)
    for failure in figures.get("failures", ()):
        console().print(escape_unseen(failure), markup=False, highlight=False)


def _rows(name: str, value: Mapping[str, float] | float) -> Iterator[tuple[str, float]]:
    if isinstance(value, Mapping):
        yield from ((f"{name} {part}", number) for part, number in value.items())
    else:
        yield name, value


def _print_columns(name: str, parts: Mapping[str, Mapping[str, float]]) -> None:
    """Print a column for each thing, a row for each figure."""
    drawn = make_table(name.replace("_", " "), *parts)
    for measure in dict.fromkeys(measure for part in parts.values() for measure in part):
        cells = (part.get(measure) for part in parts.values())
        drawn.add_row(
            measure.replace("_", " "), *("" if cell is None else f"{cell:g}" for cell in cells)
        )
    console().print(drawn)


COMMANDS = {"eval": evaluate}
