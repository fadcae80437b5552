"""Snapshots of the settings, and what somebody else has changed between two of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from tacit.api.protocols.administration import SettingsProtocol
from tacit.api.server_status import AgentSettings, SettingsReport
from tacit.core.errors import ConfigError
from tacit.runtime.trust import IgnoredSetting
from tacit.settings.config import SettingEntry, SettingsTable
from tacit.settings.live_config import ConfigProblem
from tacit.ui.api_calls import call_api
from tacit.ui.settings_editor.draft import format_value


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsSnapshot:
    """Settings by table, with the version of their file.

    `defaults` apply where an agent has no value of its own; `problem` says why the file is not
    used, `warnings` which of its values are ignored, and `ignored` which of a project's file.
    """

    version: str | None
    tables: Mapping[SettingsTable, Mapping[str, SettingEntry]]
    defaults: Mapping[str, Any] | None = None
    problem: ConfigProblem | None = None
    warnings: tuple[str, ...] = ()
    ignored: tuple[IgnoredSetting, ...] = ()


def to_snapshot(report: SettingsReport) -> SettingsSnapshot:
    """The settings of the server."""
    return SettingsSnapshot(
        version=report.version,
        tables=report.tables,
        problem=report.problem,
        warnings=report.warnings,
        ignored=report.ignored,
    )


def to_agent_snapshot(report: SettingsReport, own: AgentSettings) -> SettingsSnapshot:
    """The settings of an agent; read after the report, whose version they get."""
    shared = report.tables[SettingsTable.MEMORY_INJECTION]
    entries = {
        name: replace(each, value=own.values[name], source=own.sources[name])
        for name, each in shared.items()
    }
    return SettingsSnapshot(
        version=report.version,
        tables={SettingsTable.MEMORY_INJECTION: entries},
        defaults={name: each.value for name, each in shared.items()},
        problem=report.problem,
        warnings=own.warnings,
        ignored=report.ignored,
    )


SettingKey: TypeAlias = tuple[SettingsTable, str]
"""A setting: its table and its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConcurrentEdit:
    """A setting that somebody else changed, with both values in words."""

    key: SettingKey
    label: str
    before: str
    theirs: str


def find_concurrent_edits(
    before: SettingsSnapshot, now: SettingsSnapshot
) -> Iterator[ConcurrentEdit]:
    """The settings that differ between two snapshots."""
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
    """Add later edits: of a setting that changed twice, the first value and the last."""
    all_of_it = dict(known)
    for each in more:
        first = all_of_it.pop(each.key, each)
        if first.before != each.theirs:
            all_of_it[each.key] = replace(each, before=first.before)
    return all_of_it


async def load_settings_version(settings: SettingsProtocol) -> str | None:
    """The version of the settings file; None if it cannot be read."""
    try:
        return (await call_api(settings.read_file)).version
    except ConfigError:
        return (await call_api(settings.show)).version
