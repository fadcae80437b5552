"""Summaries that are written in the background for a later call."""

import threading
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from hashlib import sha256

from tacit.language.history.compaction import Plan, plan_at
from tacit.language.history.transcript import transcript
from tacit.language.history.usage import Level
from tacit.language.summary.summarizer import Summarizer
from tacit.runtime.worker import Worker

_SHARE = 5
_SHORTEST, _LONGEST = 400, 8_000
_MOST_KEPT = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundSummary:
    """The summary of a session's first messages, recognised by the digest of their transcript."""

    session: str
    digest: str
    messages: int
    future: Future[str]


class BackgroundSummaries:
    """Has summaries written, and finds the one that fits the beginning of a history.

    The history may have grown since, and callers of one session may have different ones.
    """

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._lock = threading.Lock()
        self._kept: deque[BackgroundSummary] = deque(maxlen=_MOST_KEPT)

    def begin(self, session: str, planned: Plan, said: str, summarizer: Summarizer) -> None:
        """Have the messages that go summed up."""
        writing = BackgroundSummary(
            session=session,
            digest=_digest(said),
            messages=len(planned.zone),
            future=self._worker.submit(lambda: summarize(said, summarizer)),
        )
        with self._lock:
            self._kept.append(writing)

    def find(
        self, session: str, history: Sequence[object], level: Level, known: Mapping[str, str]
    ) -> tuple[Plan, BackgroundSummary] | None:
        """The longest summary of what a history begins with, and the plan that uses it."""
        with self._lock:
            own = [each for each in self._kept if each.session == session]
        for each in sorted(own, key=lambda each: -each.messages):
            planned = plan_at(history, level, each.messages, known)
            if planned is not None and _digest(transcript(planned.zone, known)) == each.digest:
                return planned, each
        return None

    def discard(self, used: BackgroundSummary) -> None:
        """Forget a summary that was used."""
        with self._lock:
            self._kept = deque((each for each in self._kept if each is not used), _MOST_KEPT)


def summarize(said: str, summarizer: Summarizer) -> str:
    """The summary of a transcript, as long as befits it."""
    length = min(max(len(said) // _SHARE, _SHORTEST), _LONGEST)
    return summarizer.summarize(said, length)


def _digest(said: str) -> str:
    return sha256(said.encode(errors="surrogatepass")).hexdigest()
