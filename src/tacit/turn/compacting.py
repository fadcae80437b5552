"""Compaction: messages in, messages out, and exactly what was dropped may come again."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any, Self

from tacit.conversation import Block, BlockState, EventKind
from tacit.history import (
    Level,
    Plan,
    compacted,
    estimated,
    find,
    ids_in,
    level_of,
    plan,
    transcript,
    without_blocks,
)
from tacit.store import Unit
from tacit.summary import Summarizer
from tacit.turn.means import Means

_SHARE = 5
_SHORTEST, _LONGEST = 400, 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """The history to go on with, and what became of the rest.

    `is_pending` says that a summary is being written in the background; ask again next turn.
    """

    messages: tuple[Any, ...]
    level: Level
    dropped: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    summary: str | None = None
    blocks: tuple[str, ...] = ()
    released: int = 0
    degraded: tuple[str, ...] = ()
    is_pending: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON, apart from the messages, which are the caller's own."""
        return {
            "level": str(self.level),
            "dropped": self.dropped,
            "tokens_before": self.tokens_before,
            "tokens_after": self.tokens_after,
            "summary": self.summary,
            "blocks": list(self.blocks),
            "released": self.released,
            "degraded": list(self.degraded),
            "pending": self.is_pending,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], messages: Sequence[Any]) -> Self:
        """Read what `to_dict` wrote, with the messages that belong to it."""
        return cls(
            messages=tuple(messages),
            level=Level(values["level"]),
            dropped=values["dropped"],
            tokens_before=values["tokens_before"],
            tokens_after=values["tokens_after"],
            summary=values["summary"],
            blocks=tuple(values["blocks"]),
            released=values["released"],
            degraded=tuple(values["degraded"]),
            is_pending=values["pending"],
        )


class Compactor:
    """Makes room in histories; a summary that is not urgent is written beside the conversation."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._pending: dict[str, tuple[str, Future[str]]] = {}

    def compact(
        self,
        session: str,
        history: Sequence[Any],
        *,
        window: int,
        summarizer: Summarizer,
        level: Level | None = None,
        wait: bool = True,
    ) -> Compaction:
        """The history with its oldest part summed up, if it fills the window; never raises."""
        degraded: list[str] = []
        blocks, unfinished = self._blocks(session, history, degraded)
        shown = [block.placement for block in (*blocks, *unfinished)]
        texts = {placement.id: placement.text for placement in shown if placement.text}
        before = estimated(history)
        chosen = level_of(before / window) if level is None else level
        planned = plan(history, chosen, texts)
        unchanged = Compaction(messages=tuple(history), level=chosen, tokens_before=before)
        if not planned.zone:
            return replace(unchanged, tokens_after=before, degraded=tuple(degraded))
        said = transcript(planned.zone, texts)
        may_wait = chosen is Level.BACKGROUND and not wait
        if may_wait and not self._is_ready(session, said, summarizer):
            return replace(unchanged, tokens_after=before, is_pending=True)
        summary = self._summary(session, planned, said, summarizer, degraded)
        messages = compacted(planned, summary)
        gone = _gone(history, messages, blocks, texts)
        done = Compaction(
            messages=tuple(messages),
            level=chosen,
            dropped=len(planned.zone),
            tokens_before=before,
            tokens_after=estimated(messages),
            summary=summary,
            blocks=tuple(block.id for block in gone),
        )
        released = self._record(session, gone, done, degraded)
        return replace(done, released=released, degraded=tuple(degraded))

    def _blocks(
        self, session: str, history: Sequence[Any], degraded: list[str]
    ) -> tuple[list[Block], list[Block]]:
        """The blocks that may stand in a history, and those of turns that have not ended."""
        try:
            with self._means.store.read(self._means.workspace) as unit:
                opened = [turn.block for turn in unit.receipts.opened(session) if turn.block]
                return unit.blocks.standing(session, ids_in(history)), opened
        except Exception as error:
            degraded.append(f"store: failed ({error})")
            return [], []

    def _is_ready(self, session: str, said: str, summarizer: Summarizer) -> bool:
        """Whether the summary of this part is written; it is begun where it is not."""
        name = sha256(said.encode()).hexdigest()
        known = self._pending.get(session)
        if known is None or known[0] != name:
            writing = self._means.worker.submit(lambda: summarizer.summarize(said, _length(said)))
            known = self._pending[session] = (name, writing)
        return known[1].done()

    def _summary(
        self,
        session: str,
        planned: Plan,
        said: str,
        summarizer: Summarizer,
        degraded: list[str],
    ) -> str | None:
        """The summary; none in an emergency, and none where the summariser fails."""
        name, pending = self._pending.pop(session, ("", None))
        if planned.level is Level.EMERGENCY or not said.strip():
            return None
        try:
            is_same = name == sha256(said.encode()).hexdigest()
            if pending is not None and is_same and not pending.cancel():
                return pending.result() or None
            return summarizer.summarize(said, _length(said)) or None
        except Exception as error:
            degraded.append(f"summary: failed ({error})")
            return None

    def _record(
        self, session: str, gone: Sequence[Block], done: Compaction, degraded: list[str]
    ) -> int:
        """Let the memories of blocks that went be shown again, and no others; how many."""
        now = self._means.clock()
        try:
            with self._means.store.write(self._means.workspace) as unit:
                released = _dropped(unit, session, gone, now) if gone else 0
                told = {"session": session, "level": str(done.level), "dropped": done.dropped}
                unit.events.append(EventKind.COMPACTION, now, {**told, "released": released})
                return released
        except Exception as error:
            degraded.append(f"ledger: failed ({error})")
            return 0


def _dropped(unit: Unit, session: str, gone: Sequence[Block], now: datetime) -> int:
    for block in gone:
        unit.blocks.put(replace(block, state=BlockState.DROPPED))
    return unit.ledger.release(session, [block.id for block in gone], now)


def _gone(
    before: Sequence[Any], after: Sequence[Any], blocks: Sequence[Block], texts: dict[str, str]
) -> list[Block]:
    """Live blocks whose message was there and is not any more."""
    live = [block for block in blocks if block.state is BlockState.LIVE]
    placements = [block.placement for block in live]
    stood = find(without_blocks(before, texts), placements)
    stands = find(without_blocks(after, texts), placements)
    return [block for block in live if block.id in stood and block.id not in stands]


def _length(said: str) -> int:
    return min(max(len(said) // _SHARE, _SHORTEST), _LONGEST)
