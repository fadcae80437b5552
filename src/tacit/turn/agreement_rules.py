"""The rules about a person's later words: they replace what the same person said or noted before.

Which candidates are compared is decided here, and what follows from the comparison. Memories that
share a key or a claim are settled by the rules about conflicts.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from tacit.core.kinds import TURN, Scope
from tacit.core.memory import Memory
from tacit.core.receipt import (
    NOTE_CONFLICTS,
    NOTE_IN_CONFLICT,
    NOTE_MARKED,
    NOTE_SAID_OTHERWISE,
    Fate,
)
from tacit.search.agreement import DOUBTFUL, find_common_words
from tacit.search.conflict_rules import IdPair, age_of, id_pair
from tacit.search.later_words import (
    ALIKE,
    StatementPair,
    is_own_statement,
    is_replaced,
    may_follow,
)
from tacit.store.episodes import only_asks
from tacit.turn.block import quote_other
from tacit.turn.state import ScoredCandidate, TurnState

MOST_COMPARED = 8
"""Pairs that are read together in one turn, the most alike first; each takes some milliseconds."""

MOST_CLAUSES_COMPARED = 8
"""Clauses of the earlier texts that are read by themselves in one turn, in all."""

_WEAK = 12
"""Candidates below the floor that are compared with those above it."""

_AKIN = 0.2
"""Statements that answer one question are compared from this likeness on, if they share a word."""

_NOTED = 2.0
"""How alike two memories count that were noted as a contradiction: more than any others."""

_DOUBTFUL_SAID = 0.65
"""From this likelihood on what was said contradicts something, if it is not clear."""


def find_comparable_pairs(state: TurnState) -> list[StatementPair]:
    """The earlier and the later of candidates that are alike and may say different things."""
    admitted = [each for each in state.undecided if _is_comparable(each)]
    weak = [each for each in state.candidates if _may_be_later(each) and _is_comparable(each)]
    noted = {id for pair in state.contradicting for id in pair}
    weak.sort(key=lambda each: (each.memory.id not in noted, -each.score, each.memory.id))
    found = {}
    for one, other in product(admitted, [*admitted, *weak[:_WEAK]]):
        likeness = _likeness(state, one.memory, other.memory)
        if one.memory.id != other.memory.id and likeness >= (_AKIN if other.is_open else ALIKE):
            old, new = sorted((one, other), key=lambda each: age_of(each.memory))
            if _may_follow(old, new) and (likeness >= ALIKE or _share_words(old, new)):
                found[old.memory.id, new.memory.id] = (likeness, old.memory, new.memory)
    ranked = sorted(found.values(), key=lambda each: (-each[0], each[1].id, each[2].id))
    return [(old, new) for _, old, new in ranked[:MOST_COMPARED]]


def follow_later_words(state: TurnState) -> TurnState:
    """Let later words count in place of what they replace, and mark what nothing decides.

    What a person wrote explicitly stays beside later words that say otherwise, until somebody
    decides; so does whatever may contradict without that being clear, and what holds in a project
    beside later words about no project.
    """
    for pair in _in_order(state):
        agreement, shown = state.agreements[pair], {each.memory.id for each in state.undecided}
        old, new = _find_sides(state, pair)
        is_told = is_replaced(old.memory, new.memory, agreement.score)
        if is_told and _may_replace(state, old, new):
            state = _replace_words(state, pair, lifted=pair[0] in shown)
        elif _may_contradict(state, pair) and (
            pair[0] in shown or (agreement.replaces and pair[1] in shown)
        ):
            state = _show_both(state, pair)
    return state


def _may_contradict(state: TurnState, pair: IdPair) -> bool:
    """Whether a pair is in doubt; what was only said must be more likely to contradict.

    In conversation a subject mostly just comes up again.
    """
    is_said = any(each.is_episode for each in state.candidates if each.memory.id in pair)
    return state.agreements[pair].score >= (_DOUBTFUL_SAID if is_said else DOUBTFUL)


def _in_order(state: TurnState) -> Iterator[IdPair]:
    """The compared pairs whose both sides are candidates, the oldest later words first."""
    known = {each.memory.id: each.memory for each in state.candidates}
    pairs = [pair for pair in state.agreements if pair[0] in known and pair[1] in known]
    yield from sorted(pairs, key=lambda pair: (age_of(known[pair[1]]), pair))


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


def _is_comparable(each: ScoredCandidate) -> bool:
    """Whether a candidate is a person's statement, and no question."""
    return is_own_statement(each.memory) and not only_asks(each.memory)


def _may_be_later(each: ScoredCandidate) -> bool:
    """Whether a candidate is not shown for being weak, or for being very much like another."""
    return _is_weak(each) or each.fate in (Fate.SAME_BATCH, Fate.NEAR_DUPLICATE)


def _is_weak(each: ScoredCandidate) -> bool:
    return each.fate is Fate.BELOW_FLOOR and each.note != NOTE_MARKED


def _may_follow(old: ScoredCandidate, new: ScoredCandidate) -> bool:
    """Whether one kind of person said both, and not about two projects."""
    if not may_follow(old.memory, new.memory) or _is_one_saying(old, new):
        return False
    return len({_project_of(old), _project_of(new)} - {""}) <= 1


def _may_replace(state: TurnState, old: ScoredCandidate, new: ScoredCandidate) -> bool:
    """Whether later words are alike enough to replace earlier ones, and about the same project."""
    is_alike = _likeness(state, old.memory, new.memory) >= ALIKE
    return is_alike and _project_of(old) in ("", _project_of(new))


def _share_words(old: ScoredCandidate, new: ScoredCandidate) -> bool:
    return bool(find_common_words(old.memory.content, new.memory.content))


def _is_one_saying(old: ScoredCandidate, new: ScoredCandidate) -> bool:
    """Whether one of two was learned from what the other is: the words of the same turn."""
    turns = {each.memory.metadata.get(TURN) for each in (old, new)}
    return old.is_episode is not new.is_episode and len(turns) == 1


def _project_of(each: ScoredCandidate) -> str:
    """The project that a candidate is limited to; empty for none."""
    memory = each.memory
    if each.is_episode:
        return memory.agent or ""
    return memory.scope_id if memory.scope is Scope.PROJECT else ""


def _likeness(state: TurnState, one: Memory, other: Memory) -> float:
    """How near their vectors are; what was noted as a contradiction comes before all others."""
    if id_pair(one, other) in state.contradicting:
        return _NOTED
    ours, theirs = state.vectors.get(one.id), state.vectors.get(other.id)
    if ours is None or theirs is None:
        return 0.0
    return float(np.dot(np.asarray(ours, np.float32), np.asarray(theirs, np.float32)))
