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
    NOTE_QUOTED,
    NOTE_SAID_OTHERWISE,
    Fate,
)
from tacit.search.agreement import DOUBTFUL
from tacit.search.conflict_rules import IdPair, age_of
from tacit.search.later_words import (
    ALIKE,
    is_one_saying,
    is_own_statement,
    is_replaced,
    may_follow,
    project_of,
    says_several_things,
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

    What may contradict without that being clear is one line: the later words, which quote the
    earlier ones. What a person wrote explicitly stays a line of its own until somebody decides, and
    so does what holds in a project beside later words about no project. A mark brings in no line
    that the message does not concern.
    """
    for compared in _in_order(state):
        old, new = _find_sides(state, compared.ids)
        is_told = is_replaced(old.memory, new.memory, compared.score)
        if is_told and _may_replace(compared, old, new):
            state = _replace_words(state, old, new)
        elif old.is_open and _may_contradict(compared, old, new):
            state = _mark_conflict(state, old, new)
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
    return compared.likeness >= ALIKE and _is_there(old, new)


def _is_there(old: ScoredCandidate, new: ScoredCandidate) -> bool:
    """Whether later words are about the project that the earlier ones are about, if any."""
    return project_of(old.memory) in ("", project_of(new.memory))


def _may_contradict(
    compared: StatementComparison, old: ScoredCandidate, new: ScoredCandidate
) -> bool:
    """Whether a pair is in doubt; what was only said must be more likely to contradict, and alike.

    In conversation a subject mostly just comes up again.
    """
    if not (old.is_episode or new.is_episode):
        return compared.score >= DOUBTFUL
    return compared.score >= _DOUBTFUL_SAID and compared.likeness >= ALIKE


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


def _replace_words(state: TurnState, old: ScoredCandidate, new: ScoredCandidate) -> TurnState:
    """The earlier words are not shown; the later ones are, if the earlier would have been."""
    if old.is_open:
        state = _lift(state, new.memory.id, old.memory.id)
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
    is_one_line = new.is_open and not is_part and not old.memory.explicit and _is_there(old, new)
    earlier, later = quote_other(old.memory, "said earlier"), quote_other(new.memory, "said later")

    def mark(each: ScoredCandidate) -> ScoredCandidate:
        if each.is_open and _repeats(each, new):
            return each if is_part else _quote(each, old, earlier)
        if is_one_line and _repeats(each, old):
            return each.reject(Fate.CONFLICT_OMITTED, new.memory.id, NOTE_QUOTED)
        if each.is_open and each.memory.id == old.memory.id:
            return _quote(each, new, later)
        return each

    return state.decide_each(mark)


def _repeats(each: ScoredCandidate, said: ScoredCandidate) -> bool:
    """Whether a candidate is these words, or says no more than that, of the same turn."""
    if each.memory.id == said.memory.id:
        return True
    is_same = is_one_saying(each.memory, said.memory) and not each.memory.explicit
    return is_same and not says_several_things(each.memory.content)


def _quote(each: ScoredCandidate, other: ScoredCandidate, remark: str) -> ScoredCandidate:
    id = other.memory.id
    return replace(each, conflict=remark, quotes=(id,), by=id, note=NOTE_IN_CONFLICT)


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
