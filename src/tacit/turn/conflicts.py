"""Conflicts: candidates that cannot both be current, and what happens to each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from tacit.core.kinds import Trust
from tacit.core.memory import Memory
from tacit.core.permissions import outranks
from tacit.core.receipt import NOTE_CONFLICTS, NOTE_IN_CONFLICT, NOTE_MARKED, Fate
from tacit.search.conflicts import ConflictVerdict, IdPair, decide_conflicts, find_competing_pairs
from tacit.settings.injection import ConflictPolicy
from tacit.turn.block import shorten
from tacit.turn.state import ScoredCandidate, TurnState, sort_by_source

_QUOTED_CHARACTERS = 120
_NOT_WANTED = (Fate.LOW_CONFIDENCE, Fate.IRRELEVANT_TYPE, Fate.BELOW_IMPORTANCE, Fate.BELOW_FLOOR)
"""Why somebody's words may stay out and still count against an agent's."""


def admit_rivals(course: TurnState) -> TurnState:
    """What stands against an admitted memory is weighed with it, however weak a hit it is.

    Otherwise the outdated one would be shown wherever its words are nearer to the question. What
    somebody marked of no use stays out.
    """
    admitted = {each.memory.id: each for each in course.open}
    weak = {
        each.memory.id: each
        for each in course.weighed
        if _is_weak(each) and each.memory.id not in admitted
    }
    pairs = _find_pairs(course, (*admitted.values(), *weak.values())) if weak else ()
    lifted: dict[str, ScoredCandidate] = {}
    while drawn := _lift_rivals({**admitted, **lifted}, weak, pairs):
        lifted |= drawn
    if not lifted:
        return course
    everything = (
        lifted.get(each.memory.id, each) if _is_weak(each) else each for each in course.weighed
    )
    return replace(course, weighed=sort_by_source(everything))


def settle_conflicts(course: TurnState) -> TurnState:
    """Of what cannot both be current, the current one; both or neither where nobody can tell.

    What somebody marked of no use is not shown, and can still be what is current; where nobody can
    tell, it has no say. What an agent says against a person is not shown either where the person's
    words stay out for another reason.
    """
    course = _drop_outranked(course)
    shown = {each.memory.id: each.memory for each in course.open}
    aside = {each.memory.id: each.memory for each in course.weighed if _is_marked(each)}
    verdicts = decide_conflicts(
        {**aside, **shown}.values(),
        course.rivals,
        detect=course.settings.memory_detect_conflicts,
        compatible=course.compatible,
    )

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        verdict = verdicts.get(each.memory.id)
        return each if verdict is None else _apply_verdict(each, verdict, shown, course)

    return course.each(decide)


def _drop_outranked(course: TurnState) -> TurnState:
    """The course without what less trusted memories say against those that are not shown."""
    doubted = [each.memory for each in course.open if each.memory.trust is not Trust.TRUSTED]
    if not doubted:
        return course
    aside = [each.memory for each in course.weighed if each.fate in _NOT_WANTED]
    known = {memory.id: memory for memory in (*doubted, *aside)}
    detect = course.settings.memory_detect_conflicts
    fallen = {
        loser: winner
        for pair in find_competing_pairs(known.values(), course.rivals, detect=detect)
        for winner, loser in (pair, pair[::-1])
        if pair not in course.compatible and outranks(known[winner], known[loser])
    }

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        winner = fallen.get(each.memory.id)
        if winner is None:
            return each
        reason = f"{known[winner].trust} over {each.memory.trust}"
        return each.ended(Fate.SUPERSEDED, winner, reason)

    return course.each(decide)


def _is_weak(each: ScoredCandidate) -> bool:
    return each.fate is Fate.BELOW_FLOOR and each.note != NOTE_MARKED


def _is_marked(each: ScoredCandidate) -> bool:
    return each.fate is Fate.BELOW_FLOOR and each.note == NOTE_MARKED


def _find_pairs(course: TurnState, weighed: Iterable[ScoredCandidate]) -> Sequence[IdPair]:
    """Who stands against whom, seen from both sides."""
    memories = {each.memory.id: each.memory for each in weighed}
    detect = course.settings.memory_detect_conflicts
    found = find_competing_pairs(memories.values(), course.rivals, detect=detect)
    return [
        side
        for one, other in found
        if (one, other) not in course.compatible
        for side in ((one, other), (other, one))
    ]


def _lift_rivals(
    admitted: Mapping[str, ScoredCandidate],
    weak: Mapping[str, ScoredCandidate],
    pairs: Iterable[IdPair],
) -> dict[str, ScoredCandidate]:
    """Weak hits beside an admitted rival, as strong as that one."""
    found: dict[str, ScoredCandidate] = {}
    for one, other in pairs:
        if one in admitted and other in weak and other not in admitted:
            score = max(admitted[one].score, weak[other].score, found.get(other, weak[other]).score)
            found[other] = replace(weak[other], score=score, fate=None, note=NOTE_CONFLICTS)
    return found


def _apply_verdict(
    each: ScoredCandidate, verdict: ConflictVerdict, shown: Mapping[str, Memory], course: TurnState
) -> ScoredCandidate:
    if verdict.shadowed_by is not None:
        return each.ended(Fate.SHADOWED, verdict.shadowed_by, verdict.reason)
    if verdict.superseded_by is not None:
        return each.ended(Fate.SUPERSEDED, verdict.superseded_by, verdict.reason)
    level_with = tuple(id for id in verdict.level_with if id in shown)
    if not level_with:
        return each
    if course.settings.conflict_policy is ConflictPolicy.OMIT:
        return each.ended(Fate.CONFLICT_OMITTED, level_with[0], verdict.reason)
    rivals = [shown[id].content for id in level_with]
    quoted = ", ".join(f'"{shorten(rival, _QUOTED_CHARACTERS)}"' for rival in rivals)
    return replace(
        each,
        conflict=f"{quoted}, {verdict.reason}",
        quotes=level_with,
        by=level_with[0],
        note=NOTE_IN_CONFLICT,
    )
