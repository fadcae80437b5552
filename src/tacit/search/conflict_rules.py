"""The rules about conflicts: which memories cannot both be current, and which of them wins.

`are_in_conflict` compares two memories, and `decide_conflicts` applies the rules of a turn.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

from tacit.core.kinds import PERSONS, MemoryType, Relation, Scope
from tacit.core.memory import Association, Memory
from tacit.core.permissions import outranks
from tacit.language.statements.comparison import Comparison, compare_texts
from tacit.search.authorship import OF_THEMSELVES, stands_against
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
WRITTEN = "one was written, the other said later"
"""Why nothing decides between what a person wrote and what they only said later."""


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
    newer statement of one source wins, an agent's only if it has the same key or is not less
    confident; what a person
    wrote explicitly stands beside their later words that are not. What somebody says of themselves
    stands whatever others wrote about them. Of different sources the more
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
    """Memories that lose to one of higher trust, or of equal trust and a scope before theirs.

    What another author wrote about a person loses to what that person says.
    """
    places = {scope: place for place, scope in enumerate(dict.fromkeys((*scopes, *Scope)))}

    def precedence(memory: Memory) -> tuple[int, int, str]:
        return -memory.trust.rank, places[memory.scope], memory.id

    found = {}
    for id, others in against.items():
        own = known[id]
        persons = [known[other] for other in others if stands_against(known[other], own)]
        if persons:
            by = min(persons, key=precedence).id
            found[id] = ConflictVerdict(shadowed_by=by, reason=OF_THEMSELVES)
            continue
        rivals = [known[other] for other in others if not stands_against(own, known[other])]
        strongest = min(rivals, key=precedence, default=own)
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
    for new in sorted((known[id] for id in against if id not in out), key=age_of):
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
    return WRITTEN if is_one_source else _UNDECIDED


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
    if stands_against(first, second) and stands_against(second, first):
        return False  # two people, each of whom speaks of themselves
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
        is_value = old.key is not None and old.key == new.key
        is_doubted = surer > _CONFIDENCE_MARGIN and old.source not in PERSONS and not is_value
        return (new, "the newer is less sure") if is_doubted else (old, "the newer of one source")
    if abs(surer) > _CONFIDENCE_MARGIN:
        return (new if surer > 0 else old), "the surer of two sources"
    return None


def _trust_reason(winner: Memory, loser: Memory) -> str:
    return f"{winner.trust} over {loser.trust}"


def age_of(memory: Memory) -> tuple[datetime, str]:
    """What sorts memories by when they were stated."""
    return stated_at(memory), memory.id


def stated_at(memory: Memory) -> datetime:
    """When what a memory says was stated."""
    return memory.valid_from or memory.origin.time or memory.updated_at


def load_compatible_pairs(unit: UnitOfWork, ids: Collection[str]) -> frozenset[IdPair]:
    """Pairs, smaller id first, that somebody declared to be both right."""
    return _load_pairs(unit, ids, Relation.COMPATIBLE_WITH)


def load_contradicting_pairs(unit: UnitOfWork, ids: Collection[str]) -> frozenset[IdPair]:
    """Pairs, smaller id first, of which it was noted that they contradict each other."""
    return _load_pairs(unit, ids, Relation.CONTRADICTS)


def _load_pairs(unit: UnitOfWork, ids: Collection[str], relation: Relation) -> frozenset[IdPair]:
    if not ids:
        return frozenset()
    edges = unit.associations.within(sorted(ids), 1, (relation,))
    return frozenset(pair_of(edge) for edge in edges if edge.relation is relation)


def pair_of(edge: Association) -> IdPair:
    """The ends of a link, smaller id first."""
    return min(edge.source, edge.target), max(edge.source, edge.target)


def id_pair(first: Memory, second: Memory) -> IdPair:
    """The ids of two memories, the smaller first."""
    return min(first.id, second.id), max(first.id, second.id)
