"""The course of the comparison, and its table."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from benchmarks.context import Context
from benchmarks.figures import Figure, seconds
from benchmarks.indexes import build_indexes
from benchmarks.layout import Layout
from benchmarks.postgres import asking, exactness
from benchmarks.postgres.filling import Columns, encode, fill
from benchmarks.postgres.material import Material, synthetic
from benchmarks.postgres.real import longmemeval
from benchmarks.postgres.sides import EVERYTHING, Opened, Side, opened
from benchmarks.report import Report, Row
from benchmarks.server import database, server
from benchmarks.timed_model import TimedModel
from tacit.settings.server import PostgresSettings

_SQLITE, _POSTGRES = "SQLite", "PostgreSQL"
_LEAST_RECALL = 0.95
_NOTES = (
    "Both in turns, query by query and batch by batch, so that they share the noise; the server"
    " flushes every commit, as SQLite does. Texts, queries and turns as in scale and turns.",
    "A workspace has indexes in PostgreSQL where there is a time to build them; every other one"
    " is searched in memory, as SQLite's are.",
    "Exact: a search in memory that compares every vector and every word, and for the nearest the"
    " vectors themselves. Real texts are those of LongMemEval, embedded by MiniLM.",
    "Ingest is that of the last 20,000; what came before was taken in by a thousand at a time.",
)


def run(context: Context) -> Report:
    """Every size in one workspace and spread, then real texts."""
    rows: list[Row] = []
    verdicts: list[str] = []
    with server() as url:
        for material in _materials(context):
            with _sides(context, url) as sides:
                columns = _measure(material, sides, context)
            rows += _rows(material, columns)
            verdicts += _verdicts(material, columns[_POSTGRES])
    return Report(
        title="PostgreSQL beside SQLite",
        columns=("memories", "measure", "unit", _SQLITE, _POSTGRES, "ratio"),
        rows=rows,
        notes=(*_NOTES, *verdicts),
    )


def _materials(context: Context) -> Iterator[Material]:
    usual = PostgresSettings().resident_memories
    resident = usual if context.resident is None else context.resident
    for size in context.sizes:
        for spread in context.spreads:
            yield synthetic(Layout(size, spread), resident)
    if context.data:
        yield longmemeval(context.data, context.say)


@contextmanager
def _sides(context: Context, url: str) -> Iterator[list[Side]]:
    """A new file and a new database, which are gone afterwards."""
    file = context.folder / "memories.db"
    with database(url, "tacit_bench") as location:
        yield [Side(_SQLITE, str(file)), Side(_POSTGRES, location)]
    for each in context.folder.glob(f"{file.name}*"):
        each.unlink()


def _measure(material: Material, sides: Sequence[Side], context: Context) -> Columns:
    def say(step: str) -> None:
        context.say(f"{material.name}: {step}")

    with opened(sides, material.embedder, EVERYTHING) as filled:
        parts = [fill(filled, material, say)]
        encode(filled, material, say)
    say("exact searches")
    hits = exactness.exact_hits(sides, material)
    nearest = exactness.exact_nearest(material)
    with opened(sides, material.embedder, material.resident) as asked:
        say("indexing")
        parts.append({name: _indexed(each, material) for name, each in asked.items()})
        say("first searches")
        parts.append(asking.first_searches(sides, material))
        say("searches")
        parts.append(asking.searches(asked, material))
        say("recall")
        parts.append(exactness.recall(asked, material, hits, nearest))
    say("turns")
    with opened(sides, TimedModel(material.embedder), material.resident) as asked:
        parts.append(asking.turns(asked, material))
    return {side.name: [each for part in parts for each in part[side.name]] for side in sides}


def _indexed(side: Opened, material: Material) -> list[Figure]:
    """What lies on the disk, and how long it takes to index what must not be held in memory."""
    before = _disk("disk per memory", side, material)
    built: list[bool] = []
    taken = seconds(lambda: built.append(build_indexes(side.store, material.workspaces)))
    if not any(built):
        return [before]
    after = _disk("disk, with indexes", side, material)
    return [before, Figure("index build", "s", taken), after]


def _disk(measure: str, side: Opened, material: Material) -> Figure:
    return Figure(measure, "bytes", float(str(side.store.describe()["bytes"])) / material.size)


def _rows(material: Material, columns: Mapping[str, Sequence[Figure]]) -> list[Row]:
    values = {
        name: {(each.measure, each.unit): each.value for each in figures}
        for name, figures in columns.items()
    }
    rows: list[Row] = []
    for measure, unit in max(values.values(), key=len):
        ours = values[_SQLITE].get((measure, unit))
        theirs = values[_POSTGRES].get((measure, unit))
        ratio = theirs / ours if ours and theirs is not None else None
        rows.append((material.name, measure, unit, ours, theirs, ratio))
    return rows


def _verdicts(material: Material, figures: Sequence[Figure]) -> list[str]:
    return [
        f"{'met' if each.value >= _LEAST_RECALL else 'MISSED'}: {each.measure} on {_POSTGRES},"
        f" {material.name}: {each.value:.3f}, target ≥ {_LEAST_RECALL}"
        for each in figures
        if each.measure in exactness.measures(material)
    ]
