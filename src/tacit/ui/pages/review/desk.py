"""What waits for a person, decided here one by one or all at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from tacit.core.errors import NotFound, TacitError
from tacit.core.memory.review import ReviewReport
from tacit.ui.asking import ask, words_of
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import empty, notice
from tacit.ui.kit.dialog import confirm
from tacit.ui.kit.element import box, heading, link
from tacit.ui.kit.focus import focus
from tacit.ui.kit.toast import toast
from tacit.ui.pages.review.item import Decide, show_item
from tacit.ui.rooms import MEMORIES, REVIEW
from tacit.ui.visit import Visit

_PAGE = 20
_NOT_YOURS = "An agent's key, or one that only reads, cannot decide. Sign in with a person's key."


async def build(visit: Visit) -> None:
    """A page of what waits, oldest first."""
    await _Desk(visit).load()


class _Desk:
    """What waits, and the decisions on it."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._after = visit.query.get("after")
        self._ground, self._place = box("stack decided"), box("reviews stack")

    async def load(self, place: int | None = None) -> None:
        """Show it as it is now; a `place` in the list is where the keyboard goes on."""
        tacit = self._visit.tacit
        found = await ask(tacit.reviews, limit=_PAGE + 1, after=self._after)
        count = (await ask(tacit.stats)).counts.reviews
        reports = await self._reports([each.id for each in found[:_PAGE]])
        self._place.clear()
        with self._place:
            with box("spread"):
                head = heading(_count(len(reports), count, self._after))
                head.props["tabindex"] = "-1"
                if len(reports) > 1 and self._visit.may_decide:
                    self._all_buttons(reports)
            if found and not self._visit.may_decide:
                notice(_NOT_YOURS, "neutral")
            buttons = [
                show_item(self._visit, each, self._decision(number, each.review.id))
                for number, each in enumerate(reports)
            ]
            if not reports:
                self._nothing()
            self._pages(found[_PAGE - 1].id if len(found) > _PAGE else None)
            if place is not None:
                aims = [each for each in buttons if each is not None]
                focus(aims[min(place, len(aims) - 1)] if aims else head)

    async def _reports(self, ids: Sequence[str]) -> list[ReviewReport]:
        """The wishes beside what they are about; what was decided meanwhile is left out."""

        async def report(id: str) -> ReviewReport | None:
            with suppress(NotFound):
                return await ask(self._visit.tacit.review, id)
            return None

        found = await asyncio.gather(*map(report, ids))
        return [each for each in found if each is not None]

    def _decision(self, number: int, id: str) -> Decide:
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
            await ask(self._visit.tacit.accept, id, reason=reason)
        else:
            await ask(self._visit.tacit.reject, id, reason=reason)

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
                        Look.PRIMARY if is_accepted else Look.DANGER,
                    )

            return act

        with box("row"):
            button("Accept all shown…", asking(True))
            button("Reject all shown…", asking(False))

    async def _decide_all(self, ids: Sequence[str], is_accepted: bool) -> None:
        """Decide one after the other; what cannot be done does not stop the rest, and is told."""
        problems = []
        for id in ids:
            try:
                await self._decide(id, is_accepted)
            except TacitError as error:
                problems.append(words_of(error))
        with self._ground:
            done = len(ids) - len(problems)
            toast(f"{done:,} {'accepted' if is_accepted else 'rejected'}.")
            for problem in problems:
                notice(problem, "bad", "This one still waits")
            await self.load(0)

    def _nothing(self) -> None:
        empty(
            "Nothing waits for a person",
            "What an agent may not change by itself waits here until somebody decides.",
            [("Look at the memories", self._visit.link(MEMORIES.path))],
        )

    def _pages(self, last: str | None) -> None:
        if self._after is None and last is None:
            return
        with box("row"):
            if self._after is not None:
                link("First page", self._visit.link(REVIEW.path), "button plain")
            if last is not None:
                link("Next page", self._visit.link(REVIEW.path, after=last), "button plain")


def _count(shown: int, count: int, after: str | None) -> str:
    """How much waits."""
    if shown < count or after is not None:
        return f"{shown:,} of {max(shown, count):,} waiting"
    return f"{count:,} waiting"
