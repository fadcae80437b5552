"""The memories that are there before the load, embedded once for everyone."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.batches import batches
from benchmarks.context import Say
from benchmarks.load.statements import statements
from benchmarks.minilm import minilm
from benchmarks.token_codes import encode_tokens
from tacit import Tacit
from tacit.core.vectors import Vector
from tacit.embedding.embedder import Embedder, TextInContext, TokenRows, to_token_embedder

Floats = NDArray[np.float32]
_SEED = 1


class _Prepared:
    """Looks vectors up that the model made, and has it make those of tokens."""

    def __init__(self, model: Embedder, known: dict[str, Floats]) -> None:
        self.model = model.model
        self._real, self.token_model = to_token_embedder(model)
        self._known = known

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text."""
        return [self._known[text] for text in texts]

    def embed_query(self, text: str) -> Vector:
        """The vector of a query."""
        return self._known[text]

    def embed_tokens(self, texts: Sequence[TextInContext]) -> Sequence[TokenRows]:
        """The vectors of tokens that the server would make."""
        return self._real.embed_tokens(texts)


def texts(count: int) -> list[str]:
    """The memories before the load."""
    return list(islice(statements(_SEED), count))


def embed(count: int, path: Path, say: Say) -> None:
    """Write the vectors of the memories to a file."""
    say(f"embedding {count:,} memories")
    embedder = minilm()
    rows = [np.asarray(embedder.embed(batch), np.float32) for batch in batches(texts(count))]
    np.save(path, np.concatenate(rows))


def known(count: int, path: Path) -> dict[str, Floats]:
    """The vector of each memory, as they were written."""
    return dict(zip(texts(count), np.load(path), strict=True))


def fill(database: Path, count: int, vectors: Path) -> None:
    """Remember them in Tacit, under the name of the model that made the vectors."""
    embedder = _Prepared(minilm(), known(count, vectors))
    with Tacit.open(database, embedder=embedder) as tacit:
        for batch in batches(texts(count)):
            tacit.memories.remember_all(batch)
        encode_tokens(tacit)
