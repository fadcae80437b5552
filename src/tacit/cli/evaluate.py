"""The command that measures quality: eval."""

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from tacit.evals.life import evaluate_life
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
    LIFE = "life"


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
    Benchmark.LIFE: evaluate_life,
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
        Benchmark.LIFE,
    )
)
_READ_BY: Mapping[str, Sequence[Benchmark]] = {
    "notinject": (Benchmark.ABSTENTION,),
    "facts": (Benchmark.SUPERSESSION,),
    "wording": (Benchmark.CONFLICTS,),
    "deadline": (Benchmark.CONFLICTS, Benchmark.LIFE),
    "person": (Benchmark.LIFE,),
    "with_model": (Benchmark.LIFE,),
}
"""The options that not every evaluation reads."""


def evaluate(
    benchmark: Annotated[Benchmark, typer.Argument(help=f"{', '.join(Benchmark)}.")],
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE]...", help="More files, for life.")
    ] = None,
    data: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="The benchmark's own file: LoCoMo's for abstention, followups, summaries; "
            "LongMemEval's for noise; the folder of Django's documentation for documents; "
            "a set of your own for injection, extraction, supersession, secrets, echoes, "
            "strategy, authorship, languages and requests, else ours, mostly the half that was "
            "held out; for life one or several files of people, else those of the checkout.",
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
            help="Milliseconds that a question of conflicts or life may take, else a minute; what "
            "is late is counted.",
        ),
    ] = None,
    person: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="This person alone, for life; repeat.")
    ] = None,
    with_model: Annotated[
        bool,
        typer.Option(
            "--with-model",
            help="For life: the language model of your settings learns too; what people say is "
            "sent to it.",
        ),
    ] = False,
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
    paths = [*(data or ()), *(files or ())]
    source = _choose_source(benchmark, paths)
    named = {"notinject": notinject, "facts": facts, "wording": wording, "deadline": deadline}
    for_life = {"person": person or None, "with_model": with_model or None}
    more = _check_options(benchmark, {**named, **for_life})
    watched = notices()
    columns = (TextColumn("reading in"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=watched, disable=not watched.is_terminal) as bar:
        task = bar.add_task("", total=None)
        figures = _EVALUATIONS[benchmark](
            source,
            lambda done, total: bar.update(task, completed=done, total=total),
            **more,
        )
    if not paths and not failures:
        figures.pop("failures", None)
    if as_json:
        print_json(figures)
    else:
        _print(figures)


def _choose_source(benchmark: Benchmark, paths: Sequence[Path]) -> Path | Sequence[Path] | None:
    """The file that an evaluation reads; life reads several."""
    if not paths and benchmark not in _WITH_SETS_OF_OUR_OWN:
        raise InvalidInput("--data", f"name the file that {benchmark} reads")
    if benchmark is Benchmark.LIFE:
        return paths or None
    if len(paths) > 1:
        raise InvalidInput(
            "--data", f"{benchmark} reads one file; only {Benchmark.LIFE} reads more"
        )
    return paths[0] if paths else None


def _check_options(benchmark: Benchmark, named: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, all of which the evaluation reads."""
    given = {name: value for name, value in named.items() if value is not None}
    for name in given:
        if benchmark not in _READ_BY[name]:
            readers = " and ".join(_READ_BY[name])
            option = f"--{name.replace('_', '-')}"
            raise InvalidInput(option, f"is for {readers}; {benchmark} does not read it")
    return given


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


_GAP = 2
"""Spaces between two columns."""


def _print_columns(name: str, parts: Mapping[str, Mapping[str, Any]]) -> None:
    """Print a column for each thing, a row for each figure; in several tables if it is wide."""
    measures = dict.fromkeys(measure for part in parts.values() for measure in part)
    cells = {
        column: [_format_cell(part.get(measure)) for measure in measures]
        for column, part in parts.items()
    }
    labels = [measure.replace("_", " ") for measure in measures]
    title = name.replace("_", " ")
    for columns in _split_columns(cells, console().width - max(map(len, [title, *labels]))):
        drawn = make_table(title, *columns)
        for label, *row in zip(labels, *(cells[column] for column in columns), strict=True):
            drawn.add_row(label, *row)
        console().print(drawn)


def _split_columns(cells: Mapping[str, Sequence[str]], room: int) -> Iterator[list[str]]:
    """The columns that stand side by side, of which each table has at least one."""
    columns: list[str] = []
    left = room
    for column, texts in cells.items():
        width = max(map(len, [column, *texts])) + _GAP
        if columns and width > left:
            yield columns
            columns, left = [], room
        columns.append(column)
        left -= width
    yield columns


def _format_cell(figure: Any) -> str:
    """A number, or so many of so many."""
    if figure is None:
        return ""
    if isinstance(figure, Sequence):
        part, whole = figure
        return f"{part}/{whole}" if whole else "–"
    return f"{figure:g}"


COMMANDS = {"eval": evaluate}
