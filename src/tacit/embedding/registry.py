"""Embedders by name: opened when first needed and shared by all that name them in a process."""

import threading
from collections.abc import Callable, Sequence

from tacit.core.errors import InvalidInput
from tacit.core.vectors import EmbeddingModel, Vector
from tacit.embedding.embedder import (
    Embedder,
    Progress,
    QueryTokens,
    TextInContext,
    TokenRows,
    Vectors,
    to_token_embedder,
    token_model_of,
)
from tacit.embedding.minilm.model_files import MODEL, TOKEN_MODEL
from tacit.embedding.opening import OpenedOnce
from tacit.embedding.pair_reading import PairReader
from tacit.runtime.native_calls import native_call

_EXAMPLE_NAME = "https://host/v1#model-name"


def open_embedder(name: str, progress: Progress | None = None) -> Embedder | None:
    """The embedder that a setting names, or nothing for "none".

    Each is imported when it is opened: its runtime takes longer to load than everything else.
    """
    check_embedder_name(name)
    if name == "none":
        return None
    if name == "minilm":
        with native_call():
            from tacit.embedding.minilm.embedder import MiniLM

        return MiniLM.open(progress)
    from tacit.embedding.http import HttpEmbedder

    url, _, model = name.partition("#")
    return HttpEmbedder.open(url, model)


def check_embedder_name(name: str) -> None:
    """Refuse an unknown name before anything is opened."""
    if name in ("none", "minilm"):
        return
    if not name.startswith(("http://", "https://")):
        raise InvalidInput(
            "embedder", f'"{name}" is not known; use minilm, none, or {_EXAMPLE_NAME}'
        )
    url, _, model = name.partition("#")
    if not model:
        raise InvalidInput("embedder", f"{url} lacks the name of a model; write {_EXAMPLE_NAME}")


class LazyEmbedder:
    """An embedder that is opened when first used; after a failure it is retried later."""

    def __init__(
        self,
        open: Callable[[], Embedder],
        model: EmbeddingModel | None = None,
        token_model: EmbeddingModel | None = None,
    ) -> None:
        self._opening = OpenedOnce(open)
        self._model = model
        self._token_model = token_model

    @property
    def model(self) -> EmbeddingModel:
        """The model that makes the vectors; some embedders must be opened to know it."""
        return self._model or self._embedder().model

    @property
    def known_model(self) -> EmbeddingModel | None:
        """The model, if it is known without opening anything."""
        opened = self._opening.if_open
        return self._model or (opened.model if opened else None)

    @property
    def token_model(self) -> EmbeddingModel | None:
        """The model of its token vectors; None if it makes none."""
        return self._token_model or token_model_of(self._embedder())

    def load(self) -> None:
        """Open it now, unless it is open."""
        self._embedder()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One vector for each text, in order."""
        return self._embedder().embed(texts)

    def embed_query(self, text: str) -> Vector:
        """The vector of a query."""
        return self._embedder().embed_query(text)

    def embed_tokens(self, texts: Sequence[TextInContext]) -> Sequence[TokenRows]:
        """The vectors of each text's own tokens, in order."""
        return to_token_embedder(self._embedder())[0].embed_tokens(texts)

    def embed_query_tokens(self, text: str) -> QueryTokens:
        """The vector of a query, with those of its tokens."""
        return to_token_embedder(self._embedder())[0].embed_query_tokens(text)

    def _embedder(self) -> Embedder:
        return self._opening.get()


def find_pair_reader(token_embedder: Embedder | None) -> PairReader | None:
    """What reads two texts together where the local model makes the tokens; else nothing does."""
    global _pair_reader
    if token_embedder is None or token_model_of(token_embedder) != TOKEN_MODEL:
        return None
    with _lock:
        if _pair_reader is None:
            with native_call():
                from tacit.embedding.minilm.pair_reader import SharedPairReader

            _pair_reader = SharedPairReader()
        return _pair_reader


_KNOWN_MODELS = {"minilm": (MODEL, TOKEN_MODEL)}
"""Models of vectors and of token vectors that are known without opening the embedder."""

_lock = threading.Lock()
_shared: dict[str, LazyEmbedder] = {}
_pair_reader: PairReader | None = None


def shared_embedder(name: str) -> Embedder | None:
    """The embedder with this name, shared within this process."""
    check_embedder_name(name)
    if name == "none":
        return None
    with _lock:
        if name not in _shared:
            _shared[name] = LazyEmbedder(lambda: _open_named(name), *_KNOWN_MODELS.get(name, ()))
        return _shared[name]


def _open_named(name: str) -> Embedder:
    opened = open_embedder(name)
    assert opened is not None
    return opened
