"""Token codes of memories: made behind what was said before, after the write has returned.

What waits is in the store, so nothing is lost when a process ends, and any process goes on.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tacit.core.errors import EmbedderFailed
from tacit.core.memory import Memory
from tacit.core.vectors import EmbeddingModel
from tacit.embedding.embedder import Embedder, TextInContext, embed_tokens, token_model_of
from tacit.embedding.token_codes import pack_tokens
from tacit.store.journal import context_of
from tacit.store.protocols.store import Store, UnitOfWork

TokenEmbedderChoice = Callable[[UnitOfWork], Sequence[Embedder]]
"""What makes the tokens of a workspace as its generations and the settings are now.

First the embedder of the generation that serves, then that of one that is filled; each if this
process has it, and none if the settings say off.
"""

_AT_ONCE = 8
"""Texts that are encoded before it looks whether the process ends: half a second on a slow core."""

_PORTION = 64
"""Memories of a workspace that are encoded before another workspace has its turn."""

_MOST_UNUSABLE = 1_000


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A memory to encode, the memories it is encoded behind, and the texts of all of them."""

    id: str
    context: tuple[str, ...]
    said: TextInContext


class TokenEncoder:
    """Makes the token codes that the memories of a workspace lack; used on one thread."""

    def __init__(self, store: Store, workspace: str, choose_embedders: TokenEmbedderChoice) -> None:
        self._store = store
        self._workspace = workspace
        self._choose_embedders = choose_embedders
        self._encoded_up_to: dict[EmbeddingModel, int] = {}
        """A revision up to which every memory has the codes of a model."""
        self._unusable: dict[EmbeddingModel, dict[str, TextInContext]] = defaultdict(dict)
        """Texts whose tokens cannot be used; they are not tried again until they change."""

    def count_missing(self) -> int:
        """How many codes of the embedders' tokens are missing."""
        count = 0
        with self._store.read(self._workspace) as unit:
            for _, model in self._find_makers(unit):
                if self._find_missing(unit, model):  # to count all takes longer than to look
                    count += unit.token_codes.lacking(model)
        return count

    def encode_some(self, is_over: Callable[[], bool], made: Callable[[int], None]) -> bool:
        """Encode a portion of the memories that lack codes; returns whether to go on.

        It stops once `is_over`, and calls `made` with the number of codes that were stored.
        """
        with self._store.read(self._workspace) as unit:
            makers = self._find_makers(unit)
        return any(self._encode_by(*maker, is_over, made) for maker in makers)

    def _find_makers(self, unit: UnitOfWork) -> list[tuple[Embedder, EmbeddingModel]]:
        found = [(each, token_model_of(each)) for each in self._choose_embedders(unit)]
        makers = {model: each for each, model in reversed(found) if model is not None}
        return [(each, model) for model, each in reversed(makers.items())]

    def _encode_by(
        self,
        embedder: Embedder,
        model: EmbeddingModel,
        is_over: Callable[[], bool],
        made: Callable[[int], None],
    ) -> bool:
        with self._store.read(self._workspace) as unit:
            revision = unit.revision()
            waiting = self._find_missing(unit, model)
        if not waiting:
            self._encoded_up_to[model] = revision
            return False
        is_some = False
        for batch in _shuffled_batches(waiting):
            if is_over():
                return False
            lacking = self._leave_encoded(batch, model)
            count, left_out = self._encode(embedder, model, lacking) if lacking else (0, 0)
            made(count)
            is_some |= count + left_out > 0 or len(lacking) < len(batch)
        return is_some

    def _leave_encoded(self, batch: Sequence[_Waiting], model: EmbeddingModel) -> list[_Waiting]:
        """Leave out what another process has encoded meanwhile."""
        with self._store.read(self._workspace) as unit:
            held = unit.token_codes.get([each.id for each in batch], model)
        return [each for each in batch if each.id not in held]

    def _find_missing(self, unit: UnitOfWork, model: EmbeddingModel) -> list[_Waiting]:
        unusable = self._unusable[model]
        since = self._encoded_up_to.get(model, 0)
        ids = unit.token_codes.missing(model, _PORTION + len(unusable), since)
        found = _load_waiting(unit, ids)
        return [each for each in found if unusable.get(each.id) != each.said]

    def _encode(
        self, embedder: Embedder, model: EmbeddingModel, waiting: Sequence[_Waiting]
    ) -> tuple[int, int]:
        """Encode a batch; returns how many were stored, and how many cannot be.

        What changed meanwhile is neither: it is found again.
        """
        _, vectors = embed_tokens(embedder, [each.said for each in waiting])
        with self._store.write(self._workspace) as unit:
            now = {each.id: each for each in _load_waiting(unit, [each.id for each in waiting])}
            fresh = [
                (each, tokens)
                for each, tokens in zip(waiting, vectors, strict=True)
                if tokens is not None and now.get(each.id) == each
            ]
            for each, tokens in fresh:
                unit.token_codes.put(each.id, model, pack_tokens(tokens), each.context)
        unusable = [each for each, tokens in zip(waiting, vectors, strict=True) if tokens is None]
        self._leave_out(unusable, model)
        return len(fresh), len(unusable)

    def _leave_out(self, unusable: Sequence[_Waiting], model: EmbeddingModel) -> None:
        if len(self._unusable[model]) + len(unusable) > _MOST_UNUSABLE:
            raise EmbedderFailed(
                f"{model.name}: made no {model.dims} finite numbers for the tokens of"
                f" {_MOST_UNUSABLE:,} texts; check the embedder"
            )
        self._unusable[model] |= {each.id: each.said for each in unusable}


def _shuffled_batches(waiting: Sequence[_Waiting]) -> Iterator[Sequence[_Waiting]]:
    """Batches in an order of this process, so that several processes rarely encode the same."""
    starts = list(range(0, len(waiting), _AT_ONCE))
    for start in random.sample(starts, len(starts)):
        yield waiting[start : start + _AT_ONCE]


def _load_waiting(unit: UnitOfWork, ids: Sequence[str]) -> list[_Waiting]:
    """Memories with their context, as they are now, in the order of the ids."""
    memories = unit.memories.get(ids)
    contexts = {id: context_of(unit, memory) for id, memory in memories.items()}
    around = unit.memories.get(list({each for ids in contexts.values() for each in ids}))
    return [
        _Waiting(
            id, contexts[id], TextInContext(_spoken(memories[id]), _texts(contexts[id], around))
        )
        for id in ids
        if id in memories
    ]


def _texts(ids: Sequence[str], memories: dict[str, Memory]) -> tuple[str, ...]:
    return tuple(_spoken(memories[id]) for id in ids if id in memories)


def _spoken(memory: Memory) -> str:
    return memory.search_text
