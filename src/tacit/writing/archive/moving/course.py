"""The course of a move: check, copy, and read both sides again."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tacit.core.errors import NotFound
from tacit.store.protocols.store import Store
from tacit.store.protocols.unit import Unit
from tacit.store.tenants import tenants
from tacit.writing.archive.moving.checking import refuse_collisions, refuse_difference
from tacit.writing.archive.moving.keys import (
    Belongs,
    chosen_keys,
    keys_beside,
    keys_of,
    move_keys,
    refuse_other_keys,
)
from tacit.writing.archive.moving.kind import Kind, Row
from tacit.writing.archive.moving.kinds import kinds_of, known_totals
from tacit.writing.archive.moving.report import MovedWorkspace
from tacit.writing.archive.moving.tally import Compared, Copied, Tally

PAGE_SIZE = 1_000

EVERY_WORKSPACE = "*"
"""Stands for a workspace in the report on keys that are nobody's own."""

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the stage, what is done and what there is to do; 0 where that is not known."""


def chosen(source: Store, names: Iterable[str] | None) -> list[str]:
    """The workspaces of a store that are named, or all."""
    known = tenants(source)
    wanted = known if names is None else list(dict.fromkeys(names))
    for name in wanted:
        if name not in known:
            raise NotFound(
                f"there is no workspace {name!r}; there are: {', '.join(known) or 'none'}"
            )
    return wanted


def move(
    source: Store,
    target: Store,
    workspaces: Iterable[str] | None = None,
    *,
    progress: Progress,
    page_size: int = PAGE_SIZE,
) -> tuple[MovedWorkspace, ...]:
    """Copy workspaces as they are; one that was copied in part is just gone on with.

    Nothing is written before all of them were checked, and nothing that is there is changed. Keys
    that open every workspace go when every workspace goes.
    """
    names = chosen(source, workspaces)
    mover = _Mover(source, target, progress, page_size)
    for name in names:
        mover.check(name)
    goes_whole = set(names) == set(tenants(source))
    if goes_whole:
        refuse_other_keys(source, target, keys_beside(names))
    moved = tuple(mover.move(name) for name in names)
    return (*moved, *mover.move_other_keys(names)) if goes_whole else moved


@dataclass(frozen=True, slots=True)
class _Mover:
    source: Store
    target: Store
    progress: Progress
    page_size: int

    def check(self, workspace: str) -> None:
        self.progress(f"checking {workspace}", 0, 0)
        with self.source.read(workspace) as here, self.target.read(workspace) as there:
            refuse_collisions(here, there, kinds_of(here.vectors.models()), self.page_size)
        refuse_other_keys(self.source, self.target, keys_of(workspace))

    def move(self, workspace: str) -> MovedWorkspace:
        """Copy what the source holds at one moment, and compare both sides afterwards."""
        with self.source.read(workspace) as here:
            revision = here.revision()
            kinds = kinds_of(here.vectors.models())
            totals = known_totals(here)
            copied = [self._copy(kind, here, totals.get(kind.name, 0)) for kind in kinds]
        with self.source.read(workspace) as here, self.target.read(workspace) as there:
            compared = [
                self._compare(kind, here, there, done)
                for kind, done in zip(kinds, copied, strict=True)
            ]
            changed = here.revision() != revision
        compared += self._move_keys(keys_of(workspace))
        self.progress(f"settling {workspace}", 0, 0)
        self.target.settle(workspace)
        return MovedWorkspace(
            name=workspace,
            kinds=tuple(each.moved() for each in compared),
            changed=changed or any(each.changed for each in compared),
        )

    def move_other_keys(self, workspaces: Sequence[str]) -> Iterator[MovedWorkspace]:
        """Copy the keys that go with none of these workspaces, if there are any."""
        for keys in self._move_keys(keys_beside(workspaces)):
            yield MovedWorkspace(name=EVERY_WORKSPACE, kinds=(keys.moved(),), changed=keys.changed)

    def _move_keys(self, belongs: Belongs) -> Iterator[Compared]:
        """Few stores have keys, and the others say nothing of them."""
        if chosen_keys(self.source, belongs):
            yield move_keys(self.source, self.target, belongs)

    def _copy(self, kind: Kind[Row], here: Unit, total: int) -> Copied:
        """Write the rows that are missing, each page in one transaction."""
        seen, new = Tally(), 0
        for after, page in kind.pages(here, self.page_size):
            with self.target.write(here.workspace) as there:
                known = kind.counterparts(there, after, page, self.page_size)
                missing = [row for row in page if kind.key(row) not in known]
                for row in page:
                    refuse_difference(here.workspace, kind, row, known.get(kind.key(row)))
                kind.write(there, missing)
            new += len(missing)
            _add(seen, kind, page)
            self.progress(f"copying {kind.name} of {here.workspace}", seen.count, total)
        return Copied(seen, new)

    def _compare(self, kind: Kind[Row], here: Unit, there: Unit, done: Copied) -> Compared:
        """Both sides read again, in the order of their keys; the target may have more."""
        mine, theirs = Tally(), Tally()
        for after, page in kind.pages(here, self.page_size):
            known = kind.counterparts(there, after, page, self.page_size)
            _add(mine, kind, page)
            _add(theirs, kind, [known[key] for key in map(kind.key, page) if key in known])
            stage = f"verifying {kind.name} of {here.workspace}"
            self.progress(stage, mine.count, done.seen.count)
        return Compared(kind.name, done, mine, theirs)


def _add(tally: Tally, kind: Kind[Row], rows: Sequence[Row]) -> None:
    for row in rows:
        tally.add(kind.form(row))
