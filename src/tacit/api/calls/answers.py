"""Answers kept for repeated requests, so that a request that is sent twice is done once."""

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from tacit.runtime.clock import Clock
from tacit.store.protocols.service import IdempotencyRecord
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.transactions import shared_transaction

Result = TypeVar("Result")

_LEASE = timedelta(seconds=15)


class AlreadyAnswered(Exception):
    """Raised when a request was answered before, or is being answered."""

    def __init__(self, answer: IdempotencyRecord) -> None:
        super().__init__(answer.key)
        self.answer = answer


class AnswerStore:
    """Answers to the requests of one workspace; each call is its own transaction."""

    def __init__(self, store: Store, workspace: str, clock: Clock) -> None:
        self._store = store
        self._workspace = workspace
        self._clock = clock

    def work_once(
        self,
        key: str,
        fingerprint: bytes,
        work: Callable[[], Result],
        to_answer: Callable[[Result], tuple[int, bytes]],
    ) -> Result:
        """Do the work of a request and keep its answer in the same transaction.

        Raises AlreadyAnswered, without any change, if the request was answered before. `to_answer`
        returns the status and the body to keep. The work must be done on this thread.
        """

        def claim(unit: UnitOfWork) -> None:
            now = self._clock()
            known = unit.answers.claim(key, fingerprint, now, now - _LEASE)
            if known is not None:
                raise AlreadyAnswered(known)

        with self._store.read(self._workspace) as unit:
            answer = unit.answers.get(key)
        if answer is not None and answer.status is not None:
            raise AlreadyAnswered(answer)
        with shared_transaction(self._workspace, claim):
            result = work()
            kept = to_answer(result)
            with self._store.write(self._workspace) as unit:
                unit.answers.finish(key, *kept)
        return result

    def claim(self, key: str, fingerprint: bytes) -> IdempotencyRecord | None:
        """Start work on a request; returns the answer if it was claimed before.

        A claim that was neither finished nor renewed for 15 seconds is taken over.
        """
        now = self._clock()
        with self._store.write(self._workspace) as unit:
            return unit.answers.claim(key, fingerprint, now, now - _LEASE)

    def renew(self, key: str, fingerprint: bytes) -> None:
        """Extend the lease of a request that is still being answered."""
        now = self._clock()
        with self._store.write(self._workspace) as unit:
            unit.answers.claim(key, fingerprint, now, now)

    def finish(self, key: str, status: int, body: bytes) -> None:
        """Keep the answer."""
        with self._store.write(self._workspace) as unit:
            unit.answers.finish(key, status, body)

    def release(self, key: str) -> None:
        """Release a request, so that it can be tried again."""
        with self._store.write(self._workspace) as unit:
            unit.answers.release(key)

    def prune(self, hours: int) -> int:
        """Drop answers older than `hours`; returns how many."""
        with self._store.write(self._workspace) as unit:
            return unit.answers.prune(self._clock() - timedelta(hours=hours))
