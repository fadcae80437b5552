"""What is examined."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """The places that somebody names; where none is named, those that every program uses."""

    db: str | None = None
    config: Path | None = None
    url: str | None = None
    key: str | None = field(default=None, repr=False)
