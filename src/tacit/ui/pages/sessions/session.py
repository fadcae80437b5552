"""One session: its turns, their blocks, what it was shown, and what can be done with it."""

import asyncio
import json
from collections.abc import Mapping, Sequence, Set
from typing import Any

from nicegui.element import Element

from tacit.core.conversation.block import Block
from tacit.core.receipt.receipt import Receipt
from tacit.turn.session_report import SessionReport
from tacit.ui.asking import ask
from tacit.ui.kit.button import button
from tacit.ui.kit.card import badge, card
from tacit.ui.kit.element import box, heading, link, say
from tacit.ui.kit.focus import focus
from tacit.ui.kit.moment import moment
from tacit.ui.pages.sessions.actions import Actions
from tacit.ui.pages.sessions.course import (
    NO_BLOCK,
    STATES,
    Square,
    latest,
    numbered,
    squares_of,
    standing,
    steps_of,
)
from tacit.ui.pages.sessions.ledger import show_ledger
from tacit.ui.pages.sessions.step import show_step
from tacit.ui.rooms import SESSIONS
from tacit.ui.visit import Visit
from tacit.ui.words import Words

_MORE_RECEIPTS = 20
_MOST_ENTRIES = 100


async def build(visit: Visit) -> None:
    """The page of the session that the address names."""
    shown = _Shown(visit, visit.query["id"])
    await shown.load()


class _Shown:
    """A session on a page; `load` shows it as it is now."""

    def __init__(self, visit: Visit, id: str) -> None:
        self._visit, self._id = visit, id
        self._words = Words(visit.tacit)
        self._place, self._ground = box("session stack"), box()
        self._first: Element | None = None

    async def reload(self) -> None:
        """Show what has changed; the keyboard goes on from the first button."""
        await self.load()
        if self._first is not None:
            focus(self._first)

    async def load(self) -> None:
        """Show the session with its last turns."""
        report, variables = await asyncio.gather(
            ask(self._visit.tacit.session, self._id), ask(self._visit.tacit.variables, self._id)
        )
        await self._show(report, variables, report.receipts)

    async def _show(
        self,
        report: SessionReport,
        variables: Mapping[str, Any],
        receipts: Sequence[Receipt],
        *,
        aim: int | None = None,
    ) -> None:
        """Show the turns of some receipts; `aim` is the turn that the keyboard goes on from."""
        older = await self._older(receipts, 1)
        entries = latest(report.ledger)[:_MOST_ENTRIES]
        injected = [each.memory for one in receipts for each in one.injected]
        await self._words.learn([*injected, *(entry.memory for entry in entries)])
        blocks = numbered(report.blocks, report.ledger)
        steps = steps_of(receipts, blocks, is_all=not older)
        shown = frozenset(step.turn for step in steps if step.is_counted)

        async def show_more() -> None:
            more = await self._older(receipts, _MORE_RECEIPTS)
            first = more[0].turn if more else None
            await self._show(report, variables, [*receipts, *more], aim=first)

        self._place.clear()
        with self._place:
            link("All sessions", self._visit.link(SESSIONS.path))
            self._head(report, blocks, shown)
            heading("Turns, newest first")
            if not steps:
                say("No turn is accounted for here yet.", "quiet", "p")
            with box("timeline", "ol"):
                for step in steps:
                    made = show_step(self._visit, step, blocks, self._words)
                    if step.turn == aim and step.is_counted:
                        focus(made)
            if older:
                with box("row"):
                    button("Show earlier turns", show_more)
            show_ledger(self._visit, report.ledger, entries, self._words, shown)
            if variables:
                _variables(variables)

    def _head(self, report: SessionReport, blocks: Sequence[Block], shown: Set[int]) -> None:
        with card(classes="head"):
            with box("spread"):
                if report.is_paused:
                    badge("Paused", "warn", title="Nothing is read for it and nothing is written.")
                else:
                    badge("Served", "good", title="Its turns get what memory knows.")
                if self._visit.may_write:
                    self._first = Actions(self._visit, report, self.reload, self._ground).build()
            _facts(report)
            say(standing(blocks), tag="p")
            _strip(squares_of(report.session.turns, blocks), shown)

    async def _older(self, receipts: Sequence[Receipt], limit: int) -> Sequence[Receipt]:
        """Receipts from before these."""
        if not receipts:
            return ()
        last = receipts[-1].id
        return await ask(self._visit.tacit.receipts, session=self._id, limit=limit, after=last)


def _facts(report: SessionReport) -> None:
    session = report.session
    with box("facts", "dl"):
        with _fact("Turns"):
            say(f"{session.turns:,}")
        with _fact("Who spoke"):
            say(", ".join(session.speakers) or "nobody by name", "breaking")
        with _fact("Last active"):
            moment(session.updated_at)
        with _fact("Began"):
            moment(session.created_at)
        if session.cleared_at is not None:
            with _fact("Reset or cleared"):
                moment(session.cleared_at)


def _fact(name: str) -> Element:
    with box(tag="div"):
        say(name, tag="dt")
        return box(tag="dd")


def _strip(squares: Sequence[Square], shown: Set[int]) -> None:
    """Every turn as a square, which leads to it if it is shown; and what the squares mean."""
    if not squares:
        return
    with box("glance"):
        with box("squares", "ol", aria_label="Turns, oldest first"):
            for square in squares:
                with box(tag="li"):
                    _square(square, is_shown=square.turn in shown)
        with box("legend row", aria_hidden="true"):
            kinds = {square.state for square in squares}
            for state, told in (*STATES.items(), (None, NO_BLOCK)):
                if state in kinds:
                    with box("row"):
                        box(f"square {state or 'none'}", "span")
                        say(told.word, "quiet")


def _square(square: Square, *, is_shown: bool) -> None:
    label = f"{square.words}. {square.told.meaning}"
    look = f"square {square.state or 'none'}"
    if is_shown:
        link("", f"#turn-{square.turn}", look, aria_label=label, title=label)
    else:
        box(look, "span", role="img", aria_label=label, title=label)


def _variables(variables: Mapping[str, Any]) -> None:
    with card("Variables", "What workflows noted about this session."), box("rows", "dl"):
        for name, value in sorted(variables.items()):
            say(name, "code breaking", "dt")
            say(json.dumps(value, ensure_ascii=False), "code breaking", "dd")
