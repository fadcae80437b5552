"""A form with a control for each setting."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any

from nicegui.element import Element

from tacit.settings.config.config import Source
from tacit.settings.config.entry import Entry
from tacit.settings.definition import Definition, Group, Kind
from tacit.ui.kit.buttons import ButtonStyle, button
from tacit.ui.kit.control import Control
from tacit.ui.kit.control import ControlKind as Looks
from tacit.ui.kit.display import Disclosure, badge
from tacit.ui.kit.elements import add_text, box, heading, set_hidden
from tacit.ui.settings_editor.draft import (
    FieldStatus,
    SettingsDraft,
    choice_labels,
    field_status,
    find_settings,
    format_value,
    is_fraction,
    is_shown,
    normalize_value,
    setting_hint,
)

# A field: the control of one setting, and beside it where its value comes from.


NamedAction = Callable[[str], Awaitable[None]]
"""What happens to the setting with a name."""

_CONTROL_KINDS = {
    Kind.BOOL: Looks.SWITCH,
    Kind.INT: Looks.NUMBER,
    Kind.FLOAT: Looks.NUMBER,
    Kind.CHOICE: Looks.SELECT,
    Kind.TYPES: Looks.CHECKS,
    Kind.SCOPES: Looks.ORDER,
    Kind.TEXT: Looks.TEXT,
}
_STEPS = {Looks.NUMBER: 1.0, Looks.RANGE: 0.01}
_FIXED_HINTS = {
    "environment": "The environment decides; what the file says does not count until the variable"
    " is gone.",
    "project": "The project's file decides; what the settings file says does not count here.",
}
_IN_PROJECT_HINT = "Projects may set it."


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldActions:
    """What a field asks of its form."""

    heard: NamedAction
    put_back: NamedAction
    give_up: NamedAction
    overtaken: Callable[[str], None]


class SettingField:
    """One setting of a form."""

    def __init__(self, entry: Entry, acts: FieldActions, *, enabled: bool) -> None:
        self._setting = entry.definition
        self._acts = acts
        self._enabled = enabled
        self._drawn: FieldStatus | None = None
        self._problem: str | None = None
        name = self._setting.name
        with box(f"setting {self._setting.kind}", title=name) as self._element:
            self._control = _build_control(entry, acts, enabled=enabled)
            if self._setting.guidance is not None:
                add_text(self._setting.guidance, "guidance", "p")
            if self._setting.in_project:
                add_text(_IN_PROJECT_HINT, "quiet", "p")
            self._beside = box("standing")

    @property
    def value(self) -> Any:
        """What the control says, as settings hold it."""
        return normalize_value(self._setting, self._control.value)

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
        set_hidden(self._element, is_hidden)

    def draw(self, now: FieldStatus) -> None:
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

    def _origin(self, now: FieldStatus) -> None:
        if now.source is not None:
            badge(now.source, "accent" if now.is_own else "neutral", title=now.source_hint or "")
        if now.is_fixed and now.source is not None:
            add_text(_FIXED_HINTS[now.source], "quiet")
        if now.caution is not None:
            add_text(now.caution, "caution", "p", role="status")

    def _wish(self, now: FieldStatus) -> None:
        if now.was is not None:
            badge("unsaved", "warn")
            said = "back to the default, was" if now.is_given_up else "was"
            add_text(f"{said} {now.was}", "quiet")
            self._button("Put back", self._acts.put_back)
        elif now.default is not None:
            add_text(f"default: {now.default}", "quiet")
            if self._enabled:
                self._button("Use default", self._acts.give_up)

    def _button(self, text: str, act: NamedAction) -> None:
        name = self._setting.name
        button(
            text, lambda: act(name), ButtonStyle.QUIET, aria_label=f"{text}: {self._setting.label}"
        )


def _build_control(entry: Entry, acts: FieldActions, *, enabled: bool) -> Control:
    setting = entry.definition
    looks = _control_kind(setting)
    return Control(
        looks,
        setting.label,
        entry.value,
        hint=setting_hint(setting),
        options=choice_labels(setting),
        low=setting.low,
        high=setting.high,
        step=_STEPS.get(looks),
        enabled=enabled,
        on_change=lambda: acts.heard(setting.name),
        on_overtaken=lambda: acts.overtaken(setting.name),
    )


def _control_kind(setting: Definition) -> Looks:
    return Looks.RANGE if is_fraction(setting) else _CONTROL_KINDS[setting.kind]


# A form for settings, with a control for each that there is.


class SettingsForm:
    """One control per setting, by groups; what a person changes is kept as a draft.

    `owner` is the place that the changes are written to. Where it is named, its own values can be
    given up, and `defaults` are the values that would count instead; without them, those built in.
    """

    def __init__(
        self,
        entries: Mapping[str, Entry],
        *,
        enabled: bool = True,
        compact: bool = False,
        owner: Source | None = None,
        defaults: Mapping[str, Any] | None = None,
        on_change: Callable[[], Any] | None = None,
    ) -> None:
        self._owner = owner
        self._on_change = on_change
        self._draft = SettingsDraft(entries=entries, defaults=_default_values(entries, defaults))
        self._sought = ""
        self._overtaken: set[str] = set()
        self._fields: dict[str, SettingField] = {}
        self._sections: dict[Group, Element] = {}
        self._closed: dict[Group, Disclosure] = {}
        with box("settings-form compact" if compact else "settings-form"):
            self._build(enabled, compact)
        self._draw()

    @property
    def changes(self) -> dict[str, Any]:
        """What differs from the values that stand; None gives one up. What is wrong is left out."""
        return self._draft.changes

    @property
    def problems(self) -> dict[str, str]:
        """What is wrong with values that a person gave, by the name of the setting."""
        return self._draft.problems

    @property
    def touched(self) -> frozenset[str]:
        """The settings that a person has changed, rightly or not."""
        return self._draft.touched

    @property
    def overtaken(self) -> frozenset[str]:
        """The settings whose last change was begun before the values that stand came in."""
        return frozenset(self._overtaken)

    def wish(self, name: str) -> str:
        """What a person would have of a setting, in words."""
        value = format_value(self._draft.value(name))
        return f"default, {value}" if name in self._draft.given_up else value

    def show(self, entries: Mapping[str, Entry], defaults: Mapping[str, Any] | None = None) -> None:
        """Go on from other values; what a person has touched stays as they left it."""
        draft = self._draft.over(entries, _default_values(entries, defaults))
        for name in draft.given_up:
            if entries[name].source is not self._owner:
                draft = draft.put_back(name)
        self._become(draft)

    def revert(self, *names: str) -> None:
        """Drop what a person has changed: the settings that are named, or all."""
        draft = self._draft
        for name in names or draft.touched:
            draft = draft.put_back(name)
        self._become(draft)

    def object_to(self, name: str, problem: str | None) -> None:
        """Say at a control what is wrong with its value, where a person sees it."""
        self._fields[name].object_to(problem)
        closed = self._closed.get(self._draft.entries[name].definition.group)
        if problem is not None and closed is not None:
            closed.open()

    def find(self, text: str) -> int:
        """Show only the settings that have some words in them; gives their number."""
        self._sought = text
        hits = find_settings(self._draft, text)
        groups = {self._draft.entries[name].definition.group for name in hits if text}
        for group, closed in self._closed.items():
            closed.seek(group in groups)
        self._arrange()
        return len(hits)

    def _build(self, enabled: bool, compact: bool) -> None:
        groups = _group_entries(self._draft.entries)
        acts = FieldActions(
            heard=self._heard,
            put_back=self._put_back,
            give_up=self._give_up,
            overtaken=self._overtaken.add,
        )
        for number, (group, entries) in enumerate(groups.items()):
            is_closed = group.is_advanced or (compact and number > 0)
            with self._section(group, is_closed=is_closed, is_alone=len(groups) == 1):
                for entry in entries:
                    field = SettingField(entry, acts, enabled=enabled)
                    self._fields[entry.definition.name] = field

    def _section(self, group: Group, *, is_closed: bool, is_alone: bool) -> Element:
        """The part of a group, to be filled."""
        if is_closed:
            note = "Advanced" if group.is_advanced else None
            closed = Disclosure(group, note=note, is_open=self._is_in_use(group), classes="group")
            self._closed[group] = closed
            self._sections[group] = closed.element
            return closed.inside.classes("settings")
        with box("group") as section:
            self._sections[group] = section
            if not is_alone:
                heading(group, 3)
            return box("settings")

    def _is_in_use(self, group: Group) -> bool:
        """Whether an advanced part says something that is not built in."""
        inside = _group_entries(self._draft.entries)[group]
        return group.is_advanced and any(each.value != each.definition.default for each in inside)

    async def _heard(self, name: str) -> None:
        """A control has another value; that it says what the draft says already is no change."""
        value = self._fields[name].value
        if value == self._draft.value(name):
            self._overtaken.discard(name)
        else:
            await self._changed(self._draft.want(name, value))

    async def _put_back(self, name: str) -> None:
        await self._changed(self._draft.put_back(name))

    async def _give_up(self, name: str) -> None:
        await self._changed(self._draft.give_up(name))

    async def _changed(self, draft: SettingsDraft) -> None:
        self._become(draft)
        if self._on_change is not None:
            result = self._on_change()
            if isawaitable(result):
                await result
        self._overtaken.clear()

    def _become(self, draft: SettingsDraft) -> None:
        """Take another draft, and have the controls say what is new in it.

        The others are let alone: they may say what somebody has just chosen and nobody has heard.
        """
        before, self._draft = self._draft, draft
        problems = draft.problems
        for name, field in self._fields.items():
            is_new = draft.value(name) != before.value(name)
            if is_new:
                field.show(draft.value(name))
            if is_new or name not in draft.touched:
                field.object_to(problems.get(name))
        self._draw()

    def _draw(self) -> None:
        for name, field in self._fields.items():
            field.draw(field_status(self._draft, name, self._owner))
        self._arrange()

    def _arrange(self) -> None:
        """Leave out what does not count now, or is not looked for."""
        hits = find_settings(self._draft, self._sought)
        shown = {name for name in hits if is_shown(self._draft, name)}
        for name, field in self._fields.items():
            field.hide(name not in shown)
        groups = {self._draft.entries[name].definition.group for name in shown}
        for group, section in self._sections.items():
            set_hidden(section, group not in groups)


def _group_entries(entries: Mapping[str, Entry]) -> dict[Group, list[Entry]]:
    """The settings of each group that has some, in the order of the groups."""
    grouped = {
        group: [each for each in entries.values() if each.definition.group is group]
        for group in Group
    }
    return {group: inside for group, inside in grouped.items() if inside}


def _default_values(
    entries: Mapping[str, Entry], defaults: Mapping[str, Any] | None
) -> Mapping[str, Any]:
    built_in = {name: each.definition.default for name, each in entries.items()}
    return built_in if defaults is None else defaults
