"""What memory did lately, in figures."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Self

from tacit.core.memory.fields import check
from tacit.core.memory.growth import Growth
from tacit.core.memory.times import rfc3339
from tacit.core.receipt.candidate import Fate, Found
from tacit.core.receipt.receipt import Skip
from tacit.core.receipt.series import Series


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """What was injected, all together and by turn that injected something."""

    sum: int = 0
    mean: float = 0.0
    p95: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Milliseconds that half of the turns, and 95 of 100, did not exceed."""

    p50: float
    p95: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """How many turns injected a memory."""

    memory: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """The last turns of a workspace: what came of them, what they cost; and how memory grew.

    Every turn is one of `injected`, `nothing` and `skipped`. It holds ids, and no words.
    """

    turns: int
    since: datetime | None
    until: datetime | None
    injected: int
    nothing: int
    skipped: Mapping[Skip, int]
    degraded: int
    reasons: Mapping[str, int]
    found: Mapping[Found, int]
    left_out: Mapping[Fate, int]
    tokens: Tokens
    latency_ms: Mapping[str, Latency]
    series: Series
    growth: Growth
    top: tuple[Use, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self) | {
            "since": None if self.since is None else rfc3339(self.since),
            "until": None if self.until is None else rfc3339(self.until),
            "series": self.series.to_dict(),
            "growth": self.growth.to_dict(),
            "top": [asdict(each) for each in self.top],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            **{
                **values,
                "since": None if values["since"] is None else check("at", values["since"]),
                "until": None if values["until"] is None else check("at", values["until"]),
                "skipped": {Skip(name): count for name, count in values["skipped"].items()},
                "found": {Found(name): count for name, count in values["found"].items()},
                "left_out": {Fate(name): count for name, count in values["left_out"].items()},
                "tokens": Tokens(**values["tokens"]),
                "latency_ms": {
                    stage: Latency(**each) for stage, each in values["latency_ms"].items()
                },
                "series": Series.from_dict(values["series"]),
                "growth": Growth.from_dict(values["growth"]),
                "top": tuple(Use(**each) for each in values["top"]),
            }
        )
