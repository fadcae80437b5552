"""Items in a store: values by namespace and key, rows of a workspace of their own.

They are searched and embedded as memories are, and are no memories. In such a row the owner is the
namespace, and the tags are the namespaces that it lies in.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

from tacit.core.kinds import Actor, MemoryType, Owner, Scope, Sort, Trust
from tacit.core.memory import Memory
from tacit.core.vectors import TextVectors
from tacit.language.terms import extract_terms
from tacit.store.generations import put_vectors
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query

Namespace = tuple[str, ...]

_NAMESPACE, _KEY, _VALUE, _MINUTES, _PLACE = "namespace", "key", "value", "minutes", "place"
_PAGE = 500
_UUID_VERSION = 5
_IMPORTANCE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredItem:
    """A value by namespace and key; it expires so many minutes after it was last used."""

    namespace: Namespace
    key: str
    value: Mapping[str, Any] = field(hash=False)
    text: str
    """What search finds it by; nothing finds an item without text."""
    minutes: float | None = None
    created_at: datetime
    updated_at: datetime
    place: int = 0
    """Its place among those written at the same time."""

    @property
    def id(self) -> str:
        """The id of its row."""
        return item_id(self.namespace, self.key)


def item_id(namespace: Namespace, key: str) -> str:
    """The id of the row that holds a key of a namespace."""
    named = json.dumps([*namespace, key]).encode()
    return str(UUID(bytes=sha256(named).digest()[:16], version=_UUID_VERSION))


def owner_of_namespace(namespace: Namespace) -> Owner:
    """The owner that stands for a namespace."""
    return Scope.USER, json.dumps(namespace)


def to_item_row(item: StoredItem, workspace: str) -> Memory:
    """The row of an item."""
    scope, scope_id = owner_of_namespace(item.namespace)
    return Memory(
        id=item.id,
        workspace=workspace,
        content=item.text,
        type=MemoryType.FACT,
        key=item.id,
        importance=_IMPORTANCE,
        confidence=1.0,
        scope=scope,
        scope_id=scope_id,
        source=Actor.AGENT,
        trust=Trust.UNVERIFIED,
        explicit=False,
        tags=tuple(
            json.dumps(item.namespace[:depth]) for depth in range(1, len(item.namespace) + 1)
        ),
        metadata={
            _NAMESPACE: list(item.namespace),
            _KEY: item.key,
            _VALUE: dict(item.value),
            _MINUTES: item.minutes,
            _PLACE: item.place,
        },
        created_at=item.created_at,
        updated_at=item.updated_at,
        expires_at=_end(item.updated_at, item.minutes),
    )


def from_item_row(row: Memory) -> StoredItem:
    """The item of a row."""
    held = row.metadata
    return StoredItem(
        namespace=tuple(held[_NAMESPACE]),
        key=held[_KEY],
        value=held[_VALUE],
        text=row.content,
        minutes=held[_MINUTES],
        created_at=row.created_at,
        updated_at=row.updated_at,
        place=held[_PLACE],
    )


def _end(since: datetime, minutes: float | None) -> datetime | None:
    return None if minutes is None else since + timedelta(minutes=minutes)


@dataclass(frozen=True, slots=True)
class ItemTable:
    """The items of a workspace, in a unit of work on the workspace that holds them."""

    unit: UnitOfWork
    now: datetime

    def get(self, ids: Iterable[str]) -> dict[str, StoredItem]:
        """Those of the rows that exist and did not expire."""
        rows = self.unit.memories.get(list(dict.fromkeys(ids)))
        return {id: from_item_row(row) for id, row in rows.items() if not self._is_over(row)}

    def within(self, prefix: Namespace) -> list[StoredItem]:
        """The items of a namespace and those in it, in the order they were written."""
        tag = json.dumps(prefix) if prefix else None
        query = Query(now=self.now, state=None, tag=tag, sort=Sort.CREATED, limit=_PAGE)
        found: list[StoredItem] = []
        while page := self.unit.memories.find(query):
            found += [from_item_row(row) for row in page if not self._is_over(row)]
            query = replace(query, after=page[-1].id)
        return sorted(found, key=lambda item: (item.created_at, item.place))

    def put(self, item: StoredItem, vectors: TextVectors | None) -> None:
        """Keep an item in place of the one with its key."""
        row = to_item_row(item, self.unit.workspace)
        old = self.unit.memories.get([row.id]).get(row.id)
        if old is None:
            self.unit.memories.insert(row)
        else:
            if not self._is_over(old):
                held = from_item_row(old)
                kept = replace(item, created_at=held.created_at, place=held.place)
                row = to_item_row(kept, self.unit.workspace)
            self.unit.memories.update(row)
            self.unit.vectors.discard(row.id)
        self.unit.texts.put(row.id, extract_terms(item.text))
        if vectors is not None:
            put_vectors(self.unit, row.id, vectors)

    def remove(self, ids: Sequence[str]) -> int:
        """Remove rows with all that was derived from them; returns how many there were."""
        known = self.unit.memories.known(list(ids))
        for id in known:
            self.unit.memories.delete(id)
        return len(known)

    def renew(self, ids: Iterable[str]) -> None:
        """Have those of the items that expire begin their time again."""
        for row in self.unit.memories.get(list(dict.fromkeys(ids))).values():
            minutes = row.metadata[_MINUTES]
            if minutes is not None and not self._is_over(row):
                self.unit.memories.update(replace(row, expires_at=_end(self.now, minutes)))

    def sweep(self) -> int:
        """Remove what has expired; returns how many."""
        gone = 0
        while page := self.unit.memories.expired(self.now, None, _PAGE):
            gone += self.remove([row.id for row in page])
        return gone

    def _is_over(self, row: Memory) -> bool:
        return row.expires_at is not None and row.expires_at <= self.now
