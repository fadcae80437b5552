"""A setting as it stands: what it is, its value, and where that comes from."""

from dataclasses import asdict, dataclass
from typing import Any

from tacit.config.config import Config, Source
from tacit.config.tables import Table
from tacit.settings import Definition, definitions


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
