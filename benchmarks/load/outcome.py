"""What a run showed, as a table."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import quantiles

from benchmarks.context import Context
from benchmarks.load.meter import Meter
from benchmarks.load.plan import Told
from benchmarks.report import Report, Row

_TURNS, _DEGRADED = 40.0, 0.01
_CALLS = ("begin", "commit", "remember")
_PERCENTILES = (50, 95, 99)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the clients told, and what was seen of the server meanwhile."""

    told: Told
    meter: Meter
    seconds: float

    @property
    def turns(self) -> float:
        """Turns a second."""
        return self.told.turns / self.seconds

    @property
    def injected(self) -> float:
        """Memories that a turn brings, on average."""
        return self.told.injected / max(self.told.begun, 1)

    @property
    def degraded(self) -> float:
        """The share of turns that had to do without something."""
        return sum(self.told.degraded.values()) / max(self.told.begun, 1)

    @property
    def errors(self) -> int:
        """Calls without success, the warm-up's too."""
        return sum(self.told.errors.values())

    @property
    def cpu_ms(self) -> float | None:
        """CPU time of the server for a turn, with all that comes with it."""
        cpu = self.meter.cpu_seconds
        return None if cpu is None else 1e3 * cpu / max(self.told.turns, 1)

    def milliseconds(self, call: str, percent: int) -> float | None:
        """What so many of a hundred calls stay under."""
        durations = self.told.durations.get(call, [])
        if len(durations) < 2:
            return None
        return 1e3 * quantiles(durations, n=100, method="inclusive")[percent - 1]

    def memory_mb(self, position: int) -> float | None:
        """The server's memory at the first look or at the last."""
        seen = self.meter.memory_mb
        return None if seen is None else seen[position]


Value = Callable[[Outcome], float | int | None]


def report(tacit: Outcome, mem0: Outcome | None, context: Context) -> Report:
    """A column for Tacit; with mem0, one for it and one for how many times Tacit's it is."""
    others = ("mem0", "mem0 / Tacit") if mem0 else ()
    return Report(
        title=f"The server: {context.clients} clients, {context.workers} processes,"
        f" {context.memories:,} memories,"
        f" {context.seconds:g} s",
        columns=("measure", "unit", "Tacit", *others),
        rows=[_row(measure, unit, value, tacit, mem0) for measure, unit, value in _measures()],
        notes=(*_NOTES, *_verdicts(tacit), *_failures("Tacit", tacit), *_failures("mem0", mem0)),
    )


def _row(measure: str, unit: str, value: Value, tacit: Outcome, mem0: Outcome | None) -> Row:
    own = value(tacit)
    if mem0 is None:
        return measure, unit, own
    theirs = value(mem0)
    return measure, unit, own, theirs, theirs / own if own and theirs is not None else None


def _measures() -> list[tuple[str, str, Value]]:
    return [
        ("turns", "/s", lambda each: each.turns),
        *(
            (f"{call}, p{percent}", "ms", _latency(call, percent))
            for call in _CALLS
            for percent in _PERCENTILES
        ),
        ("injected", "memories", lambda each: each.injected),
        ("degraded", "share", lambda each: each.degraded),
        ("errors", "calls", lambda each: each.errors),
        ("acknowledged", "writes", lambda each: each.told.acknowledged),
        ("lost", "writes", lambda each: each.told.lost),
        ("CPU of the server for a turn", "ms", lambda each: each.cpu_ms),
        ("memory of the server, first", "MB", lambda each: each.memory_mb(0)),
        ("memory of the server, last", "MB", lambda each: each.memory_mb(-1)),
        ("growth of its memory", "MB/min", lambda each: each.meter.growth_mb),
    ]


def _latency(call: str, percent: int) -> Value:
    return lambda each: each.milliseconds(call, percent)


def _verdicts(tacit: Outcome) -> list[str]:
    judged = (
        (f"{tacit.turns:.3g} turns/s, target ≥ {_TURNS:g}", tacit.turns >= _TURNS),
        (f"{tacit.degraded:.2%} degraded, target ≤ {_DEGRADED:.0%}", tacit.degraded <= _DEGRADED),
        (f"{tacit.errors} errors, target 0", tacit.errors == 0),
        (f"{tacit.told.lost} lost, target 0", tacit.told.lost == 0),
    )
    return [f"{'met' if is_met else 'MISSED'}: {what}" for what, is_met in judged]


def _failures(name: str, outcome: Outcome | None) -> list[str]:
    if outcome is None:
        return []
    degraded = [f"{name}, degraded: {n:,} × {why}" for why, n in outcome.told.degraded.items()]
    return [*degraded, *(f"{name}, error: {n:,} × {why}" for why, n in outcome.told.errors.items())]


_NOTES = (
    "Each client asks as soon as it was answered: a turn of one of 320 sessions, which is committed"
    " nine times of ten and else rolled back, and a new memory after every fourth turn. Histories"
    " grow to 24 messages, then they are compacted or begun anew. Five seconds of warm-up.",
    "A turn of mem0 is its search alone, for as many memories as Tacit injects on average; there"
    " begin is that search. Its calls take turns: its local store takes one at a time.",
    "Lost: acknowledged, and not found through the API afterwards.",
)
