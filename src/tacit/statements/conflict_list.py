"""Conflicts as people see them: what memories disagree on, and what is recommended."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations, product

from tacit.core.fields import Id
from tacit.core.json_value import JsonValue
from tacit.core.kinds import Owner, Scope
from tacit.core.memory import Memory
from tacit.language.terms import signed_term_code
from tacit.statements.clauses import Statement
from tacit.statements.conflict_titles import make_title
from tacit.statements.decision import NOT_CLEAR, Outcome, decide, is_live_statement, may_meet
from tacit.statements.parser import parse_text
from tacit.statements.precedence import IdPair, age_of, are_in_conflict, decide_among, id_pair

_LOWEST_CODE = -(1 << 63)


def _to_sortable(code: int) -> str:
    """A code as text that sorts like the number."""
    return f"{code - _LOWEST_CODE:016x}"


def key_place(key: str) -> str:
    """The place of memories that share a key."""
    return f"k-{_to_sortable(signed_term_code(key))}"


def statements_place(one: str, other: str) -> str:
    """The place of two memories of which it was noted that they conflict."""
    return f"n-{_to_sortable(signed_term_code(' '.join(sorted((one, other)))))}"


def claim_place(code: int) -> str:
    """The place of the claim that a store keeps under this code."""
    return f"s-{_to_sortable(code)}"


def claim_code_at(place: str) -> int:
    """The code of the claim at a place; the lowest code if the place is a key's."""
    number = max(place, FIRST_CLAIM).partition("-")[2]
    return int(number, 16) + _LOWEST_CODE


FIRST_NOTED = f"n-{_to_sortable(_LOWEST_CODE)}"
"""The first place of two statements; all keys come before it."""

FIRST_CLAIM = claim_place(_LOWEST_CODE)
"""The first place of a claim; all keys and pairs of statements come before it."""


def find_conflict_place(
    first: Memory, second: Memory, noted: Collection[IdPair] = ()
) -> str | None:
    """Where two memories disagree; None if both can be current or nobody can see both.

    Places sort: keys first, then what was noted of two statements, then attributes of things.
    A key has one value for each scope, so those of different scopes do not disagree.
    `noted` are pairs, smaller id first, of which it was noted that they disagree.
    """
    if not may_meet(first, second):
        return None
    if not are_in_conflict(first, second):
        is_noted = id_pair(first, second) in noted
        return statements_place(first.id, second.id) if is_noted else None
    if first.key is not None and first.key == second.key:
        return key_place(first.key) if first.scope == second.scope else None
    return min(_find_disputed(first.content, second.content))[1]


def values_at(place: str, memory: Memory) -> frozenset[tuple[str, bool]]:
    """The values that a memory states at a place; equal values are no disagreement."""
    if place < FIRST_CLAIM:
        return frozenset({(memory.content, False)})
    if not is_live_statement(memory):
        return frozenset()
    return frozenset(
        (statement.value, statement.is_negated)
        for statement in parse_text(memory.content).statements
        if claim_place(signed_term_code(statement.claim)) == place
    )


def pairs_that_may_meet(owners: Iterable[tuple[str, Owner]]) -> Iterator[IdPair]:
    """Pairs of memories that one turn could see together: of one owner, or of two scopes.

    Pairs with newer memories come first.
    """
    by_owner: dict[Owner, list[str]] = {}
    by_scope: dict[Scope, list[str]] = {}
    for id, owner in sorted(owners, reverse=True):
        by_owner.setdefault(owner, []).append(id)
        by_scope.setdefault(owner[0], []).append(id)
    for ids in by_owner.values():
        yield from combinations(ids, 2)
    for one, other in combinations(by_scope.values(), 2):
        yield from product(one, other)


def _find_disputed(first: str, second: str) -> Iterator[tuple[bool, str]]:
    """The places of claims on which two texts differ; False for those that share no value."""
    ours, theirs = _group_by_claim(first), _group_by_claim(second)
    for claim in ours.keys() & theirs.keys():
        one, other = (
            {(each.value, each.is_negated) for each in said[claim]} for said in (ours, theirs)
        )
        if one != other:
            yield not one.isdisjoint(other), claim_place(signed_term_code(claim))


def _group_by_claim(content: str) -> dict[str, list[Statement]]:
    found: dict[str, list[Statement]] = {}
    for statement in parse_text(content).statements:
        found.setdefault(statement.claim, []).append(statement)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation(JsonValue):
    """Which memory the rules of a turn would keep; None where they cannot decide."""

    keep: Id | None
    supersede: tuple[Id, ...] = ()
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict(JsonValue):
    """Memories that each contradict all the others, oldest first, and what `about`.

    Lists are in the order of the ids, which follow from what the memories are.
    """

    id: str
    memories: tuple[Memory, ...]
    about: str
    recommended: Recommendation

    @classmethod
    def of(
        cls, place: str, memories: Iterable[Memory], likelihood: float | None = None
    ) -> "Conflict":
        """The conflict of these memories at a place.

        `likelihood` says how likely the later of two statements replaces the earlier one, where
        reading both together told that they disagree.
        """
        sides = tuple(sorted(memories, key=lambda memory: memory.id))
        named = "\n".join(memory.id for memory in sides).encode()
        return cls(
            id=f"{place}-{blake2b(named, digest_size=8).hexdigest()}",
            memories=sides,
            about=_describe_topic(place, sides),
            recommended=(
                _recommend(sides) if likelihood is None else _recommend_later(sides, likelihood)
            ),
        )


def _describe_topic(place: str, sides: Sequence[Memory]) -> str:
    """What memories disagree on: their key, or what all of them are about."""
    key = sides[0].key
    if key is not None and key_place(key) == place:
        return key
    return make_title([memory.content for memory in sorted(sides, key=age_of)])


def group_conflicts(pairs: Iterable[IdPair]) -> list[tuple[str, ...]]:
    """Groups in which every memory contradicts all others; every pair is in at least one."""
    listed = sorted({(min(pair), max(pair)) for pair in pairs})
    against: dict[str, set[str]] = {}
    for one, other in listed:
        against.setdefault(one, set()).add(other)
        against.setdefault(other, set()).add(one)
    found: list[tuple[str, ...]] = []
    covered: set[IdPair] = set()
    for one, other in listed:
        if (one, other) not in covered:
            group = {one, other}
            for each in sorted(against[one] & against[other]):
                if group <= against[each]:
                    group.add(each)
            found.append(tuple(sorted(group)))
            covered.update(combinations(found[-1], 2))
    return found


def _recommend(sides: tuple[Memory, ...]) -> Recommendation:
    ids = [memory.id for memory in sides]
    verdicts = decide_among(sides, combinations(ids, 2), detect=True)
    standing = [id for id in ids if id not in verdicts or verdicts[id].is_conflict]
    if len(standing) > 1:
        return Recommendation(keep=None, reason=verdicts[standing[0]].reason)
    losers = tuple(id for id in ids if id != standing[0])
    reasons = dict.fromkeys(verdicts[id].reason for id in losers)
    return Recommendation(keep=standing[0], supersede=losers, reason=", ".join(reasons))


def _recommend_later(sides: Iterable[Memory], likelihood: float) -> Recommendation:
    old, new = sorted(sides, key=age_of)
    verdict = decide(old, new, likelihood)
    if verdict.outcome in (Outcome.REPLACED, Outcome.REVIEW):
        return Recommendation(keep=new.id, supersede=(old.id,), reason=verdict.reason)
    return Recommendation(keep=None, reason=NOT_CLEAR)
