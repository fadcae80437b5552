"""Unsaved values of settings: validation, how values read, and the status shown at each field."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from tacit.settings.config import SettingEntry, SettingSource
from tacit.settings.definition import SettingDefinition, SettingKind

_NUMBER_KINDS = (SettingKind.INT, SettingKind.FLOAT)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsDraft:
    """Unsaved values of settings: new ones (`wanted`), and names to reset (`reset`).

    `defaults` are the values that apply after a reset.
    """

    entries: Mapping[str, SettingEntry]
    defaults: Mapping[str, Any] = field(default_factory=dict)
    wanted: Mapping[str, Any] = field(default_factory=dict)
    reset: frozenset[str] = frozenset()

    def value(self, name: str) -> Any:
        """The value of a setting, with unsaved changes."""
        if name in self.reset:
            return self.defaults[name]
        return self.wanted.get(name, self.entries[name].value)

    def set_value(self, name: str, value: Any) -> Self:
        """Change a setting; its saved value is no change."""
        held = normalize_value(self.entries[name].definition, value)
        draft = self.revert(name)
        if held == self.entries[name].value:
            return draft
        return replace(draft, wanted={**draft.wanted, name: held})

    def reset_to_default(self, name: str) -> Self:
        """Reset a setting to its default."""
        return replace(self.revert(name), reset=self.reset | {name})

    def revert(self, name: str) -> Self:
        """Drop the change of a setting."""
        rest = {each: value for each, value in self.wanted.items() if each != name}
        return replace(self, wanted=rest, reset=self.reset - {name})

    def rebase(
        self, entries: Mapping[str, SettingEntry], defaults: Mapping[str, Any] | None = None
    ) -> Self:
        """The same changes over other saved values."""
        known = self.defaults if defaults is None else defaults
        bare = replace(self, entries=entries, defaults=known, wanted={})
        for name, value in self.wanted.items():
            bare = bare.set_value(name, value)
        return replace(bare, reset=self.reset)

    @property
    def touched(self) -> frozenset[str]:
        """The settings with unsaved changes, valid or not."""
        return self.reset | frozenset(self.wanted)

    @property
    def problems(self) -> dict[str, str]:
        """What is wrong with values, by the name of the setting."""
        found = {
            name: find_problem(self.entries[name].definition, self.wanted[name])
            for name in self.wanted
        }
        return {name: problem for name, problem in found.items() if problem is not None}

    @property
    def changes(self) -> dict[str, Any]:
        """The valid changes; None resets a setting."""
        problems = self.problems
        wanted = {name: value for name, value in self.wanted.items() if name not in problems}
        return wanted | dict.fromkeys(sorted(self.reset))


def normalize_value(setting: SettingDefinition, value: Any) -> Any:
    """The value of a control as settings hold it."""
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, str):
        return value.strip()
    if setting.kind is SettingKind.INT and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def find_problem(setting: SettingDefinition, value: Any) -> str | None:
    """What is wrong with a value, as far as the definition of the setting says."""
    if setting.kind is SettingKind.SCOPES and not value:
        return "Keep at least one."
    if setting.kind not in _NUMBER_KINDS or setting.low is None or setting.high is None:
        return None
    is_whole = setting.kind is SettingKind.FLOAT or isinstance(value, int)
    if value is not None and is_whole and setting.low <= value <= setting.high:
        return None
    number = "a whole number" if setting.kind is SettingKind.INT else "a number"
    return f"Give {number} from {format_value(setting.low)} to {format_value(setting.high)}."


# The status of a field.

_SOURCE_NAMES = {
    SettingSource.USER_FILE: "user file",
    SettingSource.FILE: "file",
    SettingSource.PROJECT: "project",
    SettingSource.ENVIRONMENT: "environment",
    SettingSource.AGENT: "agent",
}
_STRONGER = (SettingSource.PROJECT, SettingSource.ENVIRONMENT)
"""Sources that override the settings file."""
_SOURCE_HINTS = {
    SettingSource.USER_FILE: "The settings file of the server's user says so.",
    SettingSource.FILE: "The settings file says so.",
    SettingSource.PROJECT: "The file of the project that the server runs in says so.",
    SettingSource.ENVIRONMENT: "A variable of the environment says so.",
    SettingSource.AGENT: "This agent has a value of its own.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldStatus:
    """What is shown beside a control."""

    source: str | None
    """Where the value comes from, if it is not the default."""
    source_hint: str | None
    is_own: bool
    """Whether the value comes from the file or agent that this form edits."""
    is_fixed: bool
    """Whether the environment or a project's file overrides what this form writes."""
    saved: str | None
    """The saved value, if there is an unsaved one."""
    default: str | None
    """The value after a reset, if a reset is possible."""
    is_reset: bool
    caution: str | None


def field_status(draft: SettingsDraft, name: str, owner: SettingSource | None) -> FieldStatus:
    """The status of a field in a form that edits a file, an agent's settings, or nothing."""
    entry = draft.entries[name]
    is_own = owner is not None and entry.source is owner
    is_reset = name in draft.reset
    return FieldStatus(
        source=_SOURCE_NAMES.get(entry.source),
        source_hint=_SOURCE_HINTS.get(entry.source),
        is_own=is_own,
        is_fixed=is_fixed(draft, name, owner),
        saved=format_value(entry.value) if name in draft.touched else None,
        default=format_value(draft.defaults[name]) if is_own and name in draft.defaults else None,
        is_reset=is_reset,
        caution=_caution_text(draft, name),
    )


def is_fixed(draft: SettingsDraft, name: str, owner: SettingSource | None) -> bool:
    """Whether the environment or a project overrides the value; not for an agent's settings."""
    return owner is not SettingSource.AGENT and draft.entries[name].source in _STRONGER


def is_shown(draft: SettingsDraft, name: str) -> bool:
    """Whether the setting that this one depends on is on, or not in the form."""
    needed = draft.entries[name].definition.needs
    return needed is None or needed not in draft.entries or bool(draft.value(needed))


def find_settings(draft: SettingsDraft, text: str) -> frozenset[str]:
    """The settings that match a search text, with those that they depend on."""
    words = text.casefold().split()
    hits = {name for name in draft.entries if _matches(draft, name, words)}
    needed = {draft.entries[name].definition.needs for name in hits}
    return frozenset(name for name in draft.entries if name in hits or name in needed)


def _matches(draft: SettingsDraft, name: str, words: list[str]) -> bool:
    setting = draft.entries[name].definition
    text = f"{name} {name.replace('_', ' ')} {setting.label} {setting.help} {setting.group}"
    return all(word in text.casefold() for word in words)


def _caution_text(draft: SettingsDraft, name: str) -> str | None:
    caution = draft.entries[name].definition.caution
    if caution is None:
        return None
    if caution.concerns(draft.value(name)):
        return caution.text
    chosen = [each for each in caution.values if each in _as_tuple(draft.value(name))]
    return f"{', '.join(chosen).capitalize()}: {caution.text}" if chosen else None


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (value,)


# Values and ranges in words.

_LIST_KINDS = (SettingKind.TYPES, SettingKind.SCOPES)


def format_value(value: Any) -> str:
    """A value in words."""
    match value:
        case bool():
            return "on" if value else "off"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:,g}"
        case list() | tuple():
            return ", ".join(map(str, value)) or "none"
        case None | "":
            return "empty"
    return str(value)


def setting_hint(setting: SettingDefinition) -> str:
    """The help text of a setting, with its range if it has no slider."""
    if setting.low is None or setting.high is None or is_fraction(setting):
        return setting.help
    return f"{setting.help} From {format_value(setting.low)} to {format_value(setting.high)}."


def is_fraction(setting: SettingDefinition) -> bool:
    """Whether a setting is a number from 0 to 1."""
    low, high = setting.low, setting.high
    is_within = low is not None and high is not None and low >= 0 and high <= 1
    return setting.kind is SettingKind.FLOAT and is_within


def choice_labels(setting: SettingDefinition) -> dict[str, str]:
    """The labels of the values to choose from."""
    is_list = setting.kind in _LIST_KINDS
    return {each: each.capitalize() if is_list else each for each in setting.choices}
