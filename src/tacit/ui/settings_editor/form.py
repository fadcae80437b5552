"""A form with a control for each setting."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any

from nicegui.element import Element

from tacit.settings.config import SettingEntry, SettingSource
from tacit.settings.definition import SettingDefinition, SettingGroup, SettingKind
from tacit.ui.kit.buttons import ButtonStyle, button
from tacit.ui.kit.control import Control, ControlKind
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


class SettingsForm:
    """One control per setting, by groups; changes are kept as a draft.

    `owner` is the source that changes are written to; its own values can be reset. `defaults` are
    the values after a reset, by default the built-in ones.
    """

    def __init__(
        self,
        entries: Mapping[str, SettingEntry],
        *,
        enabled: bool = True,
        compact: bool = False,
        owner: SettingSource | None = None,
        defaults: Mapping[str, Any] | None = None,
        on_change: Callable[[], Any] | None = None,
    ) -> None:
        self._owner = owner
        self._on_change = on_change
        self._draft = SettingsDraft(entries=entries, defaults=_default_values(entries, defaults))
        self._search_text = ""
        self._overtaken: set[str] = set()
        self._fields: dict[str, SettingField] = {}
        self._sections: dict[SettingGroup, Element] = {}
        self._closed: dict[SettingGroup, Disclosure] = {}
        with box("settings-form compact" if compact else "settings-form"):
            self._build(enabled, compact)
        self._show_statuses()

    @property
    def changes(self) -> dict[str, Any]:
        """The valid changes by name; None resets a setting."""
        return self._draft.changes

    @property
    def problems(self) -> dict[str, str]:
        """What is wrong with unsaved values, by the name of the setting."""
        return self._draft.problems

    @property
    def touched(self) -> frozenset[str]:
        """The settings with unsaved changes, valid or not."""
        return self._draft.touched

    @property
    def overtaken(self) -> frozenset[str]:
        """The settings that the person was changing when new values arrived."""
        return frozenset(self._overtaken)

    def draft_text(self, name: str) -> str:
        """The unsaved value of a setting, in words."""
        value = format_value(self._draft.value(name))
        return f"default, {value}" if name in self._draft.reset else value

    def show(
        self, entries: Mapping[str, SettingEntry], defaults: Mapping[str, Any] | None = None
    ) -> None:
        """Show other saved values; unsaved changes stay."""
        draft = self._draft.rebase(entries, _default_values(entries, defaults))
        for name in draft.reset:
            if entries[name].source is not self._owner:
                draft = draft.revert(name)
        self._set_draft(draft)

    def revert(self, *names: str) -> None:
        """Drop the changes of the named settings, or of all."""
        draft = self._draft
        for name in names or draft.touched:
            draft = draft.revert(name)
        self._set_draft(draft)

    def show_problem(self, name: str, problem: str | None) -> None:
        """Show a problem at its control, and open the group that it is in."""
        self._fields[name].show_problem(problem)
        closed = self._closed.get(self._draft.entries[name].definition.group)
        if problem is not None and closed is not None:
            closed.open()

    def find(self, text: str) -> int:
        """Show only the settings that match a text; returns their number."""
        self._search_text = text
        hits = find_settings(self._draft, text)
        groups = {self._draft.entries[name].definition.group for name in hits if text}
        for group, closed in self._closed.items():
            closed.open_for_search(group in groups)
        self._update_visibility()
        return len(hits)

    def _build(self, enabled: bool, compact: bool) -> None:
        groups = _group_entries(self._draft.entries)
        actions = FieldActions(
            changed=self._on_control_change,
            revert=self._revert_field,
            reset_to_default=self._reset_to_default,
            overtaken=self._overtaken.add,
        )
        for number, (group, entries) in enumerate(groups.items()):
            is_closed = group.is_advanced or (compact and number > 0)
            with self._section(group, is_closed=is_closed, is_alone=len(groups) == 1):
                for entry in entries:
                    field = SettingField(entry, actions, enabled=enabled)
                    self._fields[entry.definition.name] = field

    def _section(self, group: SettingGroup, *, is_closed: bool, is_alone: bool) -> Element:
        """The element of a group, to be filled."""
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

    def _is_in_use(self, group: SettingGroup) -> bool:
        """Whether an advanced group has a value that is not the default."""
        inside = _group_entries(self._draft.entries)[group]
        return group.is_advanced and any(each.value != each.definition.default for each in inside)

    async def _on_control_change(self, name: str) -> None:
        """Take over the value of a control, unless the draft has it already."""
        value = self._fields[name].value
        if value == self._draft.value(name):
            self._overtaken.discard(name)
        else:
            await self._apply(self._draft.set_value(name, value))

    async def _revert_field(self, name: str) -> None:
        await self._apply(self._draft.revert(name))

    async def _reset_to_default(self, name: str) -> None:
        await self._apply(self._draft.reset_to_default(name))

    async def _apply(self, draft: SettingsDraft) -> None:
        self._set_draft(draft)
        if self._on_change is not None:
            result = self._on_change()
            if isawaitable(result):
                await result
        self._overtaken.clear()

    def _set_draft(self, draft: SettingsDraft) -> None:
        """Take another draft, and update the controls whose values differ.

        The others are left alone: they may show a choice that has not arrived here yet.
        """
        before, self._draft = self._draft, draft
        problems = draft.problems
        for name, field in self._fields.items():
            is_new = draft.value(name) != before.value(name)
            if is_new:
                field.show(draft.value(name))
            if is_new or name not in draft.touched:
                field.show_problem(problems.get(name))
        self._show_statuses()

    def _show_statuses(self) -> None:
        for name, field in self._fields.items():
            field.show_status(field_status(self._draft, name, self._owner))
        self._update_visibility()

    def _update_visibility(self) -> None:
        """Hide settings that do not apply now or do not match the search."""
        hits = find_settings(self._draft, self._search_text)
        shown = {name for name in hits if is_shown(self._draft, name)}
        for name, field in self._fields.items():
            field.hide(name not in shown)
        groups = {self._draft.entries[name].definition.group for name in shown}
        for group, section in self._sections.items():
            set_hidden(section, group not in groups)


def _group_entries(entries: Mapping[str, SettingEntry]) -> dict[SettingGroup, list[SettingEntry]]:
    """The settings of each group, in the order of the groups, without empty ones."""
    grouped = {
        group: [each for each in entries.values() if each.definition.group is group]
        for group in SettingGroup
    }
    return {group: inside for group, inside in grouped.items() if inside}


def _default_values(
    entries: Mapping[str, SettingEntry], defaults: Mapping[str, Any] | None
) -> Mapping[str, Any]:
    built_in = {name: each.definition.default for name, each in entries.items()}
    return built_in if defaults is None else defaults


NamedAction = Callable[[str], Awaitable[None]]
"""A function that takes the name of a setting."""

_CONTROL_KINDS = {
    SettingKind.BOOL: ControlKind.SWITCH,
    SettingKind.INT: ControlKind.NUMBER,
    SettingKind.FLOAT: ControlKind.NUMBER,
    SettingKind.CHOICE: ControlKind.SELECT,
    SettingKind.TYPES: ControlKind.CHECKS,
    SettingKind.SCOPES: ControlKind.ORDER,
    SettingKind.TEXT: ControlKind.TEXT,
}
_STEPS = {ControlKind.NUMBER: 1.0, ControlKind.RANGE: 0.01}
_FIXED_HINTS = {
    "environment": "The environment decides; what the file says does not count until the variable"
    " is gone.",
    "project": "The project's file decides; what the settings file says does not count here.",
}
_IN_PROJECT_HINT = "Can be overridden per project."


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldActions:
    """What a field calls on its form."""

    changed: NamedAction
    revert: NamedAction
    reset_to_default: NamedAction
    overtaken: Callable[[str], None]


class SettingField:
    """One setting of a form: its control, and beside it where its value comes from."""

    def __init__(self, entry: SettingEntry, actions: FieldActions, *, enabled: bool) -> None:
        self._setting = entry.definition
        self._actions = actions
        self._enabled = enabled
        self._shown_status: FieldStatus | None = None
        self._problem: str | None = None
        name = self._setting.name
        with box(f"setting {self._setting.kind}", title=name) as self._element:
            self._control = _build_control(entry, actions, enabled=enabled)
            if self._setting.guidance is not None:
                add_text(self._setting.guidance, "guidance", "p")
            if self._setting.in_project:
                add_text(_IN_PROJECT_HINT, "quiet", "p")
            self._beside = box("standing")

    @property
    def value(self) -> Any:
        """The value of the control as settings hold it."""
        return normalize_value(self._setting, self._control.value)

    def show(self, value: Any) -> None:
        """Put a value into the control, if it has another."""
        if self.value != value:
            self._control.value = value

    def show_problem(self, problem: str | None) -> None:
        """Show what is wrong with the value; None removes the message."""
        if problem != self._problem:
            self._problem = problem
            self._control.show_problem(problem)

    def hide(self, is_hidden: bool) -> None:
        """Hide or show the field."""
        set_hidden(self._element, is_hidden)

    def show_status(self, status: FieldStatus) -> None:
        """Update the status beside the control."""
        if status == self._shown_status:
            return
        if self._shown_status is None or status.is_fixed != self._shown_status.is_fixed:
            self._control.set_enabled(self._enabled and not status.is_fixed)
        self._shown_status = status
        self._beside.clear()
        with self._beside:
            self._show_source(status)
            self._show_change(status)

    def _show_source(self, status: FieldStatus) -> None:
        if status.source is not None:
            badge(
                status.source,
                "accent" if status.is_own else "neutral",
                title=status.source_hint or "",
            )
        if status.is_fixed and status.source is not None:
            add_text(_FIXED_HINTS[status.source], "quiet")
        if status.caution is not None:
            add_text(status.caution, "caution", "p", role="status")

    def _show_change(self, status: FieldStatus) -> None:
        if status.saved is not None:
            badge("unsaved", "warn")
            prefix = "back to the default, was" if status.is_reset else "was"
            add_text(f"{prefix} {status.saved}", "quiet")
            self._button("Put back", self._actions.revert)
        elif status.default is not None:
            add_text(f"default: {status.default}", "quiet")
            if self._enabled:
                self._button("Use default", self._actions.reset_to_default)

    def _button(self, text: str, act: NamedAction) -> None:
        name = self._setting.name
        button(
            text, lambda: act(name), ButtonStyle.QUIET, aria_label=f"{text}: {self._setting.label}"
        )


def _build_control(entry: SettingEntry, actions: FieldActions, *, enabled: bool) -> Control:
    setting = entry.definition
    kind = _control_kind(setting)
    return Control(
        kind,
        setting.label,
        entry.value,
        hint=setting_hint(setting),
        options=choice_labels(setting),
        low=setting.low,
        high=setting.high,
        step=_STEPS.get(kind),
        enabled=enabled,
        on_change=lambda: actions.changed(setting.name),
        on_overtaken=lambda: actions.overtaken(setting.name),
    )


def _control_kind(setting: SettingDefinition) -> ControlKind:
    return ControlKind.RANGE if is_fraction(setting) else _CONTROL_KINDS[setting.kind]
