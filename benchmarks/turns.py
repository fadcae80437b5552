"""Whole turns, embedding included: how long they take, and where the time goes."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from time import perf_counter

from benchmarks.batches import batches
from benchmarks.clustered import ClusteredEmbedder
from benchmarks.context import Context
from benchmarks.figures import Figure, latency, side_by_side
from benchmarks.report import Report
from benchmarks.sentences import english_queries, make_sentences
from benchmarks.timed_model import TimedModel
from benchmarks.token_codes import encode_tokens
from tacit import Receipt, Tacit

_TURNS = 200
PER_SESSION = 10
_EVERYTHING = {"contextual_min_score": 0.0, "deadline_ms": 60_000}
_TARGETS = {"turn, p50": 20.0, "turn, p95": 45.0}
_TARGET_SIZE = 100_000
_NOTES = (
    "Messages of 10 to 25 tokens, embedded by MiniLM, in sessions of ten turns whose history is"
    " given back. The relevance floor is 0, so that every turn goes the whole way: its hits through"
    " conflicts, duplicates, budget and block. A turn is its beginning, until the messages are"
    " ready to send; a commit follows the reply.",
    "Each stage's share of the turn by the wall, and its CPU time, both on average.",
)


def run(context: Context) -> Report:
    """One column for each size."""
    sizes = [size for size in context.sizes if size <= _TARGET_SIZE]
    columns = {f"{size:,}": _measure(size, context) for size in sizes}
    return Report(
        title="Turns: memories in one workspace",
        columns=("measure", "unit", *columns),
        rows=side_by_side(columns),
        notes=(*_NOTES, *_verdicts(columns.get(f"{_TARGET_SIZE:,}", []))),
    )


def _measure(size: int, context: Context) -> list[Figure]:
    embedder = ClusteredEmbedder()
    path = context.folder / f"turns-{size}.db"
    context.say(f"{size:,}: remembering")
    with Tacit.open(path, embedder=embedder) as tacit:
        for batch in batches(make_sentences(size)):
            tacit.memories.remember_all(batch)
        encode_tokens(tacit)
    context.say(f"{size:,}: turns")
    with Tacit.open(path, embedder=TimedModel(embedder)) as tacit:
        tacit.warm()
        return _turns(tacit, english_queries(_TURNS, 10, 25))


@dataclass(frozen=True, slots=True)
class Timed:
    """A turn, and how long its beginning and its commit took."""

    beginning: float
    commit: float
    receipt: Receipt


def converse(tacit: Tacit, session: str, texts: Sequence[str]) -> list[Timed]:
    """A session of a turn for each text, whose history is given back."""
    history: list[object] = []
    timed = []
    for text in texts:
        start = perf_counter()
        turn = tacit.turn(session=session, history=history, text=text, **_EVERYTHING)
        begun = perf_counter()
        turn.commit("Understood.")
        timed.append(Timed(begun - start, perf_counter() - begun, turn.receipt))
        history = turn.history
    return timed


def _turns(tacit: Tacit, texts: Sequence[str]) -> list[Figure]:
    sessions = enumerate(batches(texts, PER_SESSION))
    timed = [each for number, said in sessions for each in converse(tacit, f"s-{number}", said)]
    return [
        *latency("turn", [each.beginning for each in timed]),
        *latency("commit", [each.commit for each in timed]),
        Figure("injected", "memories", mean(len(each.receipt.injected) for each in timed)),
        *_stages([each.receipt for each in timed]),
    ]


def _stages(receipts: Sequence[Receipt]) -> list[Figure]:
    wall: dict[str, list[float]] = defaultdict(list)
    cpu: dict[str, list[float]] = defaultdict(list)
    for receipt in receipts:
        for stage, milliseconds in receipt.cpu_ms.items():
            wall[stage].append(receipt.timings_ms[stage] / receipt.timings_ms["total"])
            cpu[stage].append(milliseconds)
    figures = []
    for stage in wall:
        figures.append(Figure(f"{stage}, of the turn", "share", mean(wall[stage])))
        figures.append(Figure(f"{stage}, CPU", "ms", mean(cpu[stage])))
    return figures


def _verdicts(figures: Sequence[Figure]) -> list[str]:
    return [
        f"{'met' if each.value <= bound else 'MISSED'}: {each.measure} at {_TARGET_SIZE:,}:"
        f" {each.value:.3g} ms, target ≤ {bound:g}"
        for each in figures
        if (bound := _TARGETS.get(each.measure)) is not None
    ]
