"""A setting as it stands: what it is, its value, and where that comes from."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from tacit.settings.config.config import Config, Source
from tacit.settings.config.tables import Table
from tacit.settings.definition import Caution, Definition, Group, Kind, definitions


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A setting with its value."""

    definition: Definition
    value: Any
    source: Source

    def to_dict(self) -> dict[str, Any]:
        """All there is to know, ready for JSON."""
        told = asdict(self.definition)
        del told["name"]
        return {"value": self.value, "source": self.source, **told}

    @classmethod
    def from_dict(cls, name: str, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote of the setting with this name."""
        told = Definition(
            name=name,
            kind=Kind(values["kind"]),
            default=held(values["default"]),
            low=values["low"],
            high=values["high"],
            choices=tuple(values["choices"]),
            help=values["help"],
            group=Group(values["group"]),
            label=values["label"],
            needs=values["needs"],
            guidance=values["guidance"],
            caution=_caution(values["caution"]),
            in_project=values["in_project"],
        )
        return cls(definition=told, value=held(values["value"]), source=Source(values["source"]))


def entries(config: Config, table: Table, agent: str | None = None) -> dict[str, Entry]:
    """Every setting of a table by its name, as it stands for an agent or for all."""
    found = config.settings(table, agent)
    return {
        each.name: Entry(
            definition=each,
            value=getattr(found, each.name),
            source=config.source(agent, each.name, table),
        )
        for each in definitions(table.settings_class)
    }


def held(value: Any) -> Any:
    """A value as settings hold it: JSON has lists only."""
    return tuple(value) if isinstance(value, list) else value


def _caution(told: Mapping[str, Any] | None) -> Caution | None:
    return None if told is None else Caution(values=tuple(told["values"]), text=told["text"])
