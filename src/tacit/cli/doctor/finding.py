"""What an examination finds."""

from dataclasses import asdict, dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `mend` is None where nothing is to do or `found` says it."""

    what: str
    level: Level
    found: str
    mend: str | None = None

    def to_dict(self) -> dict[str, str | None]:
        """Ready for JSON."""
        return asdict(self)


def fine(what: str, found: str) -> Finding:
    """Something that is as it should be."""
    return Finding(what, Level.OK, found)


def doubtful(what: str, found: str, mend: str | None = None) -> Finding:
    """Something that works, and should be looked after."""
    return Finding(what, Level.WARNING, found, mend)


def wrong(what: str, found: str, mend: str | None = None) -> Finding:
    """Something that does not work."""
    return Finding(what, Level.ERROR, found, mend)
