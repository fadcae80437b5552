"""A maintenance pass over a workspace, which resumes where the last one ended."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.kinds import Relation, State
from tacit.core.memory import Memory
from tacit.embedding.embedder import Embedder
from tacit.runtime.clock import Clock
from tacit.search.searcher import Searcher
from tacit.settings.definition import find_definition
from tacit.settings.writing import UpkeepSettings
from tacit.store.protocols.store import Store
from tacit.writing.author import Author
from tacit.writing.draft import Status
from tacit.writing.remember import forget_memory
from tacit.writing.upkeep.plan import MaintenancePlan, MaintenanceStep, WorkspaceReader
from tacit.writing.upkeep.report import MaintenanceAction, MaintenanceKind, UpkeepReport
from tacit.writing.upkeep.rules import (
    build_association,
    has_room_for_link,
    is_mergeable,
    is_prunable,
    is_relatable,
    merge_memories,
    rank_pair,
)

# Carrying out what was thought of, as far as it still is right: all is read again first.


def apply_steps(
    author: Author, steps: Sequence[MaintenanceStep], settings: UpkeepSettings
) -> list[MaintenanceStep]:
    """Do what is still right, in this order; returns what was done."""
    return [step for step in steps if _APPLIERS[step.kind](author, step, settings)]


def _apply_prune(author: Author, step: MaintenanceStep, settings: UpkeepSettings) -> bool:
    memory = _load_unchanged(author, step.memory)
    if memory is None or not is_prunable(author.unit, memory, author.now, settings):
        return False
    return forget_memory(author, memory.id).status is Status.FORGOTTEN


def _apply_merge(author: Author, step: MaintenanceStep, _: UpkeepSettings) -> bool:
    memory, other = _load_both(author, step)
    if memory is None or other is None or not is_mergeable(memory, other):
        return False
    winner, loser = rank_pair(memory, other)
    result = merge_memories(author, winner, loser)
    if result is None:
        return False
    is_as_thought = step.result is not None and result.content == step.result.content
    if step.vector is not None and is_as_thought:
        author.unit.vectors.put(result.id, *step.vector)
    return True


def _apply_link(author: Author, step: MaintenanceStep, _: UpkeepSettings) -> bool:
    memory, other = _load_both(author, step)
    if memory is None or other is None or not is_relatable(memory, other):
        return False
    edges = author.unit.associations.within([memory.id, other.id], 1, frozenset(Relation))
    if not has_room_for_link(memory, other, edges):
        return False
    author.journal.link(build_association(memory, other, step.cosine))
    return True


def _load_both(author: Author, step: MaintenanceStep) -> tuple[Memory | None, Memory | None]:
    other = None if step.other is None else _load_unchanged(author, step.other)
    return _load_unchanged(author, step.memory), other


def _load_unchanged(author: Author, thought_of: Memory) -> Memory | None:
    """A memory as it is now, if it is live and says what it said."""
    memory = author.unit.memories.get([thought_of.id]).get(thought_of.id)
    if memory is None or memory.state(author.now) is not State.LIVE:
        return None
    return memory if memory.content == thought_of.content else None


_APPLIERS: Mapping[MaintenanceKind, Callable[[Author, MaintenanceStep, UpkeepSettings], bool]] = (
    MappingProxyType(
        {
            MaintenanceKind.PRUNE: _apply_prune,
            MaintenanceKind.MERGE: _apply_merge,
            MaintenanceKind.LINK: _apply_link,
        }
    )
)


# A pass over a workspace: it begins where the last one ended, and looks at so many memories.


MOST_LOOKED_AT: int = int(find_definition(UpkeepSettings, "batch").high or 0)
"""So many memories one pass looks at, whatever is asked for."""

_PROGRESS = "upkeep"
_AT_ONCE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepDependencies:
    """What upkeep works with; `write` does something in one transaction, in Tacit's own name."""

    store: Store
    workspace: str
    searcher: Searcher
    embedder: Embedder | None
    clock: Clock
    write: Callable[[Callable[[Author], list[MaintenanceStep]]], list[MaintenanceStep]]


def run_upkeep(
    means: UpkeepDependencies, settings: UpkeepSettings, *, limit: int, dry_run: bool = False
) -> UpkeepReport:
    """Look at so many memories at most: forget, merge and relate, or only tell what would be."""
    course = _UpkeepPass(means, settings, dry_run)
    while course.looked_at < limit and not course.is_done:
        course.go_on(min(_AT_ONCE, limit - course.looked_at))
    course.note()
    return course.report()


def check_upkeep_limit(limit: Any) -> int:
    """The number of memories that one pass is asked to look at, if it may."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MOST_LOOKED_AT:
        wanted = f"expected a whole number from 1 to {MOST_LOOKED_AT}"
        raise InvalidInput("limit", f"{wanted}, not {limit!r}")
    return limit


class _UpkeepPass:
    """How far a pass has come, and what it did."""

    def __init__(self, means: UpkeepDependencies, settings: UpkeepSettings, dry_run: bool) -> None:
        self.looked_at = 0
        self.is_done = False
        self._means = means
        self._settings = settings
        self._dry_run = dry_run
        self._around = WorkspaceReader(
            means.store, means.workspace, means.searcher, means.embedder, means.clock()
        )
        self._plan = MaintenancePlan(self._around, settings)
        self._done: list[MaintenanceStep] = []
        with means.store.read(means.workspace) as unit:
            noted = unit.progress.get(_PROGRESS)
        self._noted: str | None = noted["after"] if noted else None
        self._after = self._noted

    def go_on(self, size: int) -> None:
        """Look at the next few memories, and do what there is to do about them."""
        page = self._around.page(self._after, size + 1)
        self.is_done, page = len(page) <= size, page[:size]
        self._plan.begin(page, anew=not self._dry_run)
        steps = [step for memory in page for step in self._plan.steps(memory)]
        self.looked_at += len(page)
        self._after = None if self.is_done else page[-1].id
        self._do(steps)

    def note(self) -> None:
        """Keep how far it came, for the next pass."""
        if self._dry_run or self._after == self._noted:
            return
        with self._means.store.write(self._means.workspace) as unit:
            if self._after is None:
                unit.progress.remove(_PROGRESS)
            else:
                unit.progress.put(_PROGRESS, {"after": self._after})
        self._noted = self._after

    def report(self) -> UpkeepReport:
        """What came of it."""
        return UpkeepReport(
            looked_at=self.looked_at,
            pruned=self._deeds(MaintenanceKind.PRUNE),
            merged=self._deeds(MaintenanceKind.MERGE),
            linked=self._deeds(MaintenanceKind.LINK),
            unembedded=self._plan.unembedded,
            done=self.is_done,
            dry_run=self._dry_run,
        )

    def _do(self, steps: Sequence[MaintenanceStep]) -> None:
        """Do it, a few steps in each transaction; in a dry run nothing is done."""
        if self._dry_run:
            self._done += steps
            return
        for first in range(0, len(steps), _AT_ONCE):
            some = steps[first : first + _AT_ONCE]
            self._done += self._means.write(
                partial(apply_steps, steps=some, settings=self._settings)
            )
        if steps:
            self.note()

    def _deeds(self, kind: MaintenanceKind) -> tuple[MaintenanceAction, ...]:
        return tuple(step.deed for step in self._done if step.kind is kind)
