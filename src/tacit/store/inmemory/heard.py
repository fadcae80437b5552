"""What was heard and waits to be learned from, in a dictionary."""

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime

from tacit.core.learning_queue import CapturedTurn, QueuedTurn, QueueStage
from tacit.language.terms import WordMatcher
from tacit.store.inmemory.tables import Tables


class InMemoryHeardTurns:
    """The queue of one workspace."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def add(self, heard: CapturedTurn) -> None:
        """Queue what was heard; what is queued already is left alone."""
        self._tables.heard.setdefault(heard.id, QueuedTurn(turn=heard))

    def put(self, queued: QueuedTurn) -> None:
        """Queue something as it stood elsewhere."""
        self._tables.heard[queued.id] = queued

    def get(self, id: str) -> CapturedTurn | None:
        """What was heard in one turn."""
        queued = self._tables.heard.get(id)
        return queued.turn if queued else None

    def fresh(self, limit: int) -> list[CapturedTurn]:
        """What the rules have not read, oldest first."""
        return [each.turn for each in self._at(QueueStage.FRESH)][:limit]

    def settle(self, ids: Collection[str], keep: bool) -> set[str]:
        """Note that the rules have read these: they wait for the model now, or go."""
        settled = {each.id for each in self._at(QueueStage.FRESH)} & set(ids)
        if not keep:
            return self.drop(settled)
        for id in settled:
            self._tables.heard[id] = replace(self._tables.heard[id], stage=QueueStage.READ)
        return settled

    def waiting(self, session: str, limit: int) -> list[CapturedTurn]:
        """What the rules have read in a session and the model has not, oldest first."""
        read = [each.turn for each in self._at(QueueStage.READ)]
        return [heard for heard in read if heard.session == session][:limit]

    def hasten(self, session: str) -> int:
        """Let the model read a session once the rules have; returns how many became due."""
        calm = [
            each
            for each in self._tables.heard.values()
            if each.turn.session == session and not each.due
        ]
        self._tables.heard |= {each.id: replace(each, due=True) for each in calm}
        return len(calm)

    def ripe(self, least: int, limit: int) -> list[str]:
        """Sessions that wait for the model with something due, or with at least so many turns."""
        waiting: dict[str, list[QueuedTurn]] = {}
        for each in self._at(QueueStage.READ):
            waiting.setdefault(each.turn.session, []).append(each)
        return [
            session
            for session, turns in waiting.items()
            if len(turns) >= least or any(each.due for each in turns)
        ][:limit]

    def drop(self, ids: Collection[str]) -> set[str]:
        """Drop these; returns those that were there."""
        return {id for id in ids if self._tables.heard.pop(id, None)}

    def drop_holding(self, words: WordMatcher, is_meant: Callable[[CapturedTurn], bool]) -> int:
        """Drop what is meant and these words stand in, whatever their case; returns how many."""
        queue = self._tables.heard.values()
        return len(
            self.drop(
                [
                    each.id
                    for each in queue
                    if words.stand_in(each.turn.texts) and is_meant(each.turn)
                ]
            )
        )

    def prune(self, before: datetime) -> int:
        """Drop what was heard before a moment, read or not; returns how many."""
        queue = self._tables.heard.values()
        return len(self.drop([each.id for each in queue if each.turn.at < before]))

    def scan(self, after: str | None, limit: int) -> list[QueuedTurn]:
        """A page of all that is queued, by id."""
        return [each for each in self._ordered() if each.id > (after or "")][:limit]

    def _at(self, stage: QueueStage) -> list[QueuedTurn]:
        return [each for each in self._ordered() if each.stage is stage]

    def _ordered(self) -> list[QueuedTurn]:
        return [queued for _, queued in sorted(self._tables.heard.items())]
