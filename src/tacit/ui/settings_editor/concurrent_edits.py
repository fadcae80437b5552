"""Snapshots of the settings, and what somebody else has changed between two of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from tacit.api.client.server import AgentSettings, RemoteServer, SettingsReport
from tacit.core.errors import ConfigError
from tacit.runtime.trust import IgnoredSetting
from tacit.settings.config.entry import Entry
from tacit.settings.config.live import Problem
from tacit.settings.config.tables import Table
from tacit.ui.api_calls import call_api
from tacit.ui.settings_editor.draft import format_value


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsSnapshot:
    """Settings by table, with the version of their file.

    `defaults` are what counts where an agent has no value of its own; `problem` says why the file
    is not used as it is, `warnings` what is left out of it, and `ignored` what of a project's file
    does not act.
    """

    version: str | None
    tables: Mapping[Table, Mapping[str, Entry]]
    defaults: Mapping[str, Any] | None = None
    problem: Problem | None = None
    warnings: tuple[str, ...] = ()
    ignored: tuple[IgnoredSetting, ...] = ()


def to_snapshot(report: SettingsReport) -> SettingsSnapshot:
    """The settings of all."""
    return SettingsSnapshot(
        version=report.version,
        tables=report.tables,
        problem=report.problem,
        warnings=report.warnings,
        ignored=report.ignored,
    )


def to_agent_snapshot(report: SettingsReport, own: AgentSettings) -> SettingsSnapshot:
    """The settings of an agent, read after those of all, and no newer than these."""
    shared = report.tables[Table.MEMORY_INJECTION]
    entries = {
        name: replace(each, value=own.values[name], source=own.sources[name])
        for name, each in shared.items()
    }
    return SettingsSnapshot(
        version=report.version,
        tables={Table.MEMORY_INJECTION: entries},
        defaults={name: each.value for name, each in shared.items()},
        problem=report.problem,
        warnings=own.warnings,
        ignored=report.ignored,
    )


SettingKey: TypeAlias = tuple[Table, str]
"""A setting: its table and its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConcurrentEdit:
    """A setting that has another value since it was read; all of it in words."""

    key: SettingKey
    label: str
    before: str
    theirs: str


def find_concurrent_edits(
    before: SettingsSnapshot, now: SettingsSnapshot
) -> Iterator[ConcurrentEdit]:
    """Which settings have changed from one reading to a later one."""
    for table, entries in now.tables.items():
        for name, entry in entries.items():
            was = before.tables[table][name].value
            if entry.value != was:
                yield ConcurrentEdit(
                    key=(table, name),
                    label=entry.definition.label,
                    before=format_value(was),
                    theirs=format_value(entry.value),
                )


def merge_edits(
    known: Mapping[SettingKey, ConcurrentEdit], more: Iterable[ConcurrentEdit]
) -> dict[SettingKey, ConcurrentEdit]:
    """Changes after changes: of what changed twice, from the first value to the last."""
    all_of_it = dict(known)
    for each in more:
        first = all_of_it.pop(each.key, each)
        if first.before != each.theirs:
            all_of_it[each.key] = replace(each, before=first.before)
    return all_of_it


async def load_settings_version(server: RemoteServer) -> str | None:
    """The version of the settings file; None where it cannot be read."""
    try:
        return (await call_api(server.raw_settings)).version
    except ConfigError:
        return (await call_api(server.settings)).version
