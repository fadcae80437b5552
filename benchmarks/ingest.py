"""Writing with the real model, beside the model alone on the same texts."""

from functools import partial
from statistics import median

from benchmarks.batches import batches
from benchmarks.context import Context
from benchmarks.figures import seconds
from benchmarks.report import Report
from benchmarks.sentences import make_sentences
from tacit import Tacit
from tacit.embedding.minilm.embedder import MiniLM
from tacit.embedding.minilm.embedder import make_batches as model_batches

_TEXTS = 400
_ROUNDS = 3


def run(context: Context) -> Report:
    """The bare network on tokens made ahead, the embedder, and a whole write, in turns."""
    model = MiniLM.open()
    texts = make_sentences(_TEXTS, seed=9)
    encoded = [model._tokens.of_text(text) for text in texts]
    times: dict[str, list[float]] = {"network alone": [], "embedder": [], "remember_all": []}
    for number in range(_ROUNDS):
        context.say(f"round {number + 1}")
        times["network alone"].append(seconds(lambda: _network(model, encoded)))
        times["embedder"].append(seconds(lambda: model.embed(texts)))
        path = context.folder / f"ingest{number}.db"
        with Tacit.open(path, embedder=model) as tacit:
            times["remember_all"].append(seconds(partial(_remember, tacit, texts)))
    rates = {name: _TEXTS / median(each) for name, each in times.items()}
    bare = rates["network alone"]
    return Report(
        title=f"Ingest: {_TEXTS} texts of about thirty words with the real model",
        columns=("measure", "texts/s", "share of the network alone"),
        rows=[(name, rate, rate / bare) for name, rate in rates.items()],
        notes=("Target: writing at no less than .80 of the network alone.",),
    )


def _network(model: MiniLM, encoded: list[list[int]]) -> None:
    for batch in model_batches([len(tokens) for tokens in encoded]):
        model._run([encoded[place] for place in batch], "embedding")


def _remember(tacit: Tacit, texts: list[str]) -> None:
    for batch in batches(texts):
        tacit.remember_all(batch)
