"""What the clients are asked to do, and what they tell afterwards."""

from dataclasses import dataclass

MEASURING, OVER = "measuring", "over"
"""What the clients' process says when the warm-up and when the time is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Where to, how many at once, and for how long."""

    door: str
    url: str
    clients: int
    seconds: float
    warm_up: float = 5.0
    sessions: int = 320


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What came of it; durations are in seconds, of calls within the measured time."""

    durations: dict[str, list[float]]
    begun: int
    turns: int
    injected: int
    degraded: dict[str, int]
    errors: dict[str, int]
    acknowledged: int
    lost: int
