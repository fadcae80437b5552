"""How many memories came, day by day."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """How many memories there were `before` some days, and how many were `created` on each."""

    before: int
    created: Mapping[date, int]

    @classmethod
    def until(cls, last: date, days: int, by_day: Mapping[date, int]) -> Self:
        """The days up to the last one, those on which nothing came too, out of all that came."""
        spoken = [last - timedelta(days=ago) for ago in reversed(range(days))]
        return cls(
            before=sum(count for day, count in by_day.items() if day < spoken[0]),
            created={day: by_day.get(day, 0) for day in spoken},
        )

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        created = {day.isoformat(): count for day, count in self.created.items()}
        return {"before": self.before, "created": created}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        created = {date.fromisoformat(day): count for day, count in values["created"].items()}
        return cls(before=values["before"], created=created)
