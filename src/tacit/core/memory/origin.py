"""Where a memory was said: structured, because search uses it as evidence."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from tacit.core.memory.times import rfc3339


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The place in a conversation, a file or a page that a memory comes from."""

    session: str | None = None
    ordinal: int | None = None
    speaker: str | None = None
    time: datetime | None = None
    file: str | None = None
    url: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Only what is known, ready for JSON."""
        parts = {name: getattr(self, name) for name in self.__slots__}
        if self.time is not None:
            parts["time"] = rfc3339(self.time)
        return {name: value for name, value in parts.items() if value is not None}

    def spoken(self, content: str) -> str:
        """What a content is found by: its words and, where it is known, who said them."""
        return f"{self.speaker}: {content}" if self.speaker else content

    @classmethod
    def from_dict(cls, parts: Mapping[str, Any]) -> Self:
        """The reverse of `to_dict`, for values that were checked when they were written."""
        known = dict(parts)
        if known.get("time") is not None:
            known["time"] = datetime.fromisoformat(known["time"])
        return cls(**known)
