"""Moves workspaces from one store to another: checks, copies, and compares both sides."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any, ClassVar, TypeAlias

from tacit.core.errors import MoveRefused, NotFound
from tacit.core.json_value import JsonValue, Named
from tacit.core.keys import Key
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.workspaces import (
    episodes_workspace,
    items_workspace,
    list_tenants,
    tenant_of,
)
from tacit.writing.archive.row_kinds import (
    Row,
    RowKind,
    count_rows,
    list_episode_kinds,
    list_row_kinds,
)

# The report


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedKind(JsonValue):
    """Rows of one kind: counts at source and target, rows copied now, and checksums."""

    name: str
    source: int
    target: int
    copied: int
    source_checksum: str
    target_checksum: str

    @property
    def is_equal(self) -> bool:
        """Whether both sides are equal."""
        return self.source_checksum == self.target_checksum


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedWorkspace(JsonValue):
    """One workspace on both sides; `changed` if the source was written to in the meantime."""

    name: str
    kinds: tuple[MovedKind, ...]
    changed: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether the target has everything that the source has now."""
        return not self.changed and all(kind.is_equal for kind in self.kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveReport(JsonValue):
    """What was moved from where to where, by workspace."""

    COMPUTED: ClassVar[tuple[str, ...]] = ("is_complete",)

    source: str
    target: str
    workspaces: tuple[MovedWorkspace, ...]

    @property
    def is_complete(self) -> Annotated[bool, Named("complete")]:
        """Whether everything arrived as it was."""
        return all(each.is_complete for each in self.workspaces)


# Row counts and checksums


class RowTally:
    """Counts rows and hashes them in the order in which they are added."""

    def __init__(self) -> None:
        self.count = 0
        self._hash = sha256()

    def add(self, form: bytes) -> None:
        """Add a row."""
        self.count += 1
        self._hash.update(len(form).to_bytes(8) + form)

    @property
    def checksum(self) -> str:
        """The checksum of all rows so far."""
        return self._hash.hexdigest()


@dataclass(frozen=True, slots=True)
class CopiedRows:
    """The rows of a kind at the source when they were copied, and how many were new."""

    seen: RowTally
    new: int


@dataclass(frozen=True, slots=True)
class RowComparison:
    """The rows of a kind on both sides after copying."""

    kind: str
    copied: CopiedRows
    source: RowTally
    target: RowTally

    @property
    def changed(self) -> bool:
        """Whether the source changed after it was copied."""
        return self.source.checksum != self.copied.seen.checksum

    def moved(self) -> MovedKind:
        """The entry of the report."""
        return MovedKind(
            name=self.kind,
            source=self.source.count,
            target=self.target.count,
            copied=self.copied.new,
            source_checksum=self.source.checksum,
            target_checksum=self.target.checksum,
        )


# Collisions


def refuse_collisions(
    source: UnitOfWork, target: UnitOfWork, kinds: Iterable[RowKind[Any]], page_size: int
) -> None:
    """Refuse a target whose rows collide with those of the source."""
    for kind in kinds:
        for after, page in kind.pages(target, page_size):
            known = kind.counterparts(source, after, page, page_size)
            for row in page:
                _refuse_collision(source, kind, row, known.get(kind.key(row)))


def _refuse_collision(source: UnitOfWork, kind: RowKind[Row], there: Row, here: Row | None) -> None:
    if here is not None:
        refuse_difference(source.workspace, kind, here, there)
        return
    rival = kind.rival(source, there)
    if rival is not None:
        raise MoveRefused(
            f"workspace {tenant_of(source.workspace)!r}, {kind.named(rival)} says exactly what"
            f" {' '.join(map(str, kind.key(there)))} says at the target already; erase one of the"
            " two, or move into an empty place"
        )


def refuse_difference(workspace: str, kind: RowKind[Row], here: Row, there: Row | None) -> None:
    """Refuse a row that both sides have and that differs."""
    if there is not None and kind.differ(here, there):
        raise MoveRefused(
            f"workspace {tenant_of(workspace)!r}, {kind.named(here)} is at the target already and"
            " differs: one of the two stores was used since it was copied. Nothing there was"
            " changed; stop what uses them, and move into an empty place"
        )


# API keys: a key moves with the workspace that it opens


KeyFilter: TypeAlias = Callable[[Key], bool]


def is_key_of(workspace: str) -> KeyFilter:
    """A filter for the keys that open this workspace and no other."""
    return lambda key: key.workspace == workspace


def is_other_key(workspaces: Iterable[str]) -> KeyFilter:
    """A filter for the keys that open every workspace, or one without data."""
    known = frozenset(workspaces)
    return lambda key: key.workspace not in known


def select_keys(store: Store, belongs: KeyFilter) -> list[Key]:
    """The keys of a store that pass a filter, oldest first."""
    return [key for key in store.keys().all() if belongs(key)]


def refuse_key_collisions(source: Store, target: Store, belongs: KeyFilter) -> None:
    """Refuse a target that has a key with the same id, or an active one with the same name."""
    there = _keys_by_id(target)
    names = {key.name: key.id for key in there.values() if key.revoked_at is None}
    for key in select_keys(source, belongs):
        if there.get(key.id, key) != key:
            raise MoveRefused(
                f"key {key.id} ({key.name}) is at the target already and differs. Nothing there"
                " was changed; revoke it on both sides, or move into an empty place"
            )
        if key.revoked_at is None and names.get(key.name, key.id) != key.id:
            raise MoveRefused(
                f"another key named {key.name!r} is in use at the target; revoke one of the two:"
                f" tacit keys revoke {key.id}"
            )


def move_keys(source: Store, target: Store, belongs: KeyFilter) -> RowComparison:
    """Copy keys as they are, and compare both sides."""
    keys, there = select_keys(source, belongs), _keys_by_id(target)
    missing = [key for key in keys if key.id not in there]
    for key in missing:
        target.keys().add(key)
    here, there = select_keys(source, belongs), _keys_by_id(target)
    arrived = [there[key.id] for key in here if key.id in there]
    return RowComparison(
        "keys", CopiedRows(_tally_keys(keys), len(missing)), _tally_keys(here), _tally_keys(arrived)
    )


def _keys_by_id(store: Store) -> dict[str, Key]:
    return {key.id: key for key in store.keys().all()}


def _tally_keys(keys: Sequence[Key]) -> RowTally:
    tally = RowTally()
    for key in keys:
        unseen = {"digest": key.digest.hex(), "speaks_by_upgrade": key.speaks_by_upgrade}
        values = {**key.to_dict(), **unseen}
        tally.add(json.dumps(values, ensure_ascii=False, sort_keys=True).encode())
    return tally


# The move


PAGE_SIZE = 1_000

EVERY_WORKSPACE = "*"
"""The workspace name in the report for keys that belong to no single workspace."""

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the stage, what is done and what there is to do; 0 if that is unknown."""


def select_workspaces(source: Store, names: Iterable[str] | None) -> list[str]:
    """The named workspaces of a store, or all."""
    known = list_tenants(source)
    wanted = known if names is None else list(dict.fromkeys(names))
    for name in wanted:
        if name not in known:
            raise NotFound(
                f"there is no workspace {name!r}; there are: {', '.join(known) or 'none'}"
            )
    return wanted


def move_workspaces(
    source: Store,
    target: Store,
    workspaces: Iterable[str] | None = None,
    *,
    progress: Progress,
    page_size: int = PAGE_SIZE,
) -> tuple[MovedWorkspace, ...]:
    """Copy workspaces as they are; an interrupted copy is resumed.

    Nothing is written before all of them were checked, and nothing at the target is changed. Keys
    that open every workspace are moved if every workspace is.
    """
    names = select_workspaces(source, workspaces)
    mover = _Mover(source, target, progress, page_size)
    for name in names:
        mover.check(name)
    goes_whole = set(names) == set(list_tenants(source))
    if goes_whole:
        refuse_key_collisions(source, target, is_other_key(names))
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
        for place in self._places_of(workspace):
            with self.source.read(place) as here, self.target.read(place) as there:
                refuse_collisions(here, there, _list_kinds(here), self.page_size)
        refuse_key_collisions(self.source, self.target, is_key_of(workspace))

    def move(self, workspace: str) -> MovedWorkspace:
        """Copy what the source holds at one moment, and compare both sides afterwards."""
        compared: list[RowComparison] = []
        changed = False
        places = self._places_of(workspace)
        for place in places:
            rows, is_changed = self._move_place(place)
            compared += rows
            changed = changed or is_changed
        compared += self._move_keys(is_key_of(workspace))
        self.progress(f"settling {workspace}", 0, 0)
        for place in places:
            self.target.settle(place)
        return MovedWorkspace(
            name=workspace,
            kinds=tuple(each.moved() for each in compared),
            changed=changed or any(each.changed for each in compared),
        )

    def _places_of(self, workspace: str) -> list[str]:
        """The workspace, and those beside it that hold its episodes and items, if there are any."""
        beside = (episodes_workspace(workspace), items_workspace(workspace))
        known = self.source.workspaces()
        return [workspace, *(each for each in beside if each in known)]

    def _move_place(self, place: str) -> tuple[list[RowComparison], bool]:
        """Copy and compare the rows of one place; returns whether it changed in the meantime."""
        with self.source.read(place) as here:
            revision = here.revision()
            kinds = _list_kinds(here)
            totals = count_rows(here)
            copied = [self._copy(kind, here, totals.get(kind.name, 0)) for kind in kinds]
        with self.source.read(place) as here, self.target.read(place) as there:
            compared = [
                self._compare(kind, here, there, done)
                for kind, done in zip(kinds, copied, strict=True)
            ]
            return compared, here.revision() != revision

    def move_other_keys(self, workspaces: Sequence[str]) -> Iterator[MovedWorkspace]:
        """Copy the keys that go with none of these workspaces, if there are any."""
        for keys in self._move_keys(is_other_key(workspaces)):
            yield MovedWorkspace(name=EVERY_WORKSPACE, kinds=(keys.moved(),), changed=keys.changed)

    def _move_keys(self, belongs: KeyFilter) -> Iterator[RowComparison]:
        """Move keys, if the store has any."""
        if select_keys(self.source, belongs):
            yield move_keys(self.source, self.target, belongs)

    def _copy(self, kind: RowKind[Row], here: UnitOfWork, total: int) -> CopiedRows:
        """Write the rows that are missing, each page in one transaction."""
        seen, new = RowTally(), 0
        for after, page in kind.pages(here, self.page_size):
            with self.target.write(here.workspace) as there:
                known = kind.counterparts(there, after, page, self.page_size)
                missing = [row for row in page if kind.key(row) not in known]
                for row in page:
                    refuse_difference(here.workspace, kind, row, known.get(kind.key(row)))
                kind.write(there, missing)
            new += len(missing)
            _add_rows(seen, kind, page)
            self.progress(f"copying {kind.name} of {tenant_of(here.workspace)}", seen.count, total)
        return CopiedRows(seen, new)

    def _compare(
        self, kind: RowKind[Row], here: UnitOfWork, there: UnitOfWork, done: CopiedRows
    ) -> RowComparison:
        """Read both sides again in the order of their keys; the target may have more rows."""
        mine, theirs = RowTally(), RowTally()
        for after, page in kind.pages(here, self.page_size):
            known = kind.counterparts(there, after, page, self.page_size)
            _add_rows(mine, kind, page)
            _add_rows(theirs, kind, [known[key] for key in map(kind.key, page) if key in known])
            stage = f"verifying {kind.name} of {tenant_of(here.workspace)}"
            self.progress(stage, mine.count, done.seen.count)
        return RowComparison(kind.name, done, mine, theirs)


def _add_rows(tally: RowTally, kind: RowKind[Row], rows: Sequence[Row]) -> None:
    for row in rows:
        tally.add(kind.form(row))


def _list_kinds(unit: UnitOfWork) -> tuple[RowKind[Any], ...]:
    """The kinds of rows of a workspace, or of the one beside it that holds its episodes."""
    is_tenant = tenant_of(unit.workspace) == unit.workspace
    return (list_row_kinds if is_tenant else list_episode_kinds)(unit.vectors.models())
