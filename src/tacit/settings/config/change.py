"""A change of settings, and the text of a file after some changes.

Only the statements that a change concerns are touched, so that comments, order and formatting of
everything else stay byte for byte.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tacit.core.errors import ConfigError, InvalidInput
from tacit.core.fields import check_field
from tacit.settings.checking import check, left_out
from tacit.settings.config.amending import amended, emptied, extended, removed
from tacit.settings.config.statements import Place, leaves
from tacit.settings.config.tables import Table
from tacit.settings.definition import definition

_AGENTS = "agents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A new value of a setting; None leaves the setting to weaker places."""

    name: str
    value: Any
    table: Table = Table.MEMORY_INJECTION
    agent: str | None = None
    warnings: tuple[str, ...] = field(init=False, default=())
    """What is left out of the value, and why."""

    def __post_init__(self) -> None:
        definition(self.table.settings_class, self.name)
        if self.agent is not None and self.table is not Table.MEMORY_INJECTION:
            raise InvalidInput("agent", f"[{self.table}] is the same for every agent; name none")
        if self.agent is not None:
            object.__setattr__(self, "agent", check_field("agent", self.agent))
        if self.value is not None:
            accepted = check(self.table.settings_class, self.name, self.value)
            missing = left_out(self.table.settings_class, self.name, self.value)
            told = tuple(f"{self.table}.{self.name}: {each}" for each in missing)
            object.__setattr__(self, "warnings", told)
            object.__setattr__(self, "value", _plain(accepted))


@dataclass(frozen=True, slots=True, kw_only=True)
class Revert:
    """An agent gives up all settings of its own, and goes by those of all."""

    agent: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "agent", check_field("agent", self.agent))


def apply(text: str, changes: Iterable[Change | Revert]) -> str:
    """The text of a file after some changes, one after the other."""
    for change in changes:
        text = _reverted(text, change) if isinstance(change, Revert) else _applied(text, change)
    return text


def _reverted(text: str, revert: Revert) -> str:
    content = tomllib.loads(text)
    ids = _ids(content)
    if revert.agent not in ids:
        return text
    table: Place = (_AGENTS, ids.index(revert.agent), str(Table.MEMORY_INJECTION))
    before = leaves(content)
    wanted = {each: kept for each, kept in before.items() if each[: len(table)] != table}
    return _checked(emptied(text, table), wanted, f"memory_injection of agent {revert.agent!r}")


def _applied(text: str, change: Change) -> str:
    content = tomllib.loads(text)
    table = _place(content, change)
    before = leaves(content)
    wanted = _wanted(before, (*table, change.name), change.value)
    if _same(wanted, before):
        return text
    if change.value is None:
        result = removed(text, table, change.name)
    elif _is_new_agent(before, table):
        wanted[*table[:2], "id"] = change.agent
        own = {change.table.value: {change.name: change.value}}
        result = extended(text, _AGENTS, {"id": change.agent, **own})
    else:
        result = amended(text, table, change.name, change.value)
    return _checked(result, wanted, change.name)


def _checked(text: str, wanted: Mapping[Place, Any], name: str) -> str:
    """A text that says what it was meant to say, and nothing else."""
    if leaves(tomllib.loads(text)) != wanted:
        raise ConfigError(f"{name}: stands where no program can change it; edit the file")
    return text


def _wanted(before: Mapping[Place, Any], place: Place, value: Any) -> dict[Place, Any]:
    rest = {each: kept for each, kept in before.items() if each != place}
    return rest if value is None else rest | {place: value}


def _place(content: Mapping[str, Any], change: Change) -> Place:
    """The table that holds the setting; of an agent that is not there, after the last one."""
    if change.agent is None:
        return change.table.place
    ids = _ids(content)
    number = ids.index(change.agent) if change.agent in ids else len(ids)
    return (_AGENTS, number, change.table.value)


def _ids(content: Mapping[str, Any]) -> list[str]:
    return [each["id"] for each in content.get(_AGENTS, ())]


def _same(one: Mapping[Place, Any], other: Mapping[Place, Any]) -> bool:
    """Whether both say the same in the same kinds of words: true is not 1."""
    return one == other and all(type(one[place]) is type(other[place]) for place in one)


def _is_new_agent(before: Mapping[Place, Any], table: Place) -> bool:
    return table[0] == _AGENTS and (*table[:2], "id") not in before


def _plain(value: Any) -> Any:
    """A value in the words of TOML."""
    if isinstance(value, tuple):
        return [str(each) for each in value]
    return str(value) if isinstance(value, str) else value
