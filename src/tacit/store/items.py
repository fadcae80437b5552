"""Items in a store: values by namespace and key, rows of a workspace of their own.

They are searched and embedded as memories are, and are no memories. In such a row the owner is the
namespace, and the tags are the namespaces that it lies in.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from tacit.core.items import Namespace, Place, StoredItem
from tacit.core.kinds import Actor, MemoryType, Owner, Scope, Sort, Trust
from tacit.core.memory import Memory
from tacit.core.vectors import TextVectors
from tacit.language.terms import extract_index_terms
from tacit.store.generations import put_vectors
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query

_NAMESPACE, _KEY, _VALUE, _MINUTES, _PLACE = "namespace", "key", "value", "minutes", "place"
_PAGE = 500
_UUID_VERSION = 5
_VERSION_PLACE = 14
_IMPORTANCE = 0.5
_NO_TEXT = "no text"

ItemVectors = Mapping[str, TextVectors]
"""Vectors by the texts that they were made of."""


def item_id(namespace: Namespace, key: str) -> str:
    """The id of the row that holds a key of a namespace."""
    named = json.dumps([*namespace, key]).encode()
    return str(UUID(bytes=sha256(named).digest()[:16], version=_UUID_VERSION))


def is_item_id(id: str) -> bool:
    """Whether an id is that of the row of an item."""
    return id[_VERSION_PLACE : _VERSION_PLACE + 1] == str(_UUID_VERSION)


def owner_of_namespace(namespace: Namespace) -> Owner:
    """The owner that stands for a namespace in a row."""
    return Scope.USER, json.dumps(namespace)


def to_item_row(item: StoredItem, workspace: str) -> Memory:
    """The row of an item."""
    scope, scope_id = owner_of_namespace(item.namespace)
    id = item_id(item.namespace, item.key)
    return Memory(
        id=id,
        workspace=workspace,
        content=item.text,
        type=MemoryType.FACT,
        key=id,
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
        expires_at=item.expires_at,
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
        expires_at=row.expires_at,
        place=held[_PLACE],
    )


def text_of_item_row(row: Memory) -> str:
    """What the vector of a row is made of; one without text has some vector and is never found."""
    return row.content or _NO_TEXT


def end_of_item(since: datetime, minutes: float | None) -> datetime | None:
    """When an item expires that was last used at a moment."""
    return None if minutes is None else since + timedelta(minutes=minutes)


@dataclass(frozen=True, slots=True)
class ItemTable:
    """The items of a workspace, in a unit of work on the workspace that holds them."""

    unit: UnitOfWork
    now: datetime

    def get(self, places: Iterable[Place]) -> dict[Place, StoredItem]:
        """The items at some places, of those that exist and did not expire."""
        ids = {item_id(*place): place for place in places}
        rows = self.unit.memories.get(list(ids))
        return {
            ids[id]: from_item_row(row) for id, row in rows.items() if not self._has_expired(row)
        }

    def everything(self) -> Iterator[StoredItem]:
        """All items, page by page, also those that expired and were not removed yet."""
        for page in self._row_pages():
            yield from map(from_item_row, page)

    def within(self, prefix: Namespace) -> list[StoredItem]:
        """The items of a namespace and those in it, in the order they were written."""
        found = [
            from_item_row(row)
            for page in self._row_pages(json.dumps(prefix) if prefix else None)
            for row in page
            if not self._has_expired(row)
        ]
        return sorted(found, key=lambda item: (item.created_at, item.place))

    def new_texts(self, texts: Mapping[Place, str]) -> list[str]:
        """The texts, of those for some places, that are not what stands there, each once."""
        ids = {item_id(*place): text for place, text in texts.items() if text}
        rows = self.unit.memories.get(list(ids))
        held = {id: row.content for id, row in rows.items()}
        return list(dict.fromkeys(text for id, text in ids.items() if held.get(id) != text))

    def put(self, items: Sequence[StoredItem], vectors: ItemVectors) -> None:
        """Keep items in place of those with their keys; vectors of the same words stay."""
        ids = [item_id(item.namespace, item.key) for item in items]
        held = self.unit.memories.get(ids)
        for id, item in zip(ids, items, strict=True):
            old = held.get(id)
            if old is None:
                self.unit.memories.insert(to_item_row(item, self.unit.workspace))
            else:
                self.unit.memories.update(self._to_successor(item, old))
            if old is None or old.content != item.text:
                if old is not None:
                    self.unit.vectors.discard(id)
                self.unit.texts.put(id, extract_index_terms(item.text))
                if item.text in vectors:
                    put_vectors(self.unit, id, vectors[item.text])

    def remove(self, places: Iterable[Place]) -> int:
        """Remove items with all that was derived from them; returns how many there were."""
        return self._remove_rows([item_id(*place) for place in places])

    def renew(self, places: Iterable[Place]) -> None:
        """Have those of the items that expire begin their time again."""
        for row in self.unit.memories.get([item_id(*place) for place in places]).values():
            end = end_of_item(self.now, row.metadata[_MINUTES])
            if end is not None and not self._has_expired(row):
                self.unit.memories.update(replace(row, expires_at=end))

    def sweep(self) -> int:
        """Remove what has expired; returns how many."""
        gone = 0
        while page := self.unit.memories.expired(self.now, None, _PAGE):
            gone += self._remove_rows([row.id for row in page])
        return gone

    def _row_pages(self, tag: str | None = None) -> Iterator[list[Memory]]:
        query = Query(now=self.now, state=None, tag=tag, sort=Sort.CREATED, limit=_PAGE)
        while page := self.unit.memories.find(query):
            yield page
            query = replace(query, after=page[-1].id)

    def _to_successor(self, item: StoredItem, old: Memory) -> Memory:
        """The row of an item in place of another: what has not expired keeps its first time."""
        if not self._has_expired(old):
            held = from_item_row(old)
            item = replace(item, created_at=held.created_at, place=held.place)
        return to_item_row(item, self.unit.workspace)

    def _remove_rows(self, ids: Sequence[str]) -> int:
        known = self.unit.memories.known(ids)
        for id in known:
            self.unit.memories.delete(id)
        return len(known)

    def _has_expired(self, row: Memory) -> bool:
        return row.expires_at is not None and row.expires_at <= self.now
