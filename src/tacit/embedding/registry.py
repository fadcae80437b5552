"""Embedders by name: opened when first needed and shared by all that name them in a process."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tacit.core.errors import EmbedderFailed, InvalidInput, TacitError
from tacit.core.vectors import EmbeddingModel, Vector
from tacit.embedding.embedder import (
    Embedder,
    Progress,
    QueryTokens,
    TextInContext,
    TokenRows,
    Vectors,
    model_of,
    to_token_embedder,
    token_model_of,
)
from tacit.embedding.minilm.model_files import MODELS, find_local_model, find_local_name
from tacit.embedding.opening import OpenedOnce
from tacit.runtime.native_calls import native_call
from tacit.statements.pair_reading import PairReader

_EXAMPLE_NAME = "https://host/v1#model-name"
_LOCAL_NAMES = ", ".join(each.name for each in MODELS)


PREVIOUS_KEY_ENV = "TACIT_PREVIOUS_EMBEDDING_KEY"


def open_embedder(
    name: str, progress: Progress | None = None, *, is_previous: bool = False
) -> Embedder | None:
    """The embedder that a setting names, or nothing for "none".

    The key of an address that was used before is in a variable of its own: it may be another's.

    Each is imported when it is opened: its runtime takes longer to load than everything else.
    """
    check_embedder_name(name)
    if name == "none":
        return None
    if local := find_local_model(name):
        with native_call():
            from tacit.embedding.minilm.embedder import MiniLM

        return MiniLM.open(progress, model=local)
    from tacit.embedding.http import HttpEmbedder

    url, _, model = name.partition("#")
    if is_previous:
        return HttpEmbedder.open(url, model, key_env=PREVIOUS_KEY_ENV)
    return HttpEmbedder.open(url, model)


def check_embedder_name(name: str) -> None:
    """Refuse an unknown name before anything is opened."""
    if name == "none" or find_local_model(name) is not None:
        return
    if not name.startswith(("http://", "https://")):
        raise InvalidInput(
            "embedder", f'"{name}" is not known; use {_LOCAL_NAMES}, none, or {_EXAMPLE_NAME}'
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
    """What reads two texts together where a local model makes the tokens; else nothing does."""
    global _pair_reader
    made_by = None if token_embedder is None else token_model_of(token_embedder)
    if all(made_by != each.token_model for each in MODELS):
        return None
    with _lock:
        if _pair_reader is None:
            with native_call():
                from tacit.embedding.minilm.pair_reader import SharedPairReader

            _pair_reader = SharedPairReader()
        return _pair_reader


_lock = threading.Lock()
_shared: dict[str, LazyEmbedder] = {}
_pair_reader: PairReader | None = None


def shared_embedder(name: str, *, is_previous: bool = False) -> Embedder | None:
    """The embedder with this name, shared within this process."""
    check_embedder_name(name)
    if name == "none":
        return None
    local = find_local_model(name)
    has_other_key = is_previous and local is None
    key = f"previous {name}" if has_other_key else name
    known = () if local is None else (local.model, local.token_model)
    with _lock:
        if key not in _shared:
            _shared[key] = LazyEmbedder(lambda: _open_named(name, has_other_key), *known)
        return _shared[key]


def _open_named(name: str, is_previous: bool) -> Embedder:
    opened = open_embedder(name, is_previous=is_previous)
    assert opened is not None
    return opened


def known_model(embedder: Embedder | None) -> EmbeddingModel | None:
    """The model of an embedder, if it is known without loading it."""
    if isinstance(embedder, LazyEmbedder):
        return embedder.known_model
    try:
        return model_of(embedder) if embedder else None
    except TacitError:
        return None


@dataclass(frozen=True, slots=True)
class EmbedderSet:
    """The embedders of a process: the one of its settings, and those that serve until a switch.

    A store says by name, width and revision which model made its vectors; it never says what to
    connect to. An address that made them is opened if the settings name it, as the embedder or as
    the `previous` one; local models are known.
    """

    configured: Embedder | None = None
    previous: Embedder | None = None

    def find(self, model: EmbeddingModel) -> Embedder:
        """The embedder that makes vectors of this model, or EmbedderFailed with the reason."""
        ready = self.find_ready(model)
        if ready is not None:
            return ready
        name = find_local_name(model)
        local = None if name is None else shared_embedder(name)
        if local is not None:
            return local
        reasons = []
        for each in self._own():
            try:
                if model_of(each) == model:
                    return each
            except TacitError as error:
                reasons.append(f" ({error})")
        raise EmbedderFailed(
            f"the vectors are of {model}, which is not at hand{''.join(reasons)}; name it in"
            " TACIT_PREVIOUS_EMBEDDER, or make vectors of another"
            " model with: tacit embed --model NAME"
        )

    def find_ready(self, model: EmbeddingModel) -> Embedder | None:
        """The embedder of a model, if that is known without opening any."""
        return next((each for each in self._own() if known_model(each) == model), None)

    def _own(self) -> list[Embedder]:
        return [each for each in (self.configured, self.previous) if each is not None]
