"""Tables of conversations: sessions, what they were shown, events, and the learning queue."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from datetime import datetime
from typing import Any, Protocol

from tacit.core.blocks import Block, LedgerEntry
from tacit.core.events import Event, EventKind
from tacit.core.kinds import Scope
from tacit.core.marks import Mark
from tacit.core.open_turn import CapturedTurn, NotRecorded, OpenTurn, QueuedTurn
from tacit.core.permissions import Viewer
from tacit.core.projects import ProjectPlace
from tacit.core.receipt import Receipt
from tacit.core.sessions import Participant, Session, SessionVariable
from tacit.language.terms import WordMatcher


class SessionTable(Protocol):
    """The sessions of one workspace, and what is paused."""

    def get(self, id: str) -> Session | None:
        """One session."""

    def put(self, session: Session) -> None:
        """Add a session or replace what is known of it."""

    def recent(self, limit: int, after: tuple[datetime, str] | None = None) -> list[Session]:
        """The sessions that were active last, or a page of them after this moment and id.

        Those that were active at the same moment are in the order of their ids.
        """

    def recent_reached(
        self, reach: Viewer, limit: int, after: tuple[datetime, str] | None = None
    ) -> list[Session]:
        """The same of those sessions that a caller reaches."""

    def scan(self, after: str | None, limit: int) -> list[Session]:
        """A page of all sessions, by id."""

    def remove(self, id: str) -> bool:
        """Know a session no longer; tells whether it was known."""

    def pause(self, scope: Scope, scope_id: str) -> None:
        """Leave a session or a project alone from now on."""

    def resume(self, scope: Scope, scope_id: str) -> bool:
        """Serve it again; tells whether it was paused."""

    def paused(self) -> set[tuple[Scope, str]]:
        """What is left alone."""


class ParticipantTable(Protocol):
    """Who takes part in the sessions and contexts of one workspace."""

    def of(self, session: str) -> list[Participant]:
        """Those that used the name of a session, by agent and user."""

    def put(self, participant: Participant) -> None:
        """Note that they used it; that they took a turn stays so."""

    def release(self, participant: Participant) -> bool:
        """Forget a claim, if no turn was taken, none is open, and nothing is noted; tells so."""

    def clear(self, session: str) -> int:
        """Forget all of a session; returns how many."""

    def scan(self, after: Participant | None, limit: int) -> list[Participant]:
        """A page of all, by session, agent and user."""


class BlockTable(Protocol):
    """The blocks that sessions were shown."""

    def put(self, block: Block) -> None:
        """Add a block or change its state."""

    def of(self, session: str) -> list[Block]:
        """The blocks of a session in every state, oldest first."""

    def standing(self, session: str, ids: Collection[str] = ()) -> list[Block]:
        """The live blocks of a session, and those with these ids in any state, oldest first."""

    def made(self, ids: Collection[str]) -> list[Block]:
        """The blocks with these ids in any session of the workspace, by session and id."""

    def scan(self, after: Block | None, limit: int) -> list[Block]:
        """A page of all blocks, by session and id."""

    def blank(self, memories: Set[str]) -> int:
        """Remove the words of every block that one of these was in; returns how many."""

    def clear(self, session: str) -> int:
        """Drop the blocks of a session; returns how many."""


class LedgerTable(Protocol):
    """Which memories sessions were shown."""

    def add(self, entries: Iterable[LedgerEntry]) -> None:
        """Note what was injected."""

    def of(self, session: str) -> list[LedgerEntry]:
        """The entries of a session, oldest first."""

    def bound(self, session: str) -> list[LedgerEntry]:
        """Those entries of a session that were not released, oldest first."""

    def scan(self, after: LedgerEntry | None, limit: int) -> list[LedgerEntry]:
        """A page of all entries, by session, turn and memory."""

    def release(self, session: str, blocks: Sequence[str] | None, at: datetime) -> int:
        """Let entries of these blocks, or of all, be injected again; returns how many."""

    def remove(self, memory: str) -> int:
        """Drop a memory's entries; returns how many."""

    def clear(self, session: str) -> int:
        """Drop the entries of a session; returns how many."""


class ReceiptTable(Protocol):
    """The accounts of turns, and the turns that have not ended."""

    def put(self, receipt: Receipt) -> None:
        """Keep a receipt."""

    def get(self, id: str) -> Receipt | None:
        """One receipt."""

    def recent(self, session: str | None, limit: int, after: str | None = None) -> list[Receipt]:
        """The last receipts of a session, or of all, newest first; those older than `after`."""

    def recent_reached(self, reach: Viewer, limit: int, after: str | None = None) -> list[Receipt]:
        """The same of all sessions that a caller reaches."""

    def scan(self, after: str | None, limit: int) -> list[Receipt]:
        """A page of all receipts, by id."""

    def prune(self, before: datetime) -> int:
        """Drop receipts older than a moment, except the last of each session, and abandoned turns.

        Returns how many went.
        """

    def drop(self, ids: Collection[str]) -> int:
        """Drop these receipts; returns how many were there."""

    def open(self, turn: OpenTurn) -> None:
        """Keep a turn that has begun."""

    def opened(self, session: str) -> list[OpenTurn]:
        """The turns of a session that have begun and not ended, oldest first; none abandoned."""

    def opening(self, id: str) -> OpenTurn | None:
        """The turn with this id, if it has begun and not ended, or was abandoned."""

    def showing(self, blocks: Collection[str]) -> list[OpenTurn]:
        """The turns that have not ended and show one of these blocks, in any session."""

    def scan_opened(self, after: OpenTurn | None, limit: int) -> list[OpenTurn]:
        """A page of all turns that have not ended or were abandoned, by session and id."""

    def abandon(self, turn: OpenTurn, reason: NotRecorded) -> bool:
        """Keep of a turn only why nothing of it is recorded; tells whether it was open."""

    def close(self, session: str, id: str) -> bool:
        """Drop a turn that has begun; tells whether it was there."""


class MarkTable(Protocol):
    """What people said was of no use."""

    def add(self, mark: Mark) -> None:
        """Keep a mark."""

    def get(self, id: str) -> Mark | None:
        """One mark."""

    def remove(self, mark: Mark) -> None:
        """Take a mark back."""

    def of(self, ids: Sequence[str]) -> list[Mark]:
        """The marks on these memories."""

    def scan(self, after: Mark | None, limit: int) -> list[Mark]:
        """A page of all marks, by memory and id."""


class VariableTable(Protocol):
    """What workflows noted about sessions, by session and name."""

    def of(self, session: str) -> list[SessionVariable]:
        """What is noted about a session, by name."""

    def put(self, variable: SessionVariable) -> None:
        """Note something, instead of what the name stood for."""

    def remove(self, session: str, name: str) -> bool:
        """Note it no longer; tells whether it was."""

    def drop_holding(self, words: WordMatcher, is_meant: Callable[[SessionVariable], bool]) -> int:
        """Drop what is meant and these words stand in, whatever their case; returns how many."""

    def prune(self, before: datetime) -> int:
        """Drop what was noted before a moment; returns how many."""

    def scan(self, after: SessionVariable | None, limit: int) -> list[SessionVariable]:
        """A page of all, by session and name."""


class ProjectPlaceTable(Protocol):
    """The folders that projects are at, by host, path and claim."""

    def get(self, host: str, path: str, claim: str) -> ProjectPlace | None:
        """What is known of a folder that claims this."""

    def at(self, host: str, path: str) -> list[ProjectPlace]:
        """All that is known of a folder, by claim."""

    def of_project(self, project: str) -> list[ProjectPlace]:
        """The places of a project, in their order."""

    def put(self, place: ProjectPlace) -> None:
        """Keep a place, instead of what is known of the same claim there."""

    def remove(self, place: ProjectPlace) -> bool:
        """Know a place no longer; tells whether it was known."""

    def scan(self, after: ProjectPlace | None, limit: int) -> list[ProjectPlace]:
        """A page of all, by host, path and claim."""


class EventTable(Protocol):
    """What happened in one workspace, numbered without gaps in the order of commits."""

    def append(self, kind: EventKind, at: datetime, data: Mapping[str, Any]) -> int:
        """Note that something happened; returns its number."""

    def after(self, number: int, limit: int) -> list[Event]:
        """What has a higher number, oldest first."""

    def last(self) -> int:
        """The number that was given last, even if the event is not kept; 0 if none ever was."""

    def first(self) -> int:
        """The number of the oldest that is kept; 0 if none is."""

    def prune(self, keep: int) -> int:
        """Drop all but the newest; returns how many. No number is given again."""


class LearningQueue(Protocol):
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
