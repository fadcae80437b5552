"""Vectors of memories: made before the store is locked, and added where they are missing."""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tacit.core.errors import InvalidInput, StoreClosed, TacitError
from tacit.core.fields import check_field, to_search_text
from tacit.core.memory import Memory
from tacit.core.vectors import EmbeddingModel, Vector
from tacit.embedding.embedder import Embedder, embed_texts, model_of, unusable_vector_error
from tacit.embedding.registry import LazyEmbedder
from tacit.language.redaction.redact import redact_fields
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.writing.draft import MemoryDraft
from tacit.writing.remember import EmbeddedTexts, identity_of

_AT_ONCE = 256
_EMBEDDED_FIELDS = frozenset({"content", "key", "origin"})
_log = logging.getLogger("tacit")


class MemoryEmbedder:
    """Embeds what is written, with one embedder or none."""

    def __init__(
        self,
        store: Store,
        workspace: str,
        embedder: Embedder | None,
        text_of: Callable[[Memory], str] = lambda memory: memory.search_text,
    ) -> None:
        self._store = store
        self._workspace = workspace
        self._embedder = embedder
        self._text_of = text_of
        self._warned: set[str] = set()

    def embed_new(self, drafts: Sequence[MemoryDraft]) -> EmbeddedTexts:
        """Embed the drafts that are not stored yet."""
        if self._embedder is None or not drafts:
            return {}
        identities = {identity_of(draft): draft.search_text for draft in drafts}
        with self._store.read(self._workspace) as unit:
            known = unit.memories.same_as(identities)
        new = [text for identity, text in identities.items() if identity not in known]
        return self._embed(list(dict.fromkeys(new)))

    def embed_change(self, id: str, changes: Mapping[str, Any]) -> EmbeddedTexts:
        """Embed a memory as an edit would make it, if the edit changes the embedded text."""
        if not _EMBEDDED_FIELDS & changes.keys():
            return {}
        with self._store.read(self._workspace) as unit:
            memory = unit.memories.get([id]).get(id)
        if memory is None:
            return {}
        said = {
            name: check_field(name, changes[name]) if name in changes else getattr(memory, name)
            for name in sorted(_EMBEDDED_FIELDS)
        }
        return self._embed([to_search_text(**redact_fields(said))])

    def embed_texts(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed texts."""
        return self._embed(texts)

    def count_missing(self) -> int:
        """How many memories have no vector of this embedder's model."""
        model = model_of(self._require_embedder())
        with self._store.read(self._workspace) as unit:
            return unit.vectors.lacking(model)

    def fill_missing(self, made: Callable[[int], None]) -> None:
        """Embed every memory that has no vector of this embedder's model.

        `made` is called with the number of vectors after each batch.
        """
        while count := self.fill_some():
            made(count)

    def fill_some(self) -> int:
        """Embed some memories that have no vector of this embedder's model; returns how many."""
        embedder = self._require_embedder()
        model = model_of(embedder)
        memories = self._load_unembedded(model)
        if memories:
            _, vectors = embed_texts(embedder, list(map(self._text_of, memories)))
            with self._store.write(self._workspace) as unit:
                self._store_vectors(unit, memories, model, vectors)
            if any(vector is None for vector in vectors):
                raise unusable_vector_error(model)
        return len(memories)

    def fill_quietly(self) -> None:
        """Embed what has no vector yet; if that fails, it is logged, and tried the next time."""
        if self._embedder is None:
            return
        try:
            self.fill_missing(lambda _: None)
        except StoreClosed:
            _log.debug("vectors are made next time: the store was closed")
        except TacitError as error:
            self._warn(f"kept without vectors: {error}")

    def notice_other_models(self) -> None:
        """Log a warning if all vectors are of models other than this embedder's."""
        model = known_model(self._embedder)
        if model is None:
            return
        with self._store.read(self._workspace) as unit:
            held = unit.vectors.models()
        if held and model not in held:
            names = ", ".join(each.name for each in held)
            self._warn(
                f"workspace {self._workspace!r} has vectors of {names}, and this is {model.name};"
                " it is searched by words until you run: tacit embed"
            )

    def _embed(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed texts; returns nothing if the embedder fails, since the write matters more.

        What is kept without a vector gets one from `fill_missing`.
        """
        if self._embedder is None or not texts:
            return {}
        try:
            model, vectors = embed_texts(self._embedder, texts)
        except TacitError as error:
            self._warn(f"kept without vectors: {error}")
            return {}
        if any(vector is None for vector in vectors):
            self._warn(f"kept without vectors: {unusable_vector_error(model)}")
        pairs = zip(texts, vectors, strict=True)
        return {text: (model, vector) for text, vector in pairs if vector is not None}

    def _require_embedder(self) -> Embedder:
        if self._embedder is None:
            raise InvalidInput("embedder", 'is "none"; open with a model to embed with')
        return self._embedder

    def _load_unembedded(self, model: EmbeddingModel) -> list[Memory]:
        with self._store.read(self._workspace) as unit:
            ids = unit.vectors.missing(model, _AT_ONCE)
            return list(unit.memories.get(ids).values()) if ids else []

    def _store_vectors(
        self,
        unit: UnitOfWork,
        memories: Sequence[Memory],
        model: EmbeddingModel,
        vectors: Sequence[Vector | None],
    ) -> None:
        """Store vectors of memories that still say what was embedded."""
        now = unit.memories.get([memory.id for memory in memories])
        for memory, vector in zip(memories, vectors, strict=True):
            known = now.get(memory.id)
            is_same = known is not None and self._text_of(known) == self._text_of(memory)
            if vector is not None and is_same:
                unit.vectors.put(memory.id, model, vector)

    def _warn(self, message: str) -> None:
        """Log a warning once."""
        if message not in self._warned:
            self._warned.add(message)
            _log.warning(message)


def known_model(embedder: Embedder | None) -> EmbeddingModel | None:
    """The model of an embedder, if it is known without loading it."""
    if isinstance(embedder, LazyEmbedder):
        return embedder.known_model
    try:
        return model_of(embedder) if embedder else None
    except TacitError:
        return None
