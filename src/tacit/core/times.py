"""Times: always with a time zone, always UTC, written as RFC 3339 or in microseconds."""

from datetime import UTC, date, datetime, time, timedelta
from typing import overload

from tacit.core.errors import InvalidInput

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_EXPECTED = "give a date like 2026-12-31 or a time like 2026-12-31T18:00:00+01:00"


def parse_time(field: str, value: object) -> datetime:
    """Read a time from a datetime, a date or ISO 8601 text; UTC if it names no zone."""
    if isinstance(value, str):
        value = _parse(field, value)
    if isinstance(value, datetime):
        return _to_utc(field, value)
    if isinstance(value, date):
        return datetime.combine(value, time(), UTC)
    raise InvalidInput(field, f"expected a time, not {type(value).__name__}; {_EXPECTED}")


def to_rfc3339(value: datetime) -> str:
    """Write a UTC time so that text order is time order."""
    return value.isoformat(timespec="microseconds").replace("+00:00", "Z")


@overload
def to_micros(value: datetime) -> int: ...
@overload
def to_micros(value: None) -> None: ...
def to_micros(value: datetime | None) -> int | None:
    """Microseconds since 1970, exactly."""
    return None if value is None else (value - _EPOCH) // _MICROSECOND


@overload
def from_micros(value: int) -> datetime: ...
@overload
def from_micros(value: None) -> None: ...
def from_micros(value: int | None) -> datetime | None:
    """The reverse of `to_micros`."""
    return None if value is None else _EPOCH + timedelta(microseconds=value)


def _parse(field: str, value: str) -> datetime:
    try:
        return datetime.fromisoformat(value.strip())
    except ValueError:
        raise InvalidInput(field, f"{value!r} is not a date or time; {_EXPECTED}") from None


def _to_utc(field: str, value: datetime) -> datetime:
    if value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(field, f"{value} is out of range; use years 1 to 9999 in UTC") from None
