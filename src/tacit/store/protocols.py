"""What a backend must offer: rows in, rows out, all of one workspace, in one transaction.

A backend decides nothing. What a change means (its audit row, its index terms) is in the
journal, once, for all of them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol

from tacit.access import Key
from tacit.conversation import (
    Block,
    Entry,
    Event,
    EventKind,
    Heard,
    Mark,
    OpenTurn,
    Queued,
    Session,
    Variable,
)
from tacit.memory import Association, AuditEntry, Memory, Owner, Relation, Review, Scope
from tacit.receipt import Receipt
from tacit.store.answer import Answer
from tacit.store.index import Index
from tacit.store.indexed import IndexedBatch
from tacit.store.query import Counts, Query
from tacit.vector import Model, Vector


class Memories(Protocol):
    """The memories of one workspace, in every state."""

    def insert(self, memory: Memory) -> None:
        """Add a memory; one with its id or its identity must not be there (AlreadyKnown)."""

    def update(self, memory: Memory) -> None:
        """Replace the memory that has this id, as long as no other says the same."""

    def delete(self, id: str) -> None:
        """Remove a memory with its terms, vectors and associations."""

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Those of the ids that exist, forgotten ones included."""

    def known(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that exist, forgotten ones included, without reading them."""

    def same(self, content_hash: bytes) -> Memory | None:
        """The memory with this identity that was not superseded."""

    def same_as(self, hashes: Collection[bytes]) -> dict[bytes, Memory]:
        """Those with these identities, all at once; asking `same` for one afterwards is quick."""

    def ending(self, suffix: str, limit: int) -> list[str]:
        """Ids that end like this, forgotten ones included."""

    def find(self, query: Query) -> list[Memory]:
        """What the query asks for, in its order; in that of creation, `after` need not be there."""

    def withdrawn(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that were forgotten, superseded or erased."""

    def count_access(self, ids: Sequence[str], at: datetime) -> None:
        """Note that these were really used; nothing else about them changes."""


class Associations(Protocol):
    """The edges between memories of one workspace."""

    def get(self, source: str, target: str, relation: Relation) -> Association | None:
        """One edge."""

    def put(self, association: Association) -> None:
        """Add an edge or change its weight."""

    def remove(self, association: Association) -> None:
        """Remove an edge."""

    def clear(self, id: str) -> int:
        """Remove every edge at a memory; returns how many."""

    def of(self, id: str) -> list[Association]:
        """Edges at a memory, in both directions, leaving out forgotten neighbours."""

    def within(
        self, ids: Sequence[str], depth: int, relations: Collection[Relation]
    ) -> list[Association]:
        """Edges at any memory that is fewer than `depth` steps from these, in both directions.

        Only edges of `relations` are walked on; all are returned, by source, target and relation.
        """

    def scan(self, after: Association | None, limit: int) -> list[Association]:
        """A page of all edges, by source, target and relation."""


class Texts(Protocol):
    """The terms that memories are found by."""

    def put(self, id: str, terms: Sequence[str]) -> None:
        """Keep the terms of a memory, instead of any it had."""

    def of(self, ids: Sequence[str]) -> dict[str, bytes]:
        """The terms of these memories, as packed codes."""


class Vectors(Protocol):
    """The vectors of memories, each knowing its model."""

    def put(self, id: str, model: Model, vector: Vector) -> None:
        """Store a vector, instead of any this model had for the memory."""

    def get(self, ids: Sequence[str], model: Model) -> dict[str, Vector]:
        """The vectors that this model made of these memories."""

    def scan(self, model: Model, after: str | None, limit: int) -> list[tuple[str, Vector]]:
        """A page of the vectors of a model, with their memories, by the memories' ids."""

    def discard(self, id: str) -> None:
        """Remove the vectors of every model: the text they were made of changed."""

    def models(self) -> list[Model]:
        """The models that vectors of this workspace were made by."""

    def lacking(self, model: Model) -> int:
        """How many memories have no vector of this model."""

    def missing(self, model: Model, limit: int) -> list[str]:
        """Memories that have no vector of this model, oldest first."""


class Audit(Protocol):
    """The account of changes; rows are added, and only an erasure blanks them."""

    def record(self, entry: AuditEntry) -> None:
        """Add a row that is new."""

    def append(self, entries: Iterable[AuditEntry]) -> int:
        """Add rows; one that is there already is left alone. Returns how many were added."""

    def of(self, memory: str) -> list[AuditEntry]:
        """The rows of one memory, oldest first."""

    def scan(self, after: str | None, limit: int) -> list[AuditEntry]:
        """A page of all rows, by id."""

    def blank(self, memory: str) -> int:
        """Remove the values from a memory's rows; returns how many rows held any."""


class Reviews(Protocol):
    """Changes that wait for a person."""

    def same(self, review: Review) -> Review | None:
        """The wish of the same author for the same change that waits already."""

    def add(self, review: Review) -> None:
        """Queue a wish that does not wait yet."""

    def get(self, id: str) -> Review | None:
        """One wish that waits."""

    def about(self, memory: str) -> list[Review]:
        """The wishes about one memory, oldest first."""

    def pending(self, after: str | None, limit: int) -> list[Review]:
        """A page of what waits, oldest first."""

    def drop(self, id: str) -> bool:
        """Drop one wish; tells whether it waited."""

    def remove(self, memory: str) -> int:
        """Drop the wishes about one memory; returns how many."""


class Claims(Protocol):
    """What memories claim, to find those that may contradict each other."""

    def put(self, id: str, claims: Sequence[str]) -> None:
        """Keep the claims of a memory, beside any it has."""

    def clear(self, id: str) -> None:
        """Drop the claims of a memory."""

    def rivals(self, ids: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """Pairs of one of these memories and another, not forgotten or superseded, that shares a
        claim with it, in the order of their ids."""

    def shared(self, start: int, limit: int) -> list[tuple[int, list[tuple[str, Owner]]]]:
        """A page of claims that several memories make, by their signed codes from `start` on, with
        the ids and owners of those memories that were not forgotten or superseded."""

    def shared_keys(self) -> list[tuple[str, list[str]]]:
        """Keys that several memories of one owner have, with the ids of these memories; those that
        were forgotten or superseded do not count."""


class Sessions(Protocol):
    """The sessions of one workspace, and what is paused."""

    def get(self, id: str) -> Session | None:
        """One session."""

    def put(self, session: Session) -> None:
        """Add a session or replace what is known of it."""

    def recent(self, limit: int, after: tuple[datetime, str] | None = None) -> list[Session]:
        """The sessions that were active last, or a page of them after this moment and id.

        Those that were active at the same moment are in the order of their ids.
        """

    def scan(self, after: str | None, limit: int) -> list[Session]:
        """A page of all sessions, by id."""

    def pause(self, scope: Scope, scope_id: str) -> None:
        """Leave a session or a project alone from now on."""

    def resume(self, scope: Scope, scope_id: str) -> bool:
        """Serve it again; tells whether it was paused."""

    def paused(self) -> set[tuple[Scope, str]]:
        """What is left alone."""


class Blocks(Protocol):
    """The blocks that sessions were shown."""

    def put(self, block: Block) -> None:
        """Add a block or change its state."""

    def of(self, session: str) -> list[Block]:
        """The blocks of a session in every state, oldest first."""

    def standing(self, session: str, ids: Collection[str] = ()) -> list[Block]:
        """The live blocks of a session, and those with these ids in any state, oldest first."""

    def scan(self, after: Block | None, limit: int) -> list[Block]:
        """A page of all blocks, by session and id."""

    def blank(self, memory: str) -> int:
        """Remove the words of every block that a memory was in; returns how many."""


class Ledger(Protocol):
    """Which memories sessions were shown."""

    def add(self, entries: Iterable[Entry]) -> None:
        """Note what was injected."""

    def of(self, session: str) -> list[Entry]:
        """The entries of a session, oldest first."""

    def bound(self, session: str) -> list[Entry]:
        """Those entries of a session that were not released, oldest first."""

    def scan(self, after: Entry | None, limit: int) -> list[Entry]:
        """A page of all entries, by session, turn and memory."""

    def release(self, session: str, blocks: Sequence[str] | None, at: datetime) -> int:
        """Let entries of these blocks, or of all, be injected again; returns how many."""

    def remove(self, memory: str) -> int:
        """Drop a memory's entries; returns how many."""


class Receipts(Protocol):
    """The accounts of turns, and the turns that have not ended."""

    def put(self, receipt: Receipt) -> None:
        """Keep a receipt."""

    def get(self, id: str) -> Receipt | None:
        """One receipt."""

    def recent(self, session: str | None, limit: int, after: str | None = None) -> list[Receipt]:
        """The last receipts of a session, or of all, newest first; those older than `after`."""

    def scan(self, after: str | None, limit: int) -> list[Receipt]:
        """A page of all receipts, by id."""

    def prune(self, before: datetime) -> int:
        """Drop receipts older than a moment, except the last of each session."""

    def open(self, turn: OpenTurn) -> None:
        """Keep a turn that has begun."""

    def opened(self, session: str) -> list[OpenTurn]:
        """The turns of a session that have begun and not ended, oldest first."""

    def opening(self, id: str) -> OpenTurn | None:
        """The turn with this id, if it has begun and not ended."""

    def scan_opened(self, after: OpenTurn | None, limit: int) -> list[OpenTurn]:
        """A page of all turns that have begun and not ended, by session and id."""

    def drop_holding(self, memory: str) -> int:
        """Drop the turns that have not ended and would show a memory; returns how many."""

    def close(self, session: str, id: str) -> bool:
        """Drop a turn that has begun; tells whether it was there."""


class Marks(Protocol):
    """What people said was of no use."""

    def add(self, mark: Mark) -> None:
        """Keep a mark."""

    def of(self, ids: Sequence[str]) -> list[Mark]:
        """The marks on these memories."""

    def scan(self, after: Mark | None, limit: int) -> list[Mark]:
        """A page of all marks, by memory and id."""


class Events(Protocol):
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


class Answers(Protocol):
    """How requests were answered that may come again."""

    def claim(
        self, key: str, fingerprint: bytes, at: datetime, abandoned_before: datetime
    ) -> Answer | None:
        """Begin to work on a request; returns the answer if another did so before.

        What was begun before `abandoned_before` and never finished is taken over by who asks the
        same.
        """

    def finish(self, key: str, status: int, body: bytes) -> None:
        """Keep the answer to a request that is worked on; one that has its answer keeps that."""

    def release(self, key: str) -> None:
        """Let a request that is worked on be begun anew."""

    def prune(self, before: datetime) -> int:
        """Drop what was begun before a moment; returns how many."""


class HeardTurns(Protocol):
    """What was heard in turns and nothing was learned from yet, in the order of its ids."""

    def add(self, heard: Heard) -> None:
        """Queue what was heard, for the rules to read; what is queued already is left alone."""

    def put(self, queued: Queued) -> None:
        """Queue something as it stood elsewhere, instead of what is known of it here."""

    def get(self, id: str) -> Heard | None:
        """What was heard in one turn."""

    def fresh(self, limit: int) -> list[Heard]:
        """What the rules have not read, oldest first."""

    def settle(self, ids: Collection[str], keep: bool) -> set[str]:
        """Note that the rules have read these: they wait for the model now, or go.

        Returns those that were fresh until now; the others are left alone.
        """

    def waiting(self, session: str, limit: int) -> list[Heard]:
        """What the rules have read in a session and the model has not, oldest first."""

    def hasten(self, session: str) -> int:
        """Let the model read a session once the rules have; returns how many became due."""

    def ripe(self, least: int, limit: int) -> list[str]:
        """Sessions that wait for the model with something due, or with at least so many turns.

        Those that have waited longest come first.
        """

    def drop(self, ids: Collection[str]) -> set[str]:
        """Drop these; returns those that were there."""

    def drop_holding(self, words: str) -> int:
        """Drop what these words stand in, whatever their case; returns how many."""

    def prune(self, before: datetime) -> int:
        """Drop what was heard before a moment, read or not; returns how many."""

    def scan(self, after: str | None, limit: int) -> list[Queued]:
        """A page of all that is queued, by id."""


class Variables(Protocol):
    """What workflows noted about sessions, by session and name."""

    def of(self, session: str) -> list[Variable]:
        """What is noted about a session, by name."""

    def put(self, variable: Variable) -> None:
        """Note something, instead of what the name stood for."""

    def remove(self, session: str, name: str) -> bool:
        """Note it no longer; tells whether it was."""

    def drop_holding(self, words: str) -> int:
        """Drop what these words stand in, whatever their case; returns how many."""

    def prune(self, before: datetime) -> int:
        """Drop what was noted before a moment; returns how many."""

    def scan(self, after: Variable | None, limit: int) -> list[Variable]:
        """A page of all, by session and name."""


class Progress(Protocol):
    """How far long work has come, so that the next who does it goes on there."""

    def get(self, name: str) -> Mapping[str, Any] | None:
        """How far the work of this name has come."""

    def put(self, name: str, value: Mapping[str, Any]) -> None:
        """Note how far it has come, as plain JSON."""

    def remove(self, name: str) -> None:
        """Let it begin anew."""


class Unit(Protocol):
    """One transaction on one workspace."""

    @property
    def workspace(self) -> str:
        """The tenant that everything here belongs to."""

    @property
    def memories(self) -> Memories:
        """The memories."""

    @property
    def associations(self) -> Associations:
        """The edges."""

    @property
    def texts(self) -> Texts:
        """The terms."""

    @property
    def vectors(self) -> Vectors:
        """The vectors."""

    @property
    def audit(self) -> Audit:
        """The account of changes."""

    @property
    def reviews(self) -> Reviews:
        """What waits for a person."""

    @property
    def claims(self) -> Claims:
        """What memories claim."""

    @property
    def sessions(self) -> Sessions:
        """The sessions."""

    @property
    def blocks(self) -> Blocks:
        """What they were shown."""

    @property
    def ledger(self) -> Ledger:
        """The memories in it."""

    @property
    def receipts(self) -> Receipts:
        """The accounts of turns."""

    @property
    def marks(self) -> Marks:
        """What was of no use."""

    @property
    def events(self) -> Events:
        """What happened."""

    @property
    def answers(self) -> Answers:
        """How requests were answered."""

    @property
    def heard(self) -> HeardTurns:
        """What was heard and waits to be learned from."""

    @property
    def variables(self) -> Variables:
        """What workflows noted about sessions."""

    @property
    def progress(self) -> Progress:
        """How far long work has come."""

    def revision(self) -> int:
        """Counts the transactions that changed what is searched."""

    def changed(self, since: int, model: Model | None) -> Iterator[IndexedBatch]:
        """Memories that changed after a revision, in every state, with the vectors of a model."""

    def removed(self, since: int) -> list[str]:
        """Ids that were erased after a revision."""

    def index(self, model: Model | None) -> Index | None:
        """The database's own index of a workspace that is too large to be held in memory."""

    def counts(self, now: datetime) -> Counts:
        """How much is here."""


class Keys(Protocol):
    """The keys of a whole store; each call is a transaction of its own."""

    def add(self, key: Key) -> None:
        """Add a key; none in use must have its name, and none at all its id (AlreadyKnown)."""

    def get(self, id: str) -> Key | None:
        """One key, revoked or not."""

    def all(self) -> list[Key]:
        """Every key, oldest first."""

    def revoke(self, id: str, at: datetime) -> bool:
        """End a key; tells whether it was in use."""

    def any(self) -> bool:
        """Whether there ever was a key."""


class Store(Protocol):
    """A place that memories live in; texts are in the order of their code points."""

    def workspaces(self) -> list[str]:
        """The workspaces that were ever written to, by name."""

    def read(self, workspace: str) -> AbstractContextManager[Unit]:
        """A consistent view of one workspace."""

    def write(self, workspace: str) -> AbstractContextManager[Unit]:
        """A transaction: all of it is durable when the block ends, or none of it ever was."""

    def keys(self) -> Keys:
        """The keys, which are read before a workspace is known."""

    def settle(self, workspace: str) -> None:
        """Make ready what searches will need, after much was written at once."""

    def purge(self) -> tuple[str, ...]:
        """Remove what was deleted from logs too; names the places it could not reach."""

    def describe(self) -> Mapping[str, object]:
        """Where and how large it is, for people."""

    def close(self) -> None:
        """Let go of files and connections; calling it again does nothing."""
