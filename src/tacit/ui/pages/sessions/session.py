"""The page of one session: its turns, their blocks, and the ledger of what was shown."""

import asyncio
import json
from collections.abc import Mapping, Sequence, Set
from typing import Any

from nicegui.element import Element

from tacit.core.episodes import is_episode_id
from tacit.core.explanations import explain_candidate
from tacit.core.receipt import Candidate, CandidateSource, Receipt
from tacit.core.sessions import Block, LedgerEntry
from tacit.turn.block import describe_trust
from tacit.turn.session_view import SessionReport
from tacit.ui.api_calls import MemoryCache, call_api
from tacit.ui.kit.buttons import button
from tacit.ui.kit.display import badge, card, notice, table
from tacit.ui.kit.elements import add_text, box, focus, heading, link, timestamp
from tacit.ui.navigation import SESSIONS, memory_link, receipt_link
from tacit.ui.page_context import PageContext
from tacit.ui.pages.sessions.actions import SessionActions
from tacit.ui.pages.sessions.view_model import (
    NO_BLOCK,
    STATE_LABELS,
    TimelineTurn,
    TurnSquare,
    blocks_text,
    latest_entries,
    number_blocks,
    reinjection_label,
    to_squares,
    to_timeline,
)
from tacit.ui.turn_labels import describe_episode, proxy_label

_MORE_RECEIPTS = 20
_MAX_ENTRIES = 100


async def build_session_page(context: PageContext) -> None:
    """The page of the session that the address names."""
    shown = _SessionPage(context, context.query["id"])
    await shown.load()


class _SessionPage:
    """A session on its page."""

    def __init__(self, context: PageContext, id: str) -> None:
        self._context, self._id = context, id
        self._cache = MemoryCache(context.tacit)
        self._place, self._ground = box("session stack"), box()
        self._first: Element | None = None

    async def reload(self) -> None:
        """Load again, and move the keyboard focus to the first button."""
        await self.load()
        if self._first is not None:
            focus(self._first)

    async def load(self) -> None:
        """Load and show the session with its last turns."""
        report, variables = await asyncio.gather(
            call_api(self._context.tacit.sessions.get, self._id),
            call_api(self._context.tacit.sessions.variables, self._id),
        )
        await self._show(report, variables, report.receipts)

    async def _show(
        self,
        report: SessionReport,
        variables: Mapping[str, Any],
        receipts: Sequence[Receipt],
        *,
        focused: int | None = None,
    ) -> None:
        """Show the turns of some receipts; `focused` is the turn that gets the keyboard focus."""
        older = await self._older(receipts, 1)
        entries = latest_entries(report.ledger)[:_MAX_ENTRIES]
        injected = [each.memory for one in receipts for each in one.injected]
        await self._cache.load([*injected, *(entry.memory for entry in entries)])
        blocks = number_blocks(report.blocks, report.ledger)
        turns = to_timeline(receipts, blocks, is_all=not older)
        shown = frozenset(turn.turn for turn in turns if turn.is_counted)

        async def show_more() -> None:
            more = await self._older(receipts, _MORE_RECEIPTS)
            first = more[0].turn if more else None
            await self._show(report, variables, [*receipts, *more], focused=first)

        self._place.clear()
        with self._place:
            link("All sessions", self._context.link(SESSIONS.path))
            self._head(report, blocks, shown)
            heading("Turns, newest first")
            if not turns:
                add_text("No turn is accounted for here yet.", "quiet", "p")
            with box("timeline", "ol"):
                for turn in turns:
                    made = show_turn(self._context, turn, blocks, self._cache)
                    if turn.turn == focused and turn.is_counted:
                        focus(made)
            if older:
                with box("row"):
                    button("Show earlier turns", show_more)
            show_ledger(self._context, report.ledger, entries, self._cache, shown)
            if variables:
                _show_variables(variables)

    def _head(self, report: SessionReport, blocks: Sequence[Block], shown: Set[int]) -> None:
        with card(classes="head"):
            with box("spread"):
                if report.is_paused:
                    badge("Paused", "warn", title="Nothing is read for it and nothing is written.")
                else:
                    badge("Served", "good", title="Its turns get what memory knows.")
                if self._context.may_write:
                    self._first = SessionActions(
                        self._context, report, self.reload, self._ground
                    ).build()
            _show_facts(report)
            add_text(blocks_text(blocks), tag="p")
            _show_squares(to_squares(report.session.turns, blocks), shown)

    async def _older(self, receipts: Sequence[Receipt], limit: int) -> Sequence[Receipt]:
        """Receipts older than these."""
        if not receipts:
            return ()
        last = receipts[-1].id
        return await call_api(
            self._context.tacit.turns.list, session=self._id, limit=limit, after=last
        )


def _show_facts(report: SessionReport) -> None:
    session = report.session
    with box("facts", "dl"):
        with _fact("Turns"):
            add_text(f"{session.turns:,}")
        with _fact("Who spoke"):
            add_text(", ".join(session.speakers) or "nobody by name", "breaking")
        with _fact("Last active"):
            timestamp(session.updated_at)
        with _fact("Began"):
            timestamp(session.created_at)
        if session.cleared_at is not None:
            with _fact("Reset or cleared"):
                timestamp(session.cleared_at)


def _fact(name: str) -> Element:
    with box(tag="div"):
        add_text(name, tag="dt")
        return box(tag="dd")


def _show_squares(squares: Sequence[TurnSquare], shown: Set[int]) -> None:
    """Show every turn as a square that links to it, and a legend."""
    if not squares:
        return
    with box("glance"):
        with box("squares", "ol", aria_label="Turns, oldest first"):
            for square in squares:
                with box(tag="li"):
                    _show_square(square, is_shown=square.turn in shown)
        with box("legend row", aria_hidden="true"):
            kinds = {square.state for square in squares}
            for state, label in (*STATE_LABELS.items(), (None, NO_BLOCK)):
                if state in kinds:
                    with box("row"):
                        box(f"square {state or 'none'}", "span")
                        add_text(label.word, "quiet")


def _show_square(square: TurnSquare, *, is_shown: bool) -> None:
    label, classes = square.description, f"square {square.state or 'none'}"
    if is_shown:
        link("", f"#turn-{square.turn}", classes, aria_label=label, title=label)
    else:
        box(classes, "span", role="img", aria_label=label, title=label)


def _show_variables(variables: Mapping[str, Any]) -> None:
    with card("Variables", "What workflows noted about this session."), box("rows", "dl"):
        for name, value in sorted(variables.items()):
            add_text(name, "code breaking", "dt")
            add_text(json.dumps(value, ensure_ascii=False), "code breaking", "dd")


# A turn on the timeline.

_MAX_INJECTED = 5


def show_turn(
    context: PageContext, turn: TimelineTurn, blocks: Sequence[Block], cache: MemoryCache
) -> Element:
    """Show a turn: its time, message, injected memories and block."""
    state = turn.state or "none"
    anchor = f"turn-{turn.turn}" if turn.is_counted else None
    made = box(f"step {state}", "li", id=anchor, tabindex="-1")
    with made, box("card"):
        with box("spread"):
            with box("row"):
                heading(turn.name, 3)
                for label in turn.state_labels:
                    badge(label.word, label.tone, title=label.meaning)
                if turn.receipt is not None:
                    _show_proxy(turn.receipt)
                    timestamp(turn.receipt.at)
            if turn.receipt is not None:
                link("Why: open in the Inspector", receipt_link(context, turn.receipt.id))
        if turn.receipt is not None:
            _show_receipt(context, turn.receipt, blocks, cache)
        if turn.outcome_text:
            add_text(turn.outcome_text, "quiet", "p")
        for block in turn.blocks:
            _show_block(block)
    return made


def _show_proxy(receipt: Receipt) -> None:
    if (proxied := proxy_label(receipt)) is not None:
        badge(proxied.label, "neutral", title=proxied.note)


def _show_receipt(
    context: PageContext, receipt: Receipt, blocks: Sequence[Block], cache: MemoryCache
) -> None:
    if receipt.query:
        add_text(receipt.query, "query breaking", "blockquote")
    if receipt.injected:
        add_text(_cost_text(receipt), "quiet", "p")
        _show_injected(context, receipt.injected, cache)
    if receipt.pruned:
        turns = {block.id: block.turn for block in blocks}
        named = [f"turn {turns[id]}" if id in turns else id for id in receipt.pruned]
        add_text(f"Took out the block of {', '.join(named)} to make room.", "quiet", "p")
    if receipt.degraded:
        with box("row"):
            badge("Reduced", "warn", title="This turn went on without a part of memory.")
            add_text("; ".join(receipt.degraded), "quiet breaking")


def _cost_text(receipt: Receipt) -> str:
    took = receipt.timings_ms.get("total")
    parts = [
        f"{_injected_text(receipt)} injected",
        f"{receipt.tokens:,} tokens",
        *([f"{took:,.0f} ms"] if took is not None else []),
        *([f"for {receipt.agent}"] if receipt.agent else []),
        *([f"{receipt.user} spoke"] if receipt.user else []),
    ]
    return ", ".join(parts)


def _injected_text(receipt: Receipt) -> str:
    """How many standing rules, other memories and episodes were injected."""
    counts = receipt.counts()
    rules, said = counts[CandidateSource.STANDING], counts[CandidateSource.EPISODE]
    memories = len(receipt.injected) - rules - said
    *first, last = [
        *([f"{rules:,} standing {'rule' if rules == 1 else 'rules'}"] if rules else []),
        *([f"{memories:,} {'memory' if memories == 1 else 'memories'}"] if memories else []),
        *([f"{said:,} {'episode' if said == 1 else 'episodes'}"] if said else []),
    ]
    return f"{', '.join(first)} and {last}" if first else last


def _show_injected(context: PageContext, injected: Sequence[Candidate], cache: MemoryCache) -> None:
    """List what was injected: the standing rules, which the model sees first, apart."""
    rules = [each for each in injected if each.found is CandidateSource.STANDING]
    others = [each for each in injected if each.found is not CandidateSource.STANDING]
    for title, candidates in (("Standing rules", rules), ("For this message", others)):
        if rules and candidates:
            add_text(title, "kind", "p")
        _list_memories(context, candidates[:_MAX_INJECTED], cache)
        if rest := candidates[_MAX_INJECTED:]:
            with box(tag="details"):
                add_text(f"{len(rest):,} more", tag="summary")
                _list_memories(context, rest, cache)


def _list_memories(
    context: PageContext, candidates: Sequence[Candidate], cache: MemoryCache
) -> None:
    if not candidates:
        return
    with box("injected", "ul"):
        for candidate in candidates:
            _show_candidate(context, candidate, cache)


def _show_candidate(context: PageContext, candidate: Candidate, cache: MemoryCache) -> None:
    memory, said = cache.known.get(candidate.memory), cache.known_episodes.get(candidate.memory)
    with box(tag="li"):
        type = candidate.type if said is None else describe_episode(said)
        badge(type, "neutral", title=explain_candidate(candidate))
        if said is not None:
            link(said.text, memory_link(context, said.id), "memory breaking")
        elif memory is None:
            what = "Words that are" if is_episode_id(candidate.memory) else "A memory that is"
            add_text(f"{what} no longer there", "quiet")
        else:
            link(memory.content, memory_link(context, memory.id), "memory breaking")
            if (doubt := describe_trust(memory.trust, memory.source)) is not None:
                badge(doubt, "warn")


def _show_block(block: Block) -> None:
    with box(tag="details"):
        what = "block of standing rules" if block.has_standing_rules else "block"
        add_text(f"The {what} as the model saw it, #{block.id}", tag="summary")
        if block.placement.text:
            label = f"Block {block.id}"
            text = block.placement.text
            add_text(text, "block-text", "pre", tabindex="0", role="region", aria_label=label)
        else:
            add_text("Its words are erased, or another agent's own.", "quiet", "p")


# The ledger.

_ABOUT_LEDGER = (
    "What the model was shown here, and whether it may be shown again. Where a client keeps the"
    " history by itself, as coding CLIs do, it may come again after the re-injection delay too."
)


def show_ledger(
    context: PageContext,
    ledger: Sequence[LedgerEntry],
    entries: Sequence[LedgerEntry],
    cache: MemoryCache,
    turns: Set[int],
) -> None:
    """Show the last `entries` of a ledger, with links to the `turns` on the page."""
    with card("Ledger", _ABOUT_LEDGER):
        if not entries:
            add_text("Nothing was shown in this session yet.", "quiet", "p")
            return
        with table("Ledger", ("Memory or words", "Last shown", "May come again"), "ledger"):
            for entry in entries:
                _show_entry(context, entry, cache, is_shown=entry.turn in turns)
        total = len({entry.memory for entry in ledger})
        if total > len(entries):
            notice(f"The last {len(entries):,} of {total:,} are listed.", "neutral")


def _show_entry(
    context: PageContext, entry: LedgerEntry, cache: MemoryCache, *, is_shown: bool
) -> None:
    words = cache.words_of(entry.memory)
    label = reinjection_label(entry, words)
    with box(tag="tr"):
        with box("breaking", "th", scope="row"):
            if words is None:
                add_text("No longer there", "quiet")
            else:
                link(words, memory_link(context, entry.memory), "memory")
                if (said := cache.known_episodes.get(entry.memory)) is not None:
                    add_text(f" {describe_episode(said)}", "quiet")
        with box(tag="td"):
            if is_shown:
                link(f"Turn {entry.turn}", f"#turn-{entry.turn}")
            else:
                add_text(f"Turn {entry.turn}")
        with box(tag="td"), box("row"):
            badge(label.word, label.tone)
            add_text(label.meaning, "quiet")
            if words is not None and entry.pruned_at is not None:
                timestamp(entry.pruned_at)
