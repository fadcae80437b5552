"""A dry run of an erasure: what would go, counted."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tacit.conversation import Words
from tacit.engine.scanning import (
    Row,
    Scan,
    heard,
    memories,
    opened,
    pages,
    receipts,
    reviews,
    variables,
)
from tacit.store import Store, contents_of, proposes
from tacit.writing import Sweep, Tally, Target


@dataclass(slots=True, kw_only=True)
class Foreseeing:
    """One dry run in a workspace."""

    store: Store
    workspace: str
    _tally: Tally = field(default_factory=Tally)

    def run(self, target: Target) -> Sweep:
        """Count what is meant, and what would go because it has the words of what is meant."""
        ids, words = self._found(target)
        self._tally.add("memories", len(ids))
        self._count(
            "heard", heard, lambda each: target.takes(each.heard) or each.heard.holds(words)
        )
        self._count("turns", opened, lambda each: target.takes(each.receipt))
        self._count(
            "variables",
            variables,
            lambda each: each.session in target.sessions or each.holds(words),
        )
        self._count(
            "reviews",
            reviews,
            lambda each: target.takes_wish(each) or each.memory in ids or proposes(each, words),
        )
        for scan in receipts(target):
            self._count("receipts", scan, target.takes)
        for session in target.sessions:
            self._count_session(session)
        return self._tally.sweep(dry_run=True)

    def _found(self, target: Target) -> tuple[set[str], Words]:
        """The memories that are meant, and all that they ever said."""
        ids: set[str] = set()
        contents: set[str] = set()
        for query in target.memories:
            for page in pages(self.store, self.workspace, memories(query)):
                with self.store.read(self.workspace) as unit:
                    contents.update(*(contents_of(unit, memory) for memory in page))
                ids.update(memory.id for memory in page)
        return ids, Words.of(contents)

    def _count(self, kind: str, scan: Scan[Row], is_meant: Callable[[Row], bool]) -> None:
        for page in pages(self.store, self.workspace, scan):
            self._tally.add(kind, sum(map(is_meant, page)))

    def _count_session(self, session: str) -> None:
        with self.store.read(self.workspace) as unit:
            self._tally.add("blocks", len(unit.blocks.of(session)))
            self._tally.add("ledger", len(unit.ledger.of(session)))
            self._tally.add("sessions", int(unit.sessions.get(session) is not None))
