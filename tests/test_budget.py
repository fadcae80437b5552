"""Budgets: what is shown never exceeds a limit, and what is not shown has a reason."""

import time
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.kinds import MemoryType, Scope
from tacit.language.neutralization import restore_line
from tacit.language.tokens import TextSize, estimate_tokens
from tacit.settings.definition import list_definitions
from tacit.settings.injection import InjectionSettings
from tacit.turn.block import (
    WIDEST_ID,
    BlockSection,
    BlockSections,
    MemoryLine,
    render_block,
    render_body,
    render_line,
)
from tacit.turn.budget import BlockLimits, BudgetRefusal, Offer, fit_offers
from tests.support import make_memory

WIDE = BlockLimits(slots=25, tokens=1_500, characters=5_000)
SENTENCE = "The billing service rotates its tokens every thirty days. "


def _offer(content="The API speaks gRPC", section="relevant", conflict=None, **fields):
    return Offer(
        MemoryLine(make_memory(content, **fields), conflict=conflict), BlockSection(section)
    )


def _fit(offers, limits=WIDE):
    return fit_offers(offers, limits)


def _block(fitted):
    return render_block(WIDEST_ID, render_body(fitted.sections))


def _shown(fitted):
    lines = [line for section in BlockSection for line in getattr(fitted.sections, section)]
    return [line.memory.id for line in lines]


def test_what_fits_is_shown_in_its_section_in_the_order_of_the_offers():
    offers = [
        _offer("second", "pinned"),
        _offer("first", "pinned"),
        _offer("fact", "facts", key="k"),
        _offer("hit"),
        _offer("framed", "frame", key="l"),
    ]
    fitted = _fit(offers)
    lines = [offer.line for offer in offers]
    assert fitted.sections == BlockSections(
        frame=(lines[4],), pinned=(lines[0], lines[1]), facts=(lines[2],), relevant=(lines[3],)
    )
    assert fitted.refused == {}


def test_no_offers_are_no_block():
    fitted = _fit([])
    assert (fitted.sections, fitted.tokens, fitted.characters) == (BlockSections(), 0, 0)


def test_when_the_slots_are_taken_all_later_offers_are_refused():
    offers = [_offer(f"hit {number}") for number in range(5)]
    fitted = _fit(offers, BlockLimits(slots=2, tokens=1_500, characters=5_000))
    assert len(_shown(fitted)) == 2
    assert list(fitted.refused.values()) == [BudgetRefusal.OVER_SLOTS] * 3


def test_a_refused_offer_takes_no_slot():
    offers = [_offer(SENTENCE * 2) for _ in range(4)] + [_offer("short")]
    fitted = _fit(offers, BlockLimits(slots=4, tokens=1_500, characters=600))
    assert _shown(fitted)[-1] == offers[-1].line.memory.id
    assert BudgetRefusal.OVER_CHARS in fitted.refused.values()


@pytest.mark.parametrize(
    ("limits", "refusal"),
    [
        (BlockLimits(slots=25, tokens=1_500, characters=600), "over_chars"),
        (BlockLimits(slots=25, tokens=150, characters=5_000), "over_tokens"),
    ],
)
def test_one_too_long_for_what_is_left_gives_way_to_a_shorter_one(limits, refusal):
    offers = [_offer(f"{number} {SENTENCE}") for number in range(9)] + [_offer("short")]
    fitted = _fit(offers, limits)
    assert set(fitted.refused.values()) == {refusal}
    assert offers[-1].line.memory.id in _shown(fitted)
    assert "…" not in _block(fitted)


@pytest.mark.parametrize(
    ("tokens", "characters"), [(1_500, 5_000), (400, 5_000), (1_500, 1_200), (1_500, 100_000)]
)
@pytest.mark.parametrize("content", [SENTENCE * 200, "日本語。" * 4_000, "\u202e\n" * 9_000])
def test_one_over_a_quarter_of_the_budget_is_shortened_to_a_quarter(tokens, characters, content):
    limits = BlockLimits(slots=25, tokens=tokens, characters=characters)
    fitted = _fit([_offer(content), _offer("short")], limits)
    long, _ = fitted.sections.relevant
    text = render_line(long, BlockSection.RELEVANT)
    assert text.endswith(" … (importance: 0.6) (shortened)")
    assert len(text) <= characters // 4
    assert estimate_tokens(text) <= tokens // 4
    assert max(len(text) / characters, estimate_tokens(text) / tokens) > 0.2


def test_a_shortened_memory_ends_with_a_whole_sentence():
    fitted = _fit([_offer(SENTENCE * 200)])
    assert ". … (importance" in _block(fitted)


def test_one_at_a_quarter_of_the_budget_stays_whole():
    short = _offer("x" * 100)
    length = len(render_line(short.line, short.section))
    exact = BlockLimits(slots=25, tokens=1_500, characters=4 * length)
    assert _fit([short], exact).sections.relevant == (short.line,)
    narrow = BlockLimits(slots=25, tokens=1_500, characters=4 * length - 1)
    assert "(shortened)" in _block(_fit([short], narrow))


def test_one_whose_conflict_alone_takes_more_than_a_quarter_is_refused():
    offer = _offer("short", conflict=SENTENCE * 100)
    assert list(_fit([offer]).refused.values()) == [BudgetRefusal.OVER_CHARS]


@pytest.mark.parametrize("limits", [(0, 1_500, 5_000), (25, 0, 5_000), (25, 1_500, 0), (0, 0, 0)])
def test_without_room_nothing_is_shown_and_everything_has_a_reason(limits):
    slots, tokens, characters = limits
    offers = [_offer(), _offer(section="facts", key="k")]
    fitted = _fit(offers, BlockLimits(slots=slots, tokens=tokens, characters=characters))
    assert _block(fitted) == ""
    assert set(fitted.refused) == {offer.line.memory.id for offer in offers}


SHORT = {"content": "4 spaces", "key": "editor.indent"}


def _sizes(section):
    """What blocks take that show one short memory in a section, whatever its type and scope."""
    for type, scope in product(MemoryType, Scope):
        offer = _offer(section=section, type=type, scope=scope, **SHORT)
        shown = BlockSections(**{section: (offer.line,)})
        yield (
            offer,
            TextSize.of(render_block(WIDEST_ID, render_body(shown))),
        )


def _least():
    """The least limits at which one short memory fits into any section, by the renderer."""
    sizes = [size for section in BlockSection for _, size in _sizes(section)]
    return max(size.tokens for size in sizes), max(size.characters for size in sizes)


def _low(name):
    return next(each.low for each in list_definitions(InjectionSettings) if each.name == name)


def test_the_least_budgets_are_what_a_block_with_one_short_memory_takes():
    assert (_low("max_tokens"), _low("memory_context_max_chars")) == _least()


@pytest.mark.parametrize("section", BlockSection)
def test_at_the_least_budgets_one_short_memory_is_shown(section):
    tokens, characters = _least()
    for offer, _ in _sizes(section):
        fitted = _fit([offer], BlockLimits(slots=1, tokens=tokens, characters=characters))
        assert SHORT["content"] in _block(fitted)


@pytest.mark.parametrize(
    ("tokens", "characters", "refusal"), [(1, 0, "over_tokens"), (0, 1, "over_chars")]
)
def test_below_the_least_budgets_a_short_fact_is_not_shown(tokens, characters, refusal):
    least_tokens, least_characters = _least()
    limits = BlockLimits(
        slots=1, tokens=least_tokens - tokens, characters=least_characters - characters
    )
    framed = list(_sizes(BlockSection.FRAME))
    longest, _ = max(framed, key=lambda each: each[1].characters)
    fitted = _fit([longest], limits)
    assert _block(fitted) == ""
    assert list(fitted.refused.values()) == [refusal]


PLENTY = 1_000_000


@pytest.mark.parametrize(
    ("limits", "refusal"),
    [
        (BlockLimits(slots=1, tokens=60, characters=PLENTY), "over_tokens"),
        (BlockLimits(slots=1, tokens=PLENTY, characters=200), "over_chars"),
        (BlockLimits(slots=1, tokens=40, characters=220), "over_tokens"),
        (BlockLimits(slots=1, tokens=70, characters=120), "over_chars"),
    ],
    ids=["only tokens", "only characters", "tokens first", "characters first"],
)
@pytest.mark.parametrize("content", [SENTENCE * 5, "short"])
def test_a_refusal_names_the_limit_that_was_reached_first(limits, refusal, content):
    offer = _offer(content, section="frame", key="k")
    assert list(_fit([offer], limits).refused.values()) == [refusal]


CONTENTS = st.one_of(
    st.text(min_size=1, max_size=40).filter(str.strip),
    st.integers(1, 40).map(lambda count: SENTENCE * count),
    st.integers(1, 300).map(lambda count: "日本\n\u202e" * count),
)
OFFERS = st.lists(
    st.builds(
        lambda content, section, conflict, key: Offer(
            MemoryLine(make_memory(content.replace("\0", "0"), key=key), conflict), section
        ),
        CONTENTS,
        st.sampled_from(BlockSection),
        st.none() | st.text(max_size=20),
        st.none() | st.just("editor.indent"),
    ),
    max_size=15,
)
LIMITS = st.builds(
    lambda slots, tokens, characters: BlockLimits(
        slots=slots, tokens=tokens, characters=characters
    ),
    st.integers(0, 12),
    st.integers(0, 1_000),
    st.integers(0, 4_000),
)


@given(OFFERS, LIMITS)
def test_no_limit_is_ever_exceeded_and_the_sizes_are_those_of_the_block(offers, limits):
    fitted = _fit(offers, limits)
    rendered = _block(fitted)
    assert (fitted.tokens, fitted.characters) == (estimate_tokens(rendered), len(rendered))
    assert fitted.tokens <= limits.tokens
    assert fitted.characters <= limits.characters
    assert len(_shown(fitted)) <= limits.slots


@given(OFFERS, LIMITS)
def test_every_offer_is_shown_or_refused_exactly_once(offers, limits):
    fitted = _fit(offers, limits)
    fates = _shown(fitted) + list(fitted.refused)
    assert sorted(fates) == sorted(offer.line.memory.id for offer in offers)
    assert fitted == _fit(offers, limits)


@given(OFFERS, LIMITS)
def test_a_limit_that_cannot_be_reached_refuses_nothing(offers, limits):
    wide = _fit(offers, replace(limits, characters=PLENTY))
    assert BudgetRefusal.OVER_CHARS not in wide.refused.values()
    long = _fit(offers, replace(limits, tokens=PLENTY))
    assert BudgetRefusal.OVER_TOKENS not in long.refused.values()


@given(OFFERS, LIMITS)
def test_what_is_shown_whole_can_be_restored(offers, limits):
    for line in _fit(offers, limits).sections.pinned:
        if line.content is None and line.conflict is None:
            shown = render_line(line, BlockSection.PINNED).removeprefix("[Fact] ")
            key = "" if line.memory.key is None else f"{line.memory.key}: "
            assert restore_line(shown.removeprefix(key)) == line.memory.content


def test_sixty_offers_are_fitted_in_a_few_milliseconds():
    offers = [_offer(f"{number} {SENTENCE * 3}") for number in range(60)]
    _fit(offers)
    started = time.process_time()
    _fit(offers)
    assert time.process_time() - started < 0.05
