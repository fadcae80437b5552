"""The overview page: what memory did lately, and a feed of events."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from nicegui.element import Element

from tacit.core.activity import Activity, MemoryUse
from tacit.core.errors import TacitError
from tacit.core.events import Event
from tacit.core.kinds import State
from tacit.core.memory import Memory
from tacit.store.stats import Stats
from tacit.ui.api_calls import MemoryCache, call_api, poll
from tacit.ui.kit.display import badge, bar, card, chart, empty, figure
from tacit.ui.kit.elements import add_text, box, heading, link, timestamp
from tacit.ui.navigation import (
    INSPECTOR,
    MEMORIES,
    OVERVIEW,
    REVIEW,
    SAID,
    WELCOME,
    memory_link,
    receipt_link,
)
from tacit.ui.page import PageRoute
from tacit.ui.page_context import PageContext
from tacit.ui.pages.overview.view_model import (
    CREATED_TONES,
    OUTCOME_TONES,
    event_text,
    growth_columns,
    omission_counts,
    share_of_largest,
    skip_counts,
    source_counts,
    stage_latencies,
    turn_columns,
)
from tacit.ui.pages.welcome import show_steps

_MAX_TURNS = 500
_DAYS = 30


async def build_page(context: PageContext) -> None:
    """The figures, which follow events; for an empty workspace, how to get started."""
    stats, activity = await asyncio.gather(
        call_api(context.tacit.workspace.stats),
        call_api(context.tacit.workspace.activity, turns=_MAX_TURNS, days=_DAYS),
    )
    if not activity.turns and not sum(stats.counts.by_state.values()):
        await show_steps(context)
        return
    with box("overview"):
        with box("first"):
            top = box("stack")
            with box("stack"):
                await show_feed(context, lambda: _reload(context, top, rest))
        rest = box("stack")
        await _show(context, stats, activity, top, rest)


async def _reload(context: PageContext, top: Element, rest: Element) -> None:
    stats = await call_api(context.tacit.workspace.stats)
    activity = await call_api(context.tacit.workspace.activity, turns=_MAX_TURNS, days=_DAYS)
    await _show(context, stats, activity, top, rest)


async def _show(
    context: PageContext, stats: Stats, activity: Activity, top: Element, rest: Element
) -> None:
    cache = MemoryCache(context.tacit)
    await cache.load(use.memory for use in activity.top)
    top.clear()
    rest.clear()
    with top:
        _show_memories(context, stats)
        if activity.turns:
            _show_turns(activity)
        else:
            _show_no_turns(context)
    with rest:
        if activity.turns:
            with box("columns"):
                _show_injected(activity)
                _show_left_out(activity)
                _show_latency(activity)
                _show_most_used(context, activity.top, cache.known)
        _show_growth(activity)


def _show_no_turns(context: PageContext) -> None:
    empty(
        "No turn yet",
        "Ask something in the inspector, or connect an agent; its turns appear here.",
        [
            ("Open the inspector", context.link(INSPECTOR.path)),
            ("Connect an agent", context.link(WELCOME.path)),
        ],
    )


def _show_memories(context: PageContext, stats: Stats) -> None:
    counts = stats.counts
    with card():
        with box("spread"):
            heading("Memories")
            link("View all", context.link(MEMORIES.path))
        with box("figures"):
            figure("live", f"{counts.by_state.get(State.LIVE, 0):,}")
            figure("past or future", f"{_count_past_or_future(stats):,}")
            figure("forgotten", f"{counts.by_state.get(State.FORGOTTEN, 0):,}")
            figure("links", f"{counts.associations:,}")
            with figure("to review", f"{counts.reviews:,}"):
                if counts.reviews:
                    link("Decide", context.link(REVIEW.path))
            with figure("messages kept", f"{stats.episodes:,}"):
                if stats.episodes:
                    link("What was said", context.link(SAID.path))


def _count_past_or_future(stats: Stats) -> int:
    return stats.counts.by_state.get(State.PAST, 0) + stats.counts.by_state.get(State.FUTURE, 0)


def _show_turns(activity: Activity) -> None:
    skipped = sum(activity.skipped.values())
    with card(f"The last {activity.turns:,} turns"):
        with box("figures"):
            figure("injected something", f"{activity.injected:,}")
            figure("found nothing relevant", f"{activity.nothing:,}")
            figure("skipped", f"{skipped:,}")
            figure("tokens", f"{activity.tokens.sum:,}", f"{activity.tokens.mean:,.0f} a block")
            _show_degraded(activity)
        chart(turn_columns(activity), OUTCOME_TONES, "Turns over time")
        with box("spread quiet ends"):
            timestamp(activity.since)
            timestamp(activity.until)
        for reason, count in activity.reasons.items():
            with box("row"):
                badge("degraded", "warn")
                add_text(f"{reason} ({count:,})", "breaking")


def _show_degraded(activity: Activity) -> None:
    note = "every part was in time" if not activity.degraded else "see below"
    figure("degraded", f"{activity.degraded:,}", note)


def _show_injected(activity: Activity) -> None:
    counts = source_counts(activity)
    with card("Injected, by how it was found"):
        for name, count in counts.items():
            bar(share_of_largest(count, list(counts.values())), name, shown=f"{count:,}")
        for name, count in skip_counts(activity).items():
            bar(count / activity.turns, f"skipped: {name}", tone="warn", shown=f"{count:,}")


def _show_left_out(activity: Activity) -> None:
    counts = omission_counts(activity.left_out)
    with card("Left out, and why"):
        if not counts:
            add_text("Nothing was left out.", "quiet")
        for name, count in counts:
            largest = [each for _, each in counts]
            bar(share_of_largest(count, largest), name, tone="neutral", shown=f"{count:,}")


def _show_latency(activity: Activity) -> None:
    stages = stage_latencies(activity)
    slowest = max((p95 for _, _, p95 in stages), default=1.0) or 1.0
    with card("Time by stage", "Milliseconds: half of the turns, and 95 of 100, took no longer."):
        for name, p50, p95 in stages:
            bar(p95 / slowest, name, shown=f"{p50:.1f} / {p95:.1f}")


def _show_most_used(
    context: PageContext, uses: Sequence[MemoryUse], memories: Mapping[str, Memory]
) -> None:
    with card("Used most"):
        if not uses:
            add_text("No memory was injected yet.", "quiet")
        for use in uses:
            memory = memories.get(use.memory)
            with box("use"):
                add_text(f"{use.count:,}×", "number quiet")
                if memory is None:
                    add_text("a memory that is not there any more", "quiet")
                else:
                    link(memory.content, memory_link(context, memory.id), "clipped")


def _show_growth(activity: Activity) -> None:
    came = sum(activity.growth.created.values())
    with card("Growth"):
        with box("figures"):
            figure(f"new in {_DAYS} days", f"{came:,}")
            figure("before that", f"{activity.growth.before:,}")
        if came:
            chart(growth_columns(activity), CREATED_TONES, "New memories by day")
            days = [day.isoformat() for day in activity.growth.created]
            with box("spread quiet ends"):
                add_text(days[0])
                add_text(f"{days[-1]} (days of UTC)")


PAGE = PageRoute(OVERVIEW, build_page)


_MAX_EVENTS = 12
_POLL_SECONDS = 2.0


async def show_feed(context: PageContext, refresh: Callable[[], Awaitable[None]]) -> None:
    """The last events, newest first; `refresh` is called when new ones arrive."""
    last = (await call_api(context.tacit.workspace.events, limit=1)).last
    page = await call_api(
        context.tacit.workspace.events, after=max(last - _MAX_EVENTS, 0), limit=_MAX_EVENTS
    )
    events = list(page.events)
    with card("Now", "What happens in this workspace, whoever does it."):
        shown = box("feed", aria_live="polite", tabindex="0", role="region", aria_label="Events")

    def show() -> None:
        shown.clear()
        with shown:
            if not events:
                empty("Nothing happened yet", "The first turn or memory appears here by itself.")
            for event in reversed(events):
                _show_event(context, event)

    async def load_new() -> None:
        after = events[-1].number if events else last
        try:
            newer = await call_api(context.tacit.workspace.events, after=after, limit=100)
            if not newer.events:
                return
            events[:] = [*events, *newer.events][-_MAX_EVENTS:]
            show()
            await refresh()
        except TacitError:
            return  # the server is away for a moment; the next call shows it

    show()
    poll(_POLL_SECONDS, load_new)


def _show_event(context: PageContext, event: Event) -> None:
    with box("event"):
        timestamp(event.at, short=True)
        receipt = event.data.get("receipt")
        if receipt:
            link(event_text(event), receipt_link(context, receipt))
        else:
            add_text(event_text(event))
