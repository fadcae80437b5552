"""Erasing many things: in small transactions, so that whoever is interrupted can go on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tacit.conversation import OpenTurn, Queued, Words
from tacit.engine.folders import dropped_conversations, dropped_from_files
from tacit.engine.scanning import (
    Row,
    Scan,
    heard,
    memories,
    opened,
    pages,
    receipts,
    reviews,
    sessions_of,
)
from tacit.memory import Memory, Review
from tacit.receipt import Receipt
from tacit.store import Store, Unit, contents_of
from tacit.writing import Author, Sweep, Tally, Target, erase_all

_BATCH = 200
"""So many memories are erased in one transaction."""
_PASSES = 2
"""The second takes turns that ended during the first, and what was learned from them."""
_MOST_NAMED = 20

_ELSEWHERE = (
    "histories that hosts keep, and what was sent to models",
    "logs and traces that programs have written",
    "what the disk and the file system keep of what was overwritten",
)
_OTHER_MACHINES = "chat logs on other machines that serve this store"
_OTHER_CHATS = "chat logs of conversations that do not have the session's name"
_ASKED = "what was asked in turns, which receipts keep for some days"
_OF_OTHERS = (
    "what others asked and wrote, which may speak of the owner, and sessions that they share"
)
_UNDER_WAY = "turns that had begun: who holds one can still end it; if so, erase once more"


@dataclass(slots=True, kw_only=True)
class Sweeping:
    """One erasure of many things in a workspace."""

    store: Store
    workspace: str
    folder: Path
    write: Callable[[Callable[[Author], Any]], Any]
    _tally: Tally = field(default_factory=Tally)
    _heirs: dict[str, set[str]] = field(default_factory=dict)
    """What memories said that others took the place of, by the id of the other."""

    def run(self, target: Target) -> Sweep:
        """Erase it; what could still be learned from goes before what was learned.

        A session goes last, since by it an erasure that is repeated knows what is an owner's.
        """
        for _ in range(_PASSES):
            if target.includes_turns:
                self._drop_turns(target)
            self._erase_memories(target)
            target = self._renewed(target)
        for scan in receipts(target):
            self._drop("receipts", scan, target.takes, _drop_receipts)
        self._drop_chats(target)
        for session in sorted(target.sessions):
            self._drop_session(target, session)
        self._finish(target)
        return self._tally.sweep(dry_run=False)

    def _drop_turns(self, target: Target) -> None:
        """Drop turns and wishes; open turns first, since those that end are heard."""
        self._drop("turns", opened, lambda each: target.takes(each.receipt), _close)
        self._drop("heard", heard, lambda each: target.takes(each.heard), _drop_heard)
        self._drop("reviews", reviews, target.takes_wish, _drop_reviews)

    def _renewed(self, target: Target) -> Target:
        """The target with the sessions that are the owner's by now."""
        if target.owner is None:
            return target
        return target.with_sessions(sessions_of(self.store, self.workspace, target.owner))

    def _erase_memories(self, target: Target) -> None:
        """Lot by lot, and once more from the start until nothing is left that came meanwhile."""
        while sum(
            self._erase_lot(page)
            for query in target.memories
            for page in pages(self.store, self.workspace, memories(query))
        ):
            pass

    def _erase_lot(self, lot: Sequence[Memory]) -> int:
        """Erase some memories; files first, since afterwards nobody knows what to look for."""
        with self.store.read(self.workspace) as unit:
            said = {memory.id: contents_of(unit, memory) for memory in lot}
        before = {each for contents in said.values() for each in contents}
        self._drop_words(before)
        starts = range(0, len(lot), _BATCH)
        gone = sum(self._erase_batch(lot[start : start + _BATCH], before) for start in starts)
        for memory in lot:
            if memory.superseded_by is not None:
                self._heirs.setdefault(memory.superseded_by, set()).update(said[memory.id])
        return gone

    def _erase_batch(self, batch: Sequence[Memory], before: set[str]) -> int:
        """Erase some memories in one go, and from files what they say since they were read."""
        gone, contents = self.write(lambda author: erase_all(author, _present(author, batch)))
        self._drop_words(contents - before)
        for kind, count in gone.items():
            self._tally.add(kind, count)
        return int(gone["memories"])

    def _drop_words(self, words: set[str]) -> None:
        if words:
            self._note_files(dropped_from_files(self.folder, words))

    def _drop_session(self, target: Target, session: str) -> None:
        with self.store.write(self.workspace) as unit:
            spared = target.spares(unit.sessions.get(session))
            counts = {} if spared else _drop_rows(unit, session)
        for kind, count in counts.items():
            self._tally.add(kind, count)

    def _drop_chats(self, target: Target) -> None:
        if target.sessions:
            self._note_files(dropped_conversations(self.folder, target.sessions))
        if target.includes_turns and (self.folder / "logs").is_dir():
            self._tally.miss(_OTHER_CHATS)

    def _finish(self, target: Target) -> None:
        """Name what is left, and have what was deleted overwritten."""
        if not target.includes_turns:
            self._tally.miss(_ASKED)
        if target.owner is not None:
            self._tally.miss(_OF_OTHERS)
        if self._tally.counts["turns"]:
            self._tally.miss(_UNDER_WAY)
        if self.store.describe()["backend"] == "postgres":
            self._tally.miss(_OTHER_MACHINES)
        self._tally.miss(*self._holding_words(), *self.store.purge(), *_ELSEWHERE)

    def _holding_words(self) -> list[str]:
        """The memories that took the place of erased ones and have their words."""
        with self.store.read(self.workspace) as unit:
            known = unit.memories.get(list(self._heirs))
        held = [
            id for id, heir in known.items() if Words.of(self._heirs[id]).stand_in([heir.content])
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
        drop: Callable[[Unit, Sequence[Row]], int],
    ) -> None:
        """Drop the rows of one kind that are meant, a page in a transaction."""
        for page in pages(self.store, self.workspace, scan):
            if meant := [each for each in page if is_meant(each)]:
                with self.store.write(self.workspace) as unit:
                    self._tally.add(kind, drop(unit, meant))

    def _note_files(self, done: tuple[int, tuple[str, ...]]) -> None:
        entries, unreached = done
        self._tally.add("chat_entries", entries)
        self._tally.miss(*unreached)


def _drop_heard(unit: Unit, turns: Sequence[Queued]) -> int:
    return len(unit.heard.drop([each.id for each in turns]))


def _close(unit: Unit, turns: Sequence[OpenTurn]) -> int:
    return sum(unit.receipts.close(each.session, each.id) for each in turns)


def _drop_reviews(unit: Unit, waiting: Sequence[Review]) -> int:
    return sum(unit.reviews.drop(each.id) for each in waiting)


def _drop_receipts(unit: Unit, kept: Sequence[Receipt]) -> int:
    return unit.receipts.drop([each.id for each in kept])


def _drop_rows(unit: Unit, session: str) -> dict[str, int]:
    """Drop all that is kept of a session besides its turns; a paused one stays paused."""
    noted = [each.name for each in unit.variables.of(session)]
    return {
        "variables": sum(unit.variables.remove(session, name) for name in noted),
        "blocks": unit.blocks.clear(session),
        "ledger": unit.ledger.clear(session),
        "sessions": int(unit.sessions.remove(session)),
    }


def _present(author: Author, batch: Sequence[Memory]) -> list[Memory]:
    return list(author.unit.memories.get([memory.id for memory in batch]).values())
