"""The default embedder: all-MiniLM-L6-v2 in eight bits, on the CPU.

Text becomes tokens, tokens become batches, and ONNX Runtime makes vectors of them.
"""

import atexit
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from tacit.embedding.embedder import Progress, ignore_progress, replace_surrogates
from tacit.embedding.minilm.model_files import MODEL, WIDTH, ModelCache

TEXT_TOKENS = 254
QUERY_TOKENS = 64

_START, _END = 101, 102

_CHARACTERS = 8_000
"""Enough for the tokens of any prose; the rest would be tokenized only to be cut."""


class MiniLMTokenizer:
    """A tokenizer that is configured once and never changed, so that threads may share it."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the published tokenizer; truncation and padding are done here."""
        tokenizer = Tokenizer.from_file(str(path))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return cls(tokenizer)

    def of_text(self, text: str) -> list[int]:
        """The beginning of a text."""
        return [_START, *self._encoded(text).ids[:TEXT_TOKENS], _END]

    def of_query(self, text: str) -> list[int]:
        """The most informative words of a query."""
        encoded = self._encoded(text)
        return [_START, *choose_informative(encoded.ids, encoded.word_ids, QUERY_TOKENS), _END]

    def _encoded(self, text: str) -> Encoding:
        # One by one: batches would start threads of their own, and nobody asked for those.
        return self._tokenizer.encode(
            replace_surrogates(text[:_CHARACTERS]), add_special_tokens=False
        )


class MiniLM:
    """Runs the network; threads may share it."""

    model = MODEL

    def __init__(self, session: Any, tokens: MiniLMTokenizer) -> None:
        self._session = session
        self._tokens = tokens

    @classmethod
    def open(cls, progress: Progress | None = None, *, threads: int = 1) -> Self:
        """Load the model; it is fetched and built first if it is missing or broken."""
        cache = ModelCache.of_user()
        watch = progress or ignore_progress
        if not cache.is_complete():
            _load_provision().ensure_model(cache, watch)
        try:
            return cls.load(cache, threads=threads)
        except Exception:  # the libraries have many ways to say that a file is broken
            _load_provision().rebuild_model(cache, watch)
            return cls.load(cache, threads=threads)

    @classmethod
    def load(cls, cache: ModelCache, *, threads: int = 1) -> Self:
        """Load a model that is in the cache."""
        return cls(
            open_session(cache.graph, threads=threads), MiniLMTokenizer.load(cache.tokenizer)
        )

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector for the beginning of each text, 254 tokens, in order."""
        encoded = [self._tokens.of_text(text) for text in texts]
        vectors = np.empty((len(encoded), WIDTH), np.float32)
        for batch in make_batches([len(ids) for ids in encoded]):
            vectors[batch] = self._run([encoded[place] for place in batch])
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The unit vector of a query: of its 64 most informative tokens if it is longer."""
        vector: NDArray[np.float32] = self._run([self._tokens.of_query(text)])[0]
        return vector

    def _run(self, encoded: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        ids = np.zeros((len(encoded), max(map(len, encoded))), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(encoded):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        with native_call():
            vectors: NDArray[np.float32] = self._session.run(None, {"ids": ids, "mask": mask})[0]
        return vectors


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


def choose_informative(ids: Sequence[int], words: Sequence[int | None], limit: int) -> list[int]:
    """At most `limit` tokens: the rarest words, each once before any twice, in order.

    WordPiece numbers its pieces by frequency, so a higher id is a rarer piece; a word is as rare as
    its rarest piece. Words are kept or left whole. `words` says which word each token is of.
    """
    if len(ids) <= limit:
        return list(ids)
    pieces = [
        tuple(id for id, _ in group)
        for _, group in groupby(zip(ids, words, strict=True), key=lambda pair: pair[1])
    ]
    kept = _choose_words(pieces, limit)
    return [id for place, word in enumerate(pieces) if place in kept for id in word]


def _choose_words(pieces: Sequence[tuple[int, ...]], limit: int) -> set[int]:
    first = {word: place for place, word in reversed(list(enumerate(pieces)))}
    ranked = sorted(
        range(len(pieces)), key=lambda place: (first[pieces[place]] != place, -max(pieces[place]))
    )
    kept: set[int] = set()
    for place in ranked:
        if len(pieces[place]) <= limit:
            limit -= len(pieces[place])
            kept.add(place)
    return kept


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


_EXIT_PATIENCE = 10.0
_calls_changed = threading.Condition()
_running = 0


@contextmanager
def native_call() -> Iterator[None]:
    """A call into the runtime's own threads, which must end before the process does."""
    global _running
    with _calls_changed:
        _running += 1
    try:
        yield
    finally:
        with _calls_changed:
            _running -= 1
            _calls_changed.notify_all()


@atexit.register
def _wait_for_native_calls() -> None:
    """Wait for native calls on daemon threads: exiting inside one aborts the process."""
    with _calls_changed:
        _calls_changed.wait_for(lambda: _running == 0, _EXIT_PATIENCE)


_KNOWN_SENTENCE = "The memory your agent doesn't have to ask for."
_KNOWN_VECTOR = (0.0232, 0.0552, -0.1183, -0.0197, 0.0310, 0.0459, 0.0396, -0.0151)
"""The first numbers of the sentence's vector in single precision."""

_LEAST_COSINE = 0.98


def find_model_problems(cache: ModelCache) -> list[str]:
    """The problems of the cached model; none if it may be used."""
    if not cache.is_complete():
        return ["the model is not built"]
    damaged = [f"{path.name} is not what was built" for path in cache.damaged_files()]
    return damaged or _compare_known_sentence(cache)


def _compare_known_sentence(cache: ModelCache) -> list[str]:
    """Compare a known vector: another onnxruntime or CPU may run intact files wrongly."""
    found = MiniLM.load(cache).embed([_KNOWN_SENTENCE])[0, : len(_KNOWN_VECTOR)]
    cosine = float(found @ _KNOWN_VECTOR / np.linalg.norm(found) / np.linalg.norm(_KNOWN_VECTOR))
    if cosine > _LEAST_COSINE:
        return []
    return [f"a known sentence gets another vector than it should (cosine {cosine:.3f})"]
