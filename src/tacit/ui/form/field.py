"""A field: the control of one setting, and beside it where its value comes from."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tacit.settings.config.entry import Entry
from tacit.settings.definition import Definition, Kind
from tacit.ui.form.draft import kept
from tacit.ui.form.hiding import hide
from tacit.ui.form.standing import Standing
from tacit.ui.form.words import hint, is_share, names
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import badge
from tacit.ui.kit.control import Control
from tacit.ui.kit.control import Kind as Looks
from tacit.ui.kit.element import box, say

Named = Callable[[str], Awaitable[None]]
"""What happens to the setting with a name."""

_LOOKS = {
    Kind.BOOL: Looks.SWITCH,
    Kind.INT: Looks.NUMBER,
    Kind.FLOAT: Looks.NUMBER,
    Kind.CHOICE: Looks.SELECT,
    Kind.TYPES: Looks.CHECKS,
    Kind.SCOPES: Looks.ORDER,
    Kind.TEXT: Looks.TEXT,
}
_STEPS = {Looks.NUMBER: 1.0, Looks.RANGE: 0.01}
_FIXED = {
    "environment": "The environment decides; what the file says does not count until the variable"
    " is gone.",
    "project": "The project's file decides; what the settings file says does not count here.",
}
_IN_PROJECT = "Projects may set it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Acts:
    """What a field asks of its form."""

    heard: Named
    put_back: Named
    give_up: Named
    overtaken: Callable[[str], None]


class Field:
    """One setting of a form."""

    def __init__(self, entry: Entry, acts: Acts, *, enabled: bool) -> None:
        self._setting = entry.definition
        self._acts = acts
        self._enabled = enabled
        self._drawn: Standing | None = None
        self._problem: str | None = None
        name = self._setting.name
        with box(f"setting {self._setting.kind}", title=name) as self._element:
            self._control = _control(entry, acts, enabled=enabled)
            if self._setting.guidance is not None:
                say(self._setting.guidance, "guidance", "p")
            if self._setting.in_project:
                say(_IN_PROJECT, "quiet", "p")
            self._beside = box("standing")

    @property
    def value(self) -> Any:
        """What the control says, as settings hold it."""
        return kept(self._setting, self._control.value)

    def show(self, value: Any) -> None:
        """Have the control say a value, if it does not already."""
        if self.value != value:
            self._control.value = value

    def object_to(self, problem: str | None) -> None:
        """Say what is wrong with the value; None takes that back."""
        if problem != self._problem:
            self._problem = problem
            self._control.object_to(problem)

    def hide(self, is_hidden: bool) -> None:
        """Leave the field out, or not."""
        hide(self._element, is_hidden)

    def draw(self, now: Standing) -> None:
        """Say how the setting stands, if that is not said already."""
        if now == self._drawn:
            return
        if self._drawn is None or now.is_fixed != self._drawn.is_fixed:
            self._control.enable(self._enabled and not now.is_fixed)
        self._drawn = now
        self._beside.clear()
        with self._beside:
            self._origin(now)
            self._wish(now)

    def _origin(self, now: Standing) -> None:
        if now.source is not None:
            badge(now.source, "accent" if now.is_own else "neutral", title=now.source_hint or "")
        if now.is_fixed and now.source is not None:
            say(_FIXED[now.source], "quiet")
        if now.caution is not None:
            say(now.caution, "caution", "p", role="status")

    def _wish(self, now: Standing) -> None:
        if now.was is not None:
            badge("unsaved", "warn")
            said = "back to the default, was" if now.is_given_up else "was"
            say(f"{said} {now.was}", "quiet")
            self._button("Put back", self._acts.put_back)
        elif now.default is not None:
            say(f"default: {now.default}", "quiet")
            if self._enabled:
                self._button("Use default", self._acts.give_up)

    def _button(self, text: str, act: Named) -> None:
        name = self._setting.name
        button(text, lambda: act(name), Look.QUIET, aria_label=f"{text}: {self._setting.label}")


def _control(entry: Entry, acts: Acts, *, enabled: bool) -> Control:
    setting = entry.definition
    looks = _looks(setting)
    return Control(
        looks,
        setting.label,
        entry.value,
        hint=hint(setting),
        options=names(setting),
        low=setting.low,
        high=setting.high,
        step=_STEPS.get(looks),
        enabled=enabled,
        on_change=lambda: acts.heard(setting.name),
        on_overtaken=lambda: acts.overtaken(setting.name),
    )


def _looks(setting: Definition) -> Looks:
    return Looks.RANGE if is_share(setting) else _LOOKS[setting.kind]
