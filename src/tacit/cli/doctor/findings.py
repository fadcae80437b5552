"""What is checked, and what a check finds."""

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path


class Severity(StrEnum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One thing that was looked at; `mend` is None where nothing is to do or `found` says it."""

    what: str
    level: Severity
    found: str
    mend: str | None = None

    def to_dict(self) -> dict[str, str | None]:
        """Ready for JSON."""
        return asdict(self)


def ok_finding(what: str, found: str) -> DoctorFinding:
    """Something that is as it should be."""
    return DoctorFinding(what, Severity.OK, found)


def warning_finding(what: str, found: str, mend: str | None = None) -> DoctorFinding:
    """Something that works, and should be looked after."""
    return DoctorFinding(what, Severity.WARNING, found, mend)


def error_finding(what: str, found: str, mend: str | None = None) -> DoctorFinding:
    """Something that does not work."""
    return DoctorFinding(what, Severity.ERROR, found, mend)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """The places that somebody names; where none is named, those that every program uses."""

    db: str | None = None
    config: Path | None = None
    url: str | None = None
    key: str | None = field(default=None, repr=False)
