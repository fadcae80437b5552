"""A dry run of an erasure: what would go, counted."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tacit.api.scanning import (
    Row,
    Scan,
    all_receipts,
    heard,
    memories,
    opened,
    pages,
    receipts,
    reviews,
    variables,
)
from tacit.api.traces import Traces
from tacit.core.changes import Review
from tacit.store.bounds import Bounds
from tacit.store.journal import proposes, sources_of, texts_of
from tacit.store.protocols.store import Store
from tacit.writing.erasure import EraseTally, EraseTarget, Sweep


@dataclass(slots=True, kw_only=True)
class Foreseeing:
    """One dry run in a workspace."""

    store: Store
    workspace: str
    _tally: EraseTally = field(default_factory=EraseTally)

    def run(self, target: EraseTarget) -> Sweep:
        """Count what is meant, and what would go because it has the words of what is meant."""
        found = self._found(target)
        ids, traces, words = found.ids, found.traces, found.traces.words
        self._tally.add("memories", len(ids))
        self._count(
            "heard",
            heard,
            lambda each: (
                target.takes(each.turn)
                or (target.reaches(each.turn) and words.stand_in(each.turn.texts))
            ),
        )
        self._count(
            "turns",
            opened,
            lambda each: (
                each.abandoned is None
                and (
                    target.takes(each.receipt)
                    or each.shows(ids)
                    or (target.reaches(each.receipt) and words.stand_in(each.texts))
                )
            ),
        )
        self._count(
            "variables",
            variables,
            lambda each: (
                each.session in target.sessions
                or (words.stand_in(each.texts) and self._reaches(target, each.session))
            ),
        )
        self._count(
            "reviews",
            reviews,
            lambda each: (
                each.memory in ids
                or (
                    (target.takes_wish(each) or proposes(each, words))
                    and self._reaches_wish(target, each)
                )
            ),
        )
        for scan in [all_receipts] if words else receipts(target):
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

    def _found(self, target: EraseTarget) -> "_Found":
        """The memories that are meant, all that they ever said, and what they were learned from."""
        ids: set[str] = set()
        texts: set[str] = set()
        turns: set[str] = set()
        for scan in memories(target):
            for page in pages(self.store, self.workspace, scan):
                with self.store.read(self.workspace) as unit:
                    page = list(filter(Bounds(unit, target.reach).has_memory, page))
                    texts.update(*(texts_of(unit, memory) for memory in page))
                ids.update(memory.id for memory in page)
                turns.update(sources_of(page))
        return _Found(frozenset(ids), Traces.of(texts), frozenset(turns))

    def _reaches(self, target: EraseTarget, session: str) -> bool:
        with self.store.read(self.workspace) as unit:
            return Bounds(unit, target.reach).has_session(session)

    def _reaches_wish(self, target: EraseTarget, review: Review) -> bool:
        with self.store.read(self.workspace) as unit:
            return Bounds(unit, target.reach).has_wish(review)

    def _count(self, kind: str, scan: Scan[Row], is_meant: Callable[[Row], bool]) -> None:
        for page in pages(self.store, self.workspace, scan):
            self._tally.add(kind, sum(map(is_meant, page)))

    def _count_session(self, session: str) -> None:
        with self.store.read(self.workspace) as unit:
            self._tally.add("blocks", len(unit.blocks.of(session)))
            self._tally.add("ledger", len(unit.ledger.of(session)))
            self._tally.add("sessions", int(unit.sessions.get(session) is not None))


@dataclass(frozen=True, slots=True)
class _Found:
    """Memories by their ids, the traces of their texts, and the turns they were learned from."""

    ids: frozenset[str]
    traces: Traces
    turns: frozenset[str]
