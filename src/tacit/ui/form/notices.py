"""Notices above a form: what is wrong with the file, and what somebody else has changed."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

from tacit.runtime.files.trust import Ignored
from tacit.settings.config.live import Problem
from tacit.ui.form.meanwhile import Meanwhile, Place
from tacit.ui.kit.button import button
from tacit.ui.kit.card import notice
from tacit.ui.kit.element import box, say

Decide = Callable[[Place], Awaitable[None]]

CHOICES = "choices"
"""Where the page has what somebody else has changed."""

_KEPT = "The values here are those of before. Mend the file; its text is at the foot of Settings."


class Notices:
    """The place for notices; what it shows is drawn anew where it differs."""

    def __init__(
        self, take_theirs: Decide, keep_mine: Decide, dismiss: Callable[[], Awaitable[None]]
    ) -> None:
        self._take_theirs = take_theirs
        self._keep_mine = keep_mine
        self._dismiss = dismiss
        self._shown: object = None
        self._wrong = box("notices")
        self._changed = box("notices", id=CHOICES, tabindex="-1")

    def problem(
        self,
        problem: Problem | None,
        warnings: Sequence[str] = (),
        ignored: Sequence[Ignored] = (),
    ) -> None:
        """Say why the file is not used as it is, what is left out of it or of a project's."""
        self._wrong.clear()
        if ignored:
            with self._wrong:
                notice("\n".join(map(str, ignored)), title="Settings of a project are ignored")
        if warnings:
            with self._wrong:
                notice("\n".join(warnings), title="Some values are left out")
        if problem is not None:
            with (
                self._wrong,
                notice(problem.message, "bad", "The settings file is not used as it is"),
            ):
                say(_KEPT, tag="p")

    def changes(
        self,
        theirs: Iterable[Meanwhile],
        wishes: Mapping[Place, str],
        undecided: frozenset[Place],
    ) -> None:
        """Say what somebody else has changed, and ask where both have."""
        shown = [(each, wishes.get(each.place), each.place in undecided) for each in theirs]
        if shown == self._shown:
            return
        self._shown = shown
        self._changed.clear()
        if shown:
            with self._changed, notice(_lead(undecided), title="Changed by someone else"):
                self._list(shown)
                if not undecided:
                    button("Dismiss", self._dismiss)

    def _list(self, shown: list[tuple[Meanwhile, str | None, bool]]) -> None:
        with box("theirs", "ul"):
            for each, mine, is_undecided in shown:
                with box(tag="li"):
                    say(each.label, tag="strong")
                    yours = "" if mine is None else f", yours is {mine}"
                    say(f"was {each.was}, theirs is {each.theirs}{yours}")
                    if is_undecided:
                        self._choice(each)

    def _choice(self, each: Meanwhile) -> None:
        with box("row"):
            for text, decide in (
                ("Take theirs", self._take_theirs),
                ("Keep mine", self._keep_mine),
            ):
                button(text, _deciding(decide, each.place), aria_label=f"{text}: {each.label}")


def _deciding(decide: Decide, place: Place) -> Callable[[], Awaitable[None]]:
    return lambda: decide(place)


def _lead(undecided: frozenset[Place]) -> str:
    if undecided:
        return "Nothing of yours is saved yet, and nothing of theirs is overwritten."
    return "What you have not touched here shows their values by now."
