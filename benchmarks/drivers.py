"""apsw against the standard library's sqlite3: the same work on the same data, in turns."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import apsw

from benchmarks.context import Context
from benchmarks.figures import PER_SECOND, Figure, medians, seconds, side_by_side
from benchmarks.report import Report
from benchmarks.workload import SCHEMA, TEXTS, Connection, Stage, stages

_ROUNDS = 2

_DRIVERS: Mapping[str, Callable[[str], Connection]] = {
    "sqlite3": partial(sqlite3.connect, isolation_level=None),
    "apsw": apsw.Connection,
}


def run(context: Context) -> Report:
    """A round starts with empty databases; each driver goes first as often as the other."""
    work = stages()
    rounds = [_round(context, work, number) for number in range(_ROUNDS)]
    columns = {name: medians([each[name] for each in rounds]) for name in _DRIVERS}
    columns["ratio"] = list(map(_ratio, *columns.values()))
    versions = f"SQLite {sqlite3.sqlite_version} in sqlite3, {apsw.sqlite_lib_version()} in apsw"
    return Report(
        title="Drivers: the standard library's sqlite3 and apsw",
        columns=("measure", "unit", *columns),
        rows=side_by_side(columns),
        notes=(
            f"{versions}. {TEXTS:,} memories: a row, a full-text row and a vector each.",
            f"Median of {_ROUNDS} rounds. Ratio: how many times as fast apsw is.",
        ),
    )


def _round(context: Context, work: Sequence[Stage], number: int) -> dict[str, list[Figure]]:
    names = sorted(_DRIVERS, reverse=number % 2 == 0)
    figures: dict[str, list[Figure]] = {name: [] for name in names}
    with ExitStack() as stack:
        connections = {
            name: stack.enter_context(closing(_create(name, context.folder / f"{name}-{number}")))
            for name in names
        }
        for stage in work:
            context.say(f"round {number + 1} of {_ROUNDS}, {stage.name}")
            for name, durations in _take_turns(connections, stage).items():
                figures[name] += stage.figures(stage.name, durations)
    return figures


def _create(driver: str, path: Path) -> Connection:
    connection = _DRIVERS[driver](str(path))
    for statement in ("PRAGMA journal_mode = WAL", *SCHEMA):
        list(connection.execute(statement))
    return connection


def _take_turns(connections: Mapping[str, Connection], stage: Stage) -> dict[str, list[float]]:
    """Job by job, so that whatever else the machine does slows all of them alike."""
    for connection in connections.values():
        list(connection.execute(f"PRAGMA synchronous = {stage.synchronous}"))
    durations: dict[str, list[float]] = {name: [] for name in connections}
    for job in stage.jobs:
        for name, connection in connections.items():
            durations[name].append(seconds(partial(job, connection)))
    return durations


def _ratio(standard: Figure, other: Figure) -> Figure:
    """How many times as fast the other is, whichever way the unit counts."""
    faster = other.value / standard.value
    return replace(other, value=faster if other.unit == PER_SECOND else 1 / faster)
