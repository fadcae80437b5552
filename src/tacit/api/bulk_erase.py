"""Erasing one memory or many things, in small transactions, so that a repeat can go on."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

from tacit.api.visibility import hidden_from
from tacit.api.workspace_files import drop_conversation_files, drop_words_from_files
from tacit.core.changes import Review
from tacit.core.kinds import Owner, Scope
from tacit.core.memory import Memory
from tacit.core.open_turn import NotRecorded, OpenTurn, QueuedTurn
from tacit.core.permissions import Viewer
from tacit.core.receipt import Receipt
from tacit.core.sessions import Session, SessionVariable
from tacit.language.terms import WordMatcher, extract_query_terms
from tacit.store.journal import collect_texts, source_turns
from tacit.store.ownership import EraseBounds, is_session_name_used
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.query import Query
from tacit.writing.author import Author
from tacit.writing.erasure import EraseTally, EraseTarget, Sweep, erase_memories, is_session_of_user

_PAGE = 500
_MEMORIES_PER_PAGE = 2_000
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
    named = [_scan_named_memories(target.ids)] if target.ids else []
    return [*named, *map(_scan_matching_memories, target.memories)]


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
        replace(query, limit=_MEMORIES_PER_PAGE, after=last.id if last else None)
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


_BATCH = 200
"""Memories erased in one transaction."""
_PASSES = 2
"""The second pass takes turns that ended during the first, and what was learned from them."""
_MOST_NAMED = 20

_ELSEWHERE = (
    "messages and questions that say the same in other words, or only a part of it",
    "documents in folders, and what is indexed of them",
    "histories that hosts keep, and what was sent to models",
    "logs and traces that programs have written",
    "what the disk and the file system keep of what was overwritten",
)
_OTHER_MACHINES = "chat logs on other machines that serve this store"
_OTHER_CHATS = "chat logs of conversations that do not have the session's name"
_OF_OTHERS = (
    "what others asked and wrote, which may speak of the owner, and sessions that they share"
)
_OUT_OF_REACH = "what is not this key's: memories, turns, receipts and chat logs of others"
_OVERTAKEN = "turns that another overtook before they ended: if one still ends, erase once more"


@dataclass(slots=True, kw_only=True)
class BulkErase:
    """One erasure in a workspace, in small transactions.

    A memory is erased after everything else that contains its texts, since a repeated call needs
    it to know what to look for. What only the memory refers to goes in the same transaction.
    """

    store: Store
    workspace: str
    folder: Path
    write: Callable[[Callable[[Author], Any]], Any]
    _tally: EraseTally = field(default_factory=EraseTally)
    _successor_texts: dict[str, set[str]] = field(default_factory=dict)
    """Texts of superseded memories, by the id of their successor."""
    _counted: set[str] = field(default_factory=set)
    """Receipts that were counted already."""

    def run(self, target: EraseTarget) -> Sweep:
        """Erase the target: first what could still be learned from, then what was learned.

        Sessions are erased last, since a repeated call needs them to know what belongs to an owner.
        """
        for _ in range(_PASSES):
            if target.includes_turns:
                self._drop_turns(target)
            self._erase_memories(target)
            target = self._refresh_target(target)
        for scan in receipt_scans(target):
            self._drop("receipts", scan, target.takes, _drop_receipts)
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

    def _erase_page(self, page: Sequence[Memory], target: EraseTarget) -> int:
        """Erase the memories within reach, from files and receipts first; returns how many."""
        with self.store.read(self.workspace) as unit:
            page = list(filter(EraseBounds(unit, target.reach).has_memory, page))
            texts = {memory.id: collect_texts(unit, memory) for memory in page}
        known = frozenset(text for own in texts.values() for text in own)
        if known:
            self._note_files(drop_words_from_files(self.folder, known, self._has_context(target)))
            self._clean_receipts(ErasedTraces.of(known), frozenset(source_turns(page)), target)
        for start in range(0, len(page), _BATCH):
            self._erase_batch(page[start : start + _BATCH], known, target.reach)
        for memory in page:
            if memory.superseded_by is not None:
                self._successor_texts.setdefault(memory.superseded_by, set()).update(
                    texts[memory.id]
                )
        return len(page)

    def _erase_batch(self, batch: Sequence[Memory], known: Set[str], reach: Viewer) -> None:
        """Erase the memories whose texts were all looked for; the others come in the next pass."""

        def erase(author: Author) -> dict[str, int]:
            present = author.unit.memories.get([memory.id for memory in batch]).values()
            ready = [each for each in present if collect_texts(author.unit, each) <= known]
            return erase_memories(author, ready, reach)

        for kind, count in self.write(erase).items():
            self._tally.add(kind, count)

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
        with self.store.write(self.workspace) as unit:
            spared = target.spares(unit.sessions.get(session))
            counts = {} if spared else _drop_rows(unit, session)
            if not spared and _is_free(unit, session, target):
                unit.participants.clear(session)
        for kind, count in counts.items():
            self._tally.add(kind, count)

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
        if self._tally.counts["turns"]:
            self._tally.miss(_OVERTAKEN)
        if self.store.describe()["backend"] == "postgres":
            self._tally.miss(_OTHER_MACHINES)
        if target.reach.is_bound:
            self._tally.miss(_OUT_OF_REACH)
        self._tally.miss(
            *self._successors_with_words(target.reach), *self.store.purge(), *_ELSEWHERE
        )

    def _successors_with_words(self, reach: Viewer) -> list[str]:
        """Successors of erased memories that repeat their words."""
        viewer = reach
        with self.store.read(self.workspace) as unit:
            hidden = hidden_from(viewer, unit, list(self._successor_texts))
            known = unit.memories.get([id for id in self._successor_texts if id not in hidden])
        held = [
            id
            for id, heir in known.items()
            if WordMatcher.of(self._successor_texts[id]).match_any([heir.content])
        ]
        named = [
            f"memory {id}: it took an erased one's place and has its words"
            for id in held[:_MOST_NAMED]
        ]
        more = len(held) - len(named)
        return [*named, f"{more} more memories that took an erased one's place"] if more else named

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

    def _note_files(self, done: tuple[int, tuple[str, ...]]) -> None:
        entries, unreached = done
        self._tally.add("chat_entries", entries)
        self._tally.miss(*unreached)


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
