"""Compaction: shortens a history, with a summary of what was dropped.

The memories of blocks that were dropped, and no others, may be shown again. A summary that is not
urgent is written in the background.
"""

import threading
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any

from tacit.core.events import EventKind
from tacit.core.json_value import UNWRITTEN, JsonValue, Named
from tacit.core.sessions import Block, BlockState
from tacit.language.compaction import (
    CompactionLevel,
    CompactionPlan,
    compact_history,
    compaction_level,
    estimate_history_tokens,
    plan_compaction,
    plan_compaction_at,
)
from tacit.language.injection_blocks import block_ids_in, locate_placements, remove_blocks
from tacit.language.transcript import write_transcript
from tacit.runtime.workers import Worker
from tacit.store.protocols.store import UnitOfWork
from tacit.turn.session_view import (
    find_block_texts,
    find_blocks_left,
    find_present_blocks,
    load_foreign_blocks,
)
from tacit.turn.state import TurnDependencies
from tacit.turn.summarizer import Summarizer

_SHARE = 5
_SHORTEST, _LONGEST = 400, 8_000
_MOST_KEPT = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundSummary:
    """The summary of a session's first messages, identified by the digest of their transcript."""

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

    def begin(
        self, session: str, planned: CompactionPlan, said: str, summarizer: Summarizer
    ) -> None:
        """Start a summary of the messages that will be dropped."""
        writing = BackgroundSummary(
            session=session,
            digest=_digest(said),
            messages=len(planned.zone),
            future=self._worker.submit(lambda: summarize(said, summarizer)),
        )
        with self._lock:
            self._kept.append(writing)

    def find(
        self,
        session: str,
        history: Sequence[object],
        level: CompactionLevel,
        known: Mapping[str, str],
    ) -> tuple[CompactionPlan, BackgroundSummary] | None:
        """Find the longest summary of the start of a history, and the plan that uses it."""
        with self._lock:
            own = [each for each in self._kept if each.session == session]
        for each in sorted(own, key=lambda each: -each.messages):
            planned = plan_compaction_at(history, level, each.messages, known)
            if (
                planned is not None
                and _digest(write_transcript(planned.zone, known)) == each.digest
            ):
                return planned, each
        return None

    def discard(self, used: BackgroundSummary) -> None:
        """Forget a summary that was used."""
        with self._lock:
            self._kept = deque((each for each in self._kept if each is not used), _MOST_KEPT)


def summarize(said: str, summarizer: Summarizer) -> str:
    """Summarise a transcript in a length that suits it."""
    length = min(max(len(said) // _SHARE, _SHORTEST), _LONGEST)
    return summarizer.summarize(said, length)


def _digest(said: str) -> str:
    return sha256(said.encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction(JsonValue):
    """The history to go on with, and what happened to the rest.

    `is_pending` means that a summary is being written in the background; ask again next turn.
    """

    messages: Annotated[tuple[Any, ...], UNWRITTEN]
    level: CompactionLevel
    dropped: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    summary: str | None = None
    blocks: tuple[str, ...] = ()
    released: int = 0
    degraded: tuple[str, ...] = ()
    is_pending: Annotated[
        bool, Named("pending"), "A summary is being written; ask again next turn."
    ] = False


class Compactor:
    """Compacts histories; a summary that is not urgent is written in the background."""

    def __init__(self, dependencies: TurnDependencies) -> None:
        self._dependencies = dependencies
        self._summaries = BackgroundSummaries(dependencies.worker)

    def compact(
        self,
        session: str,
        history: Sequence[Any],
        *,
        window: int,
        summarizer: Summarizer,
        level: CompactionLevel | None = None,
        wait: bool = True,
    ) -> Compaction:
        """Summarise the oldest part of a history if it fills the window; never raises."""
        degraded: list[str] = []
        blocks, texts = self._load_blocks(session, history, degraded)
        before = estimate_history_tokens(history)
        chosen = compaction_level(before / window) if level is None else level
        planned = plan_compaction(history, chosen, texts)
        unchanged = Compaction(
            messages=tuple(history),
            level=chosen,
            tokens_before=before,
            tokens_after=before,
            degraded=tuple(degraded),
        )
        if not planned.zone:
            return unchanged
        planned, writing = self._find_summary(session, history, planned, texts)
        if chosen is CompactionLevel.BACKGROUND and not wait:
            if writing is None:
                said = write_transcript(planned.zone, texts)
                self._summaries.begin(session, planned, said, summarizer)
            if writing is None or not writing.future.done():
                return replace(unchanged, is_pending=True)
        summary = self._write_summary(planned, writing, texts, summarizer, degraded)
        messages = compact_history(planned, summary)
        gone = _find_dropped_blocks(history, messages, blocks, texts)
        done = Compaction(
            messages=tuple(messages),
            level=chosen,
            dropped=len(planned.zone),
            tokens_before=before,
            tokens_after=estimate_history_tokens(messages),
            summary=summary,
            blocks=tuple(block.id for block in gone),
        )
        released = self._record(session, done, degraded)
        return replace(done, released=released, degraded=tuple(degraded))

    def _load_blocks(
        self, session: str, history: Sequence[Any], degraded: list[str]
    ) -> tuple[list[Block], dict[str, str]]:
        """The blocks that may stand in a history, and the texts that blocks have in it.

        Those of turns that have not ended and of other sessions have texts too.
        """
        try:
            with self._dependencies.store.read(self._dependencies.workspace) as unit:
                turns = unit.receipts.open_turns(session)
                opened = [block for turn in turns for block in turn.blocks]
                ids = block_ids_in(history)
                blocks = unit.blocks.standing(session, ids)
                own = {block.id for block in (*blocks, *opened)}
                foreign = load_foreign_blocks(unit, ids - own)
        except Exception as error:
            degraded.append(f"store: failed ({error})")
            return [], {}
        present = find_present_blocks(history, foreign)
        left = find_blocks_left(turns, history)  # a turn that is open has removed them
        return (
            [block for block in blocks if block.id not in left],
            find_block_texts([*present, *blocks, *opened], history),
        )

    def _find_summary(
        self, session: str, history: Sequence[Any], planned: CompactionPlan, texts: dict[str, str]
    ) -> tuple[CompactionPlan, BackgroundSummary | None]:
        """The summary that was begun for a compaction, if one was, with the plan that uses it.

        In the background fewer messages may go than planned, as the history grew meanwhile.
        """
        if planned.level is CompactionLevel.EMERGENCY:
            return planned, None
        found = self._summaries.find(session, history, planned.level, texts)
        if found is None:
            return planned, None
        is_as_planned = found[1].messages == len(planned.zone)
        return (
            found
            if planned.level is CompactionLevel.BACKGROUND or is_as_planned
            else (planned, None)
        )

    def _write_summary(
        self,
        planned: CompactionPlan,
        writing: BackgroundSummary | None,
        texts: dict[str, str],
        summarizer: Summarizer,
        degraded: list[str],
    ) -> str | None:
        """The summary; None in an emergency or if the summariser fails."""
        if writing is not None:
            self._summaries.discard(writing)
        said = write_transcript(planned.zone, texts)
        if planned.level is CompactionLevel.EMERGENCY or not said.strip():
            return None
        try:
            if writing is not None and not writing.future.cancel():
                return writing.future.result() or None
            return summarize(said, summarizer) or None
        except Exception as error:
            degraded.append(f"summary: failed ({error})")
            return None

    def _record(self, session: str, done: Compaction, degraded: list[str]) -> int:
        """Release the memories of dropped blocks, and no others; returns how many."""
        now = self._dependencies.clock()
        try:
            with self._dependencies.store.write(self._dependencies.workspace) as unit:
                released = _drop_blocks(unit, session, done.blocks, now) if done.blocks else 0
                told = {"session": session, "level": str(done.level), "dropped": done.dropped}
                unit.events.append(EventKind.COMPACTION, now, {**told, "released": released})
                return released
        except Exception as error:
            degraded.append(f"ledger: failed ({error})")
            return 0


def _drop_blocks(unit: UnitOfWork, session: str, gone: Sequence[str], now: datetime) -> int:
    """Drop the blocks that still stand; they may have changed while the summary was written."""
    standing = [block for block in unit.blocks.standing(session) if block.id in gone]
    for block in standing:
        unit.blocks.put(replace(block, state=BlockState.DROPPED))
    return unit.ledger.release(session, [block.id for block in standing], now)


def _find_dropped_blocks(
    before: Sequence[Any], after: Sequence[Any], blocks: Sequence[Block], texts: dict[str, str]
) -> list[Block]:
    """The live blocks whose message was in the history and is not any more."""
    live = [block for block in blocks if block.state is BlockState.LIVE]
    placements = [block.placement for block in live]
    stood = locate_placements(remove_blocks(before, texts), placements)
    stands = locate_placements(remove_blocks(after, texts), placements)
    return [block for block in live if block.id in stood and block.id not in stands]
