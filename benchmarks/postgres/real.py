"""LongMemEval's texts and questions, embedded by MiniLM once and kept for later runs."""

from pathlib import Path

import numpy as np

from benchmarks.context import Say
from benchmarks.minilm import minilm
from benchmarks.peers.peer import Floats, Known
from benchmarks.peers.tacits import Given
from benchmarks.postgres.material import Material
from tacit import Embedder, Tacit
from tacit.evals.benchmarks import longmemeval_conversation, parse_longmemeval
from tacit.evals.corpus import open_conversations

_FILE = "longmemeval_s_dev50.json.gz"
_RESIDENT = 1_000
_NEAREST = 50
_PAGE = 500


def longmemeval(folder: Path, say: Say) -> Material:
    """All conversations in one workspace, large enough for indexes."""
    path = folder / _FILE
    data = path.read_bytes()
    samples = parse_longmemeval(path, data)
    embedder = minilm()
    known: Known = {}
    conversations = [longmemeval_conversation(each) for each in samples]
    for name, tacit in open_conversations(data, conversations, lambda *_: None):
        say(f"LongMemEval: embedding {name}")
        known |= _vectors(tacit, embedder)
        tacit.close()
    texts = list(known)
    questions = list(dict.fromkeys(each["question"] for each in samples))
    known |= {each: np.asarray(embedder.embed_query(each), np.float32) for each in questions}
    return Material(
        name="real texts",
        shares={"longmemeval": texts},
        queries={"questions": questions},
        embedder=Given(known),
        resident=_RESIDENT,
        nearest=_NEAREST,
    )


def _vectors(tacit: Tacit, embedder: Embedder) -> dict[str, Floats]:
    """The texts of a workspace with their vectors, as they are stored."""
    found: dict[str, Floats] = {}
    after = None
    while page := tacit.list(sort="created", limit=_PAGE, after=after):
        with tacit._context.store.read(tacit.workspace.name) as unit:
            held = unit.vectors.get([each.id for each in page], embedder.model)
        found |= {
            each.content: np.asarray(held[each.id], np.float32) for each in page if each.id in held
        }
        after = page[-1].id
    return found
