"""A reading: settings as they stood when they were read."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tacit.api.client.server.agents import AgentSettings
from tacit.api.client.server.settings import SettingsReport
from tacit.runtime.files.trust import Ignored
from tacit.settings.config.entry import Entry
from tacit.settings.config.live import Problem
from tacit.settings.config.tables import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
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
    ignored: tuple[Ignored, ...] = ()


def reading(report: SettingsReport) -> Reading:
    """The settings of all."""
    return Reading(
        version=report.version,
        tables=report.tables,
        problem=report.problem,
        warnings=report.warnings,
        ignored=report.ignored,
    )


def agents_reading(report: SettingsReport, own: AgentSettings) -> Reading:
    """The settings of an agent, read after those of all, and no newer than these."""
    shared = report.tables[Table.MEMORY_INJECTION]
    entries = {
        name: replace(each, value=own.values[name], source=own.sources[name])
        for name, each in shared.items()
    }
    return Reading(
        version=report.version,
        tables={Table.MEMORY_INJECTION: entries},
        defaults={name: each.value for name, each in shared.items()},
        problem=report.problem,
        warnings=own.warnings,
        ignored=report.ignored,
    )
