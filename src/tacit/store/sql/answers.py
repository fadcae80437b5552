"""How requests were answered, in SQL."""

import zlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from tacit.core.times import from_micros, to_micros
from tacit.store.answer import Answer
from tacit.store.sql.table import SqlTable

_NOTHING = zlib.compress(b"", 1)


class SqlAnswers(SqlTable):
    """How requests to one workspace were answered; bodies are compressed."""

    topic = "answers"

    def claim(
        self, key: str, fingerprint: bytes, at: datetime, abandoned_before: datetime
    ) -> Answer | None:
        """Begin to work on a request; returns the answer if another did so before."""
        is_ours = self._row(
            "claim",
            key=key,
            fingerprint=fingerprint,
            at=to_micros(at),
            body=_NOTHING,
            abandoned_before=to_micros(abandoned_before),
        )
        return None if is_ours else self.get(key)

    def get(self, key: str) -> Answer | None:
        """What is known of a request."""
        row = self._row("get", key=key)
        return _answer(row) if row else None

    def finish(self, key: str, status: int, body: bytes) -> None:
        """Keep the answer to a request that is worked on."""
        self._send("finish", key=key, status=status, body=zlib.compress(body, 1))

    def release(self, key: str) -> None:
        """Let a request that is worked on be begun anew."""
        self._send("release", key=key)

    def prune(self, before: datetime) -> int:
        """Drop what was begun before a moment; returns how many."""
        return self._run("prune", before=to_micros(before))


def _answer(row: Sequence[Any]) -> Answer:
    key, fingerprint, at, status, body = row
    return Answer(
        key=key,
        fingerprint=fingerprint,
        at=from_micros(at),
        status=status,
        body=zlib.decompress(body),
    )
