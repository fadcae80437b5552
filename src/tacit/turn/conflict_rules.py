"""The rules about conflicts: candidates that cannot both be current, and what happens to each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from tacit.core.kinds import Trust
from tacit.core.memory import Memory
from tacit.core.permissions import outranks
from tacit.core.receipt import (
    NOTE_CONFLICTS,
    NOTE_IN_CONFLICT,
    NOTE_MARKED,
    NOTE_NEWEST_VALUE,
    Fate,
)
from tacit.search.conflict_rules import (
    ConflictVerdict,
    IdPair,
    age_of,
    are_in_conflict,
    decide_conflicts,
    find_competing_pairs,
    id_pair,
)
from tacit.settings.injection import ConflictPolicy
from tacit.turn.block import shorten
from tacit.turn.state import ScoredCandidate, TurnState, sort_by_source

_QUOTED_CHARACTERS = 120
_NOT_WANTED = (Fate.LOW_CONFIDENCE, Fate.BELOW_IMPORTANCE, Fate.BELOW_FLOOR)
"""The fates of a person's memory that is not shown and still counts against an agent's."""


def admit_conflicting(state: TurnState) -> TurnState:
    """Admit weak hits that contradict an admitted memory, so that both are compared.

    Otherwise the outdated one would be shown whenever its words are closer to the question. What
    somebody marked as not useful stays out.
    """
    admitted = {each.memory.id: each for each in state.undecided}
    weak: dict[str, ScoredCandidate] = {}
    for each in state.candidates:
        if _is_weak(each) and each.memory.id not in admitted:
            weak.setdefault(each.memory.id, each)  # a memory may be found in two ways
    pairs = _find_pairs(state, (*admitted.values(), *weak.values())) if weak else ()
    lifted: dict[str, ScoredCandidate] = {}
    while drawn := _lift_conflicting({**admitted, **lifted}, weak, pairs):
        lifted |= drawn
    if not lifted:
        return state
    everything = (
        lifted.get(each.memory.id, each) if weak.get(each.memory.id) is each else each
        for each in state.candidates
    )
    return replace(state, candidates=sort_by_source(everything))


def settle_conflicts(state: TurnState) -> TurnState:
    """Of memories that cannot both be current keep the current one; both or none if undecided.

    A memory marked as not useful is not shown, but can still be the current one; if the conflict is
    undecided, it does not count. An agent's memory that contradicts a person's is not shown even if
    the person's memory was rejected for another reason.
    """
    state = _follow_newest_values(_drop_outranked(state))
    shown = {each.memory.id: each.memory for each in state.undecided}
    aside = {each.memory.id: each.memory for each in state.candidates if _is_marked(each)}
    verdicts = decide_conflicts(
        {**aside, **shown}.values(),
        state.conflicting,
        detect=state.settings.memory_detect_conflicts,
        compatible=state.compatible,
        scopes=state.settings.memory_scope_priority,
    )

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        verdict = verdicts.get(each.memory.id)
        return each if verdict is None else _apply_verdict(each, verdict, shown, state)

    return state.decide_each(decide)


def _follow_newest_values(state: TurnState) -> TurnState:
    """Let the newest value of a key stand for an older one of its author, however sure it is.

    Below the confidence that general requests ask for it is shown with a remark, and below that
    which everything needs not at all; the older one is shown in neither case, unless a person wrote
    it and only said the newer one: then both are.
    """
    newest = _find_newest_values(state)
    best: dict[str, float] = {}
    for each in state.undecided:
        if (newer := newest.get(each.memory.id)) is not None:
            best[newer.id] = max(each.score, best.get(newer.id, 0.0))
    least = state.settings.memory_confidence_threshold

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        newer = newest.get(each.memory.id)
        if newer is not None and (newer.explicit or not each.memory.explicit):
            return each.reject(Fate.SUPERSEDED, newer.id, "the newer of one source")
        if each.memory.id not in best or each.memory.confidence < least:
            return each
        if each.fate is Fate.LOW_CONFIDENCE:
            each = replace(each, fate=None, score=max(each.score, best[each.memory.id]))
        return replace(each, less_sure=True, note=NOTE_NEWEST_VALUE) if each.is_open else each

    decided = map(decide, state.candidates) if best else state.candidates
    return replace(state, candidates=sort_by_source(decided))


def _find_newest_values(state: TurnState) -> dict[str, Memory]:
    """For each older value its author's newest one, where general requests ask for a surer one."""
    if not state.settings.memory_detect_conflicts:
        return {}
    least = state.settings.general_min_confidence
    values: dict[object, dict[str, Memory]] = {}
    for each in state.candidates:
        memory = each.memory
        if memory.key is not None and (each.is_open or each.fate is Fate.LOW_CONFIDENCE):
            place = (memory.key, memory.owner, memory.agent, memory.source, memory.trust)
            values.setdefault(place, {})[memory.id] = memory
    found = {}
    for own in values.values():
        newest = max(own.values(), key=age_of)
        for memory in own.values() if newest.confidence < least else ():
            if are_in_conflict(memory, newest) and id_pair(memory, newest) not in state.compatible:
                found[memory.id] = newest
    return found


def _drop_outranked(state: TurnState) -> TurnState:
    """Reject less trusted memories that contradict a more trusted one that is not shown."""
    doubted = [each.memory for each in state.undecided if each.memory.trust is not Trust.TRUSTED]
    if not doubted:
        return state
    aside = [each.memory for each in state.candidates if each.fate in _NOT_WANTED]
    known = {memory.id: memory for memory in (*doubted, *aside)}
    detect = state.settings.memory_detect_conflicts
    fallen = {
        loser: winner
        for pair in find_competing_pairs(known.values(), state.conflicting, detect=detect)
        for winner, loser in (pair, pair[::-1])
        if pair not in state.compatible and outranks(known[winner], known[loser])
    }

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        winner = fallen.get(each.memory.id)
        if winner is None:
            return each
        reason = f"{known[winner].trust} over {each.memory.trust}"
        return each.reject(Fate.SUPERSEDED, winner, reason)

    return state.decide_each(decide)


def _is_weak(each: ScoredCandidate) -> bool:
    return each.fate is Fate.BELOW_FLOOR and each.note != NOTE_MARKED


def _is_marked(each: ScoredCandidate) -> bool:
    return each.fate is Fate.BELOW_FLOOR and each.note == NOTE_MARKED


def _find_pairs(state: TurnState, candidates: Iterable[ScoredCandidate]) -> Sequence[IdPair]:
    """The pairs of candidates that contradict each other, in both orders."""
    memories = {each.memory.id: each.memory for each in candidates}
    detect = state.settings.memory_detect_conflicts
    found = find_competing_pairs(memories.values(), state.conflicting, detect=detect)
    return [
        side
        for one, other in found
        if (one, other) not in state.compatible
        for side in ((one, other), (other, one))
    ]


def _lift_conflicting(
    admitted: Mapping[str, ScoredCandidate],
    weak: Mapping[str, ScoredCandidate],
    pairs: Iterable[IdPair],
) -> dict[str, ScoredCandidate]:
    """The weak hits that contradict an admitted candidate, with its score."""
    found: dict[str, ScoredCandidate] = {}
    for one, other in pairs:
        if one in admitted and other in weak and other not in admitted:
            score = max(admitted[one].score, weak[other].score, found.get(other, weak[other]).score)
            found[other] = replace(weak[other], score=score, fate=None, note=NOTE_CONFLICTS)
    return found


def _apply_verdict(
    each: ScoredCandidate, verdict: ConflictVerdict, shown: Mapping[str, Memory], state: TurnState
) -> ScoredCandidate:
    if verdict.shadowed_by is not None:
        return each.reject(Fate.SHADOWED, verdict.shadowed_by, verdict.reason)
    if verdict.superseded_by is not None:
        return each.reject(Fate.SUPERSEDED, verdict.superseded_by, verdict.reason)
    level_with = tuple(id for id in verdict.level_with if id in shown)
    if not level_with:
        return each
    if state.settings.conflict_policy is ConflictPolicy.OMIT:
        return each.reject(Fate.CONFLICT_OMITTED, level_with[0], verdict.reason)
    opponents = [shown[id].content for id in level_with]
    quoted = ", ".join(f'"{shorten(content, _QUOTED_CHARACTERS)}"' for content in opponents)
    return replace(
        each,
        conflict=f"{quoted}, {verdict.reason}",
        quotes=level_with,
        by=level_with[0],
        note=NOTE_IN_CONFLICT,
    )
