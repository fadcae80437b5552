"""Comparisons: how each statement stands to those that it may replace or conflict with.

Each memory and each episode is compared once, after it was written, with what is most like it among
all that some turn may see beside it. What waits is in the store, so nothing is lost when a process
ends, and any process goes on. Turns read what was found, and decide what follows from it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, Decimal
from functools import partial
from threading import Lock

from tacit.core.episodes import is_episode_id
from tacit.core.errors import TacitError
from tacit.core.kinds import Actor, Relation, State
from tacit.core.memory import Association, Memory, StatementComparison
from tacit.core.vectors import EmbeddingModel, Vector
from tacit.runtime.clock import Clock
from tacit.search.filter import Filter
from tacit.search.searcher import Searcher
from tacit.statements.conflict_list import find_conflict_place
from tacit.statements.decision import (
    AKIN,
    ALIKE,
    SAY_THE_SAME,
    StatementVerdict,
    is_alike,
    is_own_statement,
    may_follow,
    may_meet,
)
from tacit.statements.judge import StatementJudge
from tacit.statements.precedence import age_of, id_pair
from tacit.store.conflict_links import load_compatible_pairs, load_links_among, pair_of
from tacit.store.generations import serving_model
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.workspaces import episodes_workspace
from tacit.writing.author import Author
from tacit.writing.relations import is_persons_link

_PROGRESS = "comparisons"

_PORTION = 8
"""Statements of each kind that are compared before others have their turn: about a second."""

_PAGE = 64

_NEAREST = 32
"""What is nearest to a statement is looked at, of its own owner and of everybody."""

_MOST_COMPARED = 12
"""A statement is read beside so many others, the most alike first."""

_WEIGHT_STEP = Decimal("0.01")
"""Weights are rounded down: what is not clear is not stored as clear."""

_NOTED = 2.0
"""How alike two memories count that were noted as a conflict: more than any others."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """An earlier and a later statement, and how alike they are."""

    old: Memory
    new: Memory
    likeness: float

    @property
    def memories(self) -> tuple[Memory, Memory]:
        return self.old, self.new

    @property
    def texts(self) -> tuple[str, str]:
        return self.old.content, self.new.content

    @property
    def may_compare(self) -> bool:
        old, new = self.memories
        return may_meet(old, new) and may_follow(old, new) and is_alike(old, new, self.likeness)

    @property
    def is_listed(self) -> bool:
        """Whether a conflict is listed: of memories of one owner that are much alike."""
        is_one = (self.old.owner, self.old.agent) == (self.new.owner, self.new.agent)
        return all(map(_is_memory, self.memories)) and is_one and self.likeness >= ALIKE


_Compared = Sequence[tuple[_Pair, StatementVerdict]]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementComparer:
    """Compares what was written to one workspace, and what was said there."""

    store: Store
    workspace: str
    searcher: Searcher
    judge: Callable[[], StatementJudge]
    write: Callable[[Actor, Callable[[Author], None]], None]
    clock: Clock
    _lock: Lock = field(default_factory=Lock)
    _versions: list[int] = field(default_factory=list)
    """The version of the reader for which everything waits that was not compared by it."""
    _failed: set[str] = field(default_factory=set)
    """Statements that could not be compared, and are tried again after all others."""

    def compare_some(self) -> bool:
        """Compare a portion of what waits, the newest first; returns whether more may wait.

        What has no vector yet waits on. If the model cannot be had, everything does.
        """
        with self._lock:
            judge = self.judge()
            self._renew(judge.version)
            waiting = self._load_portion()
            if not waiting and self._failed:
                self._failed.clear()
                waiting = self._load_portion()
            if not waiting:
                return False
            try:
                pairs = self._find_pairs([each for each in waiting if self._is_stated(each)])
                self._store(waiting, _read_pairs(judge, pairs), judge.has_model)
            except TacitError:  # the model or the store
                raise
            except Exception:
                self._failed.update(each.id for each in waiting)
                raise
            return True

    def count_waiting(self) -> int:
        """How many statements wait, also those that have no vector yet."""
        count = 0
        for place in self._places:
            with self.store.read(place) as unit:
                count += unit.uncompared.count()
        return count

    @property
    def _places(self) -> tuple[str, str]:
        """The workspaces of the memories and of what was said."""
        return self.workspace, episodes_workspace(self.workspace)

    def _renew(self, version: int) -> None:
        """Have everything compared again if a better reader has come; a lesser one changes none."""
        if version in self._versions:
            return
        with self.store.read(self.workspace) as unit:
            known = unit.progress.get(_PROGRESS) or {}
        if known.get("version", -1) < version:
            for place in reversed(self._places):
                with self.store.write(place) as unit:
                    unit.uncompared.add_all()
                    if place == self.workspace:
                        unit.progress.put(_PROGRESS, {"version": version})
        self._versions.append(version)

    def _load_portion(self) -> list[Memory]:
        """A portion of what waits; all wait while the two places switch to another model."""
        if len(self._load_models()) > 1:
            return []
        return [each for place in self._places for each in self._load_waiting(place)]

    def _load_models(self) -> set[EmbeddingModel]:
        """The models that serve, which are the same but for the moment between two switches."""
        found = set()
        for place in self._places:
            with self.store.read(place) as unit:
                found.add(serving_model(unit))
        return {each for each in found if each is not None}

    def _load_waiting(self, place: str) -> list[Memory]:
        """A portion of what waits at a place, without what has no vector and needs one."""
        last: str | None = None
        while ids := self._load_page(place, last):
            self.searcher.load(place)
            with self.store.read(place) as unit:
                rows = unit.memories.get(ids)
                vectors = self.searcher.vectors(unit, ids)
            found = [rows[id] for id in ids if id in rows and id not in self._failed]
            ready = [each for each in found if each.id in vectors or not self._is_stated(each)]
            if ready:
                return ready[:_PORTION]
            last = ids[-1]
        return []

    def _load_page(self, place: str, before: str | None) -> list[str]:
        with self.store.read(place) as unit:
            return unit.uncompared.newest(before, _PAGE)

    def _find_pairs(self, stated: Sequence[Memory]) -> list[_Pair]:
        """Each statement with what it may replace, or what may replace it, each pair once."""
        found: dict[tuple[str, str], _Pair] = {}
        for place in self._places:
            own = [each for each in stated if (place == self.workspace) is _is_memory(each)]
            if not own:
                continue
            with self.store.read(place) as unit:
                model = self.searcher.serving_model(unit)
                vectors = self.searcher.vectors(unit, [each.id for each in own])
                noted = _find_noted(unit, [each.id for each in own])
            for memory in own:
                for pair in self._find_pairs_of(memory, vectors[memory.id], model, noted):
                    found[pair.old.id, pair.new.id] = pair
        return list(found.values())

    def _find_pairs_of(
        self,
        memory: Memory,
        vector: Vector,
        model: EmbeddingModel | None,
        noted: Mapping[str, set[str]],
    ) -> Iterator[_Pair]:
        """The pairs of a statement, the most alike first.

        What waits as well and is older is left out: it will find this one when it is compared.
        """
        likeness = dict.fromkeys(noted.get(memory.id, ()), _NOTED)
        for place in self._places:
            for filter in (
                Filter(now=self.clock(), owners=(memory.owner,)),
                Filter(now=self.clock()),
            ):
                (near,) = self.searcher.nearest(place, [vector], model, _NEAREST + 1, AKIN, filter)
                likeness = dict(near) | likeness
        likeness.pop(memory.id, None)
        others = [each for place in self._places for each in self._load(place, likeness, memory.id)]
        pairs = [
            _Pair(
                min(memory, other, key=age_of), max(memory, other, key=age_of), likeness[other.id]
            )
            for other in others
        ]
        pairs = [pair for pair in pairs if pair.may_compare]
        pairs.sort(key=lambda pair: (-pair.likeness, pair.old.id, pair.new.id))
        yield from pairs[:_MOST_COMPARED]

    def _load(self, place: str, ids: Mapping[str, float], newest: str) -> list[Memory]:
        """The statements among these at a place, without older ones that wait to be compared."""
        there = [id for id in ids if is_episode_id(id) is (place != self.workspace)]
        if not there:
            return []
        with self.store.read(place) as unit:
            waiting = {id for id in unit.uncompared.waiting(there) if id < newest}
            known = unit.memories.get([id for id in there if id not in waiting])
        return [each for each in known.values() if self._is_stated(each)]

    def _is_stated(self, memory: Memory) -> bool:
        return is_own_statement(memory) and memory.state(self.clock()) is State.LIVE

    def _store(self, waiting: Sequence[Memory], compared: _Compared, has_model: bool) -> None:
        """Store what was found of what is still as it was, and let the rest wait."""
        said = {each.id: each for each in waiting if not _is_memory(each)}
        spoken = {each.id for pair, _ in compared for each in pair.memories if not _is_memory(each)}
        beside = episodes_workspace(self.workspace)
        with self.store.read(beside) as unit:
            there = unit.memories.known(sorted(spoken)) if spoken else set()
        kept = [
            (pair, each)
            for pair, each in compared
            if all(_is_memory(side) or side.id in there for side in pair.memories)
        ]
        memories = [each for each in waiting if _is_memory(each)]
        self.write(
            Actor.SYSTEM,
            partial(_store_compared, waiting=memories, compared=kept, has_model=has_model),
        )
        if said:
            with self.store.write(beside) as unit:
                now = unit.memories.get(list(said))
                unit.uncompared.remove([id for id in said if _is_same(said[id], now.get(id))])


def _read_pairs(judge: StatementJudge, pairs: Sequence[_Pair]) -> _Compared:
    """What the judge says of pairs, without those that it fails on, unless these are all."""
    try:
        read = judge.compare([each.texts for each in pairs], must_read=True)
        return list(zip(pairs, read, strict=True))
    except TacitError:  # the model cannot be had
        raise
    except Exception:
        found: list[tuple[_Pair, StatementVerdict]] = []
        for pair in pairs:
            with suppress(Exception):
                (verdict,) = judge.compare([pair.texts], must_read=True)
                found.append((pair, verdict))
        if not found:
            raise
        return found


def _is_memory(each: Memory) -> bool:
    return not is_episode_id(each.id)


def _is_same(old: Memory, new: Memory | None) -> bool:
    """Whether a statement says the same as it did, at the same time, and to the same people."""
    if new is None:
        return False
    ours, theirs = (
        (each.content, age_of(each), each.owner, each.agent, each.forgotten, each.superseded_by)
        for each in (old, new)
    )
    return ours == theirs


def _store_compared(
    author: Author, waiting: Sequence[Memory], compared: _Compared, has_model: bool
) -> None:
    """Store what turns have a use for, and note which memories conflict."""
    unit = author.unit
    ids = {each.id for pair, _ in compared for each in pair.memories if _is_memory(each)}
    now = unit.memories.get(sorted(ids | {each.id for each in waiting}))
    current = [
        (pair, each)
        for pair, each in compared
        if all(not _is_memory(side) or _is_same(side, now.get(side.id)) for side in pair.memories)
    ]
    for pair, each in current:
        is_told = each.is_replaced or each.is_conflict
        if is_told or (not has_model and each.reason != SAY_THE_SAME):
            unit.comparisons.put(
                StatementComparison(
                    earlier=pair.old.id,
                    later=pair.new.id,
                    score=each.likelihood,
                    likeness=pair.likeness,
                    by_model=has_model,
                )
            )
        else:
            unit.comparisons.remove(pair.old.id, pair.new.id)
    _note_conflicts(author, [(pair, each) for pair, each in current if pair.is_listed])
    unit.uncompared.remove([each.id for each in waiting if _is_same(each, now.get(each.id))])


# Conflicts that are noted, as links `contradicts`: their list shows them until somebody decides


def _find_noted(unit: UnitOfWork, ids: Sequence[str]) -> dict[str, set[str]]:
    """For each of some memories those of which it was noted that they conflict with it."""
    found: dict[str, set[str]] = defaultdict(set)
    for edge in load_links_among(unit, ids, Relation.CONTRADICTS):
        found[edge.source].add(edge.target)
        found[edge.target].add(edge.source)
    return found


def _note_conflicts(author: Author, compared: _Compared) -> None:
    """Link what conflicts, and unlink what no longer does, unless a person linked it."""
    unit = author.unit
    told = [(pair, each) for pair, each in compared if each.is_replaced or each.is_conflict]
    settled = load_compatible_pairs(unit, {each.id for pair, _ in told for each in pair.memories})
    edges = [to_conflict_link(pair.old, pair.new, each.likelihood) for pair, each in told]
    links = {pair_of(edge): edge for edge in edges if edge and pair_of(edge) not in settled}
    read = {id_pair(*pair.memories) for pair, _ in compared}
    ids = {id for pair in read for id in pair}
    for edge in load_links_among(unit, ids, Relation.CONTRADICTS):
        link = links.get(pair_of(edge))
        is_over = pair_of(edge) in read and (link is None or link.source != edge.source)
        if is_over and not is_persons_link(author, edge):
            author.journal.unlink(edge)
    for edge in links.values():
        if not is_persons_link(author, edge):
            author.journal.link(edge)


def to_conflict_link(old: Memory, new: Memory, likelihood: float) -> Association | None:
    """The link that notes a conflict; none if a key or what both claim makes them one without it.

    Its weight is how likely the later statement replaces the earlier one.
    """
    if find_conflict_place(old, new) is not None:
        return None
    weight = float(Decimal(str(likelihood)).quantize(_WEIGHT_STEP, ROUND_DOWN))
    return Association(source=new.id, target=old.id, relation=Relation.CONTRADICTS, weight=weight)
