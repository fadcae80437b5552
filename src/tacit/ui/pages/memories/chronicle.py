"""A chronicle: the history of a memory in words, and the memory as its history leaves it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from tacit.core.errors import TacitError
from tacit.core.memory.association import Association
from tacit.core.memory.audit import AuditEntry
from tacit.core.memory.kinds import Action, Actor, Subject
from tacit.core.memory.record import Memory
from tacit.core.memory.times import rfc3339
from tacit.ui.pages.memories.form import Difference

_TITLES: Mapping[tuple[Subject, Action], str] = MappingProxyType(
    {
        (Subject.MEMORY, Action.INSERT): "Written",
        (Subject.MEMORY, Action.UPDATE): "Changed",
        (Subject.MEMORY, Action.FORGET): "Forgotten",
        (Subject.MEMORY, Action.RESTORE): "Restored",
        (Subject.MEMORY, Action.SUPERSEDE): "Replaced",
        (Subject.MEMORY, Action.ERASE): "Erased",
        (Subject.ASSOCIATION, Action.INSERT): "Linked",
        (Subject.ASSOCIATION, Action.UPDATE): "Link changed",
        (Subject.ASSOCIATION, Action.DELETE): "Link removed",
        (Subject.ASSOCIATION, Action.ERASE): "Link erased",
    }
)
_SAID_BY_TITLE = frozenset({"forgotten", "updated_at"})
_OF_INTEREST = ("content", "type", "key")
"""What is told of a memory when it was written; the rest is told where it changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """One change: what, who, when, and which values became which."""

    title: str
    by: Actor
    at: datetime
    differences: tuple[Difference, ...] = ()
    link: Association | None = None


def chronicle(entries: Iterable[AuditEntry]) -> tuple[Chapter, ...]:
    """Every change in words, newest first."""
    return tuple(_chapter(entry) for entry in entries)[::-1]


def last_known(entries: Sequence[AuditEntry], workspace: str) -> Memory | None:
    """A memory as its history leaves it; None where that was erased or never complete."""
    own = [entry for entry in entries if entry.subject is Subject.MEMORY]
    values: dict[str, object] = {"workspace": workspace}
    for entry in own:
        values |= {"updated_at": rfc3339(entry.at), **(entry.new or {})}
    try:
        return Memory.from_dict(values)
    except (TacitError, TypeError):
        return None


def _chapter(entry: AuditEntry) -> Chapter:
    is_link = entry.subject is Subject.ASSOCIATION
    return Chapter(
        title=_TITLES.get((entry.subject, entry.action), str(entry.action).capitalize()),
        by=entry.by,
        at=entry.at,
        differences=() if is_link else _differences(entry),
        link=_association(entry) if is_link else None,
    )


def _differences(entry: AuditEntry) -> tuple[Difference, ...]:
    old, new = entry.old or {}, entry.new or {}
    names = list(dict.fromkeys([*old, *new]))
    if entry.action is Action.INSERT:
        names = [name for name in _OF_INTEREST if new.get(name)]
    return tuple(
        Difference(name, old.get(name), new.get(name))
        for name in names
        if name not in _SAID_BY_TITLE
    )


def _association(entry: AuditEntry) -> Association | None:
    values = {**(entry.old or {}), **(entry.new or {})}
    try:
        return Association.from_dict(values)
    except (KeyError, TacitError):
        return None
