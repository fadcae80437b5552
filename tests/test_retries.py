"""Retries go on until an outcome is final, and never beyond their time."""

import time

import pytest

from tacit.runtime.retries import parse_retry_after, run_with_retries, usual_delay


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waited: list[float] = []
    monkeypatch.setattr("tacit.runtime.retries.time.sleep", waited.append)
    return waited


def test_an_attempt_is_repeated_until_its_outcome_is_final(waits: list[float]) -> None:
    outcomes = iter([OSError("down"), "busy", "done"])

    def attempt() -> str:
        outcome = next(outcomes)
        if isinstance(outcome, OSError):
            raise outcome
        return outcome

    def delay_after(outcome: str | OSError, tries: int) -> float | None:
        return None if outcome == "done" else 10.0 * tries

    assert run_with_retries(attempt, OSError, delay_after) == "done"
    assert waits == [10.0, 20.0]


def test_the_last_failure_is_raised(waits: list[float]) -> None:
    def attempt() -> str:
        raise OSError(f"after {len(waits)}")

    with pytest.raises(OSError, match="after 2"):
        run_with_retries(attempt, OSError, lambda _, tries: 1.0 if tries < 3 else None)


def test_other_failures_are_not_retried(waits: list[float]) -> None:
    def attempt() -> str:
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        run_with_retries(attempt, OSError, lambda *_: 1.0)
    assert not waits


def test_no_attempt_begins_after_the_time_is_up(waits: list[float]) -> None:
    until = time.monotonic() + 60
    assert run_with_retries(lambda: "busy", OSError, lambda *_: 61.0, until=until) == "busy"
    assert not waits


def test_the_last_delay_holds_for_all_further_attempts() -> None:
    assert [usual_delay((0.1, 0.5), tries) for tries in (1, 2, 3)] == [0.1, 0.5, 0.5]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("3", 3.0), ("0.5", 0.5), ("-1", 0.0), ("", None), (None, None), ("inf", None), ("Mon", None)],
)
def test_only_plain_seconds_of_a_retry_after_header_count(
    value: str | None, seconds: float | None
) -> None:
    assert parse_retry_after(value) == seconds
