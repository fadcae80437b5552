"""A wish on the page: what is beside what would be, and the buttons that decide."""

from collections.abc import Awaitable, Callable, Sequence

from nicegui.element import Element

from tacit.core.memory.review import ReviewReport
from tacit.ui.addresses import memory_at
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import card
from tacit.ui.kit.compared import APART, COME, GONE, compared
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.element import box, heading, link, say
from tacit.ui.kit.moment import moment
from tacit.ui.kit.table import table
from tacit.ui.pages.review.wish import Difference, Half, wish_of
from tacit.ui.visit import Visit

Decide = Callable[[bool, str], Awaitable[None]]
"""Decides a wish: whether it is accepted, and why."""


def show_item(visit: Visit, report: ReviewReport, decide: Decide) -> Element | None:
    """A wish; returns its first button, for who may press one."""
    wish = wish_of(report)
    with card(classes="wish"):
        with box("spread"):
            heading(wish.title, 3)
            with box("row quiet"):
                say(f"Asked by {report.review.by}")
                moment(report.review.created_at)
        if wish.reason:
            say(f"Why: {wish.reason}", "breaking", "p")
        with box("columns"):
            _half(visit, wish.now, GONE if wish.replaces else APART)
            _half(visit, wish.wished, COME if wish.replaces else APART)
        if wish.fields:
            _fields(wish.fields, wish.now.name, wish.wished.name)
        return _buttons(decide, wish.title) if visit.may_decide else None


def _half(visit: Visit, half: Half, mark: str) -> None:
    with box("half", "article"):
        say(half.name, "label", "p")
        if half.text:
            compared(half.text, mark)
        if half.note:
            say(half.note, "quiet", "p")
        if half.memory is not None:
            link("Open this memory", memory_at(visit, half.memory))


def _fields(fields: Sequence[Difference], now: str, wished: str) -> None:
    with table("Other fields", ("Field", now, wished)):
        for each in fields:
            with box(tag="tr"):
                say(each.name, tag="th", scope="row")
                say(each.now, "breaking quiet", "td")
                say(each.wished, "breaking", "td")


def _buttons(decide: Decide, title: str) -> Element:
    async def accept() -> None:
        await decide(True, str(reason.value or "").strip())

    async def reject() -> None:
        await decide(False, str(reason.value or "").strip())

    with box("row ends ending"):
        reason = Control(Kind.TEXT, "Reason (optional)", "")
        first = button("Accept", accept, Look.PRIMARY, aria_label=f"Accept: {title}")
        button("Reject", reject, aria_label=f"Reject: {title}")
    return first
