"""What two memories disagree on: a key, or one attribute of one thing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

from tacit.core.kinds import Owner, Scope
from tacit.core.memory import Memory
from tacit.language.statements.reading import read
from tacit.language.statements.statement import Statement
from tacit.language.text.codes import signed_code
from tacit.search.selection.conflicts import Pair
from tacit.search.selection.rivals import are_rivals, is_live_statement

_LOWEST = -(1 << 63)
_LONGEST = 60


@dataclass(frozen=True, slots=True, order=True)
class Topic:
    """What memories disagree on, in a few words, and its place in the order of all topics.

    Keys come first, then statements; within each the order is that of their codes.
    """

    place: str
    words: str

    @classmethod
    def of_key(cls, key: str) -> "Topic":
        """The topic of memories that share a key."""
        return cls(f"k-{_written(signed_code(key))}", key)

    @classmethod
    def of_statement(cls, statement: Statement) -> "Topic":
        """The topic of statements that could stand against each other."""
        parts = [statement.entity, statement.attribute]
        if not statement.functional:
            parts.append(statement.value)
        words = " ".join(filter(None, parts))
        short = words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"
        return cls(place_of_claim(signed_code(statement.claim)), short)


def _written(code: int) -> str:
    """A code as text of which the order is that of the numbers."""
    return f"{code - _LOWEST:016x}"


def place_of_claim(code: int) -> str:
    """The place of what a store keeps under this code."""
    return f"s-{_written(code)}"


def claim_at(place: str) -> int:
    """The code of the claim at a place; the lowest of all, where that is a key's."""
    number = max(place, FIRST_CLAIM).partition("-")[2]
    return int(number, 16) + _LOWEST


FIRST_CLAIM = place_of_claim(_LOWEST)
"""The place that keys come before, and claims from."""


def topic_of(first: Memory, second: Memory) -> Topic | None:
    """What two memories disagree on; None if both can be current, or nobody sees both.

    A key has one value for each scope, so those of different scopes do not disagree.
    """
    if not (_may_meet(first, second) and are_rivals(first, second)):
        return None
    if first.key is not None and first.key == second.key:
        return Topic.of_key(first.key) if first.scope == second.scope else None
    return min(_disputed(first.content, second.content))[1]


def said_at(place: str, memory: Memory) -> frozenset[tuple[str, bool]]:
    """What a memory says at a place; those that say the same there do not disagree on it."""
    if place < FIRST_CLAIM:
        return frozenset({(memory.content, False)})
    if not is_live_statement(memory):
        return frozenset()
    return frozenset(
        (statement.value, statement.negated)
        for statement in read(memory.content).statements
        if place_of_claim(signed_code(statement.claim)) == place
    )


def meetings(owners: Iterable[tuple[str, Owner]]) -> Iterator[Pair]:
    """Pairs of memories that somebody could see together: of one owner, or of two scopes.

    Those with new ones come first.
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


def _may_meet(first: Memory, second: Memory) -> bool:
    """Whether there can be a turn that sees both."""
    is_one_agents = None in (first.agent, second.agent) or first.agent == second.agent
    return is_one_agents and (first.scope != second.scope or first.scope_id == second.scope_id)


def _disputed(first: str, second: str) -> Iterator[tuple[bool, Topic]]:
    """What both speak of and say different things of; False for those that share no value."""
    ours, theirs = _by_claim(first), _by_claim(second)
    for claim in ours.keys() & theirs.keys():
        one, other = (
            {(each.value, each.negated) for each in said[claim]} for said in (ours, theirs)
        )
        if one != other:
            yield not one.isdisjoint(other), Topic.of_statement(ours[claim][0])


def _by_claim(content: str) -> dict[str, list[Statement]]:
    found: dict[str, list[Statement]] = {}
    for statement in read(content).statements:
        found.setdefault(statement.claim, []).append(statement)
    return found
