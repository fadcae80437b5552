"""What a backend offers to work that goes on: requests, learning, and how far it has come."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any, Protocol

from tacit.core.learning_queue import CapturedTurn, QueuedTurn
from tacit.language.terms import WordMatcher
from tacit.store.answer import Answer


class Answers(Protocol):
    """How requests were answered that may come again."""

    def claim(
        self, key: str, fingerprint: bytes, at: datetime, abandoned_before: datetime
    ) -> Answer | None:
        """Begin to work on a request; returns the answer if another did so before.

        What was begun before `abandoned_before` and never finished is taken over by who asks the
        same.
        """

    def get(self, key: str) -> Answer | None:
        """What is known of a request."""

    def finish(self, key: str, status: int, body: bytes) -> None:
        """Keep the answer to a request that is worked on; one that has its answer keeps that."""

    def release(self, key: str) -> None:
        """Let a request that is worked on be begun anew."""

    def prune(self, before: datetime) -> int:
        """Drop what was begun before a moment; returns how many."""


class HeardTurns(Protocol):
    """What was heard in turns and nothing was learned from yet, in the order of its ids."""

    def add(self, heard: CapturedTurn) -> None:
        """Queue what was heard, for the rules to read; what is queued already is left alone."""

    def put(self, queued: QueuedTurn) -> None:
        """Queue something as it stood elsewhere, instead of what is known of it here."""

    def get(self, id: str) -> CapturedTurn | None:
        """What was heard in one turn."""

    def fresh(self, limit: int) -> list[CapturedTurn]:
        """What the rules have not read, oldest first."""

    def settle(self, ids: Collection[str], keep: bool) -> set[str]:
        """Note that the rules have read these: they wait for the model now, or go.

        Returns those that were fresh until now; the others are left alone.
        """

    def waiting(self, session: str, limit: int) -> list[CapturedTurn]:
        """What the rules have read in a session and the model has not, oldest first."""

    def hasten(self, session: str) -> int:
        """Let the model read a session once the rules have; returns how many became due."""

    def ripe(self, least: int, limit: int) -> list[str]:
        """Sessions that wait for the model with something due, or with at least so many turns.

        Those that have waited longest come first.
        """

    def drop(self, ids: Collection[str]) -> set[str]:
        """Drop these; returns those that were there."""

    def drop_holding(self, words: WordMatcher, is_meant: Callable[[CapturedTurn], bool]) -> int:
        """Drop what is meant and these words stand in, whatever their case; returns how many."""

    def prune(self, before: datetime) -> int:
        """Drop what was heard before a moment, read or not; returns how many."""

    def scan(self, after: str | None, limit: int) -> list[QueuedTurn]:
        """A page of all that is queued, by id."""


class Progress(Protocol):
    """How far long work has come, so that the next who does it goes on there."""

    def get(self, name: str) -> Mapping[str, Any] | None:
        """How far the work of this name has come."""

    def put(self, name: str, value: Mapping[str, Any]) -> None:
        """Note how far it has come, as plain JSON."""

    def remove(self, name: str) -> None:
        """Let it begin anew."""
