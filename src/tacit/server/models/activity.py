"""What memory did lately, in figures."""

from pydantic import Field

from tacit.core.receipt import CandidateSource, Fate, SkipReason
from tacit.server.models.common import Told


class TokensShape(Told):
    """What was injected, all together and by turn that injected something."""

    sum: int
    mean: float
    p95: int


class LatencyShape(Told):
    """Milliseconds that half of the turns, and 95 of 100, did not exceed."""

    p50: float
    p95: float


class PeriodShape(Told):
    """The turns from a moment on, until the next period begins."""

    start: str
    injected: int
    nothing: int
    skipped: int
    tokens: int


class SeriesShape(Told):
    """Periods of one length, oldest first and without a gap."""

    step_seconds: int
    periods: list[PeriodShape]


class GrowthShape(Told):
    """How many memories there were before some days, and how many were created on each."""

    before: int
    created: dict[str, int] = Field(examples=[{"2026-03-01": 12}])


class UseShape(Told):
    """How many turns injected a memory."""

    memory: str
    count: int


class ActivityShape(Told):
    """The last turns of a workspace: what came of them, what they cost; and how memory grew."""

    turns: int = Field(description="How many it covers.")
    since: str | None = Field(description="When the first of them was.")
    until: str | None = Field(description="When the last of them was.")
    injected: int
    nothing: int = Field(description="Turns that looked, and found nothing worth it.")
    skipped: dict[SkipReason, int] = Field(description="Turns that did not look, by reason.")
    degraded: int = Field(description="Turns that went on without a part.")
    reasons: dict[str, int] = Field(description="What was amiss, and how often.")
    found: dict[CandidateSource, int] = Field(description="Memories that were injected.")
    left_out: dict[Fate, int] = Field(description="Memories that were thought of and left out.")
    tokens: TokensShape
    latency_ms: dict[str, LatencyShape] = Field(description="By stage; `total` is the whole.")
    series: SeriesShape
    growth: GrowthShape
    top: list[UseShape] = Field(description="The memories that were injected most.")
