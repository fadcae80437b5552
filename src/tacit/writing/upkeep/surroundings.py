"""What a memory stands among: read anew for every look, in short transactions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from tacit.core.errors import TacitError
from tacit.core.kinds import Owner, Relation, Sort
from tacit.core.memory import Association, Memory
from tacit.core.vectors import EmbeddingModel, Vector
from tacit.embedding.embedder import Embedder, embed_texts, model_of
from tacit.search.filter import Filter
from tacit.search.searcher import Searcher
from tacit.store.protocols.store import Store
from tacit.store.protocols.unit import Unit
from tacit.store.query import Query


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A workspace at one moment, as upkeep reads it."""

    store: Store
    workspace: str
    searcher: Searcher
    embedder: Embedder | None
    now: datetime

    def model(self) -> EmbeddingModel | None:
        """The model whose vectors are compared, if there is one."""
        try:
            return None if self.embedder is None else model_of(self.embedder)
        except TacitError:
            return None

    def ask(self, question: Callable[[Unit], bool]) -> bool:
        """Ask the store."""
        with self.store.read(self.workspace) as unit:
            return question(unit)

    def page(self, after: str | None, size: int) -> list[Memory]:
        """Live memories in the order they came."""
        query = Query(now=self.now, sort=Sort.CREATED, after=after, limit=size)
        with self.store.read(self.workspace) as unit:
            return unit.memories.find(query)

    def memories(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Those of the ids that are there."""
        with self.store.read(self.workspace) as unit:
            return unit.memories.get(ids)

    def same(self, content_hash: bytes) -> Memory | None:
        """The memory that says exactly this."""
        with self.store.read(self.workspace) as unit:
            return unit.memories.same(content_hash)

    def paused(self) -> set[Owner]:
        """Sessions and projects that are left alone."""
        with self.store.read(self.workspace) as unit:
            return unit.sessions.paused()

    def vectors(self, ids: Sequence[str], model: EmbeddingModel) -> dict[str, Vector]:
        """The vectors of memories."""
        with self.store.read(self.workspace) as unit:
            return unit.vectors.get(ids, model)

    def edges(self, ids: Sequence[str]) -> list[Association]:
        """The edges at memories."""
        with self.store.read(self.workspace) as unit:
            return unit.associations.within(ids, 1, frozenset(Relation))

    def near(self, memory: Memory, vector: Vector, limit: int, least: float) -> dict[str, float]:
        """The nearest with their cosines; where those are many, the nearest of its owner too."""
        near = self._nearest(vector, limit, least, Filter(now=self.now))
        if len(near) < limit:
            return near
        own = Filter(now=self.now, scope=memory.scope, scope_id=memory.scope_id)
        return near | self._nearest(vector, limit, least, own)

    def _nearest(
        self, vector: Vector, limit: int, least: float, filter: Filter
    ) -> dict[str, float]:
        (near,) = self.searcher.nearest(self.workspace, [vector], limit, least, filter)
        return dict(near)

    def embedded(self, memory: Memory) -> tuple[EmbeddingModel, Vector] | None:
        """The vector of what a memory says; none where the embedder fails."""
        if self.embedder is None:
            return None
        try:
            model, (vector,) = embed_texts(self.embedder, [memory.origin.spoken(memory.content)])
        except TacitError:
            return None
        return None if vector is None else (model, vector)
