"""Retries: run something again after a pause, until its outcome is final or time is up."""

import math
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

Outcome = TypeVar("Outcome")
Failure = TypeVar("Failure", bound=Exception)


def run_with_retries(
    attempt: Callable[[], Outcome],
    failure: type[Failure],
    delay_after: Callable[[Outcome | Failure, int], float | None],
    *,
    until: float = math.inf,
) -> Outcome:
    """Run an attempt until its outcome is final, and return or raise that outcome.

    `delay_after` gets what an attempt returned, or the failure that it raised, and the number of
    attempts so far; it returns the seconds before the next one, or None if the outcome is final. An
    outcome is final too if the next attempt would begin after `until`, on the monotonic clock.
    """
    tries = 0
    while True:
        tries += 1
        try:
            outcome = attempt()
        except failure as error:
            delay = delay_after(error, tries)
            if delay is None or time.monotonic() + delay >= until:
                raise
        else:
            delay = delay_after(outcome, tries)
            if delay is None or time.monotonic() + delay >= until:
                return outcome
        time.sleep(delay)


def usual_delay(delays: Sequence[float], tries: int) -> float:
    """The seconds to wait after a number of attempts; the last delay holds for all further ones."""
    return delays[min(tries, len(delays)) - 1]


def parse_retry_after(value: str | None) -> float | None:
    """The seconds in a Retry-After header; None if it has none, or a date."""
    try:
        seconds = float(value or "")
    except ValueError:
        return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None
