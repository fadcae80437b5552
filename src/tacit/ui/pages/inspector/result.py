"""The result of a question, as it stands on the page, drawn anew with every outcome."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tacit.core.receipt.receipt import Receipt
from tacit.ui.addresses import memory_at, session_at
from tacit.ui.kit.button import button
from tacit.ui.kit.element import box, link, say
from tacit.ui.kit.moment import moment
from tacit.ui.pages.inspector.account import Account
from tacit.ui.pages.inspector.difference import Change, Difference, difference
from tacit.ui.pages.inspector.outcome import Outcome
from tacit.ui.pages.inspector.panel import TRY_SETTINGS, may_try
from tacit.ui.pages.inspector.report import (
    MOST_CHANGES,
    tell_degraded,
    tell_difference,
    tell_search,
)
from tacit.ui.pages.inspector.telling import Knowledge, shown_first, told, words_needed
from tacit.ui.pages.inspector.unseen import tell_unseen
from tacit.ui.visit import Visit
from tacit.ui.words import Words

_FIRST = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """An outcome to compare with, and what the comparison is called."""

    outcome: Outcome
    title: str


class Result:
    """What is shown of an outcome; parts that stay in place keep their scroll and focus."""

    def __init__(
        self,
        visit: Visit,
        *,
        on_mark: Callable[[str], Awaitable[None]],
        on_unmark: Callable[[str], Awaitable[None]],
        on_again: Callable[[], Awaitable[None]],
        on_assigned: Callable[[], Awaitable[None]],
    ) -> None:
        self._visit = visit
        self._words = Words(visit.tacit)
        self._on_mark, self._on_unmark = on_mark, on_unmark
        self._on_again, self._on_assigned = on_again, on_assigned
        self._most = _FIRST
        self._floor: float | None = None
        self._difference: Difference | None = None
        self._outcome: Outcome | None = None
        self._account: Account | None = None
        with box("stack result") as self._element:
            with box("spread origin"):
                self._said = box("row", role="status")
                self._act = box("row acts")
            self._head = box("stack")
            self._middle = box()
            self._tail = box("stack")

    @property
    def outcome(self) -> Outcome | None:
        """What is shown."""
        return self._outcome

    def wait(self, is_waiting: bool) -> None:
        """Show that another outcome is on its way."""
        self._element.props["aria-busy"] = "true" if is_waiting else "false"
        self._element.update()

    def forget_words(self) -> None:
        """Read the words of memories anew."""
        self._words.forget()

    async def prepare(self, outcome: Outcome, before: Before | None) -> Difference | None:
        """Read the words that an outcome needs; what is different, where there is a before."""
        found = None if before is None else difference(before.outcome, outcome)
        changed = [] if found is None else found.changes[:MOST_CHANGES]
        shown = shown_first(outcome.receipt.candidates, self._most)
        await self._words.learn([*words_needed(shown), *(each.memory for each in changed)])
        return found

    def show(
        self,
        outcome: Outcome,
        about: str,
        *,
        title: str = "",
        found: Difference | None = None,
        floor: float | None = None,
    ) -> None:
        """Draw an outcome that was prepared; `about` says how it was come by."""
        self._outcome, self._floor, self._difference = outcome, floor, found
        self._tell_origin(outcome, about)
        self._head.clear()
        with self._head:
            tell_degraded(outcome.receipt)
            tell_unseen(self._visit, outcome.receipt, self._on_assigned)
            if found is not None:
                tell_difference(title, found, self._words.known)
        self._draw(outcome)
        self._tail.clear()
        with self._tail:
            tell_search(outcome.receipt)

    def _draw(self, outcome: Outcome) -> None:
        known = Knowledge(
            memories=self._words.known,
            page_of=lambda id: memory_at(self._visit, id),
            changes=_by_memory(self._difference),
            floor=self._floor,
            may_mark=self._visit.may_write,
        )
        drawn = told(outcome, known, shown_first(outcome.receipt.candidates, self._most))
        if self._account is None:
            with self._middle:
                self._account = Account(
                    drawn, on_mark=self._on_mark, on_unmark=self._on_unmark, on_more=self._more
                )
        else:
            self._account.tell(drawn)

    async def _more(self) -> None:
        """Show every candidate."""
        if self._outcome is not None:
            self._most = len(self._outcome.receipt.candidates)
            await self.prepare(self._outcome, None)
            self._draw(self._outcome)

    def _tell_origin(self, outcome: Outcome, about: str) -> None:
        """Where the outcome is from, in a line."""
        self._said.clear()
        self._act.clear()
        with self._said:
            if outcome.is_past:
                self._tell_turn(outcome.receipt)
            else:
                say(_summary(outcome.receipt), "summary")
                say(about, "quiet")
        with self._act:
            if outcome.is_past:
                button("Run it again now", self._on_again)
            if may_try(self._visit):
                link("Try settings", f"#{TRY_SETTINGS}", "button plain jump")

    def _tell_turn(self, receipt: Receipt) -> None:
        say(f"Turn {receipt.turn} of", "summary")
        link(receipt.session, session_at(self._visit, receipt.session), "breaking")
        moment(receipt.at, short=True)
        say(_summary(receipt), "quiet")


def _by_memory(found: Difference | None) -> dict[str, Change]:
    return {} if found is None else {each.memory: each for each in found.changes}


def _summary(receipt: Receipt) -> str:
    count, left = len(receipt.injected), len(receipt.candidates) - len(receipt.injected)
    return f"{count:,} injected, {left:,} left out"
