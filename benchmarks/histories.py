"""Long histories: what a turn costs as they grow, and how long it takes to compact them."""

from collections.abc import Callable
from statistics import median
from typing import Any

from benchmarks.context import Context
from benchmarks.figures import Figure, seconds, side_by_side
from benchmarks.report import Report
from benchmarks.sentences import make_sentences
from benchmarks.token_codes import encode_tokens
from tacit import FakeEmbedder, Tacit

_LENGTHS = (20, 200, 2_000)
_TIMES = 20
_NOTES = (
    "Messages of about thirty words, by turns of the user and the assistant; 1,000 memories. A copy"
    " is `list(history)` with every message copied.",
    "Compacting takes half of the history and sums it up without an LLM.",
)


def run(context: Context) -> Report:
    """One column for each length."""
    columns = {f"{length:,} messages": _measure(length, context) for length in _LENGTHS}
    return Report(
        title="Histories: messages before the turn",
        columns=("measure", "unit", *columns),
        rows=side_by_side(columns),
        notes=_NOTES,
    )


def _measure(length: int, context: Context) -> list[Figure]:
    context.say(f"{length:,} messages")
    texts = make_sentences(length + 1_000)
    roles = ("user", "assistant")
    history = [{"role": roles[n % 2], "content": text} for n, text in enumerate(texts[:length])]
    with Tacit.open(":memory:", embedder=FakeEmbedder()) as tacit:
        tacit.memories.remember_all(texts[length:])
        encode_tokens(tacit)
        return [
            _figure("turn", lambda: _turn(tacit, history)),
            _figure("compaction", lambda: tacit.compact(**_asked(history), level="aggressive")),
            _figure("a copy of the history", lambda: [dict(message) for message in history]),
        ]


def _figure(measure: str, work: Callable[[], object]) -> Figure:
    work()
    return Figure(measure, "ms", 1e3 * median(seconds(work) for _ in range(_TIMES)))


def _turn(tacit: Tacit, history: list[dict[str, str]]) -> None:
    tacit.turn(**_asked(history), text="What stands in the hall?", deadline_ms=60_000).roll_back()


def _asked(history: list[dict[str, str]]) -> dict[str, Any]:
    return {"session": "long", "history": history}
