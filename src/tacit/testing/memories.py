"""Memories, associations, terms, vectors, codes, claims, audit and reviews in dictionaries."""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import astuple, replace
from datetime import date, datetime
from typing import Any

from tacit.core.changes import AuditEntry, Review
from tacit.core.errors import AlreadyKnown
from tacit.core.kinds import Owner, Relation, Scope, Sort
from tacit.core.memory import Association, Memory
from tacit.core.permissions import Viewer, may_inform
from tacit.core.receipt import Unseen
from tacit.core.vectors import EmbeddingModel, Vector, pack_vector, unpack_vector
from tacit.language.terms import pack_term_codes, signed_term_code
from tacit.store.query import Query, matches_query, to_regex
from tacit.testing.tables import Edge, WorkspaceTables

_ORDERS: dict[Sort, tuple[Callable[[Memory], tuple[Any, ...]], bool]] = {
    Sort.RECENT: (lambda memory: (memory.updated_at, memory.id), True),
    Sort.IMPORTANCE: (lambda memory: (memory.importance, memory.id), True),
    Sort.MOST_ACCESSED: (lambda memory: (memory.access_count, memory.id), True),
    Sort.CREATED: (lambda memory: (memory.id,), False),
}


class InMemoryMemories:
    """The memories of one workspace."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def insert(self, memory: Memory) -> None:
        """Add a memory that is not there."""
        if memory.id in self._tables.memories:
            raise AlreadyKnown(f"there is a memory with the id {memory.id}")
        self._put(memory)

    def update(self, memory: Memory) -> None:
        """Replace the memory that has this id."""
        before = self._tables.memories.get(memory.id)
        if before is not None:
            self._release(before)
            self._put(memory)

    def delete(self, id: str) -> None:
        """Remove a memory with its terms, vectors and associations."""
        tables = self._tables
        if id in tables.memories:
            self._release(tables.memories.pop(id))
            tables.removals[id] = tables.revision
        tables.revisions.pop(id, None)
        tables.terms.pop(id, None)
        tables.claims.pop(id, None)
        for mark in [mark for mark in tables.marks if mark[0] == id]:
            del tables.marks[mark]
        for key in [key for key in tables.vectors if key[1] == id]:
            del tables.vectors[key]
        InMemoryTokenCodes(tables).discard(id)
        for edge in [edge for edge in tables.associations if id in edge[:2]]:
            del tables.associations[edge]

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Those of the ids that exist."""
        return {id: self._tables.memories[id] for id in ids if id in self._tables.memories}

    def same(self, content_hash: bytes) -> Memory | None:
        """The memory with this identity that was not superseded."""
        id = self._tables.identities.get(content_hash)
        return self._tables.memories[id] if id else None

    def same_as(self, hashes: Collection[bytes]) -> dict[bytes, Memory]:
        """The memories with these identities."""
        return {each: memory for each in hashes if (memory := self.same(each)) is not None}

    def ending(self, suffix: str, limit: int) -> list[str]:
        """Ids that end with this suffix."""
        return sorted(id for id in self._tables.memories if id.endswith(suffix))[:limit]

    def find(self, query: Query) -> list[Memory]:
        """The memories that match the query, in its order."""
        place, reverse = _ORDERS[query.sort]
        found = sorted(self._fitting(query), key=place, reverse=reverse)
        if query.after is not None:
            start = self._start(query.after, query.sort)
            if start is None:
                return []
            found = [each for each in found if _comes_after(place(each), start, reverse)]
        return found[: query.limit]

    def total(self, query: Query) -> int:
        """How many memories match the query."""
        return sum(1 for _ in self._fitting(query))

    def known(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that exist."""
        return set(self.get(ids))

    def unseen(self, user: str, agent: str, now: datetime, most: int) -> Unseen:
        """How many live memories of users a user does not see."""
        wanted = Query(now=now, scope=Scope.USER, agent=agent)
        names = [each.scope_id for each in self._fitting(wanted) if each.scope_id != user]
        unowned = names.count("")
        return Unseen(unowned=min(unowned, most), others=min(len(names) - unowned, most))

    def before(self, memory: Memory, limit: int) -> list[str]:
        """Memories said before one in its session that all who see it may see, nearest first."""
        found = [
            (each.origin.ordinal, each.id)
            for each in self._tables.memories.values()
            if _is_said_before(each, memory) and not each.forgotten and may_inform(each, memory)
        ]
        return [id for _, id in sorted(found, reverse=True)[:limit]]

    def withdrawn(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that were forgotten, superseded or erased."""
        held = self.get(ids)
        standing = {id for id, each in held.items() if not (each.forgotten or each.superseded_by)}
        return set(ids) - standing

    def count_access(self, ids: Sequence[str], at: datetime) -> None:
        """Count an access to these memories."""
        for id, memory in self.get(ids).items():
            self._tables.memories[id] = replace(
                memory, access_count=memory.access_count + 1, last_accessed_at=at
            )

    def by_day(self, viewer: Viewer) -> dict[date, int]:
        """How many were created on each day in UTC."""
        seen = (
            memory.created_at.date()
            for memory in self._tables.memories.values()
            if viewer.sees(memory)
        )
        return dict(Counter(seen))

    def _fitting(self, query: Query) -> Iterator[Memory]:
        words = None if query.contains is None else re.compile(to_regex(query.contains))
        return (
            memory
            for memory in self._tables.memories.values()
            if matches_query(memory, query) and _contains_words(memory, words)
        )

    def _start(self, after: str, sort: Sort) -> tuple[Any, ...] | None:
        """The place that a page begins after; the order of creation is that of the ids."""
        if sort is Sort.CREATED:
            return (after,)
        last = self._tables.memories.get(after)
        return None if last is None else _ORDERS[sort][0](last)

    def _put(self, memory: Memory) -> None:
        if memory.superseded_by is None:
            owner = self._tables.identities.setdefault(memory.content_hash, memory.id)
            if owner != memory.id:
                raise AlreadyKnown(f"memory {owner} says exactly this already")
        self._tables.memories[memory.id] = memory
        self._tables.revisions[memory.id] = self._tables.revision

    def _release(self, memory: Memory) -> None:
        if memory.superseded_by is None:
            del self._tables.identities[memory.content_hash]


class InMemoryTexts:
    """The terms of memories."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def put(self, id: str, terms: Sequence[str]) -> None:
        """Store the terms of a memory, replacing any it had."""
        if id in self._tables.memories:
            self._tables.terms[id] = pack_term_codes(terms)

    def of(self, ids: Sequence[str]) -> dict[str, bytes]:
        """The packed terms of these memories."""
        return {id: self._tables.terms[id] for id in ids if id in self._tables.terms}


class InMemoryClaims:
    """The claims of memories."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def put(self, id: str, claims: Sequence[str]) -> None:
        """Add claims to a memory."""
        if id in self._tables.memories:
            held = self._tables.claims.get(id, frozenset())
            self._tables.claims[id] = held | frozenset(claims)

    def clear(self, id: str) -> None:
        """Drop the claims of a memory."""
        self._tables.claims.pop(id, None)

    def rivals(self, ids: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """Pairs of one of these memories and another that shares a claim with it."""
        held = self._tables.claims
        standing = [id for id in sorted(held) if self._stands(id)]
        pairs = [
            (id, other)
            for id in sorted(set(ids) & held.keys())
            for other in standing
            if other != id and held[id] & held[other]
        ]
        return pairs[:limit]

    def shared(self, start: int, limit: int) -> list[tuple[int, list[tuple[str, Owner]]]]:
        """A page of claims that several memories make, from a code on."""
        makers: dict[int, list[str]] = {}
        for id, claims in sorted(self._tables.claims.items()):
            for claim in claims:
                makers.setdefault(signed_term_code(claim), []).append(id)
        page = sorted(each for each in makers.items() if each[0] >= start and len(each[1]) > 1)
        return [
            (claim, [(id, self._tables.memories[id].owner) for id in ids if self._stands(id)])
            for claim, ids in page[:limit]
        ]

    def shared_keys(self) -> list[tuple[str, list[str]]]:
        """Keys that several memories of one owner have."""
        holders: dict[tuple[str, Owner], list[str]] = {}
        for id, memory in sorted(self._tables.memories.items()):
            if memory.key is not None and self._stands(id):
                holders.setdefault((memory.key, memory.owner), []).append(id)
        return [(key, ids) for (key, _), ids in sorted(holders.items()) if len(ids) > 1]

    def _stands(self, id: str) -> bool:
        memory = self._tables.memories[id]
        return not memory.forgotten and memory.superseded_by is None


class InMemoryVectors:
    """The vectors of memories, each under its model."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def put(self, id: str, model: EmbeddingModel, vector: Vector) -> None:
        """Store a vector with the precision that other backends keep."""
        halved = unpack_vector(pack_vector(vector, model))
        if id in self._tables.memories:
            self._tables.vectors[model, id] = halved
            self._tables.revisions[id] = self._tables.revision

    def get(self, ids: Sequence[str], model: EmbeddingModel) -> dict[str, Vector]:
        """The vectors that this model made of these memories."""
        held = self._tables.vectors
        return {id: held[model, id] for id in ids if (model, id) in held}

    def scan(
        self, model: EmbeddingModel, after: str | None, limit: int
    ) -> list[tuple[str, Vector]]:
        """A page of the vectors of a model, by the memories' ids."""
        held = self._tables.vectors
        ids = sorted(id for made_by, id in held if made_by == model and id > (after or ""))
        return [(id, held[model, id]) for id in ids[:limit]]

    def discard(self, id: str) -> None:
        """Remove the vectors of every model."""
        for key in [key for key in self._tables.vectors if key[1] == id]:
            del self._tables.vectors[key]

    def models(self) -> list[EmbeddingModel]:
        """The models that vectors were made by."""
        return sorted({model for model, _ in self._tables.vectors}, key=astuple)

    def lacking(self, model: EmbeddingModel) -> int:
        """How many memories have no vector of this model."""
        return len(self.missing(model, len(self._tables.memories)))

    def missing(self, model: EmbeddingModel, limit: int) -> list[str]:
        """Memories that have no vector of this model, oldest first."""
        held = self._tables.vectors
        return sorted(id for id in self._tables.memories if (model, id) not in held)[:limit]


class InMemoryTokenCodes:
    """The token codes of memories, each under its model."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def put(self, id: str, model: EmbeddingModel, codes: bytes, context: Sequence[str]) -> None:
        """Store codes, replacing this model's codes of the memory."""
        if self._tables.memories.keys() >= {id, *context}:
            self._tables.token_codes[model, id] = (codes, tuple(context))

    def get(self, ids: Sequence[str], model: EmbeddingModel) -> dict[str, bytes]:
        """The codes that this model made of these memories."""
        held = self._tables.token_codes
        return {id: held[model, id][0] for id in ids if (model, id) in held}

    def discard(self, id: str) -> None:
        """Remove the codes of a memory, and those encoded behind it."""
        self._remove(lambda own, context: id in (own, *context))

    def discard_after(self, memory: Memory) -> None:
        """Remove the codes of memories that now have this one among the two before them."""
        memories = InMemoryMemories(self._tables)
        self._remove(lambda own, _: memory.id in memories.before(self._tables.memories[own], 2))

    def lacking(self, model: EmbeddingModel) -> int:
        """How many memories have no codes of this model."""
        return len(self.missing(model, len(self._tables.memories)))

    def missing(self, model: EmbeddingModel, limit: int, since: int = 0) -> list[str]:
        """Memories that have no codes of this model, newest first."""
        ids = (
            id
            for id, memory in self._tables.memories.items()
            if not memory.forgotten
            and memory.superseded_by is None
            and self._tables.revisions[id] > since
        )
        held = self._tables.token_codes
        return sorted((id for id in ids if (model, id) not in held), reverse=True)[:limit]

    def _remove(self, is_stale: Callable[[str, tuple[str, ...]], bool]) -> None:
        held = self._tables.token_codes
        for key in [key for key, (_, context) in held.items() if is_stale(key[1], context)]:
            del held[key]
            if key[1] in self._tables.memories:
                self._tables.revisions[key[1]] = self._tables.revision


def _is_said_before(one: Memory, other: Memory) -> bool:
    """Whether one memory stands before another in the same session."""
    ordinal, end = one.origin.ordinal, other.origin.ordinal
    if ordinal is None or end is None or one.origin.session is None:
        return False
    return one.origin.session == other.origin.session and ordinal < end


def _comes_after(place: tuple[Any, ...], start: tuple[Any, ...], reverse: bool) -> bool:
    return place < start if reverse else place > start


def _contains_words(memory: Memory, words: re.Pattern[str] | None) -> bool:
    texts = (memory.content, memory.key or "", *memory.tags)
    return words is None or any(words.search(text) for text in texts)


class InMemoryAssociations:
    """The edges between memories of one workspace."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def get(self, source: str, target: str, relation: Relation) -> Association | None:
        """One edge."""
        return self._tables.associations.get((source, target, str(relation)))

    def put(self, association: Association) -> None:
        """Add an edge or change its weight."""
        self._tables.associations[_edge_key(association)] = association

    def remove(self, association: Association) -> None:
        """Remove an edge."""
        self._tables.associations.pop(_edge_key(association), None)

    def clear(self, id: str) -> int:
        """Remove every edge at a memory; returns how many."""
        gone = [edge for edge in self._tables.associations if id in edge[:2]]
        for edge in gone:
            del self._tables.associations[edge]
        return len(gone)

    def of(self, id: str) -> list[Association]:
        """Edges at a memory, in both directions, leaving out forgotten neighbours."""
        return [
            association
            for (source, target, _), association in sorted(self._tables.associations.items())
            if id in (source, target)
            and not self._tables.memories[target if source == id else source].forgotten
        ]

    def within(
        self, ids: Sequence[str], depth: int, relations: Collection[Relation]
    ) -> list[Association]:
        """Edges at any memory that is fewer than `depth` steps away over edges of `relations`."""
        reached: set[str] = set()
        frontier = set(ids)
        for _ in range(depth):
            reached |= frontier
            walked = [edge[:2] for edge in self._at(frontier) if edge[2] in relations]
            frontier = {id for ends in walked for id in ends} - reached
        return [self._tables.associations[edge] for edge in sorted(self._at(reached))]

    def _at(self, ids: set[str]) -> list[Edge]:
        return [edge for edge in self._tables.associations if ids & set(edge[:2])]

    def of_relation(self, relation: Relation) -> list[Association]:
        """All edges of one relation, by source and target."""
        edges = [self._tables.associations[edge] for edge in sorted(self._tables.associations)]
        return [edge for edge in edges if edge.relation is relation]

    def scan(self, after: Association | None, limit: int) -> list[Association]:
        """A page of all edges, by source, target and relation."""
        edges = sorted(self._tables.associations)
        start = _edge_key(after) if after else ("", "", "")
        return [self._tables.associations[edge] for edge in edges if edge > start][:limit]


class InMemoryAudit:
    """The audit log."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def record(self, entry: AuditEntry) -> None:
        """Add a row that is new."""
        self.append([entry])

    def append(self, entries: Iterable[AuditEntry]) -> int:
        """Add rows unless they are there already; returns how many were added."""
        before = len(self._tables.audit)
        for entry in entries:
            self._tables.audit.setdefault(entry.id, entry)
        return len(self._tables.audit) - before

    def of(self, memory: str) -> list[AuditEntry]:
        """The rows of one memory, oldest first."""
        return [entry for _, entry in sorted(self._tables.audit.items()) if entry.memory == memory]

    def scan(self, after: str | None, limit: int) -> list[AuditEntry]:
        """A page of all rows, by id."""
        ids = sorted(id for id in self._tables.audit if id > (after or ""))
        return [self._tables.audit[id] for id in ids[:limit]]

    def blank(self, memory: str) -> int:
        """Remove the values from a memory's rows; returns how many rows held any."""
        held = [each for each in self.of(memory) if each.old is not None or each.new is not None]
        for entry in held:
            self._tables.audit[entry.id] = replace(entry, old=None, new=None)
        return len(held)


class InMemoryReviews:
    """Changes that wait for a person."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def same(self, review: Review) -> Review | None:
        """The pending review of the same change by the same author."""
        for waiting in self._tables.reviews.values():
            if replace(waiting, id=review.id, created_at=review.created_at) == review:
                return waiting
        return None

    def add(self, review: Review) -> None:
        """Queue a new review, its fields sorted as other backends keep them."""
        ordered = json.loads(json.dumps(review.change, sort_keys=True))
        self._tables.reviews[review.id] = replace(review, change=ordered)

    def get(self, id: str) -> Review | None:
        """One pending review."""
        return self._tables.reviews.get(id)

    def about(self, memory: str) -> list[Review]:
        """The pending reviews of one memory, oldest first."""
        found = sorted(self._tables.reviews.items())
        return [review for _, review in found if review.memory == memory]

    def pending(self, after: str | None, limit: int) -> list[Review]:
        """A page of pending reviews, oldest first."""
        ids = sorted(id for id in self._tables.reviews if id > (after or ""))
        return [self._tables.reviews[id] for id in ids[:limit]]

    def drop(self, id: str) -> bool:
        """Drop one review; returns whether it was pending."""
        return self._tables.reviews.pop(id, None) is not None

    def remove(self, memory: str) -> int:
        """Drop the reviews of one memory; returns how many."""
        gone = [id for id, review in self._tables.reviews.items() if review.memory == memory]
        for id in gone:
            del self._tables.reviews[id]
        return len(gone)


def _edge_key(association: Association) -> Edge:
    return (association.source, association.target, str(association.relation))
