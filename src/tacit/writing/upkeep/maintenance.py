"""A maintenance pass over a workspace, which resumes where the last one ended."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.kinds import Relation, State
from tacit.core.memory import Memory
from tacit.runtime.clock import Clock
from tacit.search.searcher import Searcher
from tacit.settings.definition import find_definition
from tacit.settings.writing import UpkeepSettings
from tacit.store.generations import put_vectors
from tacit.store.protocols.store import Store
from tacit.writing.author import Author
from tacit.writing.draft import Status
from tacit.writing.remember import EmbeddedTexts, forget_memory
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
    were_kept_apart,
)

# Applying steps: everything is read again first


def apply_steps(
    author: Author, steps: Sequence[MaintenanceStep], settings: UpkeepSettings
) -> list[MaintenanceStep]:
    """Apply the steps that are still right, in order; returns those that were applied."""
    return [step for step in steps if _APPLIERS[step.kind](author, step, settings)]


def _apply_prune(author: Author, step: MaintenanceStep, settings: UpkeepSettings) -> bool:
    memory = _load_unchanged(author, step.memory)
    if memory is None or not is_prunable(author.unit, memory, author.now, settings):
        return False
    return forget_memory(author, memory.id, step.reason).status is Status.FORGOTTEN


def _apply_merge(author: Author, step: MaintenanceStep, _: UpkeepSettings) -> bool:
    memory, other = _load_both(author, step)
    if memory is None or other is None or not is_mergeable(memory, other):
        return False
    edges = author.unit.associations.within([memory.id], 1, (Relation.COMPATIBLE_WITH,))
    if were_kept_apart(memory, other, edges):
        return False
    winner, loser = rank_pair(memory, other)
    reason = f"says nearly the same, similarity {step.cosine:.2f}"
    result = merge_memories(author, winner, loser, reason)
    if result is None:
        return False
    is_as_thought = step.result is not None and result.content == step.result.content
    if step.vectors is not None and is_as_thought:
        put_vectors(author.unit, result.id, step.vectors)
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
    """Load a memory, if it is live and its content is unchanged."""
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


# The pass


MOST_LOOKED_AT: int = int(find_definition(UpkeepSettings, "batch").high or 0)
"""The most memories that one pass looks at."""

_PROGRESS = "upkeep"
_AT_ONCE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepDependencies:
    """What upkeep works with; `write` runs work in one transaction in Tacit's own name."""

    store: Store
    workspace: str
    searcher: Searcher
    embed: Callable[[Sequence[str]], EmbeddedTexts]
    clock: Clock
    write: Callable[[Callable[[Author], list[MaintenanceStep]]], list[MaintenanceStep]]


def run_upkeep(
    dependencies: UpkeepDependencies, settings: UpkeepSettings, *, limit: int, dry_run: bool = False
) -> UpkeepReport:
    """Look at up to `limit` memories: forget, merge and link, or only report in a dry run."""
    upkeep_pass = _UpkeepPass(dependencies, settings, dry_run)
    while upkeep_pass.looked_at < limit and not upkeep_pass.is_done:
        upkeep_pass.advance(min(_AT_ONCE, limit - upkeep_pass.looked_at))
    upkeep_pass.save_progress()
    return upkeep_pass.report()


def check_upkeep_limit(limit: Any) -> int:
    """Check the number of memories that one pass is asked to look at."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MOST_LOOKED_AT:
        wanted = f"expected a whole number from 1 to {MOST_LOOKED_AT}"
        raise InvalidInput("limit", f"{wanted}, not {limit!r}")
    return limit


class _UpkeepPass:
    """The progress of a pass, and what it did."""

    def __init__(
        self, dependencies: UpkeepDependencies, settings: UpkeepSettings, dry_run: bool
    ) -> None:
        self.looked_at = 0
        self.is_done = False
        self._dependencies = dependencies
        self._settings = settings
        self._dry_run = dry_run
        self._reader = WorkspaceReader(
            dependencies.store,
            dependencies.workspace,
            dependencies.searcher,
            dependencies.embed,
            dependencies.clock(),
        )
        self._plan = MaintenancePlan(self._reader, settings)
        self._done: list[MaintenanceStep] = []
        with dependencies.store.read(dependencies.workspace) as unit:
            noted = unit.progress.get(_PROGRESS)
        self._noted: str | None = noted["after"] if noted else None
        self._after = self._noted

    def advance(self, size: int) -> None:
        """Look at the next few memories, and apply what is due."""
        page = self._reader.page(self._after, size + 1)
        self.is_done, page = len(page) <= size, page[:size]
        self._plan.load(page, anew=not self._dry_run)
        steps = [step for memory in page for step in self._plan.steps(memory)]
        self.looked_at += len(page)
        self._after = None if self.is_done else page[-1].id
        self._apply(steps)

    def save_progress(self) -> None:
        """Save the position for the next pass."""
        if self._dry_run or self._after == self._noted:
            return
        with self._dependencies.store.write(self._dependencies.workspace) as unit:
            if self._after is None:
                unit.progress.remove(_PROGRESS)
            else:
                unit.progress.put(_PROGRESS, {"after": self._after})
        self._noted = self._after

    def report(self) -> UpkeepReport:
        """The report of the pass."""
        return UpkeepReport(
            looked_at=self.looked_at,
            pruned=self._actions(MaintenanceKind.PRUNE),
            merged=self._actions(MaintenanceKind.MERGE),
            linked=self._actions(MaintenanceKind.LINK),
            unembedded=self._plan.unembedded,
            done=self.is_done,
            dry_run=self._dry_run,
        )

    def _apply(self, steps: Sequence[MaintenanceStep]) -> None:
        """Apply steps, a few in each transaction; a dry run applies none."""
        if self._dry_run:
            self._done += steps
            return
        for first in range(0, len(steps), _AT_ONCE):
            some = steps[first : first + _AT_ONCE]
            self._done += self._dependencies.write(
                partial(apply_steps, steps=some, settings=self._settings)
            )
        if steps:
            self.save_progress()

    def _actions(self, kind: MaintenanceKind) -> tuple[MaintenanceAction, ...]:
        return tuple(step.action for step in self._done if step.kind is kind)
