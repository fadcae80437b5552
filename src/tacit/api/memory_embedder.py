"""Vectors of memories: made before the store is locked, and added where they are missing.

A write gets the vector of the model that serves, and that of a model whose vectors are being made
where this process runs it anyway; the fill makes the others.
"""

import logging
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from tacit.core.errors import EmbedderFailed, InvalidInput, StoreClosed, TacitError
from tacit.core.fields import check_field, to_search_text
from tacit.core.memory import Memory
from tacit.core.vectors import EmbeddingModel, TextVectors, Vector
from tacit.embedding.embedder import (
    Embedder,
    embed_texts,
    model_of,
    token_model_of,
    unusable_vector_error,
)
from tacit.embedding.registry import EmbedderSet, known_model
from tacit.language.redaction.redact import redact_fields
from tacit.search.query_embedding import choose_token_embedder
from tacit.settings.search import LateInteraction
from tacit.store.generations import (
    begin_generation,
    filling_model,
    put_vectors,
    serving_model,
    switch_generation,
)
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.workspaces import tenant_of
from tacit.writing.draft import MemoryDraft
from tacit.writing.remember import EmbeddedTexts, identity_of

_AT_ONCE = 256
_AT_ONCE_BESIDE = 16
"""Texts of a batch while other vectors serve: few, so that turns need not wait for long."""

_PORTION = 512
"""Texts without a vector that are looked up together."""

_IDLE_SECONDS = 1.0
"""Seconds that a batch waits for the searches of this process at most."""

_EMBEDDED_FIELDS = frozenset({"content", "key", "origin"})
_log = logging.getLogger("tacit")


_Models = tuple[EmbeddingModel | None, EmbeddingModel | None]
"""The model that serves, and the one that is filled."""


class MemoryEmbedder:
    """Embeds what is written to a workspace by the models of its generations, or by none.

    `wait_until_idle` returns when no search runs, or after so many seconds.
    """

    def __init__(
        self,
        store: Store,
        workspace: str,
        embedders: EmbedderSet,
        wait_until_idle: Callable[[float], None] = lambda _: None,
        text_of: Callable[[Memory], str] = lambda memory: memory.search_text,
    ) -> None:
        self._store = store
        self.workspace = workspace
        self._embedders = embedders
        self._wait_until_idle = wait_until_idle
        self._text_of = text_of
        self._warned: set[str] = set()

    def embed_new(self, drafts: Sequence[MemoryDraft]) -> EmbeddedTexts:
        """Embed the drafts that are not stored yet."""
        if self._embedders.configured is None or not drafts:
            return {}
        identities = {identity_of(draft): draft.search_text for draft in drafts}
        with self._store.read(self.workspace) as unit:
            known = unit.memories.same_as(identities)
            models = serving_model(unit), filling_model(unit)
        new = [text for identity, text in identities.items() if identity not in known]
        return self._embed(list(dict.fromkeys(new)), models)

    def embed_change(self, id: str, changes: Mapping[str, Any]) -> EmbeddedTexts:
        """Embed a memory as an edit would make it, if the edit changes the embedded text."""
        if not _EMBEDDED_FIELDS & changes.keys():
            return {}
        with self._store.read(self.workspace) as unit:
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
        """How many vectors are missing, of the model that serves and of one that is filled."""
        makers = self._find_makers()
        with self._store.read(self.workspace) as unit:
            return sum(unit.vectors.lacking(model) for model, _ in makers)

    def fill_missing(self, made: Callable[[int], None]) -> None:
        """Make the vectors that are missing, of the model that serves and of one that is filled.

        `made` is called with the number of vectors after each batch.
        """
        for model, embedder in self._find_makers():
            self._fill(model, embedder, made)

    def fill_some(self) -> int:
        """Make a batch of the missing vectors of each model; returns how many were made."""
        made = 0
        for model, embedder in self._find_makers():
            at_once = self._choose_pace(model)
            ids = self._load_missing(model, at_once)
            made += self._fill_batch(model, embedder, ids) if ids else 0
        return made

    def fill_quietly(self) -> None:
        """Embed what has no vector yet; if that fails, it is logged, and tried the next time."""
        if self._embedders.configured is None:
            return
        try:
            self._fill(*self._find_serving(), lambda _: None)
        except StoreClosed:
            _log.debug("vectors are made next time: the store was closed")
        except TacitError as error:
            self._warn(f"kept without vectors: {error}")

    def begin_generation(self, *, is_asked: bool) -> None:
        """Begin to make vectors of the embedder's model if another one serves.

        A model that was left behind begins again only if somebody asks for it.
        """
        model = model_of(self._require_embedder())
        serving, filling = self._find_models()
        if serving is None or model in (serving, filling):
            return
        with self._store.write(self.workspace) as unit:
            begin_generation(unit, model, is_asked=is_asked)

    def is_being_filled(self) -> bool:
        """Whether the vectors of a model are made here beside those that serve."""
        return self._find_filling() is not None

    def is_filled(self, late_interaction: LateInteraction) -> bool:
        """Whether nothing lacks a vector of the model that is filled, and few texts its tokens.

        Those that were just written get their tokens after the switch, as after any write.
        """
        filling = self._find_filling()
        with self._store.read(self.workspace) as unit:
            model = filling_model(unit)
            if model is None:
                return True
            if filling is None or filling[0] != model or unit.vectors.missing(model, 1):
                return False
            maker = choose_token_embedder(filling[1], late_interaction)
            tokens = None if maker is None else token_model_of(maker)
            most = _MOST_WITHOUT_TOKENS
            return tokens is None or len(unit.token_codes.missing(tokens, most + 1)) <= most

    def find_token_models(self, late_interaction: LateInteraction) -> set[EmbeddingModel]:
        """The models of the tokens that searches use or will use; EmbedderFailed if unknown."""
        makers = [each for _, each in (self._find_serving(), *self._find_makers())]
        makers += [
            each
            for maker in makers
            if (each := choose_token_embedder(maker, late_interaction)) is not None
        ]
        found = {token_model_of(each) for each in makers}
        return {each for each in found if each is not None}

    def switch(self) -> bool:
        """Have the model that was filled serve; returns whether none is being filled any more."""
        self._store.settle(self.workspace)
        with self._store.write(self.workspace) as unit:
            model = filling_model(unit)
            return model is None or switch_generation(unit, model)

    def notice_other_model(self) -> None:
        """Log that another model than that of the settings serves."""
        model = known_model(self._embedders.configured)
        if model is None:
            return
        serving, filling = self._find_models()
        if serving in (None, model):
            return
        told = (
            f"workspace {self.workspace!r} is searched by the vectors of {serving},"
            f" and this is {model}"
        )
        if filling == model:
            _log.info("%s, whose vectors are being made", told)
        else:
            self._warn(
                f"{told}; its vectors are made while a program stays open; to make them now and"
                " switch, run: tacit embed"
            )

    def _embed(self, texts: Sequence[str], models: _Models | None = None) -> EmbeddedTexts:
        """Embed texts; what fails is left out, since the write matters more.

        What is kept without a vector gets one from `fill_missing`.
        """
        if self._embedders.configured is None or not texts:
            return {}
        found: dict[str, TextVectors] = {}
        for model, vectors in self._embed_by_models(texts, models or self._find_models()):
            for text, vector in zip(texts, vectors, strict=True):
                if vector is not None:
                    found[text] = _add_vector(found.get(text), model, vector)
        return found

    def _embed_by_models(
        self, texts: Sequence[str], models: _Models
    ) -> Iterator[tuple[EmbeddingModel, Sequence[Vector | None]]]:
        """The vectors of texts by the model that serves, then by one that is filled."""
        for find in (self._find_serving, self._find_filling):
            try:
                maker = find(models)
                if maker is None:
                    continue
                model, vectors = embed_texts(maker[1], texts)
            except TacitError as error:
                self._warn(f"kept without vectors: {error}")
                continue
            if any(vector is None for vector in vectors):
                self._warn(f"kept without vectors: {unusable_vector_error(model)}")
            yield model, vectors

    def _find_models(self) -> _Models:
        """The model that serves, and the one that is filled."""
        with self._store.read(self.workspace) as unit:
            return serving_model(unit), filling_model(unit)

    def _find_serving(self, models: _Models | None = None) -> tuple[EmbeddingModel, Embedder]:
        """The model that serves and its embedder, or EmbedderFailed.

        What lies beside a workspace begins with the model of that workspace, if it is at hand, and
        a workspace with that of the settings.
        """
        configured = self._require_embedder()
        model, _ = models or self._find_models()
        if model is not None:
            return model, self._embedders.find(model)
        tenant = tenant_of(self.workspace)
        if tenant != self.workspace:
            with self._store.read(tenant) as unit:
                model = serving_model(unit)
        if model is not None:
            with suppress(EmbedderFailed):
                return model, self._embedders.find(model)
        return model_of(configured), configured

    def _find_filling(
        self, models: _Models | None = None
    ) -> tuple[EmbeddingModel, Embedder] | None:
        """The model that is filled and its embedder, if this process runs it."""
        _, model = models or self._find_models()
        embedder = None if model is None else self._embedders.find_ready(model)
        return None if model is None or embedder is None else (model, embedder)

    def _find_makers(self) -> list[tuple[EmbeddingModel, Embedder]]:
        """All whose vectors can be made here; EmbedderFailed if there are none."""
        filling = self._find_filling()
        try:
            serving = self._find_serving()
        except TacitError as error:
            if filling is None:
                raise
            self._warn(f"kept without vectors: {error}")
            return [filling]
        return [serving] if filling is None else [serving, filling]

    def _fill(self, model: EmbeddingModel, embedder: Embedder, made: Callable[[int], None]) -> None:
        """Make the vectors of one model, as long as it serves or is filled."""
        while ids := self._load_missing(model, _PORTION):
            for batch in _split_batches(ids, self._choose_pace(model)):
                made(self._fill_batch(model, embedder, batch))

    def _choose_pace(self, model: EmbeddingModel) -> int:
        """How many texts to embed at once; while other vectors serve, few."""
        return _AT_ONCE_BESIDE if model == self._find_models()[1] else _AT_ONCE

    def _fill_batch(self, model: EmbeddingModel, embedder: Embedder, ids: Sequence[str]) -> int:
        """Embed what of some memories still has no vector; returns how many got one.

        A batch of a model that does not serve waits for the searches of this process.
        """
        if model == self._find_models()[1]:
            self._wait_until_idle(_IDLE_SECONDS)
        with self._store.read(self.workspace) as unit:
            held = unit.vectors.get(ids, model)
            memories = list(unit.memories.get([id for id in ids if id not in held]).values())
        if not memories:
            return 0
        _, vectors = embed_texts(embedder, list(map(self._text_of, memories)))
        with self._store.write(self.workspace) as unit:
            self._store_vectors(unit, memories, model, vectors)
        if any(vector is None for vector in vectors):
            raise unusable_vector_error(model)
        return len(memories)

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
                put_vectors(unit, memory.id, TextVectors(model, vector))

    def _load_missing(self, model: EmbeddingModel, most: int) -> list[str]:
        """Some of what lacks a vector of a model, as long as it serves or is filled."""
        serving, filling = self._find_models()
        if serving is not None and model not in (serving, filling):
            return []
        with self._store.read(self.workspace) as unit:
            return unit.vectors.missing(model, most)

    def _require_embedder(self) -> Embedder:
        if self._embedders.configured is None:
            raise InvalidInput("embedder", 'is "none"; open with a model to embed with')
        return self._embedders.configured

    def _warn(self, message: str) -> None:
        """Log a warning once."""
        if message not in self._warned:
            self._warned.add(message)
            _log.warning(message)


_MOST_WITHOUT_TOKENS = 64


def _add_vector(known: TextVectors | None, model: EmbeddingModel, vector: Vector) -> TextVectors:
    if known is None:
        return TextVectors(model, vector)
    return TextVectors(known.model, known.vector, (*known.beside, (model, vector)))


def _split_batches(ids: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Batches in an order of this process, so that several processes rarely embed the same."""
    starts = list(range(0, len(ids), size))
    for start in random.sample(starts, len(starts)):
        yield ids[start : start + size]


def switch_places(places: Sequence[MemoryEmbedder], late_interaction: LateInteraction) -> bool:
    """Switch memories, episodes, documents and items one after the other, once all are filled.

    Returns whether that is done. Whoever is interrupted in between leaves the others to the next
    one: they are filled too.
    """
    *encoded, items = places  # items have no tokens
    if not all(each.is_filled(late_interaction) for each in encoded):
        return False
    if not items.is_filled(LateInteraction.OFF):
        return False
    switched = [place.switch() for place in places]
    return all(switched)
