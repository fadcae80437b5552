"""A memory as plain data: table row, form values, and the entries of its history."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from tacit.core.changes import AuditEntry
from tacit.core.errors import InvalidInput, TacitError
from tacit.core.kinds import Action, Actor, MemoryType, Scope, State, Subject
from tacit.core.memory import Association, Memory
from tacit.core.times import to_rfc3339
from tacit.turn.block import shorten

# Table rows.

MAX_CONTENT = 800
"""Characters of the content; the memory's page shows all of it."""


def to_row(
    memory: Memory, now: datetime, address: str, relevance: float | None = None
) -> dict[str, Any]:
    """A memory as a row of the table."""
    state = memory.state(now)
    return {
        "id": memory.id,
        "address": address,
        "content": shorten(memory.content, MAX_CONTENT),
        "type": str(memory.type),
        "state": "" if state is State.LIVE else str(state),
        "pinned": memory.pinned,
        "key": memory.key or "",
        "tags": list(memory.tags[:4]),
        "whose": owner_text(memory),
        "importance": memory.importance,
        "source": str(memory.source),
        "trust": str(memory.trust),
        "used": memory.access_count,
        "updated": to_rfc3339(memory.updated_at),
        "relevance": relevance,
    }


def owner_text(memory: Memory) -> str:
    """Who owns a memory, in words."""
    whose = f"{memory.scope} {memory.scope_id}".strip()
    seen = f", agent {memory.agent} only" if memory.agent else ""
    return ("everybody" if memory.scope is Scope.ORG and not memory.scope_id else whose) + seen


def range_text(skipped: int, shown: int, total: int | None) -> str:
    """Which rows of how many are shown."""
    if shown == 0:
        return "0 memories" if skipped == 0 else "No more memories"
    whole = "…" if total is None else f"{total:,}"
    return f"{skipped + 1:,}–{skipped + shown:,} of {whole}"


# Form values.

FormValues = Mapping[str, Any]
"""The values of the controls, by field."""

EMPTY_VALUES: FormValues = {
    "content": "",
    "type": str(MemoryType.FACT),
    "key": "",
    "importance": None,
    "confidence": None,
    "scope": str(Scope.USER),
    "scope_id": "",
    "agent": "",
    "tags": "",
    "pinned": False,
    "valid_from": "",
    "valid_to": "",
    "expires_at": "",
    "metadata": "",
}
DATE_FIELDS = ("valid_from", "valid_to", "expires_at")
NUMBER_FIELDS = ("importance", "confidence")


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """A field with its old and new value."""

    field: str
    old: Any
    new: Any


def to_form_values(memory: Memory) -> dict[str, Any]:
    """The values of a memory as form controls hold them."""
    return {
        "content": memory.content,
        "type": str(memory.type),
        "key": memory.key or "",
        "importance": memory.importance,
        "confidence": memory.confidence,
        "scope": str(memory.scope),
        "scope_id": memory.scope_id,
        "agent": memory.agent or "",
        "tags": "\n".join(memory.tags),
        "pinned": memory.pinned,
        "valid_from": _to_time(memory.valid_from),
        "valid_to": _to_time(memory.valid_to),
        "expires_at": _to_time(memory.expires_at),
        "metadata": json.dumps(memory.metadata, ensure_ascii=False) if memory.metadata else "",
    }


def changed_fields(base: Memory, values: FormValues) -> dict[str, Any]:
    """The fields that differ from the memory, as the client takes them."""
    was = to_form_values(base)
    return {name: parse_field(name, value) for name, value in values.items() if value != was[name]}


def filled_fields(values: FormValues) -> dict[str, Any]:
    """The fields of a new memory that are filled in; the others take their defaults."""
    filled = {name: value for name, value in values.items() if value not in ("", None)}
    fields = {name: parse_field(name, value) for name, value in filled.items()}
    return {"content": "", **fields}


def parse_field(name: str, value: Any) -> Any:
    """The value of a field from its control; empty optional ones become None."""
    if name == "tags":
        return tuple(tag for line in str(value).splitlines() if (tag := line.strip()))
    if name == "metadata":
        return _parse_object(value)
    if name in NUMBER_FIELDS and value is None:
        raise InvalidInput(name, "give a number from 0 to 1")
    return None if value == "" and name in ("key", "agent", *DATE_FIELDS) else value


def rebase_values(base: Memory, fresh: Memory, values: FormValues) -> dict[str, Any]:
    """Form values over a newer version: own changes stay, the rest is updated."""
    was, now = to_form_values(base), to_form_values(fresh)
    return {name: now[name] if value == was[name] else value for name, value in values.items()}


def diff_fields(old: Memory, new: Memory) -> tuple[FieldDifference, ...]:
    """The form fields in which two versions of a memory differ."""
    was, now = to_form_values(old), to_form_values(new)
    return tuple(
        FieldDifference(name, was[name], now[name]) for name in was if was[name] != now[name]
    )


def _to_time(time: datetime | None) -> str:
    return "" if time is None else to_rfc3339(time)


def _parse_object(value: str) -> Any:
    try:
        read = json.loads(value) if value.strip() else {}
    except ValueError as error:
        raise InvalidInput("metadata", f"is not JSON ({error})") from None
    if not isinstance(read, dict):
        raise InvalidInput("metadata", 'give a JSON object, such as {"team": "web"}')
    return read


# History.

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
SUCCESSOR_FIELDS = ("superseded_by", "successor")
"""The fields of a change that name what replaced a memory, or what will."""
_SHOWN_ON_INSERT = ("content", "type", "key")
"""The fields shown for a new memory; others are shown when they change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """One change: its title, who made it, when, and the changed values."""

    title: str
    by: Actor
    at: datetime
    differences: tuple[FieldDifference, ...] = ()
    link: Association | None = None


def to_history(entries: Iterable[AuditEntry]) -> tuple[HistoryEntry, ...]:
    """Every change in words, newest first."""
    return tuple(_to_history_entry(entry) for entry in entries)[::-1]


def last_known_memory(entries: Sequence[AuditEntry], workspace: str) -> Memory | None:
    """A memory rebuilt from its history; None if it was erased or is incomplete."""
    own = [entry for entry in entries if entry.subject is Subject.MEMORY]
    values: dict[str, object] = {"workspace": workspace}
    for entry in own:
        values |= {"updated_at": to_rfc3339(entry.at), **(entry.new or {})}
    try:
        return Memory.from_dict(values)
    except (TacitError, TypeError):
        return None


def successor_ids(memory: Memory, entries: Iterable[AuditEntry]) -> tuple[str, ...]:
    """The ids of the memories that replaced one, or were to replace it."""
    changes = [entry.new or {} for entry in entries]
    named = [new.get(name) for new in changes for name in SUCCESSOR_FIELDS]
    found = (memory.superseded_by, *named)
    return tuple(dict.fromkeys(str(id) for id in found if id is not None))


def successor_text(texts: Mapping[str, str], id: str) -> str:
    """The words of what replaced a memory, as far as they are known."""
    return texts.get(id, "a newer memory")


def _to_history_entry(entry: AuditEntry) -> HistoryEntry:
    is_link = entry.subject is Subject.ASSOCIATION
    return HistoryEntry(
        title=_TITLES.get((entry.subject, entry.action), str(entry.action).capitalize()),
        by=entry.by,
        at=entry.at,
        differences=() if is_link else _entry_differences(entry),
        link=_entry_association(entry) if is_link else None,
    )


def _entry_differences(entry: AuditEntry) -> tuple[FieldDifference, ...]:
    old, new = entry.old or {}, entry.new or {}
    names = list(dict.fromkeys([*old, *new]))
    if entry.action is Action.INSERT:
        names = [name for name in _SHOWN_ON_INSERT if new.get(name)]
    return tuple(
        FieldDifference(name, old.get(name), new.get(name))
        for name in names
        if name not in _SAID_BY_TITLE
    )


def _entry_association(entry: AuditEntry) -> Association | None:
    values = {**(entry.old or {}), **(entry.new or {})}
    try:
        return Association.from_dict(values)
    except (KeyError, TacitError):
        return None
