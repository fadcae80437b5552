"""What a workflow noted about a session."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tacit.core.memory.times import rfc3339


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A name in a session, and its value as plain JSON."""

    session: str
    name: str
    value: Any
    at: datetime

    @property
    def texts(self) -> list[str]:
        """All texts in its value, however deep."""
        return _texts(self.value)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "session": self.session,
            "name": self.name,
            "value": self.value,
            "at": rfc3339(self.at),
        }

    @property
    def written(self) -> str:
        """Its value as a column keeps it."""
        return json.dumps(self.value, ensure_ascii=True, allow_nan=False)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for each in pair for text in _texts(each)]
    if isinstance(value, list | tuple):
        return [text for each in value for text in _texts(each)]
    return []
