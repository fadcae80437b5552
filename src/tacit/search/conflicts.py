"""Conflicts: memories that cannot both be current, which of them wins, and how people see it.

`are_in_conflict` compares two memories, `decide_conflicts` applies the rules of a turn, and a
`Conflict` is what a person is asked to resolve.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from itertools import combinations, product

from tacit.core.fields import Id
from tacit.core.json_value import JsonValue
from tacit.core.kinds import PERSONS, MemoryType, Owner, Relation, Scope
from tacit.core.memory import Memory
from tacit.core.permissions import outranks
from tacit.language.statements.clauses import Statement
from tacit.language.statements.comparison import Comparison, compare_texts
from tacit.language.statements.parser import parse_text
from tacit.language.terms import signed_term_code
from tacit.store.protocols.store import UnitOfWork

_HAPPENED = frozenset({MemoryType.EVENT, MemoryType.OBSERVATION})


def is_live_statement(memory: Memory) -> bool:
    """Whether a memory says how things are; an event is not undone by a later event."""
    return memory.type not in _HAPPENED


def are_in_conflict(first: Memory, second: Memory) -> bool:
    """Whether two memories cannot both be current: one key, or one attribute with two values."""
    if first.key is not None and first.key == second.key:
        return compare_texts(first.content, second.content) is not Comparison.REPEATS
    if first.key is not None and second.key is not None:
        return False
    if not (is_live_statement(first) and is_live_statement(second)):
        return False
    return compare_texts(first.content, second.content) is Comparison.CONTRADICTS


IdPair = tuple[str, str]

_CONFIDENCE_MARGIN = 0.05
"""Confidences that differ by no more than this count as equal."""

_CONFIDENCE_DIGITS = 6
_UNDECIDED = "same confidence, different sources"
_WRITTEN = "one was written, the other said later"


@dataclass(frozen=True, slots=True)
class ConflictVerdict:
    """The outcome for one memory: shadowed or superseded by another, or level with some."""

    shadowed_by: str | None = None
    superseded_by: str | None = None
    level_with: tuple[str, ...] = ()
    reason: str = ""


def decide_conflicts(
    memories: Iterable[Memory],
    rivals: Iterable[IdPair],
    *,
    detect: bool,
    compatible: Collection[IdPair] = (),
    scopes: Sequence[Scope] = tuple(Scope),
) -> Mapping[str, ConflictVerdict]:
    """The verdict on each memory that loses to another or is level with it.

    `rivals` are pairs of ids that may contradict each other; without `detect`, only the scopes of
    memories with one key are compared. `compatible` are pairs, smaller id first, that somebody
    declared to be both right. Trust decides first: a person's words win over an agent's, whatever
    their scope and confidence. Then the scope that comes first in `scopes` wins. Within one, the
    newer statement of one source wins, an agent's only if it is not less confident; what a person
    wrote explicitly stands beside their later words that are not. Of different sources the more
    confident wins; where no rule decides, both are level. At least one always stands.
    """
    known = {memory.id: memory for memory in memories}
    against: dict[str, set[str]] = {}
    for one, other in find_competing_pairs(known.values(), rivals, detect=detect):
        if (one, other) not in compatible:
            against.setdefault(one, set()).add(other)
            against.setdefault(other, set()).add(one)
    shadowed = _find_outranked(known, against, scopes)
    superseded = _find_superseded(known, against, shadowed)
    level = _find_level(known, against, {**shadowed, **superseded})
    return {**level, **superseded, **shadowed}


def find_competing_pairs(
    memories: Iterable[Memory], rivals: Iterable[IdPair], *, detect: bool
) -> Iterator[IdPair]:
    """Pairs of the memories that cannot both be current in one turn, smaller id first."""
    known = {memory.id: memory for memory in memories}
    for first, second in _pair_up(known, rivals):
        if _compete(first, second, detect):
            yield first.id, second.id


def _find_outranked(
    known: Mapping[str, Memory], against: Mapping[str, set[str]], scopes: Sequence[Scope]
) -> dict[str, ConflictVerdict]:
    """Memories that lose to one of higher trust, or of equal trust and a scope before theirs."""
    places = {scope: place for place, scope in enumerate(dict.fromkeys((*scopes, *Scope)))}

    def precedence(memory: Memory) -> tuple[int, int, str]:
        return -memory.trust.rank, places[memory.scope], memory.id

    found = {}
    for id, others in against.items():
        own = known[id]
        strongest = min((known[other] for other in others), key=precedence)
        if strongest.scope == own.scope:
            continue
        if outranks(strongest, own):
            found[id] = ConflictVerdict(
                superseded_by=strongest.id, reason=_trust_reason(strongest, own)
            )
        elif strongest.trust is own.trust and precedence(strongest) < precedence(own):
            reason = f"{strongest.scope} over {own.scope}"
            found[id] = ConflictVerdict(shadowed_by=strongest.id, reason=reason)
    return found


def _find_superseded(
    known: Mapping[str, Memory], against: Mapping[str, set[str]], out: Mapping[str, ConflictVerdict]
) -> dict[str, ConflictVerdict]:
    """Memories that lose when the others are compared one after the other, oldest first."""
    found: dict[str, ConflictVerdict] = {}
    standing: list[Memory] = []
    for new in sorted((known[id] for id in against if id not in out), key=_age):
        for old in [each for each in standing if each.id in against[new.id]]:
            fallen = _choose_loser(old, new)
            if fallen is not None:
                loser, reason = fallen
                winner = new if loser is old else old
                found[loser.id] = ConflictVerdict(superseded_by=winner.id, reason=reason)
                if loser is new:
                    break
                standing.remove(old)
        if new.id not in found:
            standing.append(new)
    return found


def _find_level(
    known: Mapping[str, Memory],
    against: Mapping[str, set[str]],
    out: Mapping[str, ConflictVerdict],
) -> dict[str, ConflictVerdict]:
    """Memories that still contradict each other when nothing else decides."""
    found = {}
    for id, others in against.items():
        left = sorted(other for other in others if other not in out)
        if id not in out and left:
            sides = [known[each] for each in (id, *left)]
            found[id] = ConflictVerdict(level_with=tuple(left), reason=_level_reason(sides))
    return found


def _level_reason(sides: Sequence[Memory]) -> str:
    is_one_source = len({(each.owner, each.source) for each in sides}) == 1
    return _WRITTEN if is_one_source else _UNDECIDED


def _pair_up(
    known: Mapping[str, Memory], rivals: Iterable[IdPair]
) -> Iterator[tuple[Memory, Memory]]:
    """Memories to compare, each pair once: those of one key, and the given rivals."""
    by_key: dict[str, list[str]] = {}
    for memory in known.values():
        if memory.key is not None:
            by_key.setdefault(memory.key, []).append(memory.id)
    keyed = (pair for ids in by_key.values() for pair in combinations(sorted(ids), 2))
    stated = ((min(pair), max(pair)) for pair in rivals)
    for one, other in dict.fromkeys((*keyed, *stated)):
        if one in known and other in known:
            yield known[one], known[other]


def _compete(first: Memory, second: Memory, detect: bool) -> bool:
    if first.key is not None and first.key == second.key and first.scope != second.scope:
        return True
    return detect and are_in_conflict(first, second)


def _choose_loser(old: Memory, new: Memory) -> tuple[Memory, str] | None:
    """Which of two memories of one scope loses, and why; None if no rule decides."""
    if old.trust is not new.trust:
        winner, loser = (old, new) if outranks(old, new) else (new, old)
        return loser, _trust_reason(winner, loser)
    surer = round(old.confidence - new.confidence, _CONFIDENCE_DIGITS)
    if old.owner == new.owner and old.source == new.source:
        if old.explicit and not new.explicit:
            return None
        is_doubted = surer > _CONFIDENCE_MARGIN and old.source not in PERSONS
        return (new, "the newer is less sure") if is_doubted else (old, "the newer of one source")
    if abs(surer) > _CONFIDENCE_MARGIN:
        return (new if surer > 0 else old), "the surer of two sources"
    return None


def _trust_reason(winner: Memory, loser: Memory) -> str:
    return f"{winner.trust} over {loser.trust}"


def _age(memory: Memory) -> tuple[datetime, str]:
    return _stated_at(memory), memory.id


def _stated_at(memory: Memory) -> datetime:
    return memory.valid_from or memory.origin.time or memory.updated_at


_LOWEST_CODE = -(1 << 63)
_LONGEST_TOPIC = 60


@dataclass(frozen=True, slots=True, order=True)
class ConflictTopic:
    """What memories disagree on: a key, or one attribute of one thing, and its sort place.

    Keys come first, then statements; within each the order is that of their codes.
    """

    place: str
    words: str

    @classmethod
    def of_key(cls, key: str) -> "ConflictTopic":
        """The topic of memories that share a key."""
        return cls(f"k-{_to_sortable(signed_term_code(key))}", key)

    @classmethod
    def of_statement(cls, statement: Statement) -> "ConflictTopic":
        """The topic of statements that could contradict each other."""
        parts = [statement.entity, statement.attribute]
        if not statement.is_functional:
            parts.append(statement.value)
        words = " ".join(filter(None, parts))
        short = words if len(words) <= _LONGEST_TOPIC else words[: _LONGEST_TOPIC - 1] + "…"
        return cls(claim_place(signed_term_code(statement.claim)), short)


def _to_sortable(code: int) -> str:
    """A code as text that sorts like the number."""
    return f"{code - _LOWEST_CODE:016x}"


def claim_place(code: int) -> str:
    """The place of the claim that a store keeps under this code."""
    return f"s-{_to_sortable(code)}"


def claim_code_at(place: str) -> int:
    """The code of the claim at a place; the lowest code if the place is a key's."""
    number = max(place, FIRST_CLAIM).partition("-")[2]
    return int(number, 16) + _LOWEST_CODE


FIRST_CLAIM = claim_place(_LOWEST_CODE)
"""The first place of a claim; all keys come before it."""


def find_topic(first: Memory, second: Memory) -> ConflictTopic | None:
    """What two memories disagree on; None if both can be current or nobody can see both.

    A key has one value for each scope, so those of different scopes do not disagree.
    """
    if not (_may_meet(first, second) and are_in_conflict(first, second)):
        return None
    if first.key is not None and first.key == second.key:
        return ConflictTopic.of_key(first.key) if first.scope == second.scope else None
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


def _may_meet(first: Memory, second: Memory) -> bool:
    """Whether one turn could see both memories."""
    is_one_agents = None in (first.agent, second.agent) or first.agent == second.agent
    return is_one_agents and (first.scope != second.scope or first.scope_id == second.scope_id)


def _find_disputed(first: str, second: str) -> Iterator[tuple[bool, ConflictTopic]]:
    """The topics on which two texts differ; False for those that share no value."""
    ours, theirs = _group_by_claim(first), _group_by_claim(second)
    for claim in ours.keys() & theirs.keys():
        one, other = (
            {(each.value, each.is_negated) for each in said[claim]} for said in (ours, theirs)
        )
        if one != other:
            yield not one.isdisjoint(other), ConflictTopic.of_statement(ours[claim][0])


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
    def of(cls, topic: ConflictTopic, memories: Iterable[Memory]) -> "Conflict":
        """The conflict of these memories."""
        sides = tuple(sorted(memories, key=lambda memory: memory.id))
        named = "\n".join(memory.id for memory in sides).encode()
        return cls(
            id=f"{topic.place}-{blake2b(named, digest_size=8).hexdigest()}",
            memories=sides,
            about=topic.words,
            recommended=_recommend(sides),
        )


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
    verdicts = decide_conflicts(sides, combinations(ids, 2), detect=True)
    standing = [id for id in ids if id not in verdicts or verdicts[id].level_with]
    if len(standing) > 1:
        return Recommendation(keep=None, reason=verdicts[standing[0]].reason)
    losers = tuple(id for id in ids if id != standing[0])
    reasons = dict.fromkeys(verdicts[id].reason for id in losers)
    return Recommendation(keep=standing[0], supersede=losers, reason=", ".join(reasons))


def load_compatible_pairs(unit: UnitOfWork, ids: Collection[str]) -> frozenset[tuple[str, str]]:
    """Pairs, smaller id first, that somebody declared to be both right."""
    if not ids:
        return frozenset()
    edges = unit.associations.within(sorted(ids), 1, (Relation.COMPATIBLE_WITH,))
    return frozenset(
        (min(edge.source, edge.target), max(edge.source, edge.target))
        for edge in edges
        if edge.relation is Relation.COMPATIBLE_WITH
    )
