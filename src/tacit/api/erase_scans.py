"""What an erasure reads page by page, and the traces of erased texts in receipts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

from tacit.core.changes import Review
from tacit.core.episodes import is_episode_id
from tacit.core.items import Place, reaches
from tacit.core.kinds import Owner, Scope
from tacit.core.memory import Memory
from tacit.core.open_turn import OpenTurn, QueuedTurn
from tacit.core.permissions import Viewer
from tacit.core.receipt import Receipt
from tacit.core.sessions import Session, SessionVariable
from tacit.language.terms import WordMatcher, extract_query_terms
from tacit.store.items import ItemTable
from tacit.store.ownership import EraseBounds
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.query import Query
from tacit.store.workspaces import items_workspace
from tacit.writing.erasure import EraseTarget, is_session_of_user

_PAGE = 500
MEMORIES_PER_PAGE = 2_000
"""Memories read at once; their words are then searched in every file."""

Row = TypeVar("Row")
Scan = Callable[[UnitOfWork, Any], Sequence[Row]]
"""A page of rows after one of them, or the first."""


def scan_pages(store: Store, workspace: str, scan: Scan[Row]) -> Iterator[Sequence[Row]]:
    """Yield the pages of a scan until one is empty."""
    last: Row | None = None
    while True:
        with store.read(workspace) as unit:
            page = scan(unit, last)
        if not page:
            return
        yield page
        last = page[-1]


def find_sessions_of(store: Store, workspace: str, owner: Owner, reach: Viewer) -> frozenset[str]:
    """The sessions within reach that belong to one owner alone."""
    found = _find_all_sessions_of(store, workspace, owner)
    if not reach.is_bound:
        return found
    with store.read(workspace) as unit:
        return frozenset(filter(EraseBounds(unit, reach).has_session, found))


def _find_all_sessions_of(store: Store, workspace: str, owner: Owner) -> frozenset[str]:
    scope, name = owner
    if scope is Scope.SESSION:
        return frozenset([name] if name else [])
    if scope is not Scope.USER:
        return frozenset()
    listed = scan_pages(store, workspace, _scan_sessions)
    return frozenset(each.id for page in listed for each in page if is_session_of_user(name, each))


def memory_scans(target: EraseTarget) -> list[Scan[Memory]]:
    """Scans of the memories that a target names or selects."""
    ids = [id for id in target.ids if not is_episode_id(id)]
    named = [_scan_named_memories(ids)] if ids else []
    return [*named, *map(_scan_matching_memories, target.memories)]


def find_erased_items(store: Store, workspace: str, target: EraseTarget) -> list[Place]:
    """The items within reach that a target selects, also those that expired."""
    selection = target.items
    if selection is None:
        return []
    with store.read(items_workspace(workspace)) as unit:
        return [
            each.at
            for each in ItemTable(unit, target.now).everything()
            if selection.has(each) and reaches(target.reach, each.namespace)
        ]


def scan_queued_turns(unit: UnitOfWork, last: QueuedTurn | None) -> list[QueuedTurn]:
    """A page of the turns that wait to be learned from."""
    return unit.heard.scan(last.id if last else None, _PAGE)


def scan_open_turns(unit: UnitOfWork, last: OpenTurn | None) -> list[OpenTurn]:
    """A page of the turns that are open or abandoned."""
    return unit.receipts.scan_open_turns(last, _PAGE)


def scan_reviews(unit: UnitOfWork, last: Review | None) -> list[Review]:
    """What waits for a person."""
    return unit.reviews.pending(last.id if last else None, _PAGE)


def scan_variables(unit: UnitOfWork, last: SessionVariable | None) -> list[SessionVariable]:
    """A page of session variables."""
    return unit.variables.scan(last, _PAGE)


def scan_receipts(unit: UnitOfWork, last: Receipt | None) -> list[Receipt]:
    """A page of the receipts of a workspace."""
    return unit.receipts.scan(last.id if last else None, _PAGE)


def receipt_scans(target: EraseTarget) -> list[Scan[Receipt]]:
    """Scans of the receipts of a target: of the whole workspace, or of the erased sessions."""
    if target.owner is not None and target.owner[0] is not Scope.SESSION:
        return [scan_receipts]
    return [_scan_receipts_of(session) for session in sorted(target.sessions)]


def _scan_named_memories(ids: Sequence[str]) -> Scan[Memory]:
    return lambda unit, last: [] if last else list(unit.memories.get(ids).values())


def _scan_matching_memories(query: Query) -> Scan[Memory]:
    return lambda unit, last: unit.memories.find(
        replace(query, limit=MEMORIES_PER_PAGE, after=last.id if last else None)
    )


def _scan_receipts_of(session: str) -> Scan[Receipt]:
    return lambda unit, last: unit.receipts.recent(session, _PAGE, last.id if last else None)


def _scan_sessions(unit: UnitOfWork, last: Session | None) -> list[Session]:
    return unit.sessions.scan(last.id if last else None, _PAGE)


# Traces of erased texts in receipts


@dataclass(frozen=True, slots=True)
class ErasedTraces:
    """Erased texts and their terms, as receipts may contain them."""

    words: WordMatcher
    terms: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """The traces of some texts, without stop words."""
        kept = tuple(texts)
        found = (
            term for text in kept for term in extract_query_terms(text) if not term.is_stop_word
        )
        return cls(WordMatcher.of(kept), frozenset(term.alternatives[0] for term in found))

    def are_said_in(self, receipt: Receipt) -> bool:
        """Whether a receipt quotes one of the texts."""
        return self.words.match_any(receipt.texts)

    def are_in(self, receipt: Receipt) -> bool:
        """Whether a receipt quotes a text, or has a term of one in its context."""
        return self.are_said_in(receipt) or not self.terms.isdisjoint(receipt.context)

    def remove_from(self, receipt: Receipt) -> Receipt:
        """The receipt with the terms removed from its context."""
        kept = tuple(term for term in receipt.context if term not in self.terms)
        return replace(receipt, context=kept)
