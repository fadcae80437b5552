"""Limits for clients: requests per minute, and how many run at once."""

import asyncio
import math
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

_MAX_CALLERS = 10_000
_BURST_SECONDS = 10.0
_MINUTE = 60.0

MAX_QUERY_BYTES = 32 * 1024
MAX_QUERY_PARAMETERS = 200
"""The time to validate parameters that nobody knows grows with the square of their number."""


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class RateLimiter:
    """Limits the requests per minute of each caller; a burst may use ten seconds' worth at once."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def wait(self, caller: str, per_minute: float) -> int:
        """Count a request; returns 0, or the seconds to wait. 0 per minute means no limit."""
        if per_minute == 0:
            return 0
        rate = per_minute / _MINUTE
        most = max(rate * _BURST_SECONDS, 1.0)
        now = self._monotonic()
        with self._lock:
            bucket = self._buckets.pop(caller, None) or _Bucket(most, now)
            bucket.left = min(bucket.left + (now - bucket.at) * rate, most)
            bucket.at = now
            self._buckets[caller] = bucket
            if len(self._buckets) > _MAX_CALLERS:
                self._buckets.popitem(last=False)
            if bucket.left >= 1:
                bucket.left -= 1
                return 0
            return math.floor((1 - bucket.left) / rate) + 1

    def give_back(self, caller: str) -> None:
        """Undo the last `wait`: the request turned out to count for another caller."""
        with self._lock:
            bucket = self._buckets.get(caller)
            if bucket is not None:
                bucket.left += 1


def has_long_query(query: bytes) -> bool:
    """Whether the query of an address has too many bytes."""
    return len(query) > MAX_QUERY_BYTES


def has_many_parameters(query: bytes) -> bool:
    """Whether the query of an address has too many parameters; counted without reading them."""
    return query.count(b"&") >= MAX_QUERY_PARAMETERS


class ConcurrencyLimiter:
    """Limits how many requests run at once; no caller holds more slots than it leaves free.

    So one caller gets half of them, the next half of the rest, and a newcomer finds one. Callers
    without a name are not told apart and may hold all.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: Counter[str] = Counter()
        self.count = 0

    def take(self, caller: str, most: int) -> bool:
        """Take one of `most` slots; returns whether one was free."""
        with self._lock:
            free = most - self.count
            if free <= 0 or (caller and self._held[caller] >= free):
                return False
            self._held[caller] += 1
            self.count += 1
            return True

    def give_back(self, caller: str) -> None:
        """Release a slot."""
        with self._lock:
            self.count -= 1
            self._held[caller] -= 1
            if not self._held[caller]:
                del self._held[caller]


class SlotTimeout(Exception):
    """No slot became free in time."""


class FairSlots:
    """Slots for work on one event loop; who waits gets one in turn, whoever asks most.

    A caller leaves at least one slot to others, so that its long work does not stop theirs. A free
    slot goes to the waiting caller that holds the fewest. Callers without a name are not told apart
    and may hold all.
    """

    def __init__(self, slots: int, wait_seconds: float) -> None:
        self._slots = slots
        self._wait_seconds = wait_seconds
        self._held: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def hold(self, caller: str) -> AsyncIterator[None]:
        """Hold a slot, once there is one; raises SlotTimeout if that takes too long."""
        if self._may_take(caller):
            self._held[caller] += 1
        else:
            await self._wait(caller)
        try:
            yield
        finally:
            self._release(caller)

    async def _wait(self, caller: str) -> None:
        given: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(caller, deque()).append(given)
        try:
            await asyncio.wait([given], timeout=self._wait_seconds)
        except asyncio.CancelledError:
            self._abandon(caller, given)
            raise
        if not given.done():
            self._abandon(caller, given)
            raise SlotTimeout

    def _abandon(self, caller: str, given: asyncio.Future[None]) -> None:
        """Wait no more; a slot that was given meanwhile goes to the next."""
        if given.done():
            self._release(caller)
            return
        self._waiting[caller].remove(given)
        if not self._waiting[caller]:
            del self._waiting[caller]

    def _may_take(self, caller: str) -> bool:
        most = max(self._slots - 1, 1) if caller else self._slots
        return self._held.total() < self._slots and self._held[caller] < most

    def _release(self, caller: str) -> None:
        self._held[caller] -= 1
        if not self._held[caller]:
            del self._held[caller]
        while ready := [each for each in self._waiting if self._may_take(each)]:
            chosen = min(ready, key=lambda each: self._held[each])
            self._held[chosen] += 1
            self._waiting[chosen].popleft().set_result(None)
            if self._waiting[chosen]:
                self._waiting.move_to_end(chosen)
            else:
                del self._waiting[chosen]
