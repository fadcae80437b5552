"""The rules about relevance: which of the things that were found are worth a line.

Memories, facts among them, and episodes are found by searches of their own, so each are judged
among themselves. Every line needs the floor. Where a conversation is remembered as it was said,
what stands around a line supports it, and a weaker neighbour may come along as its evidence.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from tacit.core.episodes import only_asks
from tacit.core.kinds import Trust
from tacit.core.memory import Memory
from tacit.core.messages import text_of
from tacit.core.receipt import (
    NOTE_BY_CONTEXT,
    NOTE_EVIDENCE,
    NOTE_NOT_NEEDED,
    NOTE_NOTHING_NEW,
    NOTE_NOTHING_RELEVANT,
    NOTE_ONLY_ASKS,
    NOTE_SAID,
    SEARCHED,
    CandidateSource,
    Fate,
)
from tacit.language.query import recent_messages
from tacit.language.sentences import is_question, split_sentences
from tacit.language.topics import states_rule
from tacit.search.duplicates import wording_hash
from tacit.search.need import MOST_READ, MessageTraits, estimate_need
from tacit.turn.state import FITTING_TYPES, RequestKind, ScoredCandidate, TurnState
from tacit.turn.wording import word_coverage

BEST_SHARE = 0.6
"""A line needs this share of the best score, without what its whole session has."""

_SURE = 0.8
"""A memory of this relevance is worth a line whatever the best is."""

BEST_SHARE_LINKED = 0.25
"""The same for episodes, which say more than what is asked for, and for associated memories."""

BEST_SHARE_FOLLOW_UP = 0.4
"""The same for a follow-up, whose best hit may only be about what was spoken of."""

FITTING_SHARE = 0.8
"""A fact whose type suits the kind of request needs this share of the floor."""

RULE_SHARE = 0.75
"""What was said as a rule in a project needs this share of the floor there."""

NEEDED_ODDS = 0.45
"""Where a message is known to need memory, a memory needs this share of the floor's odds."""

NEEDED_ODDS_SAID = 0.19
"""The same for what was said: its words are further from those of a question."""

EVIDENCE_SHARE = 0.1
"""Evidence for a line needs this share of the floor by itself."""

_APART = (Fate.SUPERSEDED, Fate.SEEN_IN_WINDOW)
"""What was taken back or told already says nothing about the others."""

_MOST_READ = 4_000

_SUPPORT = 6.0
"""What the score of what was said around a line adds to its odds of being relevant."""

_PLACES = 2
"""How many places apart two lines of a conversation may be to stand beside each other."""

FOLLOW_UP_LINES = 3
"""How many memories a follow-up brings at most: it points at one thing."""

_TOLD = 0.6
"""With this share of its words in the last exchanges, a memory adds nothing to them."""

_STATED = 0.1
"""Of these words, this share of all must be stated there: a question tells nothing."""

_GROUPS: tuple[tuple[CandidateSource, ...], ...] = (
    (CandidateSource.FACT, CandidateSource.CONTEXTUAL),
    (CandidateSource.EPISODE,),
)


def admit_needed(state: TurnState) -> TurnState:
    """Reject all that was searched for if the message hardly needs what is remembered.

    Small talk, general questions and other people's matters resemble something in every memory. A
    message that names what a relevant line is about needs it, and so does one that names somebody
    or something and is told of by a line beyond doubt.
    """
    searched = [each for each in state.candidates if each.found in SEARCHED]
    if state.need_odds is None or not searched:
        return state
    searched.sort(key=lambda each: -each.relevance)
    best, found = searched[0].relevance, [each.memory.content for each in searched[:MOST_READ]]
    traits = MessageTraits.of(state.message, found, is_follow_up=bool(state.question.context))
    likely = estimate_need(state.need_odds, best, traits)
    if likely >= state.settings.least_need or _is_about_named(state, best, traits):
        return state
    return state.decide_each(
        lambda each: (
            each.reject(Fate.BELOW_FLOOR, note=each.note or NOTE_NOT_NEEDED)
            if each.found in SEARCHED
            else each
        )
    )


def _is_about_named(state: TurnState, best: float, traits: MessageTraits) -> bool:
    """Whether names of the message stand in what was found, or the best of it is beyond doubt."""
    if traits.has_known_names:
        return best >= state.settings.contextual_min_score
    return traits.has_unknown_names and best >= _SURE


def admit_relevant(state: TurnState) -> TurnState:
    """Reject what is below the floor or far behind the best, and everything if nothing new is not.

    What the model has in view already brings nothing else with it.
    """
    for sources in _GROUPS:
        state = _admit_group(state, sources)
    return state


def drop_told(state: TurnState) -> TurnState:
    """Reject what the exchanges say that a follow-up refers to: it asks for more than that."""
    if not state.question.context:
        return state
    spoken = "\n".join(text_of(message) for message in recent_messages(state.said))[:_MOST_READ]
    stated = "\n".join(each for each in split_sentences(spoken) if not is_question(each))

    def is_told(content: str) -> bool:
        is_stated = word_coverage(content, stated) >= _STATED
        return is_stated and word_coverage(content, spoken) >= _TOLD

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        if each.found in SEARCHED and is_told(each.memory.content):
            return each.reject(Fate.SEEN_IN_WINDOW, note=NOTE_SAID)
        return each

    return state.decide_each(decide)


def _admit_group(state: TurnState, sources: Sequence[CandidateSource]) -> TurnState:
    group = [each for each in state.candidates if each.found in sources and each.fate not in _APART]
    opening = [each for each in group if _opens(each, state)]
    if any(_is_new(each.memory, state) for each in opening):
        chosen, note = _choose_lines(group, state), ""
    else:
        chosen = {id(each): each for each in opening}
        note = NOTE_NOTHING_NEW if opening else NOTE_NOTHING_RELEVANT

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        if each.found not in sources or id(each) in chosen:
            return chosen.get(id(each), each)
        reason = NOTE_ONLY_ASKS if _only_asks(each) else note
        return each.reject(Fate.BELOW_FLOOR, note=each.note or reason)

    return state.decide_each(decide)


def _choose_lines(group: Sequence[ScoredCandidate], state: TurnState) -> dict[int, ScoredCandidate]:
    """The candidates that earn a line, and those that come as their evidence."""
    near = _find_near_best(group, state)
    relevant = [each for each in near if _is_relevant(each, state)]
    if state.question.context:
        new = [each for each in relevant if _is_new(each.memory, state)]
        left_out = {id(each) for each in new[FOLLOW_UP_LINES:]}
        relevant = [each for each in relevant if id(each) not in left_out]
    chosen = {id(each): _mark_context(each, state) for each in relevant}
    weak = [each for each in near if id(each) not in chosen]
    return chosen | _choose_evidence(relevant, weak, state)


def _find_near_best(group: Sequence[ScoredCandidate], state: TurnState) -> list[ScoredCandidate]:
    """The candidates that are not far behind the best; a person's words only behind a person's.

    A memory that is surely relevant stands wherever others do: a question may name two things.
    """
    own = [_evidence(each) for each in group if each.memory.trust is Trust.TRUSTED]
    best_own, best = max(own, default=0.0), max(map(_evidence, group), default=0.0)

    def is_near(each: ScoredCandidate) -> bool:
        ahead = best_own if each.memory.trust is Trust.TRUSTED else best
        is_sure = each.relevance >= _SURE and not each.is_episode
        return is_sure or _evidence(each) >= _best_share(each, state) * ahead

    return [each for each in group if is_near(each)]


def _opens(each: ScoredCandidate, state: TurnState) -> bool:
    """Whether a line is relevant by itself, so that others may come with it."""
    return not _only_asks(each) and each.relevance >= _floor_of(each, state)


def _is_relevant(each: ScoredCandidate, state: TurnState) -> bool:
    return not _only_asks(each) and _supported_relevance(each) >= _floor_of(each, state)


def _floor_of(each: ScoredCandidate, state: TurnState) -> float:
    """The relevance that a line needs; a fact of a type that suits the request needs less."""
    floor = state.settings.contextual_min_score
    if state.need_odds is not None:
        floor = _lower(floor, NEEDED_ODDS_SAID if each.is_episode else NEEDED_ODDS)
    if each.is_episode and state.has_project and states_rule(each.memory.content):
        return RULE_SHARE * floor
    is_fitting = (
        each.found is CandidateSource.FACT
        and state.kind is not RequestKind.GENERAL
        and each.memory.type in FITTING_TYPES[state.kind]
    )
    return FITTING_SHARE * floor if is_fitting else floor


def _supported_relevance(each: ScoredCandidate) -> float:
    """The relevance of a line together with what was said around it."""
    around = each.signals.get("neighbours", 0.0)
    if not around or each.relevance in (0.0, 1.0):
        return each.relevance
    odds = math.log(each.relevance / (1 - each.relevance)) + _SUPPORT * around
    return 1 / (1 + math.exp(-odds))


def _evidence(each: ScoredCandidate) -> float:
    """The score of a hit without what its whole session has: that says nothing about one line."""
    return each.score - each.signals.get("session", 0.0)


def _best_share(each: ScoredCandidate, state: TurnState) -> float:
    if each.is_episode or _is_linked(each):
        return BEST_SHARE_LINKED
    return BEST_SHARE_FOLLOW_UP if state.question.context else BEST_SHARE


def _is_linked(each: ScoredCandidate) -> bool:
    """Whether a memory is associated with one that the words of the message match."""
    return each.signals.get("graph", 0.0) > 0


def _only_asks(each: ScoredCandidate) -> bool:
    """Whether an episode holds questions alone: none is answered by another question."""
    return each.is_episode and only_asks(each.memory)


def _is_new(memory: Memory, state: TurnState) -> bool:
    """Whether the model does not have a memory in view in these words."""
    wording = wording_hash(memory.content)
    return all(
        entry.memory != memory.id or entry.content_hash != wording for entry in state.in_view
    )


def _mark_context(each: ScoredCandidate, state: TurnState) -> ScoredCandidate:
    """Note that a line is relevant only because of the exchanges before the message."""
    if state.question.context and each.alone < state.settings.contextual_min_score:
        return replace(each, note=each.note or NOTE_BY_CONTEXT)
    return each


def _lower(floor: float, share: float) -> float:
    """Scale the odds of a floor: 0 stays 0, and 1, which nothing reaches, stays 1."""
    odds = share * floor
    return odds / (1 - floor + odds)


def _choose_evidence(
    relevant: Sequence[ScoredCandidate], weak: Sequence[ScoredCandidate], state: TurnState
) -> dict[int, ScoredCandidate]:
    """What comes as evidence: for a memory at most one beside it, for episodes what fits too.

    An episode says several things, and less of it fits the message than of a memory. Where the
    message is known to need memory, the floor of episodes is so low that none below it is evidence.
    """
    least = EVIDENCE_SHARE * state.settings.contextual_min_score
    is_low = state.need_odds is not None
    left = [each for each in weak if each.relevance >= least and not (is_low and each.is_episode)]
    found: dict[int, ScoredCandidate] = {}
    for line in relevant:
        beside = [each for each in left if _is_evidence(each, line)]
        beside.sort(key=lambda each: (-each.score, each.memory.id))
        for each in beside if line.is_episode else beside[:1]:
            left.remove(each)
            found[id(each)] = replace(each, by=line.memory.id, note=each.note or NOTE_EVIDENCE)
    return found


def _is_evidence(each: ScoredCandidate, line: ScoredCandidate) -> bool:
    """Whether a weaker candidate belongs to a line: said, associated or standing beside it."""
    if each.is_episode:
        return not _only_asks(each)
    return _is_linked(each) or _stand_together(each.memory, line.memory)


def _stand_together(first: Memory, second: Memory) -> bool:
    """Whether two memories were said one shortly after the other."""
    one, other = first.origin, second.origin
    if one.session is None or one.session != other.session:
        return False
    if one.ordinal is None or other.ordinal is None:
        return False
    return abs(one.ordinal - other.ordinal) <= _PLACES
