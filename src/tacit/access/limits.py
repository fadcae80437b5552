"""How often one may ask: a bucket for each caller that fills again as time goes by."""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

_MOST_CALLERS = 10_000
_BURST_SECONDS = 10.0
_MINUTE = 60.0


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class Limiter:
    """Allows so many requests a minute of one caller, ten seconds' worth of them at once."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def wait(self, caller: str, per_minute: float) -> int:
        """Take one; 0 if it was there, else for how many seconds to wait. 0 a minute: no limit."""
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
            if len(self._buckets) > _MOST_CALLERS:
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
