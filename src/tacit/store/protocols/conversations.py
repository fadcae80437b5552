"""Tables of conversations: sessions, what they were shown, events, and the learning queue."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from datetime import datetime
from typing import Any, Protocol

from tacit.core.events import Event, EventKind
from tacit.core.kinds import Scope
from tacit.core.marks import Mark
from tacit.core.open_turn import (
    CapturedTurn,
    NotRecorded,
    OpenTurn,
    QueuedTurn,
    QueueStage,
)
from tacit.core.permissions import Viewer
from tacit.core.projects import ProjectPlace
from tacit.core.receipt import Receipt
from tacit.core.sessions import Block, LedgerEntry, Participant, Session, SessionVariable
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
        """The same, limited to the sessions that a caller may reach."""

    def scan(self, after: str | None, limit: int) -> list[Session]:
        """A page of all sessions, by id."""

    def remove(self, id: str) -> bool:
        """Remove a session; returns whether it was there."""

    def pause(self, scope: Scope, scope_id: str) -> None:
        """Pause a session or a project."""

    def resume(self, scope: Scope, scope_id: str) -> bool:
        """Resume it; returns whether it was paused."""

    def paused(self) -> set[tuple[Scope, str]]:
        """The sessions and projects that are paused."""


class ParticipantTable(Protocol):
    """Who takes part in the sessions and contexts of one workspace."""

    def of(self, session: str) -> list[Participant]:
        """The participants of a session, by agent and user."""

    def put(self, participant: Participant) -> None:
        """Add a participant; once it has taken a turn, that stays so."""

    def release(self, participant: Participant) -> bool:
        """Remove a participant without turns or variables; returns whether it was removed."""

    def clear(self, session: str) -> int:
        """Remove all participants of a session; returns how many."""

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
        """Remove the text of every block that holds one of these memories; returns how many."""

    def clear(self, session: str) -> int:
        """Drop the blocks of a session; returns how many."""


class LedgerTable(Protocol):
    """Which memories sessions were shown."""

    def add(self, entries: Iterable[LedgerEntry]) -> None:
        """Add entries for what was injected."""

    def of(self, session: str) -> list[LedgerEntry]:
        """The entries of a session, oldest first."""

    def bound(self, session: str) -> list[LedgerEntry]:
        """Those entries of a session that were not released, oldest first."""

    def scan(self, after: LedgerEntry | None, limit: int) -> list[LedgerEntry]:
        """A page of all entries, by session, turn and memory."""

    def release(self, session: str, blocks: Sequence[str] | None, at: datetime) -> int:
        """Release entries of these blocks, or of all, for injection again; returns how many."""

    def remove(self, memory: str) -> int:
        """Drop a memory's entries; returns how many."""

    def clear(self, session: str) -> int:
        """Drop the entries of a session; returns how many."""


class ReceiptTable(Protocol):
    """The receipts of turns, and the turns that are still open."""

    def put(self, receipt: Receipt) -> None:
        """Store a receipt."""

    def get(self, id: str) -> Receipt | None:
        """One receipt."""

    def recent(self, session: str | None, limit: int, after: str | None = None) -> list[Receipt]:
        """The last receipts of a session, or of all, newest first; those older than `after`."""

    def recent_reached(self, reach: Viewer, limit: int, after: str | None = None) -> list[Receipt]:
        """The same, limited to the sessions that a caller may reach."""

    def scan(self, after: str | None, limit: int) -> list[Receipt]:
        """A page of all receipts, by id."""

    def prune(self, before: datetime, overtaken_before: datetime | None = None) -> int:
        """Drop receipts older than a moment, except the last of each session, and abandoned turns.

        Turns that were overtaken have a moment of their own. Returns how many went.
        """

    def drop(self, ids: Collection[str]) -> int:
        """Drop these receipts; returns how many were there."""

    def open_turn(self, turn: OpenTurn) -> None:
        """Store an open turn."""

    def open_turns(self, session: str) -> list[OpenTurn]:
        """The open turns of a session, oldest first, without abandoned ones."""

    def get_open_turn(self, id: str) -> OpenTurn | None:
        """The open or abandoned turn with this id."""

    def open_turns_showing(self, blocks: Collection[str]) -> list[OpenTurn]:
        """The open turns of any session that show one of these blocks."""

    def scan_open_turns(self, after: OpenTurn | None, limit: int) -> list[OpenTurn]:
        """A page of all open and abandoned turns, by session and id."""

    def abandon_turn(self, turn: OpenTurn, reason: NotRecorded) -> bool:
        """Reduce a turn to the reason why it is not recorded; returns whether it was open."""

    def close_turn(self, session: str, id: str) -> bool:
        """Drop an open turn; returns whether it was there."""


class MarkTable(Protocol):
    """Marks on memories that somebody found useless."""

    def add(self, mark: Mark) -> None:
        """Store a mark."""

    def get(self, id: str) -> Mark | None:
        """One mark."""

    def remove(self, mark: Mark) -> None:
        """Remove a mark."""

    def of(self, ids: Sequence[str]) -> list[Mark]:
        """The marks on these memories."""

    def scan(self, after: Mark | None, limit: int) -> list[Mark]:
        """A page of all marks, by memory and id."""


class VariableTable(Protocol):
    """Variables that workflows set on sessions, by session and name."""

    def of(self, session: str) -> list[SessionVariable]:
        """The variables of a session, by name."""

    def put(self, variable: SessionVariable) -> None:
        """Set a variable."""

    def remove(self, session: str, name: str) -> bool:
        """Remove a variable; returns whether it was there."""

    def drop_holding(self, words: WordMatcher, is_meant: Callable[[SessionVariable], bool]) -> int:
        """Drop rows that contain these words in any case and pass `is_meant`; returns how many."""

    def prune(self, before: datetime) -> int:
        """Drop variables that were set before a time; returns how many."""

    def scan(self, after: SessionVariable | None, limit: int) -> list[SessionVariable]:
        """A page of all, by session and name."""


class ProjectPlaceTable(Protocol):
    """The folders of projects, by host, path and claim."""

    def get(self, host: str, path: str, claim: str) -> ProjectPlace | None:
        """What is known of a folder with this claim."""

    def at(self, host: str, path: str) -> list[ProjectPlace]:
        """All that is known of a folder, by claim."""

    def of_project(self, project: str) -> list[ProjectPlace]:
        """The places of a project, in their order."""

    def put(self, place: ProjectPlace) -> None:
        """Store a place, replacing what was known of the same claim."""

    def remove(self, place: ProjectPlace) -> bool:
        """Remove a place; returns whether it was there."""

    def scan(self, after: ProjectPlace | None, limit: int) -> list[ProjectPlace]:
        """A page of all, by host, path and claim."""


class EventTable(Protocol):
    """The events of one workspace, numbered without gaps in the order of commits."""

    def append(self, kind: EventKind, at: datetime, data: Mapping[str, Any]) -> int:
        """Add an event; returns its number."""

    def after(self, number: int, limit: int) -> list[Event]:
        """Events with a higher number, oldest first."""

    def last(self) -> int:
        """The last number that was given, even if that event is gone; 0 if none was."""

    def first(self) -> int:
        """The number of the oldest event that is kept; 0 if none is."""

    def prune(self, keep: int) -> int:
        """Drop all but the newest; returns how many. No number is given again."""


class LearningQueue(Protocol):
    """Captured turns that nothing was learned from yet, in the order of their ids."""

    def add(self, heard: CapturedTurn) -> None:
        """Queue a captured turn for the rules to read, unless it is queued already."""

    def put(self, queued: QueuedTurn) -> None:
        """Queue a turn with the state that it had elsewhere, replacing what is here."""

    def get(self, id: str) -> CapturedTurn | None:
        """One captured turn."""

    def at_stage(self, stage: QueueStage, limit: int, after: str | None = None) -> list[QueuedTurn]:
        """Turns at a stage, oldest first; `after` is the id of the last of the page before."""

    def settle(self, ids: Collection[str], keep: bool) -> set[str]:
        """Mark these as read by the rules: they now wait for the model, or are dropped.

        Returns those that were fresh until now; the others are left alone. Their tries count anew.
        """

    def add_tries(self, ids: Collection[str], count: int) -> None:
        """Count readings of these that were begun, or with -1 one that does not count."""

    def set_aside(self, ids: Collection[str], problem: str) -> None:
        """Leave these to a person, because they could not be read."""

    def retry(self, ids: Collection[str]) -> set[str]:
        """Make these fresh again; returns those that were set aside, the others are left alone."""

    def waiting(self, session: str, limit: int) -> list[QueuedTurn]:
        """Turns of a session that wait for the model, oldest first."""

    def hasten(self, session: str) -> int:
        """Make the turns of a session due for the model; returns how many became due.

        Those that were set aside stay so.
        """

    def ripe(self, least: int, limit: int) -> list[str]:
        """Sessions with a turn due for the model, or with at least `least` turns waiting.

        Those that have waited longest come first.
        """

    def drop(self, ids: Collection[str]) -> set[str]:
        """Drop these; returns those that were there."""

    def drop_holding(
        self, words: WordMatcher, is_meant: Callable[[CapturedTurn], bool]
    ) -> set[str]:
        """Drop turns that contain these words in any case and pass `is_meant`; returns the ids."""

    def prune(self, before: datetime) -> int:
        """Drop turns that were captured before a time; returns how many."""

    def scan(self, after: str | None, limit: int) -> list[QueuedTurn]:
        """A page of the queue, by id."""
