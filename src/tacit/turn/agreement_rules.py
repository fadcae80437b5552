"""The rules about a person's later words: they replace what the same person said or noted before.

Statements were compared when they were written (`writing/comparisons.py`); here is decided what
follows from it in a turn. Memories that share a key or a claim are settled by the rules about
conflicts.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tacit.core.memory import StatementComparison
from tacit.core.receipt import (
    NOTE_CONFLICTS,
    NOTE_IN_CONFLICT,
    NOTE_MARKED,
    NOTE_SAID_OTHERWISE,
    Fate,
)
from tacit.search.agreement import CLEAR, DOUBTFUL
from tacit.search.conflict_rules import IdPair, age_of
from tacit.search.later_words import (
    ALIKE,
    is_own_statement,
    is_replaced,
    may_follow,
    project_of,
)
from tacit.turn.block import quote_other
from tacit.turn.state import ScoredCandidate, TurnState

_WEAK = 12
"""Candidates below the floor whose comparisons with those above it count."""

_DOUBTFUL_SAID = 0.65
"""From this likelihood on what was said contradicts something, if it is not clear."""


def choose_comparisons(
    decided: TurnState, known: Mapping[IdPair, StatementComparison]
) -> dict[IdPair, StatementComparison]:
    """Those comparisons of candidates that count in a turn, by what the other rules decided."""
    weak = [each for each in decided.candidates if _may_be_later(each)]
    weak.sort(key=lambda each: (each.note != NOTE_CONFLICTS, -each.score, each.memory.id))
    sides = {each.memory.id: each for each in (*weak[:_WEAK], *decided.undecided)}
    return {
        ids: each
        for ids, each in known.items()
        if ids[0] in sides
        and ids[1] in sides
        and (min(ids), max(ids)) not in decided.compatible
        and _may_compare(each, sides[ids[0]], sides[ids[1]])
    }


def count_uncompared(state: TurnState) -> int:
    """How many candidates wait to be compared with others."""
    return sum(
        each.memory.id in state.uncompared and is_own_statement(each.memory)
        for each in state.candidates
    )


def follow_later_words(state: TurnState) -> TurnState:
    """Let later words count in place of what they replace, and mark what nothing decides.

    What a person wrote explicitly stays beside later words that say otherwise, until somebody
    decides; so does whatever may contradict without that being clear, and what holds in a project
    beside later words about no project.
    """
    for compared in _in_order(state):
        pair, shown = compared.ids, {each.memory.id for each in state.undecided}
        old, new = _find_sides(state, pair)
        is_told = is_replaced(old.memory, new.memory, compared.score)
        if is_told and _may_replace(compared, old, new):
            state = _replace_words(state, pair, lifted=pair[0] in shown)
        elif _may_contradict(compared, old, new) and (
            pair[0] in shown or (compared.score >= CLEAR and pair[1] in shown)
        ):
            state = _show_both(state, pair)
    return state


def _may_compare(compared: StatementComparison, old: ScoredCandidate, new: ScoredCandidate) -> bool:
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


def _may_be_later(each: ScoredCandidate) -> bool:
    """Whether a candidate is not shown for being weak, or for being very much like another."""
    return _is_weak(each) or each.fate in (Fate.SAME_BATCH, Fate.NEAR_DUPLICATE)


def _may_replace(compared: StatementComparison, old: ScoredCandidate, new: ScoredCandidate) -> bool:
    """Whether later words are alike enough to replace earlier ones, and about the same project."""
    is_there = project_of(old.memory) in ("", project_of(new.memory))
    return compared.likeness >= ALIKE and is_there


def _may_contradict(
    compared: StatementComparison, old: ScoredCandidate, new: ScoredCandidate
) -> bool:
    """Whether a pair is in doubt; what was only said must be more likely to contradict.

    In conversation a subject mostly just comes up again.
    """
    is_said = old.is_episode or new.is_episode
    return compared.score >= (_DOUBTFUL_SAID if is_said else DOUBTFUL)


def _in_order(state: TurnState) -> Iterator[StatementComparison]:
    """The comparisons whose both sides are candidates, the oldest later words first."""
    known = {each.memory.id: each.memory for each in state.candidates}
    found = [
        each for each in state.comparisons.values() if each.earlier in known and each.later in known
    ]
    yield from sorted(found, key=lambda each: (age_of(known[each.later]), each.ids))


def _find_sides(state: TurnState, pair: IdPair) -> tuple[ScoredCandidate, ScoredCandidate]:
    known = {each.memory.id: each for each in state.candidates}
    return known[pair[0]], known[pair[1]]


def _replace_words(state: TurnState, pair: IdPair, *, lifted: bool) -> TurnState:
    """The earlier words are not shown; the later ones are, if the earlier would have been."""
    old, new = pair
    if lifted:
        state = _lift(state, new, old)
    return state.decide_each(
        lambda each: (
            each.reject(Fate.SUPERSEDED, new, NOTE_SAID_OTHERWISE)
            if each.memory.id == old
            else each
        )
    )


def _show_both(state: TurnState, pair: IdPair) -> TurnState:
    """Both are shown, each with what contradicts it."""
    old, new = pair
    ours, theirs = (each.memory for each in _find_sides(state, pair))
    lifted = _lift(_lift(state, new, old), old, new)
    later = {old: quote_other(theirs, "said later"), new: quote_other(ours, "said earlier")}
    other = {old: new, new: old}

    def mark(each: ScoredCandidate) -> ScoredCandidate:
        id = each.memory.id
        if id not in later or not each.is_open:
            return each
        return replace(
            each, conflict=later[id], quotes=(other[id],), by=other[id], note=NOTE_IN_CONFLICT
        )

    return lifted.decide_each(mark)


def _lift(state: TurnState, id: str, other: str) -> TurnState:
    """Let a candidate count as much as the one that it is shown for."""
    best = [each for each in state.candidates if each.memory.id == other]
    score = max((each.score for each in best), default=0.0)
    relevance = max((each.relevance for each in best), default=0.0)

    def lift(each: ScoredCandidate) -> ScoredCandidate:
        if each.memory.id != id or not (each.is_open or _is_weak(each)):
            return each
        return replace(
            each,
            score=max(each.score, score),
            relevance=max(each.relevance, relevance),
            fate=None,
            note=each.note if each.is_open else NOTE_CONFLICTS,
        )

    return replace(state, candidates=tuple(map(lift, state.candidates)))


def _is_weak(each: ScoredCandidate) -> bool:
    return each.fate is Fate.BELOW_FLOOR and each.note != NOTE_MARKED
