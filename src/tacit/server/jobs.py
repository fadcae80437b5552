"""The periodic jobs of a process, and what came of them."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial

from tacit.api.server_status import JobReport
from tacit.core.errors import StoreClosed
from tacit.runtime.clock import Clock, system_clock
from tacit.runtime.workers import Worker

_STOP_SECONDS = 1.0
_log = logging.getLogger("tacit.jobs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Work to do every `every` seconds; it returns what it did, in a few words.

    What may have to wait for others has a `worker` of its own, and holds up no other job.
    """

    name: str
    every: float
    work: Callable[[], str]
    worker: Worker | None = None


class Jobs:
    """Runs jobs on a worker when they are due; a failed job is tried again next time."""

    def __init__(self, worker: Worker, clock: Clock = system_clock) -> None:
        self._worker = worker
        self._clock = clock
        self._jobs: dict[str, Job] = {}
        self._outcomes: dict[str, JobReport] = {}
        self._stopped = threading.Event()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._running = 0
        self._noted: Callable[[int], None] = lambda _: None

    def add(self, job: Job) -> None:
        """Add a job before the start."""
        self._jobs[job.name] = job
        self._outcomes[job.name] = JobReport(name=job.name)

    def watch(self, noted: Callable[[int], None]) -> None:
        """Call `noted` with the number of running jobs whenever it changes."""
        self._noted = noted

    def start(self) -> None:
        """Start the threads; every job waits for its time."""
        for job in self._jobs.values():
            work = partial(self._repeat, job)
            thread = threading.Thread(target=work, name=f"tacit-{job.name}", daemon=True)
            self._threads.append(thread)
            thread.start()

    @property
    def running(self) -> int:
        """The number of running jobs; a worker runs one at a time."""
        return self._running

    def outcomes(self) -> tuple[JobReport, ...]:
        """The outcome of each job."""
        return tuple(self._outcomes.values())

    def note_progress(self, name: str, progress: str) -> None:
        """Tell how far a running job is."""
        self._outcomes[name] = replace(self._outcomes[name], progress=progress)

    def run(self, name: str) -> "Future[None]":
        """Run a job now, after those that wait."""
        return self._submit(self._jobs[name])

    def stop(self) -> None:
        """Stop the threads; a running job finishes."""
        self._stopped.set()
        end = time.monotonic() + _STOP_SECONDS
        for thread in self._threads:
            thread.join(max(end - time.monotonic(), 0.0))

    def _repeat(self, job: Job) -> None:
        while not self._stopped.wait(job.every):
            self._submit(job).result()

    def _submit(self, job: Job) -> "Future[None]":
        return (job.worker or self._worker).submit(partial(self._run_job, job))

    def _run_job(self, job: Job) -> None:
        if self._stopped.is_set():
            return
        before = self._outcomes[job.name]
        self._count(1)
        try:
            done = replace(before, last_result=job.work(), last_error=None)
        except StoreClosed:
            return
        except Exception as error:
            _log.warning("the job %s failed: %s", job.name, error)
            done = replace(before, last_error=f"{type(error).__name__}: {error}")
        finally:
            self._count(-1)
        self._outcomes[job.name] = replace(done, runs=before.runs + 1, last_at=self._clock())

    def _count(self, more: int) -> None:
        with self._lock:
            self._running += more
            self._noted(self._running)
