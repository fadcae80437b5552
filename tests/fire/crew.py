"""The workers of one run: started, killed and replaced, as a supervisor does."""

import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.fire.journal import attempts
from tests.fire.worker import IN_ORDER, work
from tests.forking import ForkedProcess

_SIZE = 4
_STUCK_SECONDS = 120


@dataclass
class Crew:
    """Four processes at any time; whoever is killed has a successor at once."""

    database: str
    folder: Path
    manner: str
    kills: int = 0
    _started: int = 0
    _workers: list[ForkedProcess] = field(default_factory=list)
    _dice: random.Random = field(default_factory=lambda: random.Random(4))

    def kill_one(self) -> None:
        victim = self._workers.pop(self._dice.randrange(len(self._workers)))
        assert victim.poll() is None, "a worker ended by itself"
        victim.kill()
        victim.wait(_STUCK_SECONDS)
        self.kills += 1
        self.start_one()

    def kill_until(self, end: float, every: float) -> None:
        """Kill one each time that so many seconds have passed."""
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(left, every))
            if left > every:
                self.kill_one()

    def start_one(self) -> None:
        given = (self.database, str(self.folder), str(self._started), self.manner)
        worker = ForkedProcess(work, *given, environment=dict(os.environ))
        worker.output.close()
        self._workers.append(worker)
        self._started += 1

    def wait_until_at_work(self) -> None:
        """Wait until everybody has opened the database and gone on, however busy the machine is."""
        end = time.monotonic() + _STUCK_SECONDS
        while sum(len(attempts(path)) > 1 for path in self.folder.glob("*.journal")) < _SIZE:
            assert time.monotonic() < end, "nobody begins"
            time.sleep(0.01)

    def end(self) -> None:
        """Kill them all; none may have ended before."""
        ended = [worker for worker in self._workers if worker.poll() is not None]
        for worker in self._workers:
            worker.kill()
            worker.wait(_STUCK_SECONDS)
        assert ended == []


@contextmanager
def at_work(database: str, folder: Path, manner: str = IN_ORDER) -> Iterator[Crew]:
    """A crew that opens the database all at once, while there is nothing in it yet."""
    crew = Crew(database, folder, manner)
    for _ in range(_SIZE):
        crew.start_one()
    try:
        crew.wait_until_at_work()
        yield crew
    finally:
        crew.end()
