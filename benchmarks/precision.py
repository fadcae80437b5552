"""`python -m benchmarks.precision --locomo FILE`: what eight bits cost, and what who spoke brings.

Recall of vectors alone on LoCoMo, and the time of one text, in eight bits and in single precision.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx
from rich.console import Console
from rich.table import Table

from benchmarks.figures import seconds
from benchmarks.sentences import english_queries
from tacit.embedding.embedder import ignore_progress
from tacit.embedding.minilm.embedder import MiniLM, open_session
from tacit.embedding.minilm.model_files import ENGLISH, WEIGHTS, ModelCache
from tacit.embedding.minilm.network import build_graph, read_safetensors
from tacit.embedding.minilm.provision import configured_sources, fetch_model_files
from tacit.embedding.minilm.tokenizer import MiniLMTokenizer
from tacit.evals.benchmarks import locomo_conversation, locomo_questions, parse_locomo

_DEPTH = 10
_LENGTHS = (12, 25, 64)
_TIMES = 50


def main() -> None:
    """Compare, and print one table."""
    parser = argparse.ArgumentParser("python -m benchmarks.precision", description=__doc__)
    parser.add_argument("--locomo", type=Path, required=True, metavar="FILE")
    samples = parse_locomo(path := parser.parse_args().locomo, path.read_bytes())
    with TemporaryDirectory(prefix="tacit-precision-") as folder:
        eight = MiniLM.open(model=ENGLISH)
        models = {"eight bits": eight, "single precision": _single(Path(folder))}
        lengths = [f"{tokens} tokens, ms" for tokens in _LENGTHS]
        table = Table("", f"recall@{_DEPTH}", "without who spoke", *lengths, box=None)
        for name, model in models.items():
            recalls = [f"{_recall(model, samples, spoken):.3f}" for spoken in (True, False)]
            times = [f"{_time(model, tokens):.1f}" for tokens in _LENGTHS]
            table.add_row(name, *recalls, *times)
    Console().print(table)


def _single(folder: Path) -> MiniLM:
    """The network before it is quantised."""
    fetch_model_files(configured_sources(), folder, ignore_progress)
    graph = folder / "single.onnx"
    onnx.save(build_graph(read_safetensors(folder / WEIGHTS.name)), graph)
    tokenizer = MiniLMTokenizer.load(ModelCache.of_user().tokenizer(ENGLISH))
    return MiniLM(ENGLISH, open_session(graph, threads=1), tokenizer)


def _recall(model: MiniLM, samples: Sequence[Mapping[str, Any]], spoken: bool) -> float:
    found = []
    for sample in samples:
        drafts = locomo_conversation(sample).drafts
        rows = model.embed([_text(draft, spoken) for draft in drafts])
        for question, gold in locomo_questions(sample):
            cosines = rows @ model.embed_query(question["question"])
            best = np.argsort(-cosines, kind="stable")[:_DEPTH]
            found.append(len(gold & {drafts[place]["key"] for place in best}) / len(gold))
    return float(np.mean(found))


def _text(draft: Mapping[str, Any], spoken: bool) -> str:
    said: str = draft["content"]
    return f"{draft['origin']['speaker']}: {said}" if spoken else said


def _time(model: MiniLM, tokens: int) -> float:
    texts = english_queries(_TIMES, tokens, tokens)
    return 1e3 * median(seconds(lambda text=text: model.embed_query(text)) for text in texts)


if __name__ == "__main__":
    main()
