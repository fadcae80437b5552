"""What is checked, and what a check finds."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from tacit.core.json_value import JsonValue


class Severity(StrEnum):
    """How serious a finding is."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class DoctorFinding(JsonValue):
    """The result of a check; `mend` says what to do, unless `found` says it or nothing is to do."""

    what: str
    level: Severity
    found: str
    mend: str | None = None


def ok_finding(what: str, found: str) -> DoctorFinding:
    """A finding without a problem."""
    return DoctorFinding(what, Severity.OK, found)


def warning_finding(what: str, found: str, mend: str | None = None) -> DoctorFinding:
    """A finding that works but needs attention."""
    return DoctorFinding(what, Severity.WARNING, found, mend)


def error_finding(what: str, found: str, mend: str | None = None) -> DoctorFinding:
    """A finding that does not work."""
    return DoctorFinding(what, Severity.ERROR, found, mend)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """What to check: named places, else the defaults of every program."""

    db: str | None = None
    config: Path | None = None
    url: str | None = None
    key: str | None = field(default=None, repr=False)
