"""Calls about relations between memories: links, the graph around a memory, conflicts."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import chain, combinations, islice

from tacit.api.protocols.memories import ConflictsProtocol
from tacit.api.visibility import hidden_from, is_visible
from tacit.api.workspace import Part
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, Relation, State
from tacit.core.memory import Association, Graph, Memory
from tacit.core.permissions import Viewer
from tacit.statements.conflict_list import (
    FIRST_CLAIM,
    FIRST_NOTED,
    Conflict,
    claim_code_at,
    claim_place,
    find_conflict_place,
    group_conflicts,
    key_place,
    pairs_that_may_meet,
    statements_place,
    values_at,
)
from tacit.statements.precedence import IdPair
from tacit.store.conflict_links import load_compatible_pairs, pair_of
from tacit.store.protocols.store import UnitOfWork
from tacit.writing.draft import Written
from tacit.writing.relations import (
    link_memories,
    reconcile_memories,
    supersede_memories,
    unlink_memories,
)

_DEEPEST = 4


class Links(Part):
    """Links between memories."""

    def link(
        self,
        source: str,
        target: str,
        relation: Relation | str = Relation.RELATED_TO,
        *,
        weight: float = 0.5,
        by: Actor | str = Actor.USER,
    ) -> Association:
        values = {"source": source, "target": target, "relation": relation, "weight": weight}
        edge = Association.from_dict(values)
        return self._context.write(by, lambda author: link_memories(author, edge))

    def unlink(
        self,
        source: str,
        target: str,
        relation: Relation | str = Relation.RELATED_TO,
        *,
        by: Actor | str = Actor.USER,
    ) -> None:
        ends = check_field("id", source, "source"), check_field("id", target, "target")
        kind = check_field("relation", relation)
        self._context.write(by, lambda author: unlink_memories(author, *ends, kind))

    def links(
        self, id: str, *, limit: int = 100, agent: str | None = None, user: str | None = None
    ) -> Sequence[Association]:
        memory, viewer = self._context.load_memory(id), Viewer.of(agent, user)
        most = check_field("limit", limit)
        found = self._context.read(lambda unit: load_links(unit, memory.id, viewer))
        if len(found) <= most:
            return found
        return sorted(found, key=lambda edge: -edge.weight)[:most]

    def graph(
        self,
        id: str,
        *,
        depth: int = 1,
        limit: int = 100,
        agent: str | None = None,
        user: str | None = None,
    ) -> Graph:
        memory, viewer = self._context.load_memory(id), Viewer.of(agent, user)
        if not self._context.read(lambda unit: is_visible(viewer, unit, memory)):
            raise NotFound(f"there is no memory {memory.id} in workspace {self._context.name!r}")
        size = check_field("limit", limit)
        if not 1 <= depth <= _DEEPEST:
            raise InvalidInput("depth", f"expected a whole number from 1 to {_DEEPEST}")
        find = partial(
            load_graph, depth=depth, limit=size, viewer=viewer, now=self._context.clock()
        )
        return self._context.read(lambda unit: find(unit, memory.id))


class Conflicts(Part, ConflictsProtocol):
    """Memories that contradict each other: list and resolve them."""

    def list(
        self,
        *,
        limit: int = 50,
        after: str | None = None,
        agent: str | None = None,
        user: str | None = None,
    ) -> Sequence[Conflict]:
        size, now = check_field("limit", limit), self._context.clock()
        who = Viewer.of(agent, user)
        self._context.compare_lately_written()
        return self._context.read(
            lambda unit: list_conflicts(ConflictReader(unit=unit, now=now, viewer=who), size, after)
        )

    def count_uncompared(self) -> int:
        """How many statements wait to be compared with what is like them."""
        return self._context.comparing.count_waiting()

    def compare_waiting(self, progress: Callable[[int], None] | None = None) -> int:
        """Compare all that can be now; returns how many statements still wait.

        Those have no vector, or wait for the local model. `progress` is called with how many wait.
        """
        if progress is None:
            self._context.comparing.compare_all()
        else:
            self._context.comparing.compare_all(compared=lambda: progress(self.count_uncompared()))
        return self.count_uncompared()

    def resolve(
        self,
        *,
        keep: str | None = None,
        supersede: Iterable[str] = (),
        keep_both: Iterable[str] = (),
        reason: str = "",
        by: Actor | str = Actor.USER,
    ) -> Sequence[Written]:
        losers = check_field("ids", supersede, "supersede")
        right = check_field("ids", keep_both, "keep_both")
        why = check_field("reason", reason)
        if (keep is None) == (not right) or (keep is None and losers):
            raise InvalidInput("keep", "give keep and supersede, or else keep_both")
        self._context.compare_lately_written()
        if keep is None:
            return self._context.write(by, lambda author: reconcile_memories(author, right, why))
        winner = check_field("id", keep, "keep")
        return self._context.write(
            by, lambda author: supersede_memories(author, winner, losers, why)
        )


# The graph


def load_graph(
    unit: UnitOfWork, id: str, *, depth: int, limit: int, viewer: Viewer, now: datetime
) -> Graph:
    """The memories reachable from one in `depth` steps that a viewer may see."""
    edges = unit.associations.within([id], depth, frozenset(Relation))
    ends = {end for edge in edges for end in (edge.source, edge.target)}
    known = unit.memories.get(sorted(ends | {id}))
    seen = {each for each in known if _is_in_graph(unit, known[each], viewer, now)} | {id}
    nodes = _nearest_first(id, [each for each in edges if {each.source, each.target} <= seen])
    shown = [each for each in nodes if nodes[each] <= depth][:limit]
    between = tuple(each for each in edges if {each.source, each.target} <= set(shown))
    return Graph(nodes=tuple(known[each] for each in shown), edges=between)


def load_links(unit: UnitOfWork, id: str, viewer: Viewer) -> list[Association]:
    """The links of a memory whose other end a viewer may see."""
    edges = unit.associations.of(id)
    hidden = hidden_from(
        viewer, unit, [end for edge in edges for end in (edge.source, edge.target)]
    )
    return [edge for edge in edges if hidden.isdisjoint((edge.source, edge.target))]


def _nearest_first(start: str, edges: list[Association]) -> dict[str, int]:
    """The memories that edges lead to, with their distance."""
    neighbours: dict[str, set[str]] = {}
    for edge in edges:
        neighbours.setdefault(edge.source, set()).add(edge.target)
        neighbours.setdefault(edge.target, set()).add(edge.source)
    found, ring, steps = {start: 0}, [start], 0
    while ring:
        steps += 1
        around = sorted({other for each in ring for other in neighbours.get(each, ())})
        ring = [each for each in around if each not in found]
        found |= dict.fromkeys(ring, steps)
    return found


def _is_in_graph(unit: UnitOfWork, memory: Memory, viewer: Viewer, now: datetime) -> bool:
    return is_visible(viewer, unit, memory) and memory.state(now) is not State.FORGOTTEN


# Conflicts, page by page


_ID = re.compile(r"([kns]-[0-9a-f]{16})-[0-9a-f]{16}")
_CLAIMS_AT_ONCE = 500
_PLACES_AT_ONCE = 500
_MOST_PAIRS = 20_000
"""So many pairs are compared for one topic, those with new memories first."""

MAX_PAGE_MEMORIES = 1_000
MAX_PAGE_CHARACTERS = 2_000_000
"""A page of conflicts ends once its memories have so many characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictReader:
    """A viewer of a workspace at a moment."""

    unit: UnitOfWork
    now: datetime
    viewer: Viewer

    def sees(self, memory: Memory) -> bool:
        """Whether a memory is live and visible to the viewer."""
        is_live = memory.state(self.now) is State.LIVE
        return is_live and is_visible(self.viewer, self.unit, memory)


@dataclass(frozen=True, slots=True)
class _PairsAtPlace:
    """A topic that several memories speak about, and the pairs to compare."""

    name: str
    pairs: tuple[IdPair, ...]
    likelihood: float | None = None
    """How likely the later of two statements replaces the earlier one, if that was noted."""


def list_conflicts(reader: ConflictReader, limit: int, after: str | None) -> list[Conflict]:
    """A page of conflicts in the order of their ids."""
    start = "" if after is None else _place_in(after)
    found: list[Conflict] = []
    memories = characters = 0
    for batch in _batches(_place_pages(reader.unit, start)):
        for each in _find_conflicts(reader, batch):
            if after is not None and each.id <= after:
                continue
            found.append(each)
            memories += len(each.memories)
            characters += _count_characters(each)
            if len(found) >= limit or _is_much(memories, characters):
                return found
    return found


def is_full_page(found: Sequence[Conflict], limit: int) -> bool:
    """Whether a page has as many conflicts as asked for, or ended since it has very much in it."""
    memories = sum(len(each.memories) for each in found)
    return len(found) >= limit or _is_much(memories, sum(map(_count_characters, found)))


def _is_much(memories: int, characters: int) -> bool:
    return memories >= MAX_PAGE_MEMORIES or characters >= MAX_PAGE_CHARACTERS


def _count_characters(conflict: Conflict) -> int:
    return sum(len(memory.content) for memory in conflict.memories)


def _batches(pages: Iterable[Sequence[_PairsAtPlace]]) -> Iterator[list[_PairsAtPlace]]:
    """Places to compare together: no more than are needed to see whether a page is full."""
    for page in pages:
        batch: list[_PairsAtPlace] = []
        pairs = 0
        for place in page:
            batch.append(place)
            pairs += len(place.pairs)
            if pairs >= _MOST_PAIRS:
                yield batch
                batch, pairs = [], 0
        if batch:
            yield batch


def _place_in(after: str) -> str:
    match = _ID.fullmatch(after)
    if match is None:
        raise InvalidInput("after", f"{after!r} is not the id of a conflict; start from the top")
    return match[1]


def _place_pages(unit: UnitOfWork, start: str) -> Iterator[list[_PairsAtPlace]]:
    """Pages of places in order, from one on: keys first, then noted pairs, then claims."""
    if start < FIRST_CLAIM:
        keyed = _places_of_keys(unit, start) if start < FIRST_NOTED else []
        first_places = chain(keyed, _places_of_statements(unit, start))
        while page := list(islice(first_places, _PLACES_AT_ONCE)):
            yield page
    first: int | None = claim_code_at(start)
    while first is not None:
        shared = unit.claims.shared(first, _CLAIMS_AT_ONCE)
        yield [
            _PairsAtPlace(
                claim_place(claim), tuple(islice(pairs_that_may_meet(owners), _MOST_PAIRS))
            )
            for claim, owners in shared
        ]
        first = shared[-1][0] + 1 if len(shared) == _CLAIMS_AT_ONCE else None


def _places_of_keys(unit: UnitOfWork, start: str) -> list[_PairsAtPlace]:
    """A place for each key under which an owner has several memories."""
    found: dict[str, list[IdPair]] = {}
    for key, ids in unit.claims.shared_keys():
        pairs = islice(combinations(sorted(ids, reverse=True), 2), _MOST_PAIRS)
        found.setdefault(key_place(key), []).extend(pairs)
    return [
        _PairsAtPlace(name, tuple(pairs)) for name, pairs in sorted(found.items()) if name >= start
    ]


def _places_of_statements(unit: UnitOfWork, start: str) -> list[_PairsAtPlace]:
    """A place for each two memories of which it was noted that they conflict."""
    noted = {
        pair_of(edge): edge.weight for edge in unit.associations.of_relation(Relation.CONTRADICTS)
    }
    places = [
        _PairsAtPlace(statements_place(*pair), (pair,), weight) for pair, weight in noted.items()
    ]
    return sorted((each for each in places if each.name >= start), key=lambda each: each.name)


def _find_conflicts(reader: ConflictReader, places: Sequence[_PairsAtPlace]) -> Iterator[Conflict]:
    ids = {id for place in places for pair in place.pairs for id in pair}
    held = reader.unit.memories.get(sorted(ids)) if ids else {}
    seen = {id: memory for id, memory in held.items() if reader.sees(memory)}
    disputes = [_find_disputes(place, seen) for place in places]
    settled = load_compatible_pairs(
        reader.unit, {id for pairs in disputes for pair in pairs for id in pair}
    )
    for place, pairs in zip(places, disputes, strict=True):
        yield from _group_conflicts(place, pairs - settled, seen)


def _find_disputes(place: _PairsAtPlace, seen: Mapping[str, Memory]) -> set[IdPair]:
    """The pairs, smaller id first, that disagree at a place."""
    present = {id for pair in place.pairs for id in pair} & seen.keys()
    said = {id: values_at(place.name, seen[id]) for id in present}
    noted = place.pairs if place.likelihood is not None else ()
    return {
        (min(one, other), max(one, other))
        for one, other in place.pairs
        if one in said
        and other in said
        and said[one] != said[other]
        and find_conflict_place(seen[one], seen[other], noted) == place.name
    }


def _group_conflicts(
    place: _PairsAtPlace, pairs: Iterable[IdPair], seen: Mapping[str, Memory]
) -> list[Conflict]:
    """The conflicts at one place, by id."""
    found = [
        Conflict.of(place.name, [seen[id] for id in group], place.likelihood)
        for group in group_conflicts(pairs)
    ]
    return sorted(found, key=lambda conflict: conflict.id)
