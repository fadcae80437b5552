"""The library as its users call it, with and without vectors."""

from collections.abc import Callable, Sequence
from io import BytesIO
from random import Random
from typing import Any, TypeVar

from benchmarks.batches import BATCH, batches
from benchmarks.context import Context
from benchmarks.figures import Figure, latency, rate, seconds, side_by_side
from benchmarks.report import Report
from benchmarks.texts import make_texts
from benchmarks.token_codes import encode_tokens
from tacit import Embedder, FakeEmbedder, Tacit

_MEMORIES = 10_000
_SINGLE = 2_000
_PAGE = 1_000
_LISTS = 100
_SORTS = ("recent", "importance")

Draft = dict[str, Any]
Item = TypeVar("Item")


def run(context: Context) -> Report:
    """The same work on two stores: one without an embedder, one with the fake."""
    drafts, fake = _drafts(), FakeEmbedder()
    columns = {
        "no embedder": _measure(context, drafts, "none"),
        "FakeEmbedder": _measure(context, drafts, fake),
    }
    return Report(
        title=f"Store: {_MEMORIES:,} memories through the public API",
        columns=("measure", "unit", *columns),
        rows=side_by_side(columns),
        notes=(
            f"FakeEmbedder's vectors have {fake.model.dims} dimensions and are made in Python.",
            "Token codes are made beside the writing, and all of them are on the disk in the end.",
            "In an archive a memory is one line, its audit entry one, its vector one.",
        ),
    )


def _drafts() -> list[Draft]:
    random = Random(3)
    return [
        {"content": text, "importance": round(random.random(), 2)} for text in make_texts(_MEMORIES)
    ]


def _measure(context: Context, drafts: Sequence[Draft], embedder: Embedder | str) -> list[Figure]:
    name = "no-vectors" if embedder == "none" else "vectors"
    path, archive = context.folder / f"{name}.db", BytesIO()
    with Tacit.open(path, embedder=embedder) as tacit:
        context.say(f"{name}, writing")
        written = _writing(tacit, drafts)
        context.say(f"{name}, reading")
        read = _reading(tacit)
        encode_tokens(tacit)
        context.say(f"{name}, exporting")
        exported = _exporting(tacit, archive)
    with Tacit.open(path.with_name(f"{name}-copy.db"), embedder=embedder) as copy:
        context.say(f"{name}, importing")
        imported = _importing(copy, archive)
    size = Figure("on disk, per memory", "bytes", path.stat().st_size / _MEMORIES)
    return [*written, *read, exported, imported, size]


def _writing(tacit: Tacit, drafts: Sequence[Draft]) -> list[Figure]:
    single, rest = drafts[:_SINGLE], drafts[_SINGLE:]
    one_by_one = _each("remember", lambda draft: tacit.remember(**draft), single)
    together = seconds(lambda: [tacit.memories.remember_all(batch) for batch in batches(rest)])
    return [
        one_by_one,
        rate(f"remember_all, batches of {BATCH}", len(rest), together),
        _each("remember what is known", lambda draft: tacit.remember(**draft), single),
    ]


def _reading(tacit: Tacit) -> list[Figure]:
    ids = _all_ids(tacit)
    Random(4).shuffle(ids)
    lists = (_listing(tacit, sort) for sort in _SORTS)
    return [_each("get", tacit.get, ids), *(figure for pair in lists for figure in pair)]


def _listing(tacit: Tacit, sort: str) -> list[Figure]:
    durations = [seconds(lambda: tacit.list(sort=sort)) for _ in range(_LISTS)]
    return latency(f"list, {sort}", durations)


def _all_ids(tacit: Tacit) -> list[str]:
    ids: list[str] = []
    while page := tacit.list(sort="created", limit=_PAGE, after=ids[-1] if ids else None):
        ids += [memory.id for memory in page]
    return ids


def _exporting(tacit: Tacit, archive: BytesIO) -> Figure:
    duration = seconds(lambda: tacit.archive.export_to(archive, embeddings=True))
    return rate("export, lines", _lines(archive), duration)


def _importing(tacit: Tacit, archive: BytesIO) -> Figure:
    archive.seek(0)
    duration = seconds(lambda: tacit.archive.import_from(archive))
    return rate("import, lines", _lines(archive), duration)


def _lines(archive: BytesIO) -> int:
    return archive.getvalue().count(b"\n")


def _each(measure: str, call: Callable[[Item], object], items: Sequence[Item]) -> Figure:
    return rate(measure, len(items), seconds(lambda: [call(item) for item in items]))
