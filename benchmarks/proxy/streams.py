"""Many streams at once through the proxy: what comes of them, and what memory the proxy holds.

The clients run as `python -m benchmarks.proxy.streams PLAN`, with a plan as JSON.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from itertools import count
from random import Random
from statistics import mean

import httpx2

from benchmarks.context import Say
from benchmarks.figures import p50_and_p95
from benchmarks.load.process import Server
from benchmarks.load.statements import question
from benchmarks.proxy.provider import PAUSE, REPLY
from benchmarks.report import Row

STREAMS = 200
_PER_SESSION = 10
_PAUSE_SECONDS = 1.0
_PATIENCE_SECONDS = 120
_MINUTE = 60.0
_EVERY_SECONDS = 5.0
_AROUND = 15.0
"""The memory at a moment is the mean of what was seen within so many seconds before it."""
_MOST_GROWTH = 1.05
_STATUS = "tacit-memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Where to, what each stream has to say, how many at once, and for how long."""

    url: str
    expected: str
    streams: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Streamed:
    """What came of the streams; durations are in seconds, until the first byte."""

    ended: int = 0
    durations: list[float] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)

    def rows(self) -> list[Row]:
        """It in figures."""
        cells = (1e3 * each for each in p50_and_p95(self.durations))
        return [(f"first byte, {STREAMS} streams", *cells, "ms")]

    def notes(self) -> tuple[str, ...]:
        """What came of them, in words."""
        statuses = ", ".join(f"{name} {number:,}" for name, number in self.statuses.items())
        errors = ", ".join(f"{name} ({number:,})" for name, number in self.errors.items())
        return (
            f"{'MISSED' if errors else 'met'}: {STREAMS} streams at once, {self.ended:,} in all:"
            f" {errors or 'no error'}, every one byte for byte as without the proxy."
            f" What memory did: {statuses}.",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedMemory:
    """The memory of the proxy's process, by the seconds at which it was seen, under streams."""

    samples: tuple[tuple[float, float], ...] = ()
    streamed: Streamed = field(default_factory=Streamed)

    def at(self, seconds: float) -> float:
        """The memory at a moment, in MB."""
        return mean(size for at, size in self.samples if seconds - _AROUND <= at <= seconds)

    @property
    def _last(self) -> float:
        return self.samples[-1][0]

    def rows(self) -> list[Row]:
        """It in figures, minute by minute."""
        minutes = range(1, int(self._last // _MINUTE) + 1) if self.samples else ()
        return [(f"memory after {n} min", self.at(n * _MINUTE), None, "MB") for n in minutes]

    def notes(self) -> tuple[str, ...]:
        """Whether it grew."""
        if not self.samples:
            return ()
        first, last = self.at(_MINUTE), self.at(self._last)
        met = "met" if last <= _MOST_GROWTH * first else "MISSED"
        errors = self.streamed.errors or "no error"
        return (
            f"{met}: memory at the end, {last:.0f} MB, by that after a minute, {first:.0f} MB:"
            f" {last / first:.3f}; {self.streamed.ended:,} streams, {errors}",
        )


def measure_streams(server: Server, upstream: str, seconds: float, say: Say) -> Streamed:
    """Keep so many streams open for so long."""
    say(f"{STREAMS} streams for {seconds:g} s")
    with _clients(server, upstream, seconds) as clients:
        return _read(clients)


def watch_memory(server: Server, upstream: str, minutes: float, say: Say) -> WatchedMemory:
    """Watch the memory of the proxy while streams run."""
    if not minutes:
        return WatchedMemory()
    samples, begun = [], time.monotonic()
    with _clients(server, upstream, minutes * _MINUTE) as clients:
        while (at := time.monotonic() - begun) <= minutes * _MINUTE and clients.poll() is None:
            samples.append((at, server.memory_mb() or 0.0))
            say(f"{STREAMS} streams: {at:.0f} s, {samples[-1][1]:.0f} MB")
            time.sleep(_EVERY_SECONDS)
        return WatchedMemory(samples=tuple(samples), streamed=_read(clients))


def _clients(server: Server, upstream: str, seconds: float) -> "subprocess.Popen[str]":
    body = {"model": "fake", "stream": True, "messages": []}
    expected = httpx2.post(f"{upstream}/v1/messages", json=body, trust_env=False).text
    plan = Plan(url=server.url, expected=expected, streams=STREAMS, seconds=seconds)
    command = [sys.executable, "-m", "benchmarks.proxy.streams", json.dumps(asdict(plan))]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _read(clients: "subprocess.Popen[str]") -> Streamed:
    told, _ = clients.communicate()
    if clients.returncode:
        raise RuntimeError("the clients failed, see above")
    return Streamed(**json.loads(told))


# The clients' process


async def drive(plan: Plan) -> Streamed:
    """Keep the streams open until the time is over; all of them begin within the first pause."""
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=plan.streams)
    tally = _Tally()
    async with httpx2.AsyncClient(
        base_url=plan.url, timeout=_PATIENCE_SECONDS, limits=limits, trust_env=False
    ) as http:
        over = time.monotonic() + plan.seconds
        clients = (_Client(http, plan, number, tally) for number in range(plan.streams))
        await asyncio.gather(*(client.run(over) for client in clients))
    return tally.told()


@dataclass(slots=True)
class _Tally:
    durations: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)

    def told(self) -> Streamed:
        return Streamed(
            ended=sum(self.statuses.values()),
            durations=self.durations,
            statuses=dict(self.statuses),
            errors=dict(self.errors),
        )


class _Client:
    """Has one stream open after the other, in sessions of several turns."""

    def __init__(self, http: httpx2.AsyncClient, plan: Plan, number: int, tally: _Tally) -> None:
        self._http = http
        self._plan = plan
        self._number = number
        self._tally = tally
        self._random = Random(number)

    async def run(self, over: float) -> None:
        """Ask until the time is over."""
        await asyncio.sleep(self._random.random() * _PAUSE_SECONDS * len(REPLY.split(" ")))
        for session in count():
            said: list[dict[str, str]] = []
            for _ in range(_PER_SESSION):
                if time.monotonic() >= over:
                    return
                said.append({"role": "user", "content": question(self._random)})
                await self._ask(said, f"client-{self._number}-{session}")
                said.append({"role": "assistant", "content": REPLY})

    async def _ask(self, said: Iterable[dict[str, str]], session: str) -> None:
        body = {"model": "fake", "max_tokens": 100, "stream": True, "messages": list(said)}
        headers = {
            "anthropic-version": "2023-06-01",
            "Tacit-Session": session,
            PAUSE: str(_PAUSE_SECONDS),
        }
        begun = time.perf_counter()
        try:
            async with self._http.stream(
                "POST", "/v1/messages", json=body, headers=headers
            ) as answered:
                answered.raise_for_status()
                read = b""
                async for piece in answered.aiter_raw():
                    if not read:
                        self._tally.durations.append(time.perf_counter() - begun)
                    read += piece
        except httpx2.HTTPError as error:
            self._tally.errors[f"{type(error).__name__}: {error}"] += 1
            return
        self._tally.statuses[answered.headers.get(_STATUS, "unknown")] += 1
        if read != self._plan.expected.encode():
            self._tally.errors["a stream had other bytes"] += 1


if __name__ == "__main__":
    asked = Plan(**json.loads(sys.argv[1]))
    print(json.dumps(asdict(asyncio.run(drive(asked)))))
