"""A conflict on the page: its sides next to each other, and the buttons that end it."""

from collections.abc import Awaitable, Callable

from nicegui.element import Element

from tacit.core.memory.record import Memory
from tacit.search.selection.conflict import Conflict
from tacit.turn.block import shorten
from tacit.ui.addresses import memory_at
from tacit.ui.difference import Side
from tacit.ui.kit.bar import bar
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import badge, card
from tacit.ui.kit.compared import APART, compared
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.element import box, heading, link, say
from tacit.ui.kit.moment import moment
from tacit.ui.pages.conflicts.dispute import advice, author_of, contents, owner_of, use_of
from tacit.ui.visit import Visit

_LABEL = 80

Decide = Callable[[Memory | None, str], Awaitable[None]]
"""Ends a conflict: by the memory that is kept, or by None where all are right; and why."""


def show_conflict(visit: Visit, conflict: Conflict, decide: Decide) -> Element | None:
    """A conflict; returns its first button, for who may press one."""
    made: list[Element] = []
    reason: list[Control] = []

    def deciding(kept: Memory | None) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            await decide(kept, str(reason[0].value or "").strip())

        return act

    with card(classes="conflict"):
        with box("stack tight"):
            heading(f"About: {conflict.about}", 3, "breaking")
            say(advice(conflict), "quiet", "p")
        with box("columns"):
            for memory, side in zip(conflict.memories, contents(conflict), strict=True):
                is_best = memory.id == conflict.recommended.keep
                with box(f"half {'best' if is_best else ''}", "article"):
                    _statement(memory, side, is_best)
                    link("Open this memory", memory_at(visit, memory.id))
                    if visit.may_write:
                        look = Look.PRIMARY if is_best else Look.PLAIN
                        label = f"Keep this: {shorten(memory.content, _LABEL)}"
                        made.append(button("Keep this", deciding(memory), look, aria_label=label))
        if visit.may_write:
            with box("row ends ending"):
                reason.append(Control(Kind.TEXT, "Reason, for the history (optional)", ""))
                both = "Keep both" if len(conflict.memories) == 2 else "Keep all"
                button(both, deciding(None))
    return made[0] if made else None


def _statement(memory: Memory, side: Side, is_best: bool) -> None:
    with box("row"):
        badge(memory.type)
        if is_best:
            badge("Recommended", "good")
    compared(side, APART)
    bar(memory.confidence, "Confidence")
    with box("rows", "dl"):
        for name, said in (
            ("Key", memory.key),
            ("Whose", owner_of(memory)),
            ("Written by", author_of(memory)),
        ):
            if said:
                say(name, tag="dt")
                say(said, "breaking", "dd")
        say("Since", tag="dt")
        with box(tag="dd"):
            moment(memory.created_at)
        if memory.updated_at != memory.created_at:
            say("Changed", tag="dt")
            with box(tag="dd"):
                moment(memory.updated_at)
        say("Used", tag="dt")
        with box(tag="dd"):
            say(use_of(memory))
            if memory.last_accessed_at is not None:
                say(", last ")
                moment(memory.last_accessed_at)
