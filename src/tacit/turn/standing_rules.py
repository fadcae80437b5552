"""The rules about standing rules: which of them a turn shows, in a block of their own.

They come as soon as they apply and are not in view. While some are in view, the others have the
room that those leave, so that what a section could not hold does not follow in the next turns; a
rule that has changed, or that the message touches, comes all the same.
"""

from collections.abc import Sequence
from dataclasses import replace

from tacit.core.kinds import Scope
from tacit.core.receipt import NOTE_CHANGED, Fate
from tacit.language.tokens import TextSize, find_counter
from tacit.turn.applicability import find_reason, is_touched
from tacit.turn.block import (
    WIDEST_ID,
    BlockSection,
    BlockSections,
    MemoryLine,
    render_block,
    render_body,
)
from tacit.turn.budget import SHARES, BlockLimits, FittedBlock, Offer, fit_offers, take_shares
from tacit.turn.state import ScoredCandidate, TurnState

_MOST_OF_TOTAL = 2
"""Standing rules are at most this part of all memories that a turn shows."""


def admit_applicable(state: TurnState) -> TurnState:
    """Reject the rules that do not apply to the message, unless other words of them are in view.

    It comes before all other rules, as what stands against a rule is looked for only if it applies,
    and once more when the search has found what the message touches.
    """

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        if not each.is_standing:
            return each
        if each.note == NOTE_CHANGED:
            return replace(each, fate=None)
        reason = find_reason(each, state)
        rule = replace(each, fate=None, note=reason or "")
        return rule.reject(Fate.NOT_APPLICABLE) if reason is None else rule

    return replace(state, candidates=tuple(map(decide, state.candidates)))


def fit_standing(state: TurnState) -> TurnState:
    """Keep the rules that their block has room for: those that are wanted now come first.

    Each scope has its share of the lines, and the person's own come first.
    """
    rules = [each for each in state.undecided if each.is_standing]
    if not rules:
        return state
    wanted = [each for each in rules if _is_wanted_now(each, state)]
    others = [each for each in rules if each not in wanted]
    limits = _find_limits(state)
    if not state.rules_in_view:
        fitted = [_fit([*wanted, *others], limits, state)]
    else:
        left = _own_share_left(limits, state)
        wanted += [each for each in others if _is_own(each)][:left]
        others = [each for each in others if each not in wanted]
        first = _fit(wanted, limits, state)
        fitted = [first, _fit(others, _room_left(limits, first, state), state)]
    refused = {id: refusal for each in fitted for id, refusal in each.refused.items()}

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        refusal = refused.get(each.memory.id) if each.is_standing else None
        return each if refusal is None else each.reject(Fate(refusal))

    lines = tuple(line for each in fitted for line in each.sections.standing)
    return _with_lines(state.decide_each(decide), lines)


def _is_wanted_now(rule: ScoredCandidate, state: TurnState) -> bool:
    """Whether a rule has changed since it was shown, or the message touches it."""
    return rule.note == NOTE_CHANGED or is_touched(rule, state)


def _find_limits(state: TurnState) -> BlockLimits:
    settings = state.settings
    return BlockLimits(
        slots=min(settings.standing_lines, settings.max_total // _MOST_OF_TOTAL),
        tokens=settings.max_tokens // SHARES,
        characters=settings.memory_context_max_chars // SHARES,
        counter=find_counter(settings.token_counter),
    )


def _room_left(limits: BlockLimits, taken: FittedBlock, state: TurnState) -> BlockLimits:
    """The room that the rules in view leave, and those that come with this turn."""
    blocks = {block.id: limits.measure(block.placement.text) for block in state.rules_in_view}
    shown = sum(entry.block in blocks for entry in state.in_view)
    size = sum(blocks.values(), TextSize())
    return replace(
        limits,
        slots=max(limits.slots - shown - len(taken.sections.standing), 0),
        tokens=max(limits.tokens - size.tokens - taken.tokens, 0),
        characters=max(limits.characters - size.characters - taken.characters, 0),
    )


def _own_share_left(limits: BlockLimits, state: TurnState) -> int:
    """How many of the person's own rules may come beside those of others that are in view."""
    in_view = {entry.memory for entry in state.in_view}
    shown = [each for each in state.candidates if each.is_standing and each.memory.id in in_view]
    others = {each.memory.scope for each in shown if not _is_own(each)}
    if not others:
        return 0
    return max(limits.slots // (len(others) + 1) - sum(map(_is_own, shown)), 0)


def _is_own(rule: ScoredCandidate) -> bool:
    return rule.memory.scope is Scope.USER


def _in_shares(rules: Sequence[ScoredCandidate], lines: int) -> list[ScoredCandidate]:
    """The rules in the order in which they get room: each scope's share of lines, then the rest."""
    scopes = dict.fromkeys([Scope.USER, *(each.memory.scope for each in rules)])
    groups = [[each for each in rules if each.memory.scope is scope] for scope in scopes]
    first = [each for share in take_shares(groups, lines) for each in share]
    chosen = {id(each) for each in first}
    return [*first, *(each for each in rules if id(each) not in chosen)]


def _fit(rules: Sequence[ScoredCandidate], limits: BlockLimits, state: TurnState) -> FittedBlock:
    offers = [
        Offer(each.to_line(state.now, state.reader), BlockSection.STANDING)
        for each in _in_shares(rules, limits.slots)
    ]
    return fit_offers(offers, limits, shares=1)


def _with_lines(state: TurnState, lines: tuple[MemoryLine, ...]) -> TurnState:
    sections = BlockSections(standing=lines)
    counter = find_counter(state.settings.token_counter)
    size = TextSize.of(render_block(WIDEST_ID, render_body(sections)), counter)
    return replace(state, standing=sections, tokens=size.tokens, characters=size.characters)
