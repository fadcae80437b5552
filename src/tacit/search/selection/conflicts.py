"""Conflicts: of memories that cannot both be current, which is, or that nobody can tell."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

from tacit.core.kinds import Scope
from tacit.core.memory import Memory
from tacit.core.permissions import outranks
from tacit.search.selection.rivals import are_rivals

Pair = tuple[str, str]

_LEVEL = 0.05
"""Confidences within this of each other count as the same."""

_DIGITS = 6
_UNDECIDED = "same confidence, different sources"
_SPECIFICITY = {scope: place for place, scope in enumerate(Scope)}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say of one memory: shadowed or superseded by another, or level with some."""

    shadowed_by: str | None = None
    superseded_by: str | None = None
    level_with: tuple[str, ...] = ()
    reason: str = ""


def settle(
    memories: Iterable[Memory],
    rivals: Iterable[Pair],
    *,
    detect: bool,
    compatible: Collection[Pair] = (),
) -> Mapping[str, Verdict]:
    """The verdict on each memory that loses to another or is level with it.

    `rivals` are pairs of ids that may contradict each other; without `detect` nothing is looked at
    but the scopes of memories with one key. `compatible` are pairs, smaller id first, of which
    somebody said that both are right. Trust decides first: a person's words win over an agent's,
    whatever their scope and confidence. Then the more specific scope wins. Within one, the newer
    wins of what one source said, unless it is less sure; of different sources the surer wins;
    where neither can be told, both are level. Of those that compete, one at least stands.
    """
    known = {memory.id: memory for memory in memories}
    against: dict[str, set[str]] = {}
    for one, other in competing(known.values(), rivals, detect=detect):
        if (one, other) not in compatible:
            against.setdefault(one, set()).add(other)
            against.setdefault(other, set()).add(one)
    shadowed = _outranked(known, against)
    superseded = _superseded(known, against, shadowed)
    return {**_level(against, {**shadowed, **superseded}), **superseded, **shadowed}


def competing(
    memories: Iterable[Memory], rivals: Iterable[Pair], *, detect: bool
) -> Iterator[Pair]:
    """Pairs of the memories that cannot both be current in one turn, smaller id first."""
    known = {memory.id: memory for memory in memories}
    for first, second in _pairs(known, rivals):
        if _compete(first, second, detect):
            yield first.id, second.id


def _outranked(known: Mapping[str, Memory], against: Mapping[str, set[str]]) -> dict[str, Verdict]:
    """What is spoken against by what is more trusted or as trusted and of a more specific scope."""
    found = {}
    for id, others in against.items():
        own = known[id]
        strongest = min((known[other] for other in others), key=_place)
        if strongest.scope == own.scope:
            continue
        if outranks(strongest, own):
            found[id] = Verdict(superseded_by=strongest.id, reason=_by_trust(strongest, own))
        elif strongest.trust is own.trust and _place(strongest) < _place(own):
            reason = f"{strongest.scope} over {own.scope}"
            found[id] = Verdict(shadowed_by=strongest.id, reason=reason)
    return found


def _superseded(
    known: Mapping[str, Memory], against: Mapping[str, set[str]], out: Mapping[str, Verdict]
) -> dict[str, Verdict]:
    """What falls when the others come one after the other, oldest first."""
    found: dict[str, Verdict] = {}
    standing: list[Memory] = []
    for new in sorted((known[id] for id in against if id not in out), key=_age):
        for old in [each for each in standing if each.id in against[new.id]]:
            fallen = _fallen(old, new)
            if fallen is not None:
                loser, reason = fallen
                winner = new if loser is old else old
                found[loser.id] = Verdict(superseded_by=winner.id, reason=reason)
                if loser is new:
                    break
                standing.remove(old)
        if new.id not in found:
            standing.append(new)
    return found


def _level(against: Mapping[str, set[str]], out: Mapping[str, Verdict]) -> dict[str, Verdict]:
    """What is left standing against each other."""
    found = {}
    for id, others in against.items():
        left = sorted(other for other in others if other not in out)
        if id not in out and left:
            found[id] = Verdict(level_with=tuple(left), reason=_UNDECIDED)
    return found


def _pairs(known: Mapping[str, Memory], rivals: Iterable[Pair]) -> Iterator[tuple[Memory, Memory]]:
    """Memories to look at together, each pair once: of one key, or said to be rivals."""
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
    return detect and are_rivals(first, second)


def _fallen(old: Memory, new: Memory) -> tuple[Memory, str] | None:
    """Which of two memories of one scope loses, and why; None where that cannot be told."""
    if old.trust is not new.trust:
        winner, loser = (old, new) if outranks(old, new) else (new, old)
        return loser, _by_trust(winner, loser)
    surer = round(old.confidence - new.confidence, _DIGITS)
    if old.owner == new.owner and old.source == new.source:
        return (
            (new, "the newer is less sure") if surer > _LEVEL else (old, "the newer of one source")
        )
    if abs(surer) > _LEVEL:
        return (new if surer > 0 else old), "the surer of two sources"
    return None


def _place(memory: Memory) -> tuple[int, int, str]:
    return -memory.trust.rank, _SPECIFICITY[memory.scope], memory.id


def _by_trust(winner: Memory, loser: Memory) -> str:
    return f"{winner.trust} over {loser.trust}"


def _age(memory: Memory) -> tuple[datetime, str]:
    return _said_at(memory), memory.id


def _said_at(memory: Memory) -> datetime:
    return memory.valid_from or memory.origin.time or memory.updated_at
