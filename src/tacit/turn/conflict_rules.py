"""The rules about memories that conflict, and what becomes of each.

Statements of a person were compared when they were written, and what each pair may do to the other
is stored. `follow_replacements` decides by that. Memories that share a key or a claim are settled
by `settle_conflicts`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from tacit.core.kinds import Trust
from tacit.core.memory import Memory, StatementComparison
from tacit.core.permissions import outranks
from tacit.core.receipt import (
    NOTE_CONFLICTS,
    NOTE_IN_CONFLICT,
    NOTE_MARKED,
    NOTE_NEWEST_VALUE,
    NOTE_QUOTED,
    NOTE_SAID_OTHERWISE,
    Fate,
)
from tacit.language.changes import asks_about_past
from tacit.settings.injection import ConflictPolicy
from tacit.statements.common_words import says_several_things
from tacit.statements.decision import (
    ALIKE,
    WRITTEN,
    Outcome,
    StatementVerdict,
    are_of_one_turn,
    decide,
    is_own_statement,
    may_follow,
    project_of,
)
from tacit.statements.precedence import (
    IdPair,
    age_of,
    are_in_conflict,
    decide_among,
    find_conflicting_pairs,
    id_pair,
)
from tacit.statements.self_statements import writer_of
from tacit.turn.block import quote, quote_other
from tacit.turn.state import ScoredCandidate, TurnState, sort_by_source

_WEAK = 12
"""Candidates below the floor whose comparisons with those above it count."""

_NOT_WANTED = (Fate.LOW_CONFIDENCE, Fate.BELOW_IMPORTANCE, Fate.BELOW_FLOOR)
"""The fates of a person's memory that is not shown and still counts against an agent's."""


# Statements that were compared


def choose_comparisons(
    decided: TurnState, known: Mapping[IdPair, StatementComparison]
) -> dict[IdPair, StatementComparison]:
    """Those comparisons of candidates that count in a turn, by what the other rules decided.

    Both sides are shown, or one is and the other is weak, or very much like another candidate.
    """
    weak = [
        each
        for each in decided.candidates
        if _is_weak(each) or each.fate in (Fate.SAME_BATCH, Fate.NEAR_DUPLICATE)
    ]
    weak.sort(key=lambda each: (each.note != NOTE_CONFLICTS, -each.score, each.memory.id))
    sides = {each.memory.id: each for each in (*weak[:_WEAK], *decided.undecided)}
    return {
        ids: each
        for ids, each in known.items()
        if ids[0] in sides
        and ids[1] in sides
        and (min(ids), max(ids)) not in decided.compatible
        and _counts(each, sides[ids[0]], sides[ids[1]])
    }


def _counts(compared: StatementComparison, old: ScoredCandidate, new: ScoredCandidate) -> bool:
    """Whether a comparison counts: of a person's statements, of which one at least is shown.

    Beside what is shown, what is not counts if both are much alike. The order of both must still
    be as it was.
    """
    sides = (old, new)
    if not any(each.is_open for each in sides):
        return False
    is_near = all(each.is_open for each in sides) or compared.likeness >= ALIKE
    is_ordered = age_of(old.memory) < age_of(new.memory)
    is_own = all(is_own_statement(each.memory) for each in sides)
    return is_near and is_ordered and is_own and may_follow(old.memory, new.memory)


def count_uncompared(state: TurnState) -> int:
    """How many candidates wait to be compared with others."""
    return sum(
        each.memory.id in state.uncompared and is_own_statement(each.memory)
        for each in state.candidates
    )


def follow_replacements(state: TurnState) -> TurnState:
    """Let later words count in place of what they replace, and mark what nothing decides.

    What may conflict without that being clear is one line: the later words, which quote the
    earlier ones. The earlier ones stay a line of their own if the message asks how things were,
    if a person wrote them explicitly, if others wrote them, and if they hold in a project and the
    later words in none. A mark brings in no line that the message does not concern.
    """
    memories = {each.memory.id: each.memory for each in state.candidates}
    found = [
        each
        for each in state.comparisons.values()
        if each.earlier in memories and each.later in memories
    ]
    for compared in sorted(found, key=lambda each: (age_of(memories[each.later]), each.ids)):
        known = {each.memory.id: each for each in state.candidates}
        old, new = known[compared.earlier], known[compared.later]
        verdict = decide(old.memory, new.memory, compared.score, compared.likeness)
        if verdict.is_replaced and not asks_about_past(state.message):
            state = _replace_words(state, old, new)
        elif old.is_open and verdict.outcome is not Outcome.NOTHING:
            state = _mark_conflict(state, old, new)
    return state


def _replace_words(state: TurnState, old: ScoredCandidate, new: ScoredCandidate) -> TurnState:
    """The earlier words are not shown; the later ones are, if the earlier would have been.

    Then they quote what they replace.
    """
    earlier = [each for each in state.candidates if each.memory.id == old.memory.id]

    def stand_for(each: ScoredCandidate) -> ScoredCandidate:
        if each.memory.id != new.memory.id or not (each.is_open or _is_weak(each)):
            return each
        return replace(
            each,
            score=max(each.score, *(one.score for one in earlier)),
            relevance=max(each.relevance, *(one.relevance for one in earlier)),
            fate=None,
            note=each.note if each.is_open else NOTE_CONFLICTS,
            replaces=quote(old.memory),
            quotes=(*each.quotes, old.memory.id),
        )

    if old.is_open:
        state = replace(state, candidates=tuple(map(stand_for, state.candidates)))
    return state.decide_each(
        lambda each: (
            each.reject(Fate.SUPERSEDED, new.memory.id, NOTE_SAID_OTHERWISE)
            if _repeats(each, old)
            else each
        )
    )


def _mark_conflict(state: TurnState, old: ScoredCandidate, new: ScoredCandidate) -> TurnState:
    """Quote earlier words beside the later ones; if only the earlier fit, the later beside them.

    Earlier words that say several things stay a line, which quotes the news about one of them.
    """
    is_part = says_several_things(old.memory.content)
    is_apart = (
        is_part
        or old.memory.explicit
        or project_of(old.memory) not in ("", project_of(new.memory))
        or len({writer_of(old.memory), writer_of(new.memory)} - {None}) > 1
        or asks_about_past(state.message)
    )
    earlier, later = quote_other(old.memory, "said earlier"), quote_other(new.memory, "said later")

    def mark_with(each: ScoredCandidate, other: ScoredCandidate, remark: str) -> ScoredCandidate:
        id = other.memory.id
        kept = each.quotes if each.conflict is None else each.quotes[:-1]
        return replace(each, conflict=remark, quotes=(*kept, id), by=id, note=NOTE_IN_CONFLICT)

    def mark(each: ScoredCandidate) -> ScoredCandidate:
        if _repeats(each, new):
            return each if is_part else mark_with(each, old, earlier)
        if new.is_open and not is_apart and _repeats(each, old):
            return each.reject(Fate.CONFLICT_OMITTED, new.memory.id, NOTE_QUOTED)
        return mark_with(each, new, later) if each.memory.id == old.memory.id else each

    return state.decide_each(mark)


def _repeats(each: ScoredCandidate, said: ScoredCandidate) -> bool:
    """Whether a candidate is these words, or says no more than that, of the same turn."""
    if each.memory.id == said.memory.id:
        return True
    is_same = are_of_one_turn(each.memory, said.memory) and not each.memory.explicit
    return is_same and not says_several_things(each.memory.content)


# Memories with two values for one thing


def admit_conflicting(state: TurnState) -> TurnState:
    """Admit weak hits that conflict with an admitted memory, so that both are compared.

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
    undecided, it does not count. An agent's memory that conflicts with a person's is not shown
    even if the person's memory was rejected for another reason.
    """
    state = _follow_newest_values(_drop_outranked(state))
    shown = {each.memory.id: each.memory for each in state.undecided}
    aside = {each.memory.id: each.memory for each in state.candidates if _is_marked(each)}
    verdicts = decide_among(
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
    """Reject less trusted memories that conflict with a more trusted one that is not shown."""
    doubted = [each.memory for each in state.undecided if each.memory.trust is not Trust.TRUSTED]
    if not doubted:
        return state
    aside = [each.memory for each in state.candidates if each.fate in _NOT_WANTED]
    known = {memory.id: memory for memory in (*doubted, *aside)}
    detect = state.settings.memory_detect_conflicts
    fallen = {
        loser: winner
        for pair in find_conflicting_pairs(known.values(), state.conflicting, detect=detect)
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
    """The pairs of candidates that conflict, in both orders."""
    memories = {each.memory.id: each.memory for each in candidates}
    detect = state.settings.memory_detect_conflicts
    found = find_conflicting_pairs(memories.values(), state.conflicting, detect=detect)
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
    """The weak hits that conflict with an admitted candidate, with its score."""
    found: dict[str, ScoredCandidate] = {}
    for one, other in pairs:
        if one in admitted and other in weak and other not in admitted:
            score = max(admitted[one].score, weak[other].score, found.get(other, weak[other]).score)
            found[other] = replace(weak[other], score=score, fate=None, note=NOTE_CONFLICTS)
    return found


def _apply_verdict(
    each: ScoredCandidate, verdict: StatementVerdict, shown: Mapping[str, Memory], state: TurnState
) -> ScoredCandidate:
    if verdict.outcome is Outcome.OUTRANKED:
        return each.reject(Fate.SHADOWED, verdict.others[0], verdict.reason)
    if verdict.is_replaced:
        return each.reject(Fate.SUPERSEDED, verdict.others[0], verdict.reason)
    if verdict.reason == WRITTEN and each.note == NOTE_CONFLICTS and not each.memory.explicit:
        return each.reject(Fate.CONFLICT_OMITTED, verdict.others[0], verdict.reason)
    others = tuple(id for id in verdict.others if id in shown)
    if not others:
        return each
    if state.settings.conflict_policy is ConflictPolicy.OMIT:
        return each.reject(Fate.CONFLICT_OMITTED, others[0], verdict.reason)
    quoted = ", ".join(quote(shown[id]) for id in others)
    return replace(
        each,
        conflict=f"{quoted}, {verdict.reason}",
        quotes=(*each.quotes, *others),
        by=others[0],
        note=NOTE_IN_CONFLICT,
    )
