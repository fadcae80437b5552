"""How requests were answered, in a dictionary."""

from dataclasses import replace
from datetime import datetime

from tacit.store.answer import Answer
from tacit.store.inmemory.tables import Tables


class InMemoryAnswers:
    """How requests to one workspace were answered."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def claim(
        self, key: str, fingerprint: bytes, at: datetime, abandoned_before: datetime
    ) -> Answer | None:
        """Begin to work on a request; returns the answer if another did so before."""
        known = self._tables.answers.get(key)
        if known is not None and not _is_abandoned(known, fingerprint, abandoned_before):
            return known
        self._tables.answers[key] = Answer(key=key, fingerprint=fingerprint, at=at)
        return None

    def get(self, key: str) -> Answer | None:
        """What is known of a request."""
        return self._tables.answers.get(key)

    def finish(self, key: str, status: int, body: bytes) -> None:
        """Keep the answer to a request that is worked on."""
        if claimed := self._claimed(key):
            self._tables.answers[key] = replace(claimed, status=status, body=body)

    def release(self, key: str) -> None:
        """Let a request that is worked on be begun anew."""
        if self._claimed(key):
            del self._tables.answers[key]

    def prune(self, before: datetime) -> int:
        """Drop what was begun before a moment; returns how many."""
        gone = [key for key, answer in self._tables.answers.items() if answer.at < before]
        for key in gone:
            del self._tables.answers[key]
        return len(gone)

    def _claimed(self, key: str) -> Answer | None:
        known = self._tables.answers.get(key)
        return known if known is not None and known.status is None else None


def _is_abandoned(known: Answer, fingerprint: bytes, before: datetime) -> bool:
    return known.status is None and known.at < before and known.fingerprint == fingerprint
