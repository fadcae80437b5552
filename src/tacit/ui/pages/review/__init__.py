"""The review page: changes that wait for a person, beside what they would change.

Below them are the turns that nothing could be learned from.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from nicegui.element import Element

from tacit.core.changes import ReviewReport
from tacit.core.errors import NotFound, TacitError
from tacit.core.review_reasons import statement_verb
from tacit.runtime.clock import system_clock
from tacit.ui.api_calls import call_api, error_message
from tacit.ui.kit.buttons import ButtonStyle, button, confirm, toast
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import card, empty, notice, table
from tacit.ui.kit.elements import (
    ADDED,
    DIFFERENT,
    REMOVED,
    add_text,
    box,
    focus,
    heading,
    link,
    marked_text,
    timestamp,
)
from tacit.ui.navigation import MEMORIES, REVIEW, memory_link
from tacit.ui.page import PageRoute
from tacit.ui.page_context import PageContext
from tacit.ui.pages.review.change_preview import (
    ChangePreview,
    FieldChange,
    PreviewSide,
    to_change_preview,
)
from tacit.ui.pages.review.unread_turns import UnreadTurns
from tacit.ui.paging import build_paging

DecideReview = Callable[[bool, str], Awaitable[None]]
"""Decides a review: whether it is accepted, and the reason."""


_PAGE_SIZE = 20
_MAY_NOT_DECIDE = (
    "An agent's key, or one that only reads, cannot decide. Sign in with a person's key."
)


async def build_page(context: PageContext) -> None:
    """A page of waiting reviews, oldest first, and below them the turns that could not be read."""
    await _ReviewQueue(context).load()
    await UnreadTurns(context).load()


class _ReviewQueue:
    """The waiting reviews, and the decisions on them."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._after = context.query.get("after")
        self._ground, self._place = box("stack decided"), box("reviews stack")

    async def load(self, place: int | None = None) -> None:
        """Load and show the reviews; `place` is the index that gets the keyboard focus."""
        tacit = self._context.tacit
        found = await call_api(tacit.reviews.list, limit=_PAGE_SIZE + 1, after=self._after)
        count = (await call_api(tacit.workspace.stats)).counts.reviews
        reports = await self._load_reports([each.id for each in found[:_PAGE_SIZE]])
        self._place.clear()
        with self._place:
            with box("spread"):
                head = heading(_waiting_text(len(reports), count, self._after))
                head.props["tabindex"] = "-1"
                if len(reports) > 1 and self._context.may_decide:
                    self._all_buttons(reports)
            if found and not self._context.may_decide:
                notice(_MAY_NOT_DECIDE, "neutral")
            buttons = [
                show_review(self._context, each, self._decide_action(number, each.review.id))
                for number, each in enumerate(reports)
            ]
            if not reports:
                self._show_empty()
            last = found[_PAGE_SIZE - 1].id if len(found) > _PAGE_SIZE else None
            build_paging(self._context, REVIEW, last)
            if place is not None:
                aims = [each for each in buttons if each is not None]
                focus(aims[min(place, len(aims) - 1)] if aims else head)

    async def _load_reports(self, ids: Sequence[str]) -> list[ReviewReport]:
        """The reviews with their memories; those decided meanwhile are left out."""

        async def report(id: str) -> ReviewReport | None:
            with suppress(NotFound):
                return await call_api(self._context.tacit.reviews.get, id)
            return None

        found = await asyncio.gather(*map(report, ids))
        return [each for each in found if each is not None]

    def _decide_action(self, number: int, id: str) -> DecideReview:
        async def decide(is_accepted: bool, reason: str) -> None:
            try:
                await self._decide(id, is_accepted, reason)
            except NotFound:
                await self.load(number)
                raise
            with self._ground:
                toast("Accepted." if is_accepted else "Rejected; nothing has changed.")
                await self.load(number)

        return decide

    async def _decide(self, id: str, is_accepted: bool, reason: str = "") -> None:
        if is_accepted:
            await call_api(self._context.tacit.reviews.accept, id, reason=reason)
        else:
            await call_api(self._context.tacit.reviews.reject, id, reason=reason)

    def _all_buttons(self, reports: Sequence[ReviewReport]) -> None:
        ids = [each.review.id for each in reports]

        def asking(is_accepted: bool) -> Callable[[], Awaitable[None]]:
            async def decide_all() -> None:
                await self._decide_all(ids, is_accepted)

            async def act() -> None:
                with self._ground:
                    done = "done in your name" if is_accepted else "dropped; no memory changes"
                    word = "Accept" if is_accepted else "Reject"
                    confirm(
                        f"{word} all {len(ids)}?",
                        f"Every change on this page is {done}.",
                        f"{word} all {len(ids)}",
                        decide_all,
                        ButtonStyle.PRIMARY if is_accepted else ButtonStyle.DANGER,
                    )

            return act

        with box("row"):
            button("Accept all shown…", asking(True))
            button("Reject all shown…", asking(False))

    async def _decide_all(self, ids: Sequence[str], is_accepted: bool) -> None:
        """Decide one by one; failures do not stop the rest, and are shown."""
        problems = []
        for id in ids:
            try:
                await self._decide(id, is_accepted)
            except TacitError as error:
                problems.append(error_message(error))
        with self._ground:
            done = len(ids) - len(problems)
            toast(f"{done:,} {'accepted' if is_accepted else 'rejected'}.")
            for problem in problems:
                notice(problem, "bad", "This one still waits")
            await self.load(0)

    def _show_empty(self) -> None:
        empty(
            "Nothing waits for a person",
            "When an agent, a tool or an import wants to change what a person wrote, or later words"
            " contradict it, that waits here until a person decides.",
            [("Look at the memories", self._context.link(MEMORIES.path))],
        )


def _waiting_text(shown: int, count: int, after: str | None) -> str:
    """How many reviews are shown, and how many wait."""
    if shown < count or after is not None:
        return f"{shown:,} of {max(shown, count):,} waiting"
    return f"{count:,} waiting"


def show_review(context: PageContext, report: ReviewReport, decide: DecideReview) -> Element | None:
    """Show a review; returns its first button if the viewer may decide."""
    preview = to_change_preview(report, system_clock())
    with card(classes="wish"):
        with box("spread"):
            heading(preview.title, 3)
            with box("row quiet"):
                add_text(preview.asked_by)
                timestamp(report.review.created_at)
        with box("stack tight"):
            add_text(preview.explanation.why, tag="p")
            if preview.reason:
                add_text(f"The reason given: {preview.reason}", "breaking", "p")
            add_text(preview.explanation.until, "quiet", "p")
        with box("columns"):
            _show_side(context, preview.now, REMOVED if preview.replaces else DIFFERENT)
            _show_side(context, preview.requested, ADDED if preview.replaces else DIFFERENT)
        if preview.fields:
            _show_fields(preview.fields, preview.now.name, preview.requested.name)
        return _build_buttons(decide, preview) if context.may_decide else None


def _show_side(context: PageContext, half: PreviewSide, mark: str) -> None:
    with box("half", "article"):
        add_text(half.name, "label", "p")
        if half.text:
            marked_text(half.text, mark)
        if half.note:
            add_text(half.note, "quiet", "p")
        if half.memory is not None:
            with box("row quiet"):
                add_text(statement_verb(half.memory).capitalize())
                timestamp(half.memory.said_at)
            link("Open this memory", memory_link(context, half.memory.id))


def _show_fields(fields: Sequence[FieldChange], now: str, requested: str) -> None:
    with table("Other fields", ("Field", now, requested)):
        for each in fields:
            with box(tag="tr"):
                add_text(each.name, tag="th", scope="row")
                add_text(each.now, "breaking quiet", "td")
                add_text(each.requested, "breaking", "td")


def _build_buttons(decide: DecideReview, preview: ChangePreview) -> Element:
    async def accept() -> None:
        await decide(True, str(reason.value or "").strip())

    async def reject() -> None:
        await decide(False, str(reason.value or "").strip())

    with box("row ends ending"):
        reason = Control(ControlKind.TEXT, "Reason (optional)", "")
        first = button("Accept", accept, ButtonStyle.PRIMARY, aria_label=f"Accept: {preview.title}")
        button("Reject", reject, aria_label=f"Reject: {preview.title}")
    with box("rows decisions", "dl"):
        for name, sentence in (
            ("Accept", preview.explanation.accept),
            ("Reject", preview.explanation.reject),
        ):
            add_text(name, tag="dt")
            add_text(sentence, "quiet", "dd")
    return first


PAGE = PageRoute(REVIEW, build_page)
