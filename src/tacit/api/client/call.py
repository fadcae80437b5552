"""One request to a server, as a value."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

JSON = "application/json"
MOST_TRIES = 5
_OK, _NOT_OK = 200, 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What is asked; one that is repeatable changes no more when it arrives twice."""

    method: str
    path: str
    params: Mapping[str, Any] = field(default_factory=dict)
    content: bytes | None = None
    media_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    is_repeatable: bool = False
    tries: int = MOST_TRIES
    accepted: tuple[int, ...] = ()
    """Statuses that are an answer too, besides those of success."""

    @property
    def all_headers(self) -> dict[str, str]:
        """Its headers, with the type of what it carries."""
        carried = {} if self.content is None else {"Content-Type": self.media_type}
        return {**self.headers, **carried}

    def accepts(self, status: int) -> bool:
        """Whether what comes with a status is an answer, and not a refusal."""
        return _OK <= status < _NOT_OK or status in self.accepted


def encoded(body: Any) -> bytes:
    """A body as JSON; half characters, which UTF-8 cannot have, are escaped."""
    try:
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(body, separators=(",", ":")).encode()


def query(values: Mapping[str, Any]) -> dict[str, Any]:
    """What is said of some values in an address; those that are None are left out."""
    return {name: _said(value) for name, value in values.items() if value is not None}


def _said(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return [str(each) for each in value]
    return str(value)
