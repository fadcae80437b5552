"""How a field stands: what is shown beside its control, and why."""

from dataclasses import dataclass
from typing import Any

from tacit.settings.config.config import Source
from tacit.ui.form.draft import Draft
from tacit.ui.form.words import told

_NAMES = {
    Source.FILE: "file",
    Source.PROJECT: "project",
    Source.ENVIRONMENT: "environment",
    Source.AGENT: "agent",
}
_STRONGER = (Source.PROJECT, Source.ENVIRONMENT)
"""What wins over the settings file."""
_HINTS = {
    Source.FILE: "The settings file says so.",
    Source.PROJECT: "The file of the project that the server runs in says so.",
    Source.ENVIRONMENT: "A variable of the environment says so.",
    Source.AGENT: "This agent has a value of its own.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What is shown beside a control."""

    source: str | None
    """Where the value comes from, where that is not the default."""
    source_hint: str | None
    is_own: bool
    """Whether the value is one that this form has written."""
    is_fixed: bool
    """Whether the environment or a project's file decides, whatever is written."""
    was: str | None
    """The value that stands, where another is wanted."""
    default: str | None
    """The value that would count if this one were given up."""
    is_given_up: bool
    caution: str | None


def standing(draft: Draft, name: str, owner: Source | None) -> Standing:
    """How a field stands in a form that writes for an owner: the file, an agent, or nobody."""
    entry = draft.entries[name]
    is_own = owner is not None and entry.source is owner
    is_given_up = name in draft.given_up
    return Standing(
        source=_NAMES.get(entry.source),
        source_hint=_HINTS.get(entry.source),
        is_own=is_own,
        is_fixed=is_fixed(draft, name, owner),
        was=told(entry.value) if name in draft.touched else None,
        default=told(draft.defaults[name]) if is_own and name in draft.defaults else None,
        is_given_up=is_given_up,
        caution=_caution(draft, name),
    )


def is_fixed(draft: Draft, name: str, owner: Source | None) -> bool:
    """Whether something else than the file decides; only an agent's own value is stronger."""
    return owner is not Source.AGENT and draft.entries[name].source in _STRONGER


def is_shown(draft: Draft, name: str) -> bool:
    """Whether a setting counts now: the one that it needs is on, or not among these."""
    needed = draft.entries[name].definition.needs
    return needed is None or needed not in draft.entries or bool(draft.value(needed))


def found(draft: Draft, text: str) -> frozenset[str]:
    """The settings that somebody looks for by words, with those that they need."""
    words = text.casefold().split()
    hits = {name for name in draft.entries if _has(draft, name, words)}
    needed = {draft.entries[name].definition.needs for name in hits}
    return frozenset(name for name in draft.entries if name in hits or name in needed)


def _has(draft: Draft, name: str, words: list[str]) -> bool:
    setting = draft.entries[name].definition
    said = f"{name} {name.replace('_', ' ')} {setting.label} {setting.help} {setting.group}"
    return all(word in said.casefold() for word in words)


def _caution(draft: Draft, name: str) -> str | None:
    caution = draft.entries[name].definition.caution
    if caution is None:
        return None
    chosen = [each for each in caution.values if each in _values(draft.value(name))]
    return f"{', '.join(chosen).capitalize()}: {caution.text}" if chosen else None


def _values(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (value,)
