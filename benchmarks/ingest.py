"""Writing with the real model, beside the model alone on the same texts."""

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.batches import batches
from benchmarks.context import Context
from benchmarks.figures import seconds
from benchmarks.report import Report
from benchmarks.sentences import make_sentences, make_turns
from benchmarks.token_codes import wait_for_tokens
from tacit import Tacit
from tacit.embedding.minilm.embedder import MiniLM
from tacit.embedding.minilm.embedder import make_batches as model_batches

_TEXTS = 400
_ROUNDS = 3

Draft = Mapping[str, Any]
Durations = Mapping[str, float]


def run(context: Context) -> Report:
    """The bare network on tokens made ahead, the embedder, and whole writes, in turns."""
    model = MiniLM.open()
    texts = make_sentences(_TEXTS, seed=9)
    encoded = [model._tokens.of_text(text) for text in texts]
    ways: Sequence[Callable[[], Durations]] = (
        lambda: {"network alone": seconds(lambda: _network(model, encoded))},
        lambda: {"embedder": seconds(lambda: model.embed(texts))},
        lambda: _write(context, model, "without origin", [{"content": text} for text in texts]),
        lambda: _write(context, model, "with origin", make_turns(texts)),
    )
    times: dict[str, list[float]] = {}
    for number in range(_ROUNDS):
        context.say(f"round {number + 1}")
        for way in ways:
            for name, duration in way().items():
                times.setdefault(name, []).append(duration)
    rates = {name: _TEXTS / median(each) for name, each in times.items()}
    bare = rates["network alone"]
    return Report(
        title=f"Ingest: {_TEXTS} texts of about thirty words with the real model",
        columns=("measure", "texts/s", "share of the network alone"),
        rows=[(name, rate, rate / bare) for name, rate in rates.items()],
        notes=(
            "Returned: until remember_all has returned, by a hundred, with every vector there;"
            " encoded: until every token code is there too, which the background makes.",
            "With origin: turns of sessions, each encoded behind the two before it.",
        ),
    )


def _network(model: MiniLM, encoded: list[list[int]]) -> None:
    for batch in model_batches([len(tokens) for tokens in encoded]):
        model._run([encoded[place] for place in batch], "embedding")


def _write(context: Context, model: MiniLM, name: str, drafts: Sequence[Draft]) -> Durations:
    """How long writing takes in a new database: until it returns, and until all is encoded."""
    path = context.folder / "ingest.db"
    with Tacit.open(path, embedder=model) as tacit:
        start = perf_counter()
        for batch in batches(drafts):
            tacit.memories.remember_all(batch)
        returned = perf_counter()
        wait_for_tokens(tacit)
        encoded = perf_counter()
    for each in context.folder.glob(f"{path.name}*"):
        each.unlink()
    return {f"{name}, returned": returned - start, f"{name}, encoded": encoded - start}
