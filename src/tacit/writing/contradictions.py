"""Contradictions: a person's statements that may not both hold, found after they were written.

What was written since the last time is compared with what is most like it, in the order of the
audit log. A pair that disagrees is noted as a link `contradicts` with how likely the later one
replaces the earlier; the list of conflicts shows it until somebody decides.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from functools import partial

from tacit.core.changes import AuditEntry
from tacit.core.kinds import Action, Actor, Relation, State, Subject
from tacit.core.memory import Association, Memory
from tacit.runtime.clock import Clock
from tacit.runtime.workers import Deadline
from tacit.search.agreement import AgreementJudge
from tacit.search.conflict_rules import age_of, load_compatible_pairs, pair_of
from tacit.search.conflicts import find_conflict_place
from tacit.search.filter import Filter
from tacit.search.later_words import ALIKE, StatementPair, is_own_statement, may_follow
from tacit.search.searcher import Searcher
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.writing.author import Author
from tacit.writing.relations import is_persons_link

_PROGRESS = "contradictions"
_ROWS_AT_ONCE = 50
_NEAREST = 8
_WEIGHT_STEP = Decimal("0.01")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionFinder:
    """Looks through what was written to one workspace, from where it stopped before."""

    store: Store
    workspace: str
    searcher: Searcher
    judge: Callable[[], AgreementJudge]
    write: Callable[[Actor, Callable[[Author], None]], None]
    clock: Clock

    def look(self, deadline: Deadline) -> bool:
        """Compare what is new until the deadline; returns whether anything is left."""
        while rows := self._load_new_rows():
            self._compare(rows)
            if deadline.has_passed:
                return len(rows) == _ROWS_AT_ONCE
        return False

    def _load_new_rows(self) -> list[AuditEntry]:
        with self.store.read(self.workspace) as unit:
            known = unit.progress.get(_PROGRESS) or {}
            return unit.audit.scan(known.get("after"), _ROWS_AT_ONCE)

    def _compare(self, rows: Sequence[AuditEntry]) -> None:
        ids = list(dict.fromkeys(row.memory for row in rows if _states_something(row)))
        pairs = self._find_pairs(ids)
        compared = self.judge().compare([(old.content, new.content) for old, new in pairs])
        told = {
            pair: each.score
            for pair, each in zip(pairs, compared, strict=True)
            if each.replaces or each.is_doubtful
        }
        reworded = {row.memory for row in rows if row.action is Action.UPDATE} & set(ids)
        work = partial(_note_contradictions, told=told, reworded=reworded, last=rows[-1].id)
        self.write(Actor.SYSTEM, work)

    def _find_pairs(self, ids: Sequence[str]) -> list[StatementPair]:
        """The earlier and the later of statements of one owner that are alike."""
        self.searcher.load(self.workspace)
        with self.store.read(self.workspace) as unit:
            stated = [each for each in unit.memories.get(ids).values() if self._is_stated(each)]
            vectors = self.searcher.vectors(unit, [each.id for each in stated])
        found: dict[StatementPair, None] = {}
        for memory in stated:
            if memory.id not in vectors:
                continue
            filter = Filter(now=self.clock(), owners=(memory.owner,))
            (near,) = self.searcher.nearest(
                self.workspace, [vectors[memory.id]], _NEAREST + 1, ALIKE, filter
            )
            for other in self._load([id for id, _ in near if id != memory.id]):
                old, new = sorted((memory, other), key=age_of)
                if old.agent == new.agent and may_follow(old, new):
                    found[old, new] = None
        return list(found)

    def _load(self, ids: Sequence[str]) -> list[Memory]:
        with self.store.read(self.workspace) as unit:
            known = unit.memories.get(ids)
        return [known[id] for id in ids if id in known and self._is_stated(known[id])]

    def _is_stated(self, memory: Memory) -> bool:
        return is_own_statement(memory) and memory.state(self.clock()) is State.LIVE


def _states_something(row: AuditEntry) -> bool:
    """Whether a row of the audit log gave a memory its words, or brought it back."""
    if row.subject is not Subject.MEMORY:
        return False
    is_reworded = row.action is Action.UPDATE and "content" in (row.new or {})
    return is_reworded or row.action in (Action.INSERT, Action.RESTORE)


def _note_contradictions(
    author: Author, told: Mapping[StatementPair, float], reworded: set[str], last: str
) -> None:
    """Link what disagrees, unlink what no longer does, and remember how far that was."""
    unit = author.unit
    ids = {each.id for pair in told for each in pair}
    settled = load_compatible_pairs(unit, ids)
    links = {}
    for (old, new), score in told.items():
        edge = to_contradiction(old, new, score)
        if edge is not None and pair_of(edge) not in settled:
            links[edge.source, edge.target] = edge
    for edge in _noted_of(unit, reworded):
        if (edge.source, edge.target) not in links and not is_persons_link(author, edge):
            author.journal.unlink(edge)
    for edge in links.values():
        if not is_persons_link(author, edge):
            author.journal.link(edge)
    unit.progress.put(_PROGRESS, {"after": last})


def to_contradiction(old: Memory, new: Memory, score: float) -> Association | None:
    """The link that notes a contradiction; none if their key or what they claim is a conflict."""
    if find_conflict_place(old, new) is not None:
        return None
    return Association(
        source=new.id, target=old.id, relation=Relation.CONTRADICTS, weight=_to_weight(score)
    )


def _to_weight(score: float) -> float:
    """A likelihood in hundredths, rounded down: what is not clear is not stored as clear."""
    return float(Decimal(str(score)).quantize(_WEIGHT_STEP, ROUND_DOWN))


def _noted_of(unit: UnitOfWork, ids: set[str]) -> list[Association]:
    """What was noted about some memories before."""
    if not ids:
        return []
    edges = unit.associations.within(sorted(ids), 1, (Relation.CONTRADICTS,))
    return [edge for edge in edges if edge.relation is Relation.CONTRADICTS]
