"""The plan of a maintenance pass: which memories to forget, merge and link."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from tacit.core.kinds import Owner, Relation, Sort, State
from tacit.core.memory import Association, Memory
from tacit.core.vectors import EmbeddingModel, TextVectors, Vector, cosine
from tacit.search.filter import Filter
from tacit.search.searcher import Searcher
from tacit.settings.writing import UpkeepSettings
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.query import Query
from tacit.writing.remember import EmbeddedTexts
from tacit.writing.upkeep.report import MaintenanceAction, MaintenanceKind
from tacit.writing.upkeep.rules import (
    build_association,
    effective_importance,
    find_merge_changes,
    has_faded,
    has_room_for_link,
    is_mergeable,
    is_prunable,
    is_relatable,
    rank_pair,
    were_kept_apart,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenanceStep:
    """What to do with a memory and maybe another one; `vectors` are those of merged content."""

    kind: MaintenanceKind
    memory: Memory
    reason: str
    other: Memory | None = None
    cosine: float = 0.0
    result: Memory | None = None
    vectors: TextVectors | None = None

    @property
    def action(self) -> MaintenanceAction:
        """The entry of the report."""
        return MaintenanceAction(
            memory=self.memory.id,
            other=None if self.other is None else self.other.id,
            content=(self.result or self.memory).content,
            reason=self.reason,
        )


@dataclass(frozen=True, slots=True)
class WorkspaceReader:
    """Reads a workspace for upkeep, in short transactions."""

    store: Store
    workspace: str
    searcher: Searcher
    embed: Callable[[Sequence[str]], EmbeddedTexts]
    now: datetime

    def model(self) -> EmbeddingModel | None:
        """The model whose vectors are compared, if there is one."""
        with self.store.read(self.workspace) as unit:
            return self.searcher.serving_model(unit)

    def ask(self, question: Callable[[UnitOfWork], bool]) -> bool:
        """Ask the store a question."""
        with self.store.read(self.workspace) as unit:
            return question(unit)

    def page(self, after: str | None, size: int) -> list[Memory]:
        """Live memories in the order of their creation."""
        query = Query(now=self.now, sort=Sort.CREATED, after=after, limit=size)
        with self.store.read(self.workspace) as unit:
            return unit.memories.find(query)

    def memories(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Load the memories that exist."""
        with self.store.read(self.workspace) as unit:
            return unit.memories.get(ids)

    def same(self, content_hash: bytes) -> Memory | None:
        """The memory with this content hash."""
        with self.store.read(self.workspace) as unit:
            return unit.memories.same(content_hash)

    def paused(self) -> set[Owner]:
        """Paused sessions and projects."""
        with self.store.read(self.workspace) as unit:
            return unit.sessions.paused()

    def vectors(self, ids: Sequence[str], model: EmbeddingModel) -> dict[str, Vector]:
        """The vectors of memories."""
        with self.store.read(self.workspace) as unit:
            return unit.vectors.get(ids, model)

    def edges(self, ids: Sequence[str]) -> list[Association]:
        """The links of memories."""
        with self.store.read(self.workspace) as unit:
            return unit.associations.within(ids, 1, frozenset(Relation))

    def near(self, memory: Memory, own: TextVectors, limit: int, least: float) -> dict[str, float]:
        """The nearest memories with cosines; if there are many, also the nearest of its owner."""
        near = self._nearest(own, limit, least, Filter(now=self.now))
        if len(near) < limit:
            return near
        filter = Filter(now=self.now, scope=memory.scope, scope_id=memory.scope_id)
        return near | self._nearest(own, limit, least, filter)

    def _nearest(
        self, own: TextVectors, limit: int, least: float, filter: Filter
    ) -> dict[str, float]:
        (near,) = self.searcher.nearest(
            self.workspace, [own.vector], own.model, limit, least, filter
        )
        return dict(near)

    def embedded(self, memory: Memory) -> TextVectors | None:
        """Embed a memory; None if the embedder fails."""
        return self.embed([memory.search_text]).get(memory.search_text)


_NEAR = 32

Neighbours = list[tuple[Memory, float]]


class MaintenancePlan:
    """Plans steps for one memory after the other; each step counts for those that follow."""

    def __init__(self, reader: WorkspaceReader, settings: UpkeepSettings) -> None:
        self._reader = reader
        self._settings = settings
        self._now = reader.now
        self._model = reader.model()
        self._paused: set[Owner] = set()
        self._held: dict[str, Vector] = {}
        self.unembedded = 0
        self._forget_decisions()

    def load(self, memories: Sequence[Memory], *, anew: bool) -> None:
        """Load what the next memories need.

        Earlier decisions are in the store by now, unless it is a dry run.
        """
        if anew:
            self._forget_decisions()
        self._paused = self._reader.paused()
        if self._model is not None:
            self._held = self._reader.vectors([each.id for each in memories], self._model)

    def _forget_decisions(self) -> None:
        self._gone: set[str] = set()
        self._superseded: set[str] = set()
        self._changed: dict[str, Memory] = {}
        self._made: dict[str, Vector | None] = {}
        self._edges: dict[str, list[Association]] = defaultdict(list)

    def steps(self, memory: Memory) -> Iterator[MaintenanceStep]:
        """The steps for a memory; after a merge it is looked at again."""
        waiting: Memory | None = memory
        while waiting is not None:
            looked_at, waiting = self._changed.get(waiting.id, waiting), None
            if looked_at.id in self._gone or looked_at.owner in self._paused:
                return
            if self._is_prunable(looked_at):
                yield self._plan_prune(looked_at)
                return
            near = self._find_near(looked_at)
            step = self._plan_merge(looked_at, near)
            if step is not None:
                waiting = step.result
                yield step
        yield from self._plan_links(looked_at, near)

    def _is_prunable(self, memory: Memory) -> bool:
        if not has_faded(memory, self._now, self._settings):
            return False
        return self._reader.ask(
            lambda unit: is_prunable(unit, memory, self._now, self._settings, self._gone)
        )

    def _plan_prune(self, memory: Memory) -> MaintenanceStep:
        self._gone.add(memory.id)
        left = effective_importance(memory, self._now)
        days = (self._now - memory.created_at).days
        reason = f"importance faded to {left:.3f}, {days} days old"
        return MaintenanceStep(kind=MaintenanceKind.PRUNE, memory=memory, reason=reason)

    def _find_near(self, memory: Memory) -> Neighbours:
        """Live memories that are near, nearest first, without faded ones."""
        vector = self._load_vector(memory.id)
        if vector is None or self._model is None:
            self.unembedded += memory.id not in self._made
            return []
        least = min(self._settings.link_at, self._settings.merge_at)
        limit = _NEAR + len(self._gone)
        own = TextVectors(self._model, vector)
        cosines = self._reader.near(memory, own, limit, least)
        cosines |= {id: _cosine(vector, made) for id, made in self._made.items()}
        ids = [id for id in cosines if cosines[id] >= least and id != memory.id]
        known = self._reader.memories([id for id in ids if id not in self._gone]) | self._changed
        found = [(known[id], cosines[id]) for id in ids if id in known]
        standing = [each for each in found if self._is_comparable(each[0])]
        return sorted(standing, key=lambda each: (-each[1], each[0].id))

    def _load_vector(self, id: str) -> Vector | None:
        if id in self._made:
            return self._made[id]
        if id not in self._held and self._model is not None:
            self._held |= self._reader.vectors([id], self._model)
        return self._held.get(id)

    def _is_comparable(self, memory: Memory) -> bool:
        return (
            memory.id not in self._gone
            and memory.owner not in self._paused
            and memory.state(self._now) is State.LIVE
            and not has_faded(memory, self._now, self._settings)
        )

    def _plan_merge(self, memory: Memory, near: Neighbours) -> MaintenanceStep | None:
        """The first merge that is due."""
        for other, likeness in near:
            if likeness < self._settings.merge_at:
                break
            if is_mergeable(memory, other) and not were_kept_apart(
                memory, other, self._reader.edges([memory.id])
            ):
                winner, loser = rank_pair(memory, other)
                result = replace(winner, **find_merge_changes(winner, loser))
                if not self._is_said_by_another(result, loser):
                    return self._plan_merge_of(winner, loser, result, likeness)
        return None

    def _plan_merge_of(
        self, winner: Memory, loser: Memory, result: Memory, likeness: float
    ) -> MaintenanceStep:
        self._gone.add(loser.id)
        self._superseded.add(loser.id)
        made = None
        if result != winner:
            result = replace(result, updated_at=self._now)
            self._changed[winner.id] = result
        if result.content != winner.content:
            made = self._reader.embedded(result)
            is_like = made is not None and made.model == self._model
            self._made[winner.id] = _to_stored_precision(made.vector) if made and is_like else None
        return MaintenanceStep(
            kind=MaintenanceKind.MERGE,
            memory=winner,
            other=loser,
            cosine=likeness,
            result=result,
            vectors=made,
            reason=f"says the same as the other, similarity {likeness:.3f}",
        )

    def _is_said_by_another(self, result: Memory, loser: Memory) -> bool:
        """Whether a third memory says exactly what two would say together."""
        said, own = result.content_hash, (result.id, loser.id)
        changed = [each for each in self._changed.values() if each.id not in self._superseded]
        if any(each.content_hash == said and each.id not in own for each in changed):
            return True
        twin = self._reader.same(said)
        return twin is not None and twin.id not in {*own, *self._changed, *self._superseded}

    def _plan_links(self, memory: Memory, near: Neighbours) -> Iterator[MaintenanceStep]:
        """Links to near memories that say something else."""
        others = {
            other.id: likeness
            for other, likeness in near
            if self._settings.link_at <= likeness < self._settings.merge_at
            and is_relatable(memory, other)
        }
        if not others:
            return
        edges = self._edges_at([memory.id, *others])
        for other, likeness in near:
            if other.id in others and has_room_for_link(memory, other, edges):
                edge = build_association(memory, other, likeness)
                edges.append(edge)
                self._edges[edge.source].append(edge)
                self._edges[edge.target].append(edge)
                reason = f"near the other, similarity {likeness:.3f}"
                yield MaintenanceStep(
                    kind=MaintenanceKind.LINK,
                    memory=memory,
                    other=other,
                    cosine=likeness,
                    reason=reason,
                )

    def _edges_at(self, ids: Sequence[str]) -> list[Association]:
        """Stored and planned links of a memory."""
        decided = [edge for id in ids for edge in self._edges.get(id, ())]
        return list(dict.fromkeys([*self._reader.edges(ids), *decided]))


def _to_stored_precision(vector: Vector) -> Vector:
    """A vector as precise as the store keeps it, so that later comparisons agree."""
    kept: Vector = np.asarray(vector, np.float16).astype(np.float32)
    return kept


def _cosine(one: Vector, other: Vector | None) -> float:
    """The cosine of two vectors; -1 if the other is missing."""
    return -1.0 if other is None else cosine(one, other)
