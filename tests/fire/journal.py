"""What a process tried and what came of it, in a file that a kill cannot take back."""

import itertools
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Attempt:
    """A call: `result` is None where nobody knows what came of it, because the caller died."""

    what: str
    given: dict[str, Any]
    begun: float
    ended: float = float("inf")
    result: dict[str, Any] | None = None
    error: str | None = None

    @property
    def is_acknowledged(self) -> bool:
        return self.result is not None and self.error is None

    @property
    def seconds(self) -> float:
        return self.ended - self.begun


@dataclass
class Outcome:
    """What the caller learns in the course of an attempt."""

    result: dict[str, Any] = field(default_factory=dict)
    error: str | None = None


class Journal:
    """Written before and after every call; each line is on the disk before the next call."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._numbers = itertools.count()

    @contextmanager
    def attempt(self, what: str, **given: Any) -> Iterator[Outcome]:
        """Note a call; an error is noted too, and the caller goes on as a host program would."""
        number, outcome = next(self._numbers), Outcome()
        self._write({"number": number, "what": what, "given": given, "begun": time.time()})
        try:
            yield outcome
        except Exception as error:
            outcome.error = f"{type(error).__name__}: {error}"
        told = {"result": outcome.result, "error": outcome.error}
        self._write({"number": number, **told, "ended": time.time()})

    def _write(self, line: dict[str, Any]) -> None:
        os.write(self._file, json.dumps(line).encode() + b"\n")
        os.fsync(self._file)


def attempts(path: Path) -> list[Attempt]:
    """What a journal tells, in order; a kill may have cut its last line."""
    written = path.read_bytes()
    found: dict[int, Attempt] = {}
    for line in written[: written.rfind(b"\n") + 1].splitlines():
        told = json.loads(line)
        number = told.pop("number")
        known = found[number].__dict__ if number in found else {}
        found[number] = Attempt(**{**known, **told})
    return list(found.values())
