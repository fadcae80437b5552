"""Erasing one memory or many things, in small transactions, so that a repeat can go on."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

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
)
from tacit.api.erased_episodes import EpisodeFinder
from tacit.api.visibility import hidden_from
from tacit.api.waiting_prompts import WaitingPrompts
from tacit.api.workspace_files import drop_conversation_files, drop_words_from_files
from tacit.core.changes import Review
from tacit.core.kinds import Scope
from tacit.core.memory import Memory
from tacit.core.open_turn import NotRecorded, OpenTurn, QueuedTurn
from tacit.core.permissions import Viewer
from tacit.core.receipt import Receipt
from tacit.language.terms import WordMatcher
from tacit.store.episodes import has_episodes, turn_of
from tacit.store.items import ItemTable
from tacit.store.journal import collect_texts, source_turns
from tacit.store.ownership import EraseBounds, is_session_name_used
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.workspaces import items_workspace
from tacit.writing.author import Author
from tacit.writing.erasure import EraseTally, EraseTarget, Sweep, erase_memories

_BATCH = 200
"""Memories erased in one transaction."""
_PASSES = 2
"""The second pass takes turns that ended during the first, and what was learned from them."""
_MOST_NAMED = 20
_SUCCESSOR = "it took an erased one's place and has its words"
_KEPT = "it was kept of an erased episode and has its words"

_ELSEWHERE = (
    "messages and questions that say the same in other words, or only a part of it",
    "documents in folders, and what is indexed of them",
    "histories that hosts keep, and what was sent to models",
    "logs and traces that programs have written",
    "what the disk and the file system keep of what was overwritten",
)
_OTHER_MACHINES = "chat logs and prompts that wait on other machines that serve this store"
_OTHER_CHATS = "chat logs of conversations that do not have the session's name"
_OF_OTHERS = (
    "what others asked and wrote, which may speak of the owner, and sessions that they share"
)
_OUT_OF_REACH = "what is not this key's: memories, turns, receipts and chat logs of others"
_UNNAMED_ITEMS = "items, which belong to nobody unless their namespace names a user: name theirs"
_OVERTAKEN = "turns that another overtook before they ended: if one still ends, erase once more"


@dataclass(slots=True, kw_only=True)
class BulkErase:
    """One erasure in a workspace, in small transactions.

    A memory is erased after everything else that contains its texts, since a repeated call needs
    it to know what to look for. What only the memory refers to goes in the same transaction. An
    episode goes before a memory that was learned from it, and after it if the episode was meant.
    """

    store: Store
    workspace: str
    waiting: WaitingPrompts
    folder: Path
    write: Callable[[Callable[[Author], Any]], Any]
    write_episodes: Callable[[Callable[[Author], Any]], Any]
    _tally: EraseTally = field(default_factory=EraseTally)
    _successor_texts: dict[str, set[str]] = field(default_factory=dict)
    """Texts of superseded memories, by the id of their successor."""
    _kept_texts: dict[str, set[str]] = field(default_factory=dict)
    """Texts of episodes, by the id of a memory of the same words that stays."""
    _counted: set[str] = field(default_factory=set)
    """Receipts that were counted already."""

    def run(self, target: EraseTarget) -> Sweep:
        """Erase the target: first what could still be learned from, then what was learned.

        Sessions are erased last, since a repeated call needs them to know what belongs to an owner.
        """
        for _ in range(_PASSES):
            self._tally.add("waiting_prompts", self.waiting.erase(target))
            if target.includes_turns:
                self._drop_turns(target)
            self._erase_memories(target)
            self._erase_episodes(target)
            self._erase_items(target)
            target = self._refresh_target(target)
        for scan in receipt_scans(target):
            self._drop("receipts", scan, target.takes, _drop_receipts)
        self._erase_episodes(target)  # those of a turn that was written down until now
        self._drop_chats(target)
        for session in sorted(target.sessions):
            self._drop_session(target, session)
        self._finish(target)
        return self._tally.sweep(dry_run=False)

    def _drop_turns(self, target: EraseTarget) -> None:
        """Drop turns and reviews; open turns first, since committed turns are learned from."""
        self._drop(
            "turns", scan_open_turns, lambda each: target.takes(each.receipt), _abandon_turns
        )
        self._drop(
            "heard", scan_queued_turns, lambda each: target.takes(each.turn), _drop_queued_turns
        )
        self._drop("reviews", scan_reviews, target.takes_wish, partial(_drop_reviews, target.reach))

    def _refresh_target(self, target: EraseTarget) -> EraseTarget:
        """The target with the sessions that belong to the owner by now."""
        if target.owner is None:
            return target
        return target.with_sessions(
            find_sessions_of(self.store, self.workspace, target.owner, target.reach)
        )

    def _erase_memories(self, target: EraseTarget) -> None:
        """Erase batch by batch, again from the start until no new memory is found."""
        while sum(
            self._erase_page(page, target)
            for scan in memory_scans(target)
            for page in scan_pages(self.store, self.workspace, scan)
        ):
            pass

    def _erase_page(
        self, page: Sequence[Memory], target: EraseTarget, spared: Set[str] = frozenset()
    ) -> int:
        """Erase the memories within reach, from files and receipts first; returns how many.

        The episodes that they were learned from go before them, except those that are spared.
        """
        with self.store.read(self.workspace) as unit:
            page = list(filter(EraseBounds(unit, target.reach).has_memory, page))
            texts = {memory.id: collect_texts(unit, memory) for memory in page}
        if not page:
            return 0
        known = frozenset(text for own in texts.values() for text in own)
        finder = self._finder(target)
        revision = finder.revision()
        self._erase_rows(_without(finder.sources(page, known), spared), target)
        if known:
            self._clean_words(known, frozenset(source_turns(page)), target)
        for start in range(0, len(page), _BATCH):
            self._erase_batch(page[start : start + _BATCH], known, target.reach)
        late = finder.sources_since(revision, page, known)
        self._erase_rows(_without(late, spared), target)
        for memory in page:
            if memory.superseded_by is not None:
                self._successor_texts.setdefault(memory.superseded_by, set()).update(
                    texts[memory.id]
                )
        return len(page)

    def _erase_episodes(self, target: EraseTarget) -> None:
        """Erase the episodes that are meant, and first the memories that were learned from them."""
        finder = self._finder(target)
        for page in finder.selected(target):
            if page:
                spared = frozenset(row.id for row in page)
                learned, kept = finder.learned(page)
                self._erase_page(learned, target, spared)
                self._erase_rows(page, target)
                self._kept_texts.update({each.id: _texts_of(page) for each in kept})

    def _erase_items(self, target: EraseTarget) -> None:
        """Erase the items that are meant; nothing else has their words."""
        places = find_erased_items(self.store, self.workspace, target)
        for start in range(0, len(places), _BATCH):
            with self.store.write(items_workspace(self.workspace)) as unit:
                count = ItemTable(unit, target.now).remove(places[start : start + _BATCH])
            self._tally.add("items", count)

    def _erase_rows(self, rows: Sequence[Memory], target: EraseTarget) -> None:
        """Erase episodes after everything else that contains their words."""
        if rows:
            self._clean_words(_texts_of(rows), frozenset(map(turn_of, rows)), target)
        for start in range(0, len(rows), _BATCH):
            self._erase_row_batch(rows[start : start + _BATCH], target.reach)

    def _erase_row_batch(self, rows: Sequence[Memory], reach: Viewer) -> None:
        """Erase what shows episodes, then these, and then what showed them until then."""
        ids = frozenset(row.id for row in rows)
        texts, turns = _texts_of(rows), {turn_of(row) for row in rows}

        def erase_traces(author: Author) -> dict[str, int]:
            return author.journal.erase_traces(ids, texts, turns, reach)

        self._count(self.write(erase_traces))
        self._tally.add("episodes", self.write_episodes(partial(_erase_known, ids=ids)))
        self._count(self.write(erase_traces))

    def _erase_batch(self, batch: Sequence[Memory], known: Set[str], reach: Viewer) -> None:
        """Erase the memories whose texts were all looked for; the others come in the next pass."""

        def erase(author: Author) -> dict[str, int]:
            present = author.unit.memories.get([memory.id for memory in batch]).values()
            ready = [each for each in present if collect_texts(author.unit, each) <= known]
            return erase_memories(author, ready, reach)

        self._count(self.write(erase))

    def _clean_words(self, texts: Set[str], sources: Set[str], target: EraseTarget) -> None:
        """Drop texts from files, prompts that wait, and receipts other than the sources'."""
        self._note_files(drop_words_from_files(self.folder, texts, self._has_context(target)))
        traces = ErasedTraces.of(texts)
        self._tally.add("waiting_prompts", self.waiting.erase(target, traces.words))
        self._clean_receipts(traces, sources, target)

    def _clean_receipts(self, traces: ErasedTraces, sources: Set[str], target: EraseTarget) -> None:
        """Drop receipts that hold erased texts, and terms of those from the contexts of others.

        Receipts of the turns that memories were learned from are erased with these memories.
        """
        for page in scan_pages(self.store, self.workspace, scan_receipts):
            found = [
                each
                for each in page
                if target.reaches(each)
                and each.id not in sources
                and not target.takes(each)
                and traces.are_in(each)
            ]
            if not found:
                continue
            with self.store.write(self.workspace) as unit:
                unit.receipts.drop([each.id for each in found])
                for each in found:
                    if not traces.are_said_in(each):
                        unit.receipts.put(traces.remove_from(each))
            ids = {each.id for each in found}
            self._tally.add("receipts", len(ids - self._counted))
            self._counted |= ids

    def _drop_session(self, target: EraseTarget, session: str) -> None:
        has_said = target.reach.is_bound and has_episodes(self.store, self.workspace, session)
        with self.store.write(self.workspace) as unit:
            spared = target.spares(unit.sessions.get(session))
            counts = {} if spared else _drop_rows(unit, session)
            if not spared and not has_said and _is_free(unit, session, target):
                unit.participants.clear(session)
        self._count(counts)

    def _drop_chats(self, target: EraseTarget) -> None:
        if target.sessions:
            dropped = drop_conversation_files(
                self.folder, target.sessions, self._has_context(target)
            )
            self._note_files(dropped)
        if target.includes_turns and (self.folder / "logs").is_dir():
            self._tally.miss(_OTHER_CHATS)

    def _finish(self, target: EraseTarget) -> None:
        """Report what is left, and overwrite what was deleted."""
        with self.store.write(self.workspace) as unit:
            unit.answers.blank()
        if target.owner is not None:
            self._tally.miss(_OF_OTHERS)
        if target.owner == (Scope.USER, ""):
            self._tally.miss(_UNNAMED_ITEMS)
        if self._tally.counts["turns"]:
            self._tally.miss(_OVERTAKEN)
        if self.store.describe()["backend"] == "postgres":
            self._tally.miss(_OTHER_MACHINES)
        if target.reach.is_bound:
            self._tally.miss(_OUT_OF_REACH)
        self._tally.miss(
            *self._name_holders(target.reach, self._successor_texts, _SUCCESSOR),
            *self._name_holders(target.reach, self._kept_texts, _KEPT),
            *self.store.purge(),
            *_ELSEWHERE,
        )

    def _name_holders(self, reach: Viewer, texts: Mapping[str, Set[str]], why: str) -> list[str]:
        """The memories, of those with erased texts by their ids, that repeat the words."""
        with self.store.read(self.workspace) as unit:
            hidden = hidden_from(reach, unit, list(texts))
            known = unit.memories.get([id for id in texts if id not in hidden])
        held = [
            id
            for id, memory in known.items()
            if WordMatcher.of(texts[id]).match_any([memory.content])
        ]
        named = [f"memory {id}: {why}" for id in held[:_MOST_NAMED]]
        more = len(held) - len(named)
        return [*named, f"{more} more such memories"] if more else named

    def _drop(
        self,
        kind: str,
        scan: Scan[Row],
        is_meant: Callable[[Row], bool],
        drop: Callable[[UnitOfWork, Sequence[Row]], int],
    ) -> None:
        """Drop the selected rows of one kind, one page per transaction."""
        for page in scan_pages(self.store, self.workspace, scan):
            if meant := [each for each in page if is_meant(each)]:
                with self.store.write(self.workspace) as unit:
                    self._tally.add(kind, drop(unit, meant))

    def _has_context(self, target: EraseTarget) -> Callable[[str | None], bool]:
        """A check whether the context with a key is within reach; unknown contexts are not."""
        if not target.reach.is_bound:
            return lambda _: True

        def is_reached(key: str | None) -> bool:
            with self.store.read(self.workspace) as unit:
                return key is not None and EraseBounds(unit, target.reach).has_session(key)

        return is_reached

    def _finder(self, target: EraseTarget) -> EpisodeFinder:
        return EpisodeFinder(store=self.store, workspace=self.workspace, reach=target.reach)

    def _count(self, counts: Mapping[str, int]) -> None:
        for kind, count in counts.items():
            self._tally.add(kind, count)

    def _note_files(self, done: tuple[int, tuple[str, ...]]) -> None:
        entries, unreached = done
        self._tally.add("chat_entries", entries)
        self._tally.miss(*unreached)


def _texts_of(rows: Sequence[Memory]) -> set[str]:
    return {row.content for row in rows}


def _without(rows: Sequence[Memory], spared: Set[str]) -> list[Memory]:
    return [row for row in rows if row.id not in spared]


def _erase_known(author: Author, ids: Set[str]) -> int:
    """Erase the episodes that are still there; returns how many."""
    known = author.unit.memories.known(list(ids))
    for id in sorted(known):
        author.journal.erase_row(id)
    return len(known)


def _drop_queued_turns(unit: UnitOfWork, turns: Sequence[QueuedTurn]) -> int:
    return len(unit.heard.drop([each.id for each in turns]))


def _abandon_turns(unit: UnitOfWork, turns: Sequence[OpenTurn]) -> int:
    return sum(unit.receipts.abandon_turn(each, NotRecorded.ERASED) for each in turns)


def _drop_reviews(reach: Viewer, unit: UnitOfWork, waiting: Sequence[Review]) -> int:
    meant = filter(EraseBounds(unit, reach).has_proposal, waiting)
    return sum(unit.reviews.drop(each.id) for each in meant)


def _drop_receipts(unit: UnitOfWork, kept: Sequence[Receipt]) -> int:
    return unit.receipts.drop([each.id for each in kept])


def _drop_rows(unit: UnitOfWork, session: str) -> dict[str, int]:
    """Drop everything of a session except its turns; a paused session stays paused."""
    noted = [each.name for each in unit.variables.of(session)]
    return {
        "variables": sum(unit.variables.remove(session, name) for name in noted),
        "blocks": unit.blocks.clear(session),
        "ledger": unit.ledger.clear(session),
        "sessions": int(unit.sessions.remove(session)),
    }


def _is_free(unit: UnitOfWork, session: str, target: EraseTarget) -> bool:
    """Whether a session's name is free again: a bound caller may have left something."""
    if not target.reach.is_bound:
        return True
    return not is_session_name_used(unit, session, target.memories[0].now)
