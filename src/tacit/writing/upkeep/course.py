"""A pass over a workspace: it begins where the last one ended, and looks at so many memories."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.embedding.embedder import Embedder
from tacit.runtime.clock import Clock
from tacit.search.searcher import Searcher
from tacit.settings.definition import definition
from tacit.settings.upkeep import UpkeepSettings
from tacit.store.protocols.store import Store
from tacit.writing.author import Author
from tacit.writing.upkeep.doing import carry_out
from tacit.writing.upkeep.planning import Plan
from tacit.writing.upkeep.report import Deed, Kind, UpkeepReport
from tacit.writing.upkeep.step import Step
from tacit.writing.upkeep.surroundings import Surroundings

MOST_LOOKED_AT: int = int(definition(UpkeepSettings, "batch").high or 0)
"""So many memories one pass looks at, whatever is asked for."""

_PROGRESS = "upkeep"
_AT_ONCE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What upkeep works with; `write` does something in one transaction, in Tacit's own name."""

    store: Store
    workspace: str
    searcher: Searcher
    embedder: Embedder | None
    clock: Clock
    write: Callable[[Callable[[Author], list[Step]]], list[Step]]


def keep_up(
    means: Means, settings: UpkeepSettings, *, limit: int, dry_run: bool = False
) -> UpkeepReport:
    """Look at so many memories at most: forget, merge and relate, or only tell what would be."""
    course = _Course(means, settings, dry_run)
    while course.looked_at < limit and not course.is_done:
        course.go_on(min(_AT_ONCE, limit - course.looked_at))
    course.note()
    return course.report()


def check_limit(limit: Any) -> int:
    """The number of memories that one pass is asked to look at, if it may."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MOST_LOOKED_AT:
        wanted = f"expected a whole number from 1 to {MOST_LOOKED_AT}"
        raise InvalidInput("limit", f"{wanted}, not {limit!r}")
    return limit


class _Course:
    """How far a pass has come, and what it did."""

    def __init__(self, means: Means, settings: UpkeepSettings, dry_run: bool) -> None:
        self.looked_at = 0
        self.is_done = False
        self._means = means
        self._settings = settings
        self._dry_run = dry_run
        self._around = Surroundings(
            means.store, means.workspace, means.searcher, means.embedder, means.clock()
        )
        self._plan = Plan(self._around, settings)
        self._done: list[Step] = []
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
            pruned=self._deeds(Kind.PRUNE),
            merged=self._deeds(Kind.MERGE),
            linked=self._deeds(Kind.LINK),
            unembedded=self._plan.unembedded,
            done=self.is_done,
            dry_run=self._dry_run,
        )

    def _do(self, steps: Sequence[Step]) -> None:
        """Do it, a few steps in each transaction; in a dry run nothing is done."""
        if self._dry_run:
            self._done += steps
            return
        for first in range(0, len(steps), _AT_ONCE):
            some = steps[first : first + _AT_ONCE]
            self._done += self._means.write(partial(carry_out, steps=some, settings=self._settings))
        if steps:
            self.note()

    def _deeds(self, kind: Kind) -> tuple[Deed, ...]:
        return tuple(step.deed for step in self._done if step.kind is kind)
