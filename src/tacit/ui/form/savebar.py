"""The bar that stands at the foot of a page while something on it is unsaved."""

from collections.abc import Awaitable, Callable

from tacit.ui.form.hiding import hide
from tacit.ui.form.notices import CHOICES
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.element import box, link, say


class SaveBar:
    """How much is unsaved, with Save and Discard; gone where nothing is."""

    def __init__(
        self, save: Callable[[], Awaitable[None]], discard: Callable[[], Awaitable[None]]
    ) -> None:
        with box("savebar", role="region", aria_label="Unsaved changes") as self._element:
            self._said = box(aria_live="polite")
            with box("actions"):
                button("Discard", discard)
                self._choose = link("Choose", f"#{CHOICES}", "button primary")
                self._save = button("Save", save, Look.PRIMARY)
        hide(self._element, True)

    def draw(self, unsaved: int, wrong: int, undecided: int) -> None:
        """Say how things are."""
        self._said.clear()
        with self._said:
            say(summary(unsaved, wrong, undecided), tag="p")
        hide(self._choose, not undecided)
        hide(self._save, bool(undecided))
        hide(self._element, not unsaved)


def summary(unsaved: int, wrong: int, undecided: int) -> str:
    """What a person has changed, and what keeps it from being saved."""
    said = "1 unsaved change" if unsaved == 1 else f"{unsaved} unsaved changes"
    if undecided:
        return f"{said}. Somebody else changed {_of(undecided, unsaved)}: choose which counts."
    if wrong:
        return f"{said}. {_of(wrong, unsaved).capitalize()} cannot be saved as it is."
    return said


def _of(number: int, unsaved: int) -> str:
    if unsaved == 1:
        return "it"
    return "one of them" if number == 1 else f"{number} of them"
