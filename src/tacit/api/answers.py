"""Answers to requests that may come again, so that each is worked on once."""

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from tacit.runtime.clock import Clock
from tacit.store.answer import Answer
from tacit.store.protocols.store import Store
from tacit.store.protocols.unit import Unit
from tacit.store.shared_transaction import shared_transaction

Result = TypeVar("Result")

_LEASE = timedelta(seconds=15)


class AnswerKnown(Exception):
    """The request was answered before, or is being worked on."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.key)
        self.answer = answer


class Answers:
    """What was answered in one workspace; each call is a transaction of its own."""

    def __init__(self, store: Store, workspace: str, clock: Clock) -> None:
        self._store = store
        self._workspace = workspace
        self._clock = clock

    def work_once(
        self,
        key: str,
        fingerprint: bytes,
        work: Callable[[], Result],
        told: Callable[[Result], tuple[int, bytes]],
    ) -> Result:
        """Work on a request and keep its answer in the transaction in which the work is done.

        AnswerKnown is raised where another did so before, and nothing is changed. `told` gives the
        status and the body to keep. The work must be done on this thread.
        """

        def claim(unit: Unit) -> None:
            now = self._clock()
            known = unit.answers.claim(key, fingerprint, now, now - _LEASE)
            if known is not None:
                raise AnswerKnown(known)

        with self._store.read(self._workspace) as unit:
            answer = unit.answers.get(key)
        if answer is not None and answer.status is not None:
            raise AnswerKnown(answer)
        with shared_transaction(self._workspace, claim):
            result = work()
            kept = told(result)
            with self._store.write(self._workspace) as unit:
                unit.answers.finish(key, *kept)
        return result

    def claim(self, key: str, fingerprint: bytes) -> Answer | None:
        """Begin to work on a request; the answer, if another did so before.

        What was begun and neither finished nor renewed for 15 seconds is taken over: whoever began
        it is gone.
        """
        now = self._clock()
        with self._store.write(self._workspace) as unit:
            return unit.answers.claim(key, fingerprint, now, now - _LEASE)

    def renew(self, key: str, fingerprint: bytes) -> None:
        """Say that the request is still being worked on."""
        now = self._clock()
        with self._store.write(self._workspace) as unit:
            unit.answers.claim(key, fingerprint, now, now)

    def finish(self, key: str, status: int, body: bytes) -> None:
        """Keep the answer."""
        with self._store.write(self._workspace) as unit:
            unit.answers.finish(key, status, body)

    def release(self, key: str) -> None:
        """Let the request be begun anew."""
        with self._store.write(self._workspace) as unit:
            unit.answers.release(key)

    def prune(self, hours: int) -> int:
        """Drop answers that are older; returns how many."""
        with self._store.write(self._workspace) as unit:
            return unit.answers.prune(self._clock() - timedelta(hours=hours))
