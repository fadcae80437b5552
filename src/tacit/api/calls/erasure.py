"""Calls that erase: a memory, an owner, a session, or what filters match; and their preview."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self, Unpack

from tacit.api.bulk_erase import BulkErase
from tacit.api.calls.episodes import episode_not_found
from tacit.api.erase_scans import (
    ErasedTraces,
    Row,
    Scan,
    find_erased_items,
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
from tacit.api.erased_episodes import EpisodeFinder
from tacit.api.waiting_prompts import WaitingPrompts
from tacit.api.workspace import Part
from tacit.core.changes import Review
from tacit.core.episodes import is_episode_id
from tacit.core.errors import NotFound
from tacit.core.fields import check_field
from tacit.core.kinds import Action, Actor, Scope
from tacit.core.memory import Filters, Memory, check_erase_filters
from tacit.core.open_turn import QueuedTurn
from tacit.core.owners import parse_owner
from tacit.core.permissions import UNBOUND, Viewer
from tacit.grounding.file_layout import WorkspaceRoot
from tacit.runtime.clock import Clock
from tacit.store.episodes import turn_of
from tacit.store.journal import collect_texts, is_proposal_with, source_turns
from tacit.store.ownership import EraseBounds
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.workspaces import episodes_workspace
from tacit.turn.record import record_pending_turns
from tacit.writing.author import Author
from tacit.writing.erasure import EraseTally, EraseTarget, Erasure, Sweep, require_person


@dataclass(frozen=True, slots=True, kw_only=True)
class Eraser:
    """Erases within the reach of one caller; the rest is neither erased nor counted."""

    store: Store
    workspace: str
    reach: Viewer
    waiting: WaitingPrompts
    workspaces: Callable[[], WorkspaceRoot]
    write: Callable[[Actor, Callable[[Author], Any]], Any]
    write_episodes: Callable[[Actor, Callable[[Author], Any]], Any]
    clock: Clock
    record_pending: Callable[[], None]
    """Stores the turns that wait for it, so that their words are found."""

    def erase(self, id: str, *, by: Actor | str) -> Erasure:
        """Erase a memory or an episode, and all traces of its words; says what is left."""
        checked, actor = check_field("id", id), check_field("by", by)
        require_person(actor)
        target = EraseTarget.of_id(checked, self.reach)
        if is_episode_id(checked):
            self._check_episode(target)
        else:
            with self.store.read(self.workspace) as unit:
                if not _has_existed(unit, checked):
                    raise NotFound(f"there is no memory {checked} in workspace {self.workspace!r}")
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
        """Erase the memories and episodes that match these filters, in every state."""
        target = EraseTarget.matching(check_erase_filters(filters), self.clock(), self.reach)
        return self._erase(target, by, dry_run=dry_run)

    def _check_episode(self, target: EraseTarget) -> None:
        """Check that an episode is within reach; of one that is gone nobody knows whose it was."""
        (id,) = target.ids
        finder = EpisodeFinder(store=self.store, workspace=self.workspace, reach=self.reach)
        if any(finder.selected(target)):
            return
        with self.store.read(episodes_workspace(self.workspace)) as unit:
            if self.reach.is_bound or not _has_existed(unit, id):
                raise episode_not_found(id, self.workspace)

    def _erase(self, target: EraseTarget, by: Actor | str, *, dry_run: bool) -> Sweep:
        actor = check_field("by", by)
        require_person(actor)
        if dry_run:
            preview = ErasePreview(store=self.store, workspace=self.workspace, waiting=self.waiting)
            return preview.run(target)
        self.record_pending()
        erase = BulkErase(
            store=self.store,
            workspace=self.workspace,
            waiting=self.waiting,
            folder=self.workspaces().folder(self.workspace),
            write=lambda work: self.write(actor, work),
            write_episodes=lambda work: self.write_episodes(actor, work),
        )
        return erase.run(target)


def _has_existed(unit: UnitOfWork, id: str) -> bool:
    """Whether something exists or was erased, so that an interrupted erasure can be finished."""
    if unit.memories.known([id]):
        return True
    return any(row.action is Action.ERASE for row in unit.audit.of(id))


# Erasure


class Erasures(Part):
    """Erasure, with a receipt of what was removed; an interrupted call continues when repeated."""

    def erase(self, id: str, *, by: Actor | str = Actor.USER) -> Erasure:
        return self.erasures_of(UNBOUND).erase(id, by=by)

    def erase_owner(
        self, owner: str, *, dry_run: bool = False, by: Actor | str = Actor.USER
    ) -> Sweep:
        whose = parse_owner(owner)
        return self.erasures_of(UNBOUND).erase_owner(*whose, dry_run=dry_run, by=by)

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
            store=self._context.store,
            workspace=self._context.name,
            reach=reach,
            waiting=WaitingPrompts(
                store=self._context.store,
                workspace=self._context.name,
                is_personal=self._context.is_personal,
            ),
            workspaces=lambda: self._context.workspaces,
            write=self._context.write,
            write_episodes=self._context.write_episodes,
            clock=self._context.clock,
            record_pending=lambda: record_pending_turns(self._context.turn_dependencies),
        )


# Preview


@dataclass(slots=True, kw_only=True)
class ErasePreview:
    """A dry run of an erasure: counts what would be removed."""

    store: Store
    workspace: str
    waiting: WaitingPrompts
    _tally: EraseTally = field(default_factory=EraseTally)

    def run(self, target: EraseTarget) -> Sweep:
        """Count the target, and what else would be removed because it repeats its words."""
        found = self._find(target)
        ids, traces, words = found.ids, found.traces, found.traces.words
        self._tally.add("memories", sum(not is_episode_id(id) for id in ids))
        self._tally.add("episodes", sum(map(is_episode_id, ids)))
        self._tally.add("items", len(find_erased_items(self.store, self.workspace, target)))
        self._tally.add("waiting_prompts", self.waiting.count(target, words))
        heard: set[str] = set()

        def takes_heard(each: QueuedTurn) -> bool:
            if target.reaches(each.turn) and words.match_any(each.turn.texts):
                heard.add(each.id)
            return each.id in heard or target.takes(each.turn)

        self._count("heard", scan_queued_turns, takes_heard)
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
        turns = found.turns | heard
        for scan in [scan_receipts] if words else receipt_scans(target):
            self._count(
                "receipts",
                scan,
                lambda each: (
                    target.takes(each)
                    or (target.reaches(each) and (each.id in turns or traces.are_in(each)))
                ),
            )
        for session in target.sessions:
            self._count_session(session)
        return self._tally.sweep(dry_run=True)

    def _find(self, target: EraseTarget) -> "_FoundWords":
        """The memories and episodes of the target, what they say, and the turns they came from."""
        finder = EpisodeFinder(store=self.store, workspace=self.workspace, reach=target.reach)
        found = _FoundWords()
        for scan in memory_scans(target):
            for page in scan_pages(self.store, self.workspace, scan):
                found |= self._find_memories(page, finder)
        for rows in finder.selected(target):
            learned, _ = finder.learned(rows)
            found |= self._find_memories(learned, finder) | _FoundWords.of_rows(rows)
        return found

    def _find_memories(self, page: Sequence[Memory], finder: EpisodeFinder) -> "_FoundWords":
        """Those of a page that are within reach, and the episodes they were learned from."""
        with self.store.read(self.workspace) as unit:
            page = list(filter(EraseBounds(unit, finder.reach).has_memory, page))
            texts = {text for memory in page for text in collect_texts(unit, memory)}
        if not page:
            return _FoundWords()
        ids = frozenset(memory.id for memory in page)
        own = _FoundWords(ids, frozenset(texts), frozenset(source_turns(page)))
        return own | _FoundWords.of_rows(finder.sources(page, texts))

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


@dataclass(frozen=True)
class _FoundWords:
    """Memories and episodes by their ids, their texts, and the turns in which these were said."""

    ids: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    turns: frozenset[str] = frozenset()

    @classmethod
    def of_rows(cls, rows: Sequence[Memory]) -> Self:
        """What rows of episodes hold."""
        return cls(
            frozenset(row.id for row in rows),
            frozenset(row.content for row in rows),
            frozenset(map(turn_of, rows)),
        )

    @cached_property
    def traces(self) -> ErasedTraces:
        """The traces of the texts."""
        return ErasedTraces.of(self.texts)

    def __or__(self, other: Self) -> Self:
        return type(self)(self.ids | other.ids, self.texts | other.texts, self.turns | other.turns)
