"""Search as memories grow in number: in one workspace, and spread over a thousand."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.batches import batches
from benchmarks.clustered import ClusteredEmbedder
from benchmarks.context import Context, Say
from benchmarks.figures import Figure, latency, rate, seconds, side_by_side
from benchmarks.pruning import kept_by_pruning
from benchmarks.report import Report
from benchmarks.sentences import (
    content_queries,
    english_queries,
    make_sentences,
    natural_queries,
)
from benchmarks.targets import verdicts
from benchmarks.timed_model import TimedModel
from tacit import Embedder, Tacit

_MOST_WORKSPACES = 1_000
_PER_WORKSPACE = 100
_QUERIES = 200
_NOTES = (
    "Words of Zipf's law with English stop words, 384 dimensions in 2,000 clusters. Natural: 10 to"
    " 25 words, two fifths of them stop words; content: six words, no stop words.",
    "Without embedding the query's vector is at hand; with embedding MiniLM makes it.",
    "Open + first search: a new process, from `import tacit` on; its file is in the page cache.",
)


@dataclass(frozen=True)
class Layout:
    """So many memories over so many workspaces."""

    size: int
    spread: bool

    @property
    def workspaces(self) -> list[str]:
        """Their names."""
        most = min(_MOST_WORKSPACES, self.size // _PER_WORKSPACE) if self.spread else 1
        return [f"workspace-{number}" for number in range(most)]

    @property
    def name(self) -> str:
        """A heading for a column."""
        return f"{_short(self.size)} in {_short(len(self.workspaces))}"

    @cached_property
    def texts(self) -> list[str]:
        """What is remembered."""
        return make_sentences(self.size)


def _short(count: int) -> str:
    return f"{count // 1_000}k" if count >= 1_000 else str(count)


def run(context: Context) -> Report:
    """One column for each size in one workspace, and one for the same spread."""
    layouts = [Layout(size, spread) for size in context.sizes for spread in (False, True)]
    columns = {each.name: _measure(each, context) for each in layouts}
    values = {
        (layout.size, layout.spread, figure.measure): figure.value
        for layout in layouts
        for figure in columns[layout.name]
    }
    return Report(
        title="Scale: memories in workspaces",
        columns=("measure", "unit", *columns),
        rows=side_by_side(columns),
        notes=(*_NOTES, *verdicts(values)),
    )


def _measure(layout: Layout, context: Context) -> list[Figure]:
    def say(step: str) -> None:
        context.say(f"{layout.name}: {step}")

    embedder = ClusteredEmbedder()
    path = context.folder / f"{layout.size}-{layout.spread}.db"
    say("remembering")
    figures = [_ingest(layout, path, embedder), _disk(layout, path)]
    say("opening in a new process")
    figures += _fresh(layout, path, embedder)
    opened = [Tacit.open(path, name, embedder=embedder) for name in layout.workspaces]
    figures += _bare(layout, opened, embedder, say)
    say("pruning")
    natural = natural_queries(layout.texts, _QUERIES)
    figures.append(Figure("kept by pruning", "share", kept_by_pruning(opened, natural)))
    for tacit in opened:
        tacit.close()
    return [*figures, *_embedding(layout, path, TimedModel(embedder.model), say)]


def _ingest(layout: Layout, path: Path, embedder: Embedder) -> Figure:
    names = layout.workspaces
    shares = [layout.texts[number :: len(names)] for number in range(len(names))]

    def work() -> None:
        for name, share in zip(names, shares, strict=True):
            with Tacit.open(path, name, embedder=embedder) as tacit:
                for batch in batches(share):
                    tacit.remember_all(batch)

    return rate("remember_all by 100", layout.size, seconds(work))


def _disk(layout: Layout, path: Path) -> Figure:
    total = sum(each.stat().st_size for each in path.parent.glob(f"{path.name}*"))
    return Figure("disk per memory", "bytes", total / layout.size)


def _fresh(layout: Layout, path: Path, embedder: ClusteredEmbedder) -> list[Figure]:
    query = content_queries(1)[0]
    task = {
        "path": str(path),
        "workspaces": layout.workspaces,
        "query": query,
        "name": embedder.model.name,
        "revision": embedder.model.revision,
        "vector": embedder.embed([query])[0].tolist(),
    }
    found = _in_new_process(task)
    return [
        Figure("open + first search", "ms", found["first"] * 1e3),
        Figure("the same, tacit imported", "ms", median(found["each"]) * 1e3),
        Figure("memory per memory", "bytes", found["bytes"] / layout.size),
    ]


def _in_new_process(task: Mapping[str, Any]) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.fresh"]
    done = subprocess.run(
        command, input=json.dumps(task), capture_output=True, text=True, check=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _bare(
    layout: Layout, opened: Sequence[Tacit], embedder: ClusteredEmbedder, say: Say
) -> list[Figure]:
    """Searches whose vectors are at hand, after one in each workspace."""
    say("first searches")
    for tacit in opened:
        tacit.search("the first")
    found = []
    natural = natural_queries(layout.texts, _QUERIES)
    for name, queries in (("natural", natural), ("content", content_queries(_QUERIES))):
        say(f"{name} queries")
        embedder.prepare(queries)
        found += latency(f"search, {name}", _times(opened, queries))
    return found


def _embedding(layout: Layout, path: Path, model: Embedder, say: Say) -> list[Figure]:
    """Searches with MiniLM in a few of the workspaces."""
    opened = [Tacit.open(path, name, embedder=model) for name in layout.workspaces[:20]]
    for tacit in opened:
        tacit.search("the first")
    found = []
    for name, shortest, longest in (("10 to 25", 10, 25), ("200", 200, 200)):
        say(f"embedding {name} tokens")
        queries = english_queries(_QUERIES, shortest, longest)
        found += latency(f"embedding {name} tokens", _times(opened, queries))
    for tacit in opened:
        tacit.close()
    return found


def _times(opened: Sequence[Tacit], queries: Sequence[str]) -> list[float]:
    """How long each query takes; the workspaces take turns."""
    turns = zip(cycle(opened), queries, strict=False)
    return [seconds(partial(tacit.search, query)) for tacit, query in turns]
