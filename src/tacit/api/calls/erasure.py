"""Calls that erase: a memory, an owner, a session, or what filters match; and their preview."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Unpack

from tacit.api.bulk_erase import (
    BulkErase,
    ErasedTraces,
    Row,
    Scan,
    find_sessions_of,
    memory_scans,
    receipt_scans,
    scan_open_turns,
    scan_pages,
    scan_queued_turns,
    scan_receipts,
    scan_reviews,
    scan_variables,
)
from tacit.api.protocols.memories import ErasureProtocol
from tacit.api.workspace import WorkspaceApi
from tacit.core.changes import Review
from tacit.core.errors import NotFound
from tacit.core.fields import check_field
from tacit.core.kinds import Action, Actor, Scope
from tacit.core.memory import Filters, check_erase_filters
from tacit.core.permissions import UNBOUND, Viewer
from tacit.grounding.file_layout import WorkspaceRoot
from tacit.runtime.clock import Clock
from tacit.store.journal import collect_texts, is_proposal_with, source_turns
from tacit.store.ownership import EraseBounds
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.writing.author import Author
from tacit.writing.erasure import EraseTally, EraseTarget, Erasure, Sweep, require_person


@dataclass(frozen=True, slots=True, kw_only=True)
class Eraser:
    """Erases within the reach of one caller; the rest is neither erased nor counted."""

    store: Store
    workspace: str
    reach: Viewer
    workspaces: Callable[[], WorkspaceRoot]
    write: Callable[[Actor, Callable[[Author], Any]], Any]
    clock: Clock

    def erase(self, id: str, *, by: Actor | str) -> Erasure:
        """Erase a memory and all traces of its words; reports what was removed and what is left."""
        checked, actor = check_field("id", id), check_field("by", by)
        require_person(actor)
        with self.store.read(self.workspace) as unit:
            if not _has_existed(unit, checked):
                raise NotFound(f"there is no memory {checked} in workspace {self.workspace!r}")
        target = EraseTarget.of_memory(checked, self.reach)
        return Erasure.of(checked, self._erase(target, actor, dry_run=False))

    def erase_owner(
        self, scope: Scope | str, scope_id: str, *, dry_run: bool, by: Actor | str
    ) -> Sweep:
        """Erase all memories of an owner, in every state, and the turns asked in their name."""
        owner = (check_field("scope", scope), check_field("scope_id", scope_id))
        sessions = find_sessions_of(self.store, self.workspace, owner, self.reach)
        target = EraseTarget.of_owner(owner, sessions, self.clock(), self.reach)
        return self._erase(target, by, dry_run=dry_run)

    def erase_session(self, session: str, *, dry_run: bool, by: Actor | str) -> Sweep:
        """Erase a session with everything said in it: memories, turns, blocks, chat logs."""
        target = EraseTarget.of_session(check_field("session", session), self.clock(), self.reach)
        return self._erase(target, by, dry_run=dry_run)

    def erase_matching(
        self, *, dry_run: bool, by: Actor | str, **filters: Unpack[Filters]
    ) -> Sweep:
        """Erase the memories that `list` returns with these filters, in every state."""
        target = EraseTarget.matching(check_erase_filters(filters), self.clock(), self.reach)
        return self._erase(target, by, dry_run=dry_run)

    def _erase(self, target: EraseTarget, by: Actor | str, *, dry_run: bool) -> Sweep:
        actor = check_field("by", by)
        require_person(actor)
        if dry_run:
            return ErasePreview(store=self.store, workspace=self.workspace).run(target)
        erase = BulkErase(
            store=self.store,
            workspace=self.workspace,
            folder=self.workspaces().folder(self.workspace),
            write=lambda work: self.write(actor, work),
        )
        return erase.run(target)


def _has_existed(unit: UnitOfWork, id: str) -> bool:
    """Whether a memory exists or was erased, so that an interrupted erasure can be finished."""
    if unit.memories.known([id]):
        return True
    return any(row.action is Action.ERASE for row in unit.audit.of(id))


# Erasure


class ErasureCalls(WorkspaceApi, ErasureProtocol):
    """Erasure, with a receipt of what was removed; an interrupted call continues when repeated."""

    def erase(self, id: str, *, by: Actor | str = Actor.USER) -> Erasure:
        return self.erasures_of(UNBOUND).erase(id, by=by)

    def erase_owner(
        self,
        scope: Scope | str,
        scope_id: str,
        *,
        dry_run: bool = False,
        by: Actor | str = Actor.USER,
    ) -> Sweep:
        erasures = self.erasures_of(UNBOUND)
        return erasures.erase_owner(scope, scope_id, dry_run=dry_run, by=by)

    def erase_session(
        self, session: str, *, dry_run: bool = False, by: Actor | str = Actor.USER
    ) -> Sweep:
        return self.erasures_of(UNBOUND).erase_session(session, dry_run=dry_run, by=by)

    def erase_matching(
        self, *, dry_run: bool = False, by: Actor | str = Actor.USER, **filters: Unpack[Filters]
    ) -> Sweep:
        return self.erasures_of(UNBOUND).erase_matching(dry_run=dry_run, by=by, **filters)

    def erasures_of(self, reach: Viewer) -> Eraser:
        """The eraser of a caller that is bound to an agent or a user."""
        return Eraser(
            store=self._store,
            workspace=self._workspace,
            reach=reach,
            workspaces=lambda: self._workspaces,
            write=self._write,
            clock=self._clock,
        )


# Preview


@dataclass(slots=True, kw_only=True)
class ErasePreview:
    """A dry run of an erasure: counts what would be removed."""

    store: Store
    workspace: str
    _tally: EraseTally = field(default_factory=EraseTally)

    def run(self, target: EraseTarget) -> Sweep:
        """Count the target, and what else would be removed because it repeats its words."""
        found = self._find_memories(target)
        ids, traces, words = found.ids, found.traces, found.traces.words
        self._tally.add("memories", len(ids))
        self._count(
            "heard",
            scan_queued_turns,
            lambda each: (
                target.takes(each.turn)
                or (target.reaches(each.turn) and words.match_any(each.turn.texts))
            ),
        )
        self._count(
            "turns",
            scan_open_turns,
            lambda each: (
                each.abandoned is None
                and (
                    target.takes(each.receipt)
                    or each.shows(ids)
                    or (target.reaches(each.receipt) and words.match_any(each.texts))
                )
            ),
        )
        self._count(
            "variables",
            scan_variables,
            lambda each: (
                each.session in target.sessions
                or (words.match_any(each.texts) and self._reaches(target, each.session))
            ),
        )
        self._count(
            "reviews",
            scan_reviews,
            lambda each: (
                each.memory in ids
                or (
                    (target.takes_wish(each) or is_proposal_with(each, words))
                    and self._reaches_review(target, each)
                )
            ),
        )
        for scan in [scan_receipts] if words else receipt_scans(target):
            self._count(
                "receipts",
                scan,
                lambda each: (
                    target.takes(each)
                    or (target.reaches(each) and (each.id in found.turns or traces.are_in(each)))
                ),
            )
        for session in target.sessions:
            self._count_session(session)
        return self._tally.sweep(dry_run=True)

    def _find_memories(self, target: EraseTarget) -> "_FoundMemories":
        """The memories of the target, everything they ever said, and the turns they came from."""
        ids: set[str] = set()
        texts: set[str] = set()
        turns: set[str] = set()
        for scan in memory_scans(target):
            for page in scan_pages(self.store, self.workspace, scan):
                with self.store.read(self.workspace) as unit:
                    page = list(filter(EraseBounds(unit, target.reach).has_memory, page))
                    texts.update(*(collect_texts(unit, memory) for memory in page))
                ids.update(memory.id for memory in page)
                turns.update(source_turns(page))
        return _FoundMemories(frozenset(ids), ErasedTraces.of(texts), frozenset(turns))

    def _reaches(self, target: EraseTarget, session: str) -> bool:
        with self.store.read(self.workspace) as unit:
            return EraseBounds(unit, target.reach).has_session(session)

    def _reaches_review(self, target: EraseTarget, review: Review) -> bool:
        with self.store.read(self.workspace) as unit:
            return EraseBounds(unit, target.reach).has_proposal(review)

    def _count(self, kind: str, scan: Scan[Row], is_meant: Callable[[Row], bool]) -> None:
        for page in scan_pages(self.store, self.workspace, scan):
            self._tally.add(kind, sum(map(is_meant, page)))

    def _count_session(self, session: str) -> None:
        with self.store.read(self.workspace) as unit:
            self._tally.add("blocks", len(unit.blocks.of(session)))
            self._tally.add("ledger", len(unit.ledger.of(session)))
            self._tally.add("sessions", int(unit.sessions.get(session) is not None))


@dataclass(frozen=True, slots=True)
class _FoundMemories:
    """Memories by their ids, the traces of their texts, and the turns they were learned from."""

    ids: frozenset[str]
    traces: ErasedTraces
    turns: frozenset[str]
