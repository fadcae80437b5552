"""Answers to requests that may come again, so that each is worked on once."""

from datetime import timedelta

from tacit.runtime.clock import Clock
from tacit.store import Answer, Store

_LEASE = timedelta(seconds=15)


class Answers:
    """What was answered in one workspace, each call a transaction of its own."""

    def __init__(self, store: Store, workspace: str, clock: Clock) -> None:
        self._store = store
        self._workspace = workspace
        self._clock = clock

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
