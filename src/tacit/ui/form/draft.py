"""A draft: settings as they stand, and what a person would have instead."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from tacit.settings.config.entry import Entry
from tacit.settings.definition import Definition, Kind
from tacit.ui.form.words import told

_NUMBERS = (Kind.INT, Kind.FLOAT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Values that differ from what stands (`wanted`), and those left to the defaults (`given_up`).

    `defaults` are the values that count where a setting is given up.
    """

    entries: Mapping[str, Entry]
    defaults: Mapping[str, Any] = field(default_factory=dict)
    wanted: Mapping[str, Any] = field(default_factory=dict)
    given_up: frozenset[str] = frozenset()

    def value(self, name: str) -> Any:
        """What a setting would be."""
        if name in self.given_up:
            return self.defaults[name]
        return self.wanted.get(name, self.entries[name].value)

    def want(self, name: str, value: Any) -> Self:
        """Let a setting have another value; the one that stands is no change."""
        held = kept(self.entries[name].definition, value)
        draft = self.put_back(name)
        if held == self.entries[name].value:
            return draft
        return replace(draft, wanted={**draft.wanted, name: held})

    def give_up(self, name: str) -> Self:
        """Leave a setting to the defaults."""
        return replace(self.put_back(name), given_up=self.given_up | {name})

    def put_back(self, name: str) -> Self:
        """Let a setting be as it stands."""
        rest = {each: value for each, value in self.wanted.items() if each != name}
        return replace(self, wanted=rest, given_up=self.given_up - {name})

    def over(self, entries: Mapping[str, Entry], defaults: Mapping[str, Any] | None = None) -> Self:
        """The same wishes where other values stand by now."""
        known = self.defaults if defaults is None else defaults
        bare = replace(self, entries=entries, defaults=known, wanted={})
        for name, value in self.wanted.items():
            bare = bare.want(name, value)
        return replace(bare, given_up=self.given_up)

    @property
    def touched(self) -> frozenset[str]:
        """The settings that would change, or cannot as they are."""
        return self.given_up | frozenset(self.wanted)

    @property
    def problems(self) -> dict[str, str]:
        """What is wrong with values, by the name of the setting."""
        found = {
            name: objection(self.entries[name].definition, self.wanted[name])
            for name in self.wanted
        }
        return {name: problem for name, problem in found.items() if problem is not None}

    @property
    def changes(self) -> dict[str, Any]:
        """What would change, as far as it can; None leaves a setting to the defaults."""
        problems = self.problems
        wanted = {name: value for name, value in self.wanted.items() if name not in problems}
        return wanted | dict.fromkeys(sorted(self.given_up))


def kept(setting: Definition, value: Any) -> Any:
    """A value from a control as settings hold it."""
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, str):
        return value.strip()
    if setting.kind is Kind.INT and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def objection(setting: Definition, value: Any) -> str | None:
    """What is wrong with a value, as far as the definition tells."""
    if setting.kind is Kind.SCOPES and not value:
        return "Keep at least one."
    if setting.kind not in _NUMBERS or setting.low is None or setting.high is None:
        return None
    is_whole = setting.kind is Kind.FLOAT or isinstance(value, int)
    if value is not None and is_whole and setting.low <= value <= setting.high:
        return None
    number = "a whole number" if setting.kind is Kind.INT else "a number"
    return f"Give {number} from {told(setting.low)} to {told(setting.high)}."
