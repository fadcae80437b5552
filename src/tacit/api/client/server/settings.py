"""The settings of a server, as it tells them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from tacit.runtime.files.trust import Ignored
from tacit.settings.config.entry import Entry
from tacit.settings.config.live import Problem
from tacit.settings.config.tables import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsReport:
    """Every setting in force by table and name, and the file that they are written to.

    `version` is that of the file, and None where it cannot be read; `problem` says why the file
    as it is now is not used. `agents` are those that the file names, and `warnings` tell what was
    left out of values that are used all the same. `project` is the file of a project that adds to
    it, and `ignored` what of such a file does not act.
    """

    path: str
    version: str | None
    problem: Problem | None
    tables: Mapping[Table, Mapping[str, Entry]]
    agents: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    project: str | None = None
    ignored: tuple[Ignored, ...] = ()

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what a server answered."""
        return cls(
            path=values["path"],
            version=values["version"],
            problem=values["problem"] and Problem.from_dict(values["problem"]),
            tables={Table(name): _entries(told) for name, told in values["tables"].items()},
            agents=tuple(values["agents"]),
            warnings=tuple(values["warnings"]),
            project=values["project"],
            ignored=tuple(map(Ignored.from_dict, values["ignored"])),
        )


def _entries(told: Mapping[str, Any]) -> dict[str, Entry]:
    return {name: Entry.from_dict(name, values) for name, values in told.items()}
