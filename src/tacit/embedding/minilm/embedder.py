"""The local embedders: all-MiniLM-L6-v2 in eight bits, on the CPU, as published or taught more.

Text becomes tokens, tokens become batches, and ONNX Runtime makes vectors of them: one for each
text, or one for each of its tokens.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Self, TypeVar

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from tacit.core.errors import ModelUnavailable
from tacit.core.matrix_products import matrix_products
from tacit.embedding.embedder import Progress, QueryTokens, TextInContext, ignore_progress
from tacit.embedding.minilm.model_files import (
    ENGLISH,
    MODELS,
    SEVEN_LANGUAGES,
    WIDTH,
    MiniLMModel,
    ModelCache,
)
from tacit.embedding.minilm.tokenizer import MiniLMTokenizer
from tacit.runtime.native_calls import native_call

Floats = NDArray[np.float32]
Loaded = TypeVar("Loaded")


class MiniLM:
    """Runs the network; threads may share it."""

    def __init__(
        self,
        described: MiniLMModel,
        session: Any,
        tokens: MiniLMTokenizer,
        components: Floats | None = None,
    ) -> None:
        self.model = described.model
        self.token_model = described.token_model
        self._session = session
        self._tokens = tokens
        self._components = described.token_components() if components is None else components

    @classmethod
    def open(
        cls,
        progress: Progress | None = None,
        *,
        model: MiniLMModel = SEVEN_LANGUAGES,
        threads: int = 1,
    ) -> Self:
        """Load a model; all are fetched and built first if they are missing or broken."""
        load = partial(cls.load, model=model, threads=threads)
        return load_or_build(load, progress or ignore_progress)

    @classmethod
    def load(
        cls, cache: ModelCache, *, model: MiniLMModel = SEVEN_LANGUAGES, threads: int = 1
    ) -> Self:
        """Load a model that is in the cache."""
        session = open_session(cache.graph(model), threads=threads)
        return cls(model, session, MiniLMTokenizer.load(cache.tokenizer(model)))

    def embed(self, texts: Sequence[str]) -> Floats:
        """One unit vector for the beginning of each text, 254 tokens, in order."""
        encoded = [self._tokens.of_text(text) for text in texts]
        vectors = np.empty((len(encoded), WIDTH), np.float32)
        for batch in make_batches([len(ids) for ids in encoded]):
            (vectors[batch],) = self._run([encoded[place] for place in batch], "embedding")
        return vectors

    def embed_query(self, text: str) -> Floats:
        """The unit vector of a query: of its 64 most informative tokens if it is longer."""
        (vectors,) = self._run([self._tokens.of_query(text).ids], "embedding")
        vector: Floats = vectors[0]
        return vector

    def embed_tokens(self, texts: Sequence[TextInContext]) -> list[Floats]:
        """The unit vectors of each text's own tokens, read behind 120 tokens of its context."""
        encoded = [self._tokens.of_text_in_context(each) for each in texts]
        vectors: dict[int, Floats] = {}
        for batch in make_batches([len(each.ids) for each in encoded]):
            (states,) = self._run([encoded[place].ids for place in batch], "token_states")
            for place, row in zip(batch, states, strict=True):
                vectors[place] = self._project(row[encoded[place].own])
        return [vectors[place] for place in range(len(texts))]

    def embed_query_tokens(self, text: str) -> QueryTokens:
        """What `embed_query` gives and the unit vectors of the same tokens, from one run."""
        query = self._tokens.of_query(text)
        vectors, states = self._run([query.ids], "embedding", "token_states")
        return QueryTokens(vectors[0], self._project(states[0, 1:-1]), query.words())

    def _run(self, encoded: Sequence[Sequence[int]], *outputs: str) -> list[Floats]:
        ids, mask = to_input(encoded)
        with native_call():
            found: list[Floats] = self._session.run(outputs, {"ids": ids, "mask": mask})
        return found

    def _project(self, states: Floats) -> Floats:
        with matrix_products():
            return _to_units(states @ self._components)


def load_or_build(load: Callable[[ModelCache], Loaded], progress: Progress) -> Loaded:
    """What `load` makes of the user's model; that is built first if it is missing or broken."""
    cache = ModelCache.of_user()
    if not cache.is_complete():
        _load_provision().ensure_model(cache, progress)
    try:
        return load(cache)
    except Exception:  # the libraries have many ways to say that a file is broken
        _load_provision().rebuild_model(cache, progress)
    try:
        return load(cache)
    except Exception as error:
        raise ModelUnavailable(
            f"{cache.folder}: the model that was built there cannot be loaded ({error}); "
            "look for updates of onnxruntime, or use another embedder"
        ) from error


def to_input(encoded: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The tokens of texts as the network takes them, padded, and where no padding is."""
    ids = np.zeros((len(encoded), max(map(len, encoded))), np.int64)
    mask = np.zeros_like(ids)
    for row, tokens in enumerate(encoded):
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    return ids, mask


def _to_units(rows: Floats) -> Floats:
    units: Floats = rows / np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    return units


def _load_provision() -> ModuleType:
    """The module that builds the model; needed once on a machine, so it is imported late."""
    from tacit.embedding.minilm import provision

    return provision


def open_session(graph: Path, *, threads: int) -> Any:
    """A graph that is ready to run; waiting threads do not spin, to leave the CPU to others."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    with native_call():
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


BATCH_TOKENS = 512
"""Tokens in a batch, with padding; more is no faster on one thread.

Small batches also keep vectors stable: activations get one scale per batch, so in eight bits the
vector of a text depends a little on the others.
"""


def make_batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions of texts in batches of similar length, so that little is padded."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[place] > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


_KNOWN_SENTENCE = "The memory your agent doesn't have to ask for."
_KNOWN_VECTORS = {
    ENGLISH.name: (0.0232, 0.0552, -0.1183, -0.0197, 0.0310, 0.0459, 0.0396, -0.0151),
    SEVEN_LANGUAGES.name: (0.0266, 0.0546, -0.1240, -0.0301, 0.0335, 0.0400, 0.0310, -0.0106),
}
"""The first numbers of the sentence's vector in single precision, by each model."""

_LEAST_COSINE = 0.98


def find_model_problems(cache: ModelCache) -> list[str]:
    """The problems of the cached models; none if they may be used."""
    if not cache.is_complete():
        return ["the model is not built"]
    damaged = [f"{path.name} is not what was built" for path in cache.damaged_files()]
    return damaged or [found for each in MODELS for found in _compare_known_sentence(cache, each)]


def _compare_known_sentence(cache: ModelCache, model: MiniLMModel) -> list[str]:
    """Compare a known vector: another onnxruntime or CPU may run intact files wrongly."""
    known = _KNOWN_VECTORS[model.name]
    found = MiniLM.load(cache, model=model).embed([_KNOWN_SENTENCE])[0, : len(known)]
    cosine = float(found @ known / np.linalg.norm(found) / np.linalg.norm(known))
    if cosine > _LEAST_COSINE:
        return []
    name = model.model.name
    return [f"{name}: a known sentence gets another vector than it should (cosine {cosine:.3f})"]
