"""Overview: what memory did lately, and what happens now."""

import asyncio
from collections.abc import Mapping, Sequence

from nicegui.element import Element

from tacit.core.memory.kinds import State
from tacit.core.memory.record import Memory
from tacit.core.receipt.activity import Activity, Use
from tacit.store.stats import Stats
from tacit.ui.addresses import memory_at
from tacit.ui.asking import ask
from tacit.ui.kit.bar import bar
from tacit.ui.kit.card import badge, card, empty, figure
from tacit.ui.kit.chart import chart
from tacit.ui.kit.element import box, heading, link, say
from tacit.ui.kit.moment import moment
from tacit.ui.page import Page
from tacit.ui.pages.overview import figures
from tacit.ui.pages.overview.feed import feed
from tacit.ui.pages.welcome import steps
from tacit.ui.rooms import INSPECTOR, MEMORIES, OVERVIEW, REVIEW, WELCOME
from tacit.ui.visit import Visit
from tacit.ui.words import Words

_TURNS = 500
_DAYS = 30


async def build(visit: Visit) -> None:
    """The figures, which follow what happens; for an empty workspace, how to begin."""
    stats, activity = await asyncio.gather(
        ask(visit.tacit.stats), ask(visit.tacit.activity, turns=_TURNS, days=_DAYS)
    )
    if not activity.turns and not sum(stats.counts.by_state.values()):
        await steps(visit)
        return
    with box("overview"):
        with box("first"):
            top = box("stack")
            with box("stack"):
                await feed(visit, lambda: _refresh(visit, top, rest))
        rest = box("stack")
        await _show(visit, stats, activity, top, rest)


async def _refresh(visit: Visit, top: Element, rest: Element) -> None:
    stats = await ask(visit.tacit.stats)
    activity = await ask(visit.tacit.activity, turns=_TURNS, days=_DAYS)
    await _show(visit, stats, activity, top, rest)


async def _show(
    visit: Visit, stats: Stats, activity: Activity, top: Element, rest: Element
) -> None:
    words = Words(visit.tacit)
    await words.learn(use.memory for use in activity.top)
    top.clear()
    rest.clear()
    with top:
        _held(visit, stats)
        if activity.turns:
            _turns(activity)
        else:
            _no_turns(visit)
    with rest:
        if activity.turns:
            with box("columns"):
                _injected(activity)
                _left_out(activity)
                _latency(activity)
                _top(visit, activity.top, words.known)
        _growth(activity)


def _no_turns(visit: Visit) -> None:
    empty(
        "No turn yet",
        "Ask something in the inspector, or connect an agent; its turns appear here.",
        [
            ("Open the inspector", visit.link(INSPECTOR.path)),
            ("Connect an agent", visit.link(WELCOME.path)),
        ],
    )


def _held(visit: Visit, stats: Stats) -> None:
    counts = stats.counts
    with card():
        with box("spread"):
            heading("Memories")
            link("Look at them", visit.link(MEMORIES.path))
        with box("figures"):
            figure("live", f"{counts.by_state.get(State.LIVE, 0):,}")
            figure("past or future", f"{_past(stats):,}")
            figure("forgotten", f"{counts.by_state.get(State.FORGOTTEN, 0):,}")
            figure("links", f"{counts.associations:,}")
            with figure("to review", f"{counts.reviews:,}"):
                if counts.reviews:
                    link("Decide", visit.link(REVIEW.path))


def _past(stats: Stats) -> int:
    return stats.counts.by_state.get(State.PAST, 0) + stats.counts.by_state.get(State.FUTURE, 0)


def _turns(activity: Activity) -> None:
    skipped = sum(activity.skipped.values())
    with card(f"The last {activity.turns:,} turns"):
        with box("figures"):
            figure("injected something", f"{activity.injected:,}")
            figure("had nothing worth it", f"{activity.nothing:,}")
            figure("skipped", f"{skipped:,}")
            figure("tokens", f"{activity.tokens.sum:,}", f"{activity.tokens.mean:,.0f} a block")
            _degraded(activity)
        chart(figures.outcomes(activity), figures.OUTCOMES, "Turns over time")
        with box("spread quiet ends"):
            moment(activity.since)
            moment(activity.until)
        for reason, count in activity.reasons.items():
            with box("row"):
                badge("degraded", "warn")
                say(f"{reason} ({count:,})", "breaking")


def _degraded(activity: Activity) -> None:
    note = "every part was in time" if not activity.degraded else "see below"
    figure("degraded", f"{activity.degraded:,}", note)


def _injected(activity: Activity) -> None:
    counts = figures.sources(activity)
    with card("Injected, by how it was found"):
        for name, count in counts.items():
            bar(figures.share(count, list(counts.values())), name, shown=f"{count:,}")
        for name, count in figures.skips(activity).items():
            bar(count / activity.turns, f"skipped: {name}", tone="warn", shown=f"{count:,}")


def _left_out(activity: Activity) -> None:
    told = figures.losses(activity.left_out)
    with card("Left out, and why"):
        if not told:
            say("Nothing was left out.", "quiet")
        for name, count in told:
            largest = [each for _, each in told]
            bar(figures.share(count, largest), name, tone="neutral", shown=f"{count:,}")


def _latency(activity: Activity) -> None:
    told = figures.stages(activity)
    slowest = max((p95 for _, _, p95 in told), default=1.0) or 1.0
    with card("Time by stage", "Milliseconds: half of the turns, and 95 of 100, took no longer."):
        for name, p50, p95 in told:
            bar(p95 / slowest, name, shown=f"{p50:.1f} / {p95:.1f}")


def _top(visit: Visit, uses: Sequence[Use], words: Mapping[str, Memory]) -> None:
    with card("Used most"):
        if not uses:
            say("No memory was injected yet.", "quiet")
        for use in uses:
            memory = words.get(use.memory)
            with box("use"):
                say(f"{use.count:,}×", "number quiet")
                if memory is None:
                    say("a memory that is not there any more", "quiet")
                else:
                    link(memory.content, memory_at(visit, memory.id), "clipped")


def _growth(activity: Activity) -> None:
    came = sum(activity.growth.created.values())
    with card("Growth"):
        with box("figures"):
            figure(f"new in {_DAYS} days", f"{came:,}")
            figure("before that", f"{activity.growth.before:,}")
        if came:
            chart(figures.growth(activity), figures.CREATED, "New memories by day")
            days = [day.isoformat() for day in activity.growth.created]
            with box("spread quiet ends"):
                say(days[0])
                say(f"{days[-1]} (days of UTC)")


PAGE = Page(OVERVIEW, build)
