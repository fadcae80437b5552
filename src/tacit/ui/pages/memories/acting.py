"""What is done with selected memories: a bar of buttons, progress, the outcome and its undoing."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any

from nicegui.element import Element

from tacit.core.memory.fields import check
from tacit.core.memory.record import Memory
from tacit.runtime.clock import system_clock
from tacit.ui.asking import ask
from tacit.ui.form.unsaved import Unsaved
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import notice
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.dialog import buttons_of, dialog
from tacit.ui.kit.element import box, say
from tacit.ui.kit.toast import toast
from tacit.ui.pages.memories.deed import (
    Assigning,
    Deed,
    Forgetting,
    Restoring,
    Step,
    expiring,
    pinning,
    run,
    tagging,
    weighing,
)
from tacit.ui.pages.memories.outcome import Outcome, counted
from tacit.ui.visit import Visit

_PART = "progress"
_TOLD_EVERY = 5
"""So many steps go by before the progress is told anew."""


class Actions:
    """The bar for those who are selected; `after` is called when they were dealt with."""

    def __init__(self, visit: Visit, after: Callable[[], Awaitable[Any]]) -> None:
        self._visit = visit
        self._after = after
        self._memories: tuple[Memory, ...] = ()
        with box("memories-actions", role="region", aria_label="Selected memories") as self._bar:
            self._count = box("number", role="status")
            with box("row") as self._buttons:
                self._offer()
        self._told = box("stack")
        self.show(())

    def show(self, memories: Sequence[Memory]) -> None:
        """Offer what can be done with these."""
        self._memories = tuple(memories)
        self._bar.set_visibility(bool(memories))
        self._for_forgotten.set_visibility(any(each.forgotten for each in memories))
        self._for_others.set_visibility(any(not each.forgotten for each in memories))
        self._count.clear()
        with self._count:
            say(f"{counted(len(memories))} selected")

    async def do(self, deed: Deed) -> None:
        """Do it with all of them, and offer to undo it."""
        ids = [each.id for each in self._memories]
        outcome = await self._run(deed.steps(self._visit.tacit, ids), len(ids))

        async def undo() -> None:
            steps = deed.back(self._visit.tacit, outcome.done)
            undone = await self._run(steps, len(outcome.done))
            self._tell(undone.told("put back"), undone)
            await self._after()

        self._tell(outcome.told(deed.past), outcome, undo if outcome.done else None)
        await self._after()

    def _offer(self) -> None:
        with box("row") as self._for_others:
            self._deed("Forget", Forgetting, Look.DANGER)
            self._deed("Pin", lambda: pinning(True))
            self._deed("Unpin", lambda: pinning(False))
            self._deed("Expire now", lambda: expiring(system_clock()))
            button("Set importance", self._ask_importance)
            button("Add a tag", self._ask_tag)
            button("Assign to a user", self._ask_user)
        with box("row") as self._for_forgotten:
            self._deed("Restore", Restoring)
        button("Clear selection", self._after, Look.QUIET)

    def _deed(self, name: str, make: Callable[[], Deed], look: Look = Look.PLAIN) -> None:
        async def act() -> None:
            await self.do(make())

        button(name, act, look)

    async def _ask_importance(self) -> None:
        await self._ask("Set importance", Kind.RANGE, "importance", weighing, 0.5)

    async def _ask_tag(self) -> None:
        await self._ask("Add a tag", Kind.TEXT, "tag", tagging, "")

    async def _ask_user(self) -> None:
        await self._ask("Assign to a user", Kind.TEXT, "user", Assigning, "")

    async def _ask(
        self, title: str, kind: Kind, name: str, make: Callable[[Any], Deed], value: Any
    ) -> None:
        shown, inside = dialog(title)
        with inside:
            say(f"For {counted(len(self._memories))}.", "quiet", "p")
            control = Control(kind, name.capitalize(), value, low=0, high=1, step=0.05)

            async def act() -> None:
                await self.do(make(check(name, control.value)))

            buttons_of(shown, title, act)
        shown.open()

    async def _run(self, steps: Iterator[Step], total: int) -> Outcome:
        """Do one step after the other, and tell how far it is; stop where it makes no sense."""
        outcome, go_on = Outcome(), True
        self._bar.set_visibility(True)
        self._buttons.set_visibility(False)
        try:
            with _Progress(self._count, total) as progress:
                for number, step in enumerate(steps):
                    done, go_on = await ask(run, step)
                    outcome += done
                    if number % _TOLD_EVERY == 0:
                        progress.tell(outcome.tried)
                    if not go_on:
                        break
        finally:
            self._buttons.set_visibility(True)
            self.show(self._memories)
        return outcome + Outcome(untried=total - outcome.tried)

    def _tell(
        self,
        text: str,
        outcome: Outcome,
        undo: Callable[[], Awaitable[Any]] | None = None,
    ) -> None:
        """Say what became of it: for a while if all is well, to stay if something failed."""
        self._told.clear()
        if not outcome.is_whole:
            with self._told:
                notice(text, "bad", "Not everything was done")
        toast(text, undo)


class _Progress:
    """How far it is, at a place; leaving the page asks as long as it goes on."""

    def __init__(self, place: Element, total: int) -> None:
        self._place = place
        self._total = total
        self._unsaved = Unsaved()

    def __enter__(self) -> "_Progress":
        self._unsaved.mark(_PART, True)
        self.tell(0)
        return self

    def __exit__(self, *_: object) -> None:
        self._place.clear()
        self._unsaved.mark(_PART, False)

    def tell(self, done: int) -> None:
        """Say how many were dealt with."""
        self._place.clear()
        with self._place:
            say(f"{done:,} of {counted(self._total)} …")
            box(tag="progress", value=done, max=self._total, aria_label="Progress")
