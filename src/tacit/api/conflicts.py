"""Listing conflicts: memories that contradict each other, page by page."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations, islice

from tacit.api.visibility import is_visible
from tacit.core.errors import InvalidInput
from tacit.core.kinds import State
from tacit.core.memory import Memory
from tacit.core.permissions import Viewer
from tacit.search.conflicts import (
    FIRST_CLAIM,
    Conflict,
    ConflictTopic,
    IdPair,
    claim_code_at,
    claim_place,
    find_topic,
    group_conflicts,
    load_compatible_pairs,
    pairs_that_may_meet,
    values_at,
)
from tacit.store.protocols.unit import Unit

_ID = re.compile(r"([ks]-[0-9a-f]{16})-[0-9a-f]{16}")
_CLAIMS_AT_ONCE = 500
_KEYS_AT_ONCE = 500
_MOST_PAIRS = 20_000
"""So many pairs are compared for one topic, those with new memories first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who looks at a workspace, and when."""

    unit: Unit
    now: datetime
    viewer: Viewer

    def sees(self, memory: Memory) -> bool:
        """Whether a memory is live, and one that they may see."""
        is_live = memory.state(self.now) is State.LIVE
        return is_live and is_visible(self.viewer, self.unit, memory)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where memories meet that may disagree, and which of them are to be compared."""

    name: str
    pairs: tuple[IdPair, ...]


def conflicts(reader: Reader, limit: int, after: str | None) -> list[Conflict]:
    """A page of conflicts in the order of their ids, after one of them."""
    start = "" if after is None else _place_in(after)
    found = (each for page in _pages(reader.unit, start) for each in _conflicts_in(reader, page))
    return list(islice((each for each in found if after is None or each.id > after), limit))


def _place_in(after: str) -> str:
    match = _ID.fullmatch(after)
    if match is None:
        raise InvalidInput("after", f"{after!r} is not the id of a conflict; start from the top")
    return match[1]


def _pages(unit: Unit, start: str) -> Iterator[list[_Place]]:
    """Places from one on, in order, as many at once as are read together: keys, then claims."""
    if start < FIRST_CLAIM:
        keyed = iter(_keyed(unit, start))
        while page := list(islice(keyed, _KEYS_AT_ONCE)):
            yield page
    first: int | None = claim_code_at(start)
    while first is not None:
        shared = unit.claims.shared(first, _CLAIMS_AT_ONCE)
        yield [
            _Place(claim_place(claim), tuple(islice(pairs_that_may_meet(owners), _MOST_PAIRS)))
            for claim, owners in shared
        ]
        first = shared[-1][0] + 1 if len(shared) == _CLAIMS_AT_ONCE else None


def _keyed(unit: Unit, start: str) -> list[_Place]:
    """A place for each key that one owner gave several memories."""
    found: dict[str, list[IdPair]] = {}
    for key, ids in unit.claims.shared_keys():
        pairs = islice(combinations(sorted(ids, reverse=True), 2), _MOST_PAIRS)
        found.setdefault(ConflictTopic.of_key(key).place, []).extend(pairs)
    return [_Place(name, tuple(pairs)) for name, pairs in sorted(found.items()) if name >= start]


def _conflicts_in(reader: Reader, places: Sequence[_Place]) -> Iterator[Conflict]:
    ids = {id for place in places for pair in place.pairs for id in pair}
    held = reader.unit.memories.get(sorted(ids)) if ids else {}
    seen = {id: memory for id, memory in held.items() if reader.sees(memory)}
    disputes = [_disputes(place, seen) for place in places]
    settled = load_compatible_pairs(
        reader.unit, {id for topics in disputes for pair in topics for id in pair}
    )
    for topics in disputes:
        yield from _conflicts_of(
            {pair: topic for pair, topic in topics.items() if pair not in settled}, seen
        )


def _disputes(place: _Place, seen: Mapping[str, Memory]) -> dict[IdPair, ConflictTopic]:
    """The pairs, smaller id first, that disagree on what is at a place."""
    present = {id for pair in place.pairs for id in pair} & seen.keys()
    said = {id: values_at(place.name, seen[id]) for id in present}
    found = {}
    for one, other in place.pairs:
        if one in said and other in said and said[one] != said[other]:
            topic = find_topic(seen[one], seen[other])
            if topic is not None and topic.place == place.name:
                found[min(one, other), max(one, other)] = topic
    return found


def _conflicts_of(
    topics: Mapping[IdPair, ConflictTopic], seen: Mapping[str, Memory]
) -> list[Conflict]:
    """The conflicts at one place, by id."""
    groups = group_conflicts(topics)
    found = [
        Conflict.of(topics[group[0], group[1]], [seen[id] for id in group]) for group in groups
    ]
    return sorted(found, key=lambda conflict: conflict.id)
