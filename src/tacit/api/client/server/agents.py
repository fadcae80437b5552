"""The agents of a server, and the settings that each goes by."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from tacit.settings.config.config import Source
from tacit.settings.config.entry import held


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """An agent that the file of settings names, and whether it has values of its own."""

    id: str
    is_overridden: bool

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what a server answered."""
        return cls(id=values["id"], is_overridden=values["memory_injection_overridden"])


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSettings:
    """The settings of memory injection that an agent goes by, and where each comes from.

    `version` is that of the file, and None where it cannot be read. `warnings` tell what was left
    out of values that are used all the same.
    """

    id: str
    is_overridden: bool
    values: Mapping[str, Any]
    sources: Mapping[str, Source]
    version: str | None
    warnings: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what a server answered."""
        return cls(
            id=values["id"],
            is_overridden=values["memory_injection_overridden"],
            values={name: held(each) for name, each in values["memory_injection"].items()},
            sources={name: Source(each) for name, each in values["sources"].items()},
            version=values["version"],
            warnings=tuple(values["warnings"]),
        )
