"""Search as memories grow in number: in one workspace, and spread over a thousand."""

from collections.abc import Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from time import thread_time

from benchmarks.batches import batches
from benchmarks.clustered import ClusteredEmbedder
from benchmarks.context import Context, Say
from benchmarks.figures import Figure, latency, rate, seconds, side_by_side
from benchmarks.layout import Layout
from benchmarks.new_process import in_new_process
from benchmarks.pruning import kept_by_pruning
from benchmarks.report import Report
from benchmarks.sentences import content_queries, english_queries, natural_queries
from benchmarks.targets import verdicts
from benchmarks.timed_model import TimedModel
from benchmarks.token_codes import encode_tokens
from tacit import Embedder, Tacit

_QUERIES = 200
_NOTES = (
    "Words of Zipf's law with English stop words, 384 dimensions in 2,000 clusters. Natural: 10 to"
    " 25 words, two fifths of them stop words; content: six words, no stop words.",
    "Without embedding the query's vector is at hand; with embedding MiniLM makes it. CPU is"
    " that of the searching thread, which other work on the machine slows least.",
    "Open + first search: a new process, from `import tacit` on; its file is in the page cache.",
)


def run(context: Context) -> Report:
    """One column for each size in one workspace, and one for the same spread."""
    layouts = [Layout(size, spread) for size in context.sizes for spread in context.spreads]
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
    figures = [_ingest(layout, path, embedder)]
    say("encoding")
    _encode(layout, path, embedder)
    figures.append(_disk(layout, path))
    say("opening in a new process")
    figures += _fresh(layout, path, embedder)
    opened = [Tacit.open(path, name, embedder=embedder) for name in layout.workspaces]
    figures += _bare(layout, opened, embedder, say)
    say("pruning")
    natural = natural_queries(layout.texts, _QUERIES)
    figures.append(Figure("kept by pruning", "share", kept_by_pruning(opened, natural)))
    for tacit in opened:
        tacit.close()
    return [*figures, *_embedding(layout, path, TimedModel(embedder), say)]


def _ingest(layout: Layout, path: Path, embedder: Embedder) -> Figure:
    def work() -> None:
        for name, share in layout.shares.items():
            with Tacit.open(path, name, embedder=embedder) as tacit:
                for batch in batches(share):
                    tacit.memories.remember_all(batch)

    return rate("remember_all by 100", layout.size, seconds(work))


def _encode(layout: Layout, path: Path, embedder: Embedder) -> None:
    """Make the token codes that closing left to be made."""
    for name in layout.workspaces:
        with Tacit.open(path, name, embedder=embedder) as tacit:
            encode_tokens(tacit)


def _disk(layout: Layout, path: Path) -> Figure:
    total = sum(each.stat().st_size for each in path.parent.glob(f"{path.name}*"))
    return Figure("disk per memory", "bytes", total / layout.size)


def _fresh(layout: Layout, path: Path, embedder: ClusteredEmbedder) -> list[Figure]:
    found = in_new_process(str(path), layout.workspaces, content_queries(1)[0], embedder)
    return [
        Figure("open + first search", "ms", found["first"] * 1e3),
        Figure("the same, tacit imported", "ms", median(found["each"]) * 1e3),
        Figure("memory per memory", "bytes", found["bytes"] / layout.size),
    ]


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
        for mode, times in times_by_mode(opened, queries).items():
            found += latency(f"search, {name}{mode}", [wall for wall, _ in times])
            found += latency(f"search, {name}{mode}, CPU", [cpu for _, cpu in times])
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


def times_by_mode(
    opened: Sequence[Tacit], queries: Sequence[str]
) -> dict[str, list[tuple[float, float]]]:
    """How long each query takes with tokens and without; which is first changes."""
    modes = [("", "auto"), (", no tokens", "off")]
    times: dict[str, list[tuple[float, float]]] = {name: [] for name, _ in modes}
    for tacit, query in zip(cycle(opened), queries, strict=False):
        modes.reverse()
        for name, mode in modes:
            started = thread_time()
            wall = seconds(partial(tacit.search, query, late_interaction=mode))
            times[name].append((wall, thread_time() - started))
    return times


def _times(opened: Sequence[Tacit], queries: Sequence[str]) -> list[float]:
    """How long each query takes; the workspaces take turns."""
    turns = zip(cycle(opened), queries, strict=False)
    return [seconds(partial(tacit.search, query)) for tacit, query in turns]
