"""What waits for somebody in dictionaries: events to hear of, and turns to learn from."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from tacit.core.events import Event, EventKind
from tacit.core.open_turn import (
    CapturedTurn,
    QueuedTurn,
    QueueStage,
)
from tacit.language.terms import WordMatcher
from tacit.testing.tables import WorkspaceTables


class InMemoryEvents:
    """The events of one workspace."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def append(self, kind: EventKind, at: datetime, data: Mapping[str, Any]) -> int:
        """Add an event, written as other backends write it; returns its number."""
        number = self._tables.last_event = self._tables.last_event + 1
        written = json.loads(json.dumps(data))
        self._tables.events[number] = Event(number=number, at=at, kind=kind, data=written)
        return number

    def after(self, number: int, limit: int) -> list[Event]:
        """Events with a higher number, oldest first."""
        numbers = range(max(number + 1, self.first() or 1), self._tables.last_event + 1)
        return [self._tables.events[each] for each in numbers[:limit]]

    def last(self) -> int:
        """The last number that was given; 0 if none was."""
        return self._tables.last_event

    def first(self) -> int:
        """The number of the oldest event that is kept; 0 if none is."""
        return next(iter(self._tables.events), 0)

    def prune(self, keep: int) -> int:
        """Drop all but the newest; returns how many."""
        gone = list(self._tables.events)[: max(len(self._tables.events) - keep, 0)]
        for number in gone:
            del self._tables.events[number]
        return len(gone)


class InMemoryLearningQueue:
    """The queue of one workspace."""

    def __init__(self, tables: WorkspaceTables) -> None:
        self._tables = tables

    def add(self, heard: CapturedTurn) -> None:
        """Queue a captured turn unless it is queued already."""
        self._tables.heard.setdefault(heard.id, QueuedTurn(turn=heard))

    def put(self, queued: QueuedTurn) -> None:
        """Queue a turn with the state that it had elsewhere."""
        self._tables.heard[queued.id] = queued

    def get(self, id: str) -> CapturedTurn | None:
        """One captured turn."""
        queued = self._tables.heard.get(id)
        return queued.turn if queued else None

    def at_stage(self, stage: QueueStage, limit: int, after: str | None = None) -> list[QueuedTurn]:
        """Turns at a stage, oldest first."""
        return [each for each in self._at(stage) if each.id > (after or "")][:limit]

    def settle(self, ids: Collection[str], keep: bool) -> set[str]:
        """Mark these as read by the rules: they now wait for the model, or are dropped."""
        settled = {each.id for each in self._at(QueueStage.FRESH)} & set(ids)
        if not keep:
            return self.drop(settled)
        for id in settled:
            known = self._tables.heard[id]
            self._tables.heard[id] = replace(known, stage=QueueStage.READ, tries=0)
        return settled

    def add_tries(self, ids: Collection[str], count: int) -> None:
        """Count readings of these that were begun."""
        for id in self._tables.heard.keys() & set(ids):
            known = self._tables.heard[id]
            self._tables.heard[id] = replace(known, tries=known.tries + count)

    def set_aside(self, ids: Collection[str], problem: str) -> None:
        """Leave these to a person, because they could not be read."""
        for id in self._tables.heard.keys() & set(ids):
            self._tables.heard[id] = replace(
                self._tables.heard[id], stage=QueueStage.SET_ASIDE, problem=problem
            )

    def retry(self, ids: Collection[str]) -> set[str]:
        """Make these fresh again; returns those that were set aside."""
        aside = {each.id for each in self._at(QueueStage.SET_ASIDE)} & set(ids)
        for id in aside:
            self._tables.heard[id] = replace(
                self._tables.heard[id], stage=QueueStage.FRESH, tries=0, problem=None
            )
        return aside

    def waiting(self, session: str, limit: int) -> list[QueuedTurn]:
        """Turns of a session that wait for the model, oldest first."""
        read = self._at(QueueStage.READ)
        return [each for each in read if each.turn.session == session][:limit]

    def hasten(self, session: str) -> int:
        """Make the turns of a session due for the model; returns how many became due."""
        calm = [
            each
            for each in self._tables.heard.values()
            if each.turn.session == session
            and not each.due
            and each.stage is not QueueStage.SET_ASIDE
        ]
        self._tables.heard |= {each.id: replace(each, due=True) for each in calm}
        return len(calm)

    def ripe(self, least: int, limit: int) -> list[str]:
        """Sessions with a turn due for the model, or with at least `least` turns waiting."""
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

    def drop_holding(
        self, words: WordMatcher, is_meant: Callable[[CapturedTurn], bool]
    ) -> set[str]:
        """Drop turns that contain these words in any case and pass `is_meant`; returns the ids."""
        queue = self._tables.heard.values()
        return self.drop(
            [each.id for each in queue if words.match_any(each.turn.texts) and is_meant(each.turn)]
        )

    def prune(self, before: datetime) -> int:
        """Drop turns that were captured before a time; returns how many."""
        queue = self._tables.heard.values()
        return len(self.drop([each.id for each in queue if each.turn.at < before]))

    def scan(self, after: str | None, limit: int) -> list[QueuedTurn]:
        """A page of the queue, by id."""
        return [each for each in self._ordered() if each.id > (after or "")][:limit]

    def _at(self, stage: QueueStage) -> list[QueuedTurn]:
        return [each for each in self._ordered() if each.stage is stage]

    def _ordered(self) -> list[QueuedTurn]:
        return [queued for _, queued in sorted(self._tables.heard.items())]
