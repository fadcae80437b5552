"""The rows of one workspace, as dictionaries that can be copied and put back."""

from copy import copy
from dataclasses import dataclass, field, fields
from typing import Self

from tacit.core.changes import AuditEntry, Review
from tacit.core.events import Event
from tacit.core.kinds import Scope
from tacit.core.marks import Mark
from tacit.core.memory import Association, Memory
from tacit.core.open_turn import OpenTurn, QueuedTurn
from tacit.core.projects import ProjectPlace
from tacit.core.receipt import Receipt
from tacit.core.sessions import Block, LedgerEntry, Participant, Session, SessionVariable
from tacit.core.vectors import EmbeddingModel, Vector
from tacit.store.protocols.service import IdempotencyRecord

Edge = tuple[str, str, str]
TokenCodes = tuple[bytes, tuple[str, ...]]
"""Codes, and the ids of their context."""


@dataclass(slots=True)
class WorkspaceTables:
    """All rows of one workspace; values are frozen, so a shallow copy is enough."""

    memories: dict[str, Memory] = field(default_factory=dict)
    identities: dict[bytes, str] = field(default_factory=dict)
    terms: dict[str, bytes] = field(default_factory=dict)
    revisions: dict[str, int] = field(default_factory=dict)
    removals: dict[str, int] = field(default_factory=dict)
    revision: int = 0
    vectors: dict[tuple[EmbeddingModel, str], Vector] = field(default_factory=dict)
    token_codes: dict[tuple[EmbeddingModel, str], TokenCodes] = field(default_factory=dict)
    associations: dict[Edge, Association] = field(default_factory=dict)
    audit: dict[str, AuditEntry] = field(default_factory=dict)
    reviews: dict[str, Review] = field(default_factory=dict)
    claims: dict[str, frozenset[str]] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    pauses: set[tuple[Scope, str]] = field(default_factory=set)
    participants: dict[tuple[str, str, str], Participant] = field(default_factory=dict)
    blocks: dict[tuple[str, str], Block] = field(default_factory=dict)
    ledger: dict[tuple[str, int, str], LedgerEntry] = field(default_factory=dict)
    receipts: dict[str, Receipt] = field(default_factory=dict)
    open_turns: dict[tuple[str, str], OpenTurn] = field(default_factory=dict)
    marks: dict[tuple[str, str], Mark] = field(default_factory=dict)
    events: dict[int, Event] = field(default_factory=dict)
    last_event: int = 0
    answers: dict[str, IdempotencyRecord] = field(default_factory=dict)
    heard: dict[str, QueuedTurn] = field(default_factory=dict)
    variables: dict[tuple[str, str], SessionVariable] = field(default_factory=dict)
    places: dict[tuple[str, str, str], ProjectPlace] = field(default_factory=dict)
    progress: dict[str, str] = field(default_factory=dict)

    def copy(self) -> Self:
        """The same rows in other dictionaries."""
        return type(self)(**{each.name: copy(getattr(self, each.name)) for each in fields(self)})
