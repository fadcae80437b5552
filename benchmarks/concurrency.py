"""Processes that write and read one database at once, and whether it kept what it acknowledged."""

from collections import Counter
from collections.abc import Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from benchmarks.batches import BATCH
from benchmarks.context import Context
from benchmarks.figures import p50_and_p95
from benchmarks.report import Report
from benchmarks.texts import make_texts
from benchmarks.workers import Outcome, read, write
from tacit import Tacit, TacitError

_SEED = 1_000
_START_SECONDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """How many processes write and read, and what others measured for the same elsewhere."""

    name: str
    writers: int
    readers: int = 0
    batch: int = 1
    writes_elsewhere: int | None = None
    reads_elsewhere: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of a load."""

    writes: float
    reads: float | None
    p95: float | None
    slowest: float | None
    errors: Counter[str]
    lost: int


_LOADS = (
    Load(name="1 writer", writers=1, writes_elsewhere=5_100),
    Load(name=f"1 writer, batches of {BATCH}", writers=1, batch=BATCH, writes_elsewhere=20_700),
    Load(
        name="1 writer, 4 readers",
        writers=1,
        readers=4,
        writes_elsewhere=2_000,
        reads_elsewhere=500,
    ),
    Load(name="4 writers, 4 readers", writers=4, readers=4),
)


def run(context: Context) -> Report:
    """Each load has a database of its own and lasts as long as the context says."""
    results = [_result(context, load) for load in _LOADS]
    failures = sum((result.errors for result in results), Counter[str]())
    return Report(
        title=f"Concurrency: processes on one database, {context.seconds:g} seconds",
        columns=("measure", *(load.name for load in _LOADS)),
        rows=[
            ("writes/s", *(result.writes for result in results)),
            ("writes/s elsewhere", *(load.writes_elsewhere for load in _LOADS)),
            ("reads/s", *(result.reads for result in results)),
            ("reads/s elsewhere", *(load.reads_elsewhere for load in _LOADS)),
            ("write p95, ms", *(result.p95 for result in results)),
            ("slowest write, ms", *(result.slowest for result in results)),
            ("errors", *(result.errors.total() for result in results)),
            ("lost", *(result.lost for result in results)),
        ],
        notes=(
            "Elsewhere: other hardware; SQL for memory, terms and vector; reads are searches.",
            "Here: the public API, with audit, without vectors; reads are get and list in turns.",
            "Lost: acknowledged, and not found as it was written by a fresh open afterwards.",
            *(f"Errors: {count:,} × {name}." for name, count in failures.items()),
        ),
    )


def _result(context: Context, load: Load) -> Result:
    path = context.folder / f"{load.name}.db"
    context.say(load.name)
    writers, readers = _run(load, path, context.seconds)
    context.say(f"{load.name}, looking for what was acknowledged")
    durations = [each * 1e3 for outcome in writers for each in outcome.durations]
    return Result(
        writes=load.batch * _rate(writers),
        reads=_rate(readers) if readers else None,
        p95=p50_and_p95(durations)[1] if len(durations) > 1 else None,
        slowest=max(durations, default=None),
        errors=sum((outcome.errors for outcome in (*writers, *readers)), Counter()),
        lost=_lost(path, writers),
    )


def _run(load: Load, path: Path, limit: float) -> tuple[list[Outcome], list[Outcome]]:
    """All processes begin together, once each of them is up."""
    with Tacit.open(path, embedder="none") as tacit:
        ids = [written.id for written in tacit.memories.remember_all(make_texts(_SEED))]
    size = load.writers + load.readers
    spawn = get_context("spawn")
    with ProcessPoolExecutor(
        size, spawn, initializer=spawn.Barrier(size).wait, initargs=(_START_SECONDS,)
    ) as pool:
        writers = [
            pool.submit(write, path, number, load.batch, limit) for number in range(load.writers)
        ]
        readers = [pool.submit(read, path, number, ids, limit) for number in range(load.readers)]
        return _results(writers), _results(readers)


def _results(futures: Iterable[Future[Outcome]]) -> list[Outcome]:
    return [future.result() for future in futures]


def _lost(path: Path, outcomes: Iterable[Outcome]) -> int:
    """How many acknowledged memories a fresh open does not find, word for word."""
    expected = {id: text for outcome in outcomes for id, text in outcome.acknowledged.items()}
    with Tacit.open(path, embedder="none") as tacit:
        return sum(not _kept(tacit, id, text) for id, text in expected.items())


def _kept(tacit: Tacit, id: str, text: str) -> bool:
    try:
        return tacit.get(id).content == text
    except TacitError:
        return False


def _rate(outcomes: Iterable[Outcome]) -> float:
    return sum(len(outcome.durations) / outcome.elapsed for outcome in outcomes)
