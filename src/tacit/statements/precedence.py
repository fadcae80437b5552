"""Which memories conflict, and which of several that do counts in a turn.

Two conflict if they give two values to one key, or to one attribute of a thing. `decide_among`
settles it without asking what words mean: by trust, scope, source, age and confidence.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import combinations

from tacit.core.kinds import PERSONS, Scope
from tacit.core.memory import Memory
from tacit.core.permissions import outranks
from tacit.statements.comparison import Comparison, compare_texts
from tacit.statements.decision import WRITTEN, Outcome, StatementVerdict, is_live_statement
from tacit.statements.self_statements import OF_THEMSELVES, stands_against

IdPair = tuple[str, str]
"""The ids of two memories, mostly the smaller first."""

_CONFIDENCE_MARGIN = 0.05
"""Confidences that differ by no more than this count as equal."""

_CONFIDENCE_DIGITS = 6
_UNDECIDED = "same confidence, different sources"


def are_in_conflict(first: Memory, second: Memory) -> bool:
    """Whether two memories cannot both be current: one key, or one attribute with two values."""
    if first.key is not None and first.key == second.key:
        return compare_texts(first.content, second.content) is not Comparison.REPEATS
    if first.key is not None and second.key is not None:
        return False
    if not (is_live_statement(first) and is_live_statement(second)):
        return False
    return compare_texts(first.content, second.content) is Comparison.CONFLICTS


def find_conflicting_pairs(
    memories: Iterable[Memory], rivals: Iterable[IdPair], *, detect: bool
) -> Iterator[IdPair]:
    """Pairs of the memories that cannot both be current in one turn, smaller id first.

    Those of one key are compared, and the given rivals.
    """
    known = {memory.id: memory for memory in memories}
    by_key: dict[str, list[str]] = {}
    for memory in known.values():
        if memory.key is not None:
            by_key.setdefault(memory.key, []).append(memory.id)
    keyed = (pair for ids in by_key.values() for pair in combinations(sorted(ids), 2))
    stated = ((min(pair), max(pair)) for pair in rivals)
    for one, other in dict.fromkeys((*keyed, *stated)):
        if one in known and other in known and _compete(known[one], known[other], detect):
            yield one, other


def _compete(first: Memory, second: Memory, detect: bool) -> bool:
    if stands_against(first, second) and stands_against(second, first):
        return False  # two people, each of whom speaks of themselves
    if first.key is not None and first.key == second.key and first.scope != second.scope:
        return True
    return detect and are_in_conflict(first, second)


def decide_among(
    memories: Iterable[Memory],
    rivals: Iterable[IdPair],
    *,
    detect: bool,
    compatible: Collection[IdPair] = (),
    scopes: Sequence[Scope] = tuple(Scope),
) -> Mapping[str, StatementVerdict]:
    """The verdict on each memory that loses to another, or conflicts with some undecided.

    `rivals` are pairs of ids that may conflict; without `detect`, only the scopes of memories with
    one key are compared. `compatible` are pairs, smaller id first, that somebody declared to be
    both right. Trust decides first: a person's words win over an agent's, whatever their scope and
    confidence. Then the scope that comes first in `scopes` wins. Within one, the newer statement
    of one source wins, an agent's only if it has the same key or is not less confident; what a
    person wrote explicitly stands beside their later words that are not. What somebody says of
    themselves stands whatever others wrote about them. Of different sources the more confident
    wins. At least one always stands.
    """
    known = {memory.id: memory for memory in memories}
    against: dict[str, set[str]] = {}
    for one, other in find_conflicting_pairs(known.values(), rivals, detect=detect):
        if (one, other) not in compatible:
            against.setdefault(one, set()).add(other)
            against.setdefault(other, set()).add(one)
    lost = _find_outranked(known, against, scopes)
    lost |= _find_replaced(known, against, lost)
    return {**_find_undecided(known, against, lost), **lost}


def _find_outranked(
    known: Mapping[str, Memory], against: Mapping[str, set[str]], scopes: Sequence[Scope]
) -> dict[str, StatementVerdict]:
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
            found[id] = StatementVerdict(Outcome.OUTRANKED, reason=OF_THEMSELVES, others=(by,))
            continue
        rivals = [known[other] for other in others if not stands_against(own, known[other])]
        strongest = min(rivals, key=precedence, default=own)
        if strongest.scope == own.scope:
            continue
        by = strongest.id
        if outranks(strongest, own):
            reason = f"{strongest.trust} over {own.trust}"
            found[id] = StatementVerdict(Outcome.REPLACED, reason=reason, others=(by,))
        elif strongest.trust is own.trust and precedence(strongest) < precedence(own):
            reason = f"{strongest.scope} over {own.scope}"
            found[id] = StatementVerdict(Outcome.OUTRANKED, reason=reason, others=(by,))
    return found


def _find_replaced(
    known: Mapping[str, Memory], against: Mapping[str, set[str]], lost: Collection[str]
) -> dict[str, StatementVerdict]:
    """Memories that lose when the others are compared one after the other, oldest first."""
    found: dict[str, StatementVerdict] = {}
    standing: list[Memory] = []
    for new in sorted((known[id] for id in against if id not in lost), key=age_of):
        for old in [each for each in standing if each.id in against[new.id]]:
            fallen = _choose_loser(old, new)
            if fallen is not None:
                loser, reason = fallen
                by = new.id if loser is old else old.id
                found[loser.id] = StatementVerdict(Outcome.REPLACED, reason=reason, others=(by,))
                if loser is new:
                    break
                standing.remove(old)
        if new.id not in found:
            standing.append(new)
    return found


def _choose_loser(old: Memory, new: Memory) -> tuple[Memory, str] | None:
    """Which of two memories of one scope loses, and why; None if no rule decides."""
    if old.trust is not new.trust:
        winner, loser = (old, new) if outranks(old, new) else (new, old)
        return loser, f"{winner.trust} over {loser.trust}"
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


def _find_undecided(
    known: Mapping[str, Memory], against: Mapping[str, set[str]], lost: Collection[str]
) -> dict[str, StatementVerdict]:
    """Memories that still conflict when nothing else decides."""
    found = {}
    for id, others in against.items():
        left = tuple(sorted(other for other in others if other not in lost))
        if id not in lost and left:
            sources = {(known[each].owner, known[each].source) for each in (id, *left)}
            reason = WRITTEN if len(sources) == 1 else _UNDECIDED
            found[id] = StatementVerdict(Outcome.CONFLICT, reason=reason, others=left)
    return found


def age_of(memory: Memory) -> tuple[datetime, str]:
    """What sorts memories by when they were stated."""
    return stated_at(memory), memory.id


def stated_at(memory: Memory) -> datetime:
    """When what a memory says was stated."""
    return memory.valid_from or memory.origin.time or memory.updated_at


def id_pair(first: Memory, second: Memory) -> IdPair:
    """The ids of two memories, the smaller first."""
    return min(first.id, second.id), max(first.id, second.id)
