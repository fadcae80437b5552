"""Items: exact values by namespace and key, beside the memories of a workspace.

They are no memories: no turn recalls them, and nothing is learned from them.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from tacit.api.memory_embedder import MemoryEmbedder
from tacit.api.model_calls.memory import find_sync_tacit
from tacit.api.tacit import Tacit
from tacit.core.errors import InvalidInput
from tacit.core.fields import MAX_LIMIT, check_field
from tacit.language.query import SearchQuery
from tacit.language.redaction.redact import redact, redact_json
from tacit.runtime.clock import Clock
from tacit.search.filter import Filter
from tacit.search.searcher import Searcher
from tacit.settings.search import SearchSettings
from tacit.store.items import ItemTable, Namespace, StoredItem, item_id, owner_of_namespace
from tacit.store.protocols.store import Store
from tacit.store.workspaces import items_workspace

MAX_VALUE_BYTES = 1_000_000
_MOST_TEXT = 20_000
_MOST_OWNERS = 200


@dataclass(frozen=True, slots=True)
class ItemDraft:
    """A value to keep under a key of a namespace, or None to remove it.

    `text` is what search finds it by; it expires `minutes` after it was last used.
    """

    namespace: Namespace
    key: str
    value: Mapping[str, Any] | None
    text: str = ""
    minutes: float | None = None

    def check(self) -> "ItemDraft":
        """The draft as it is kept; a secret in it is refused."""
        for name, text in (*(("namespace", part) for part in self.namespace), ("key", self.key)):
            if redact(check_field("content", text, name)).text != text:
                raise _refuse_secret(name)
        if not self.namespace:
            raise InvalidInput("namespace", "is empty; give at least one name")
        if self.value is None:
            return self
        value = check_field("value", self.value)
        size = len(json.dumps(value, ensure_ascii=False).encode())
        if size > MAX_VALUE_BYTES:
            limit = f"{size:,} bytes is too long; at most {MAX_VALUE_BYTES:,}"
            raise InvalidInput("value", f"{limit}: keep large contents elsewhere")
        place = find_secret(value)
        if place is not None:
            raise _refuse_secret(".".join(("value", *place)))
        if self.minutes is not None and not self.minutes > 0:
            raise InvalidInput("ttl", f"{self.minutes} is not a number of minutes above 0")
        return replace(self, value=value, text=self.text[:_MOST_TEXT])


def _refuse_secret(place: str) -> InvalidInput:
    problem = "holds what looks like a secret, which is not kept; store a reference to it instead"
    return InvalidInput(place, problem)


def find_secret(value: Any) -> tuple[str, ...] | None:
    """The place of a secret in a JSON value, if there is one."""
    if redact_json(value) == value:
        return None
    if isinstance(value, Mapping):
        for name, each in value.items():
            if redact_json({name: each}) != {name: each}:
                return (name, *(find_secret(each) or ()))
    if isinstance(value, list):
        for number, each in enumerate(value):
            inside = find_secret(each)
            if inside is not None:
                return (str(number), *inside)
    return ()


@dataclass(frozen=True, slots=True)
class FoundItem:
    """An item, and how well it answers the query if search found it."""

    item: StoredItem
    score: float | None = None


class Items:
    """The items of one workspace."""

    def __init__(
        self,
        store: Store,
        workspace: str,
        searcher: Searcher,
        embedder: MemoryEmbedder,
        clock: Clock,
    ) -> None:
        self._store = store
        self._place = workspace
        self._searcher = searcher
        self._embedder = embedder
        self._clock = clock

    @classmethod
    def of(cls, tacit: Any) -> "Items":
        """The items beside the memories of a `Tacit` or `AsyncTacit`."""
        own = find_sync_tacit(tacit)
        if not isinstance(own, Tacit):
            problem = "items are kept in a database that this process has open, not at a server"
            raise InvalidInput("tacit", f"{problem}; pass what Tacit.open returns")
        context, place = own._context, items_workspace(own.workspace)  # noqa: SLF001
        return cls(context.store, place, context.searcher, context.item_embedder, context.clock)

    def now(self) -> datetime:
        """The time by which items expire."""
        return self._clock()

    def get(
        self, places: Sequence[tuple[Namespace, str]], *, renews: Sequence[bool]
    ) -> list[StoredItem | None]:
        """The items at some places; those that are renewed begin their time again."""
        ids = [item_id(namespace, key) for namespace, key in places]
        now = self._clock()
        with self._store.read(self._place) as unit:
            found = ItemTable(unit, now).get(ids)
        self._renew(
            (found[id] for id, is_used in zip(ids, renews, strict=True) if is_used and id in found),
            now,
        )
        return [found.get(id) for id in ids]

    def put(self, drafts: Iterable[ItemDraft]) -> None:
        """Keep values and remove others, all or none; the last draft of a place counts."""
        checked = {(each.namespace, each.key): each.check() for each in drafts}
        texts = [each.text for each in checked.values() if each.value is not None and each.text]
        vectors = self._embedder.embed_texts(list(dict.fromkeys(texts)))
        with self._store.write(self._place) as unit:
            now = self._clock()
            table = ItemTable(unit, now)
            for place, each in enumerate(checked.values()):
                if each.value is None:
                    table.remove([item_id(each.namespace, each.key)])
                else:
                    table.put(_to_item(each, each.value, now, place), vectors.get(each.text))

    def find(
        self,
        prefix: Namespace,
        *,
        query: str | None = None,
        matches: Callable[[Mapping[str, Any]], bool] = lambda _: True,
        limit: int = 10,
        offset: int = 0,
        renews: bool = False,
    ) -> list[FoundItem]:
        """Items in a namespace: the best by the query first, then others as they were written."""
        now = self._clock()
        with self._store.read(self._place) as unit:
            items = ItemTable(unit, now).within(prefix)
        found = {each.id: FoundItem(each) for each in items if matches(each.value)}
        if query and found:
            found = self._rank(query, found, now)
        page = list(found.values())[offset : offset + limit]
        if renews:
            self._renew((each.item for each in page), now)
        return page

    def namespaces(self) -> list[Namespace]:
        """The namespaces that have items, by name."""
        with self._store.read(self._place) as unit:
            return sorted({each.namespace for each in ItemTable(unit, self._clock()).within(())})

    def erase(self, prefix: Namespace) -> int:
        """Remove all items of a namespace and of those in it; returns how many."""
        with self._store.write(self._place) as unit:
            table = ItemTable(unit, self._clock())
            return table.remove([each.id for each in table.within(prefix)])

    def sweep(self) -> int:
        """Remove the items that have expired; returns how many."""
        with self._store.write(self._place) as unit:
            return ItemTable(unit, self._clock()).sweep()

    def _rank(self, query: str, found: dict[str, FoundItem], now: datetime) -> dict[str, FoundItem]:
        """The same items, those that answer a query first."""
        owners = {owner_of_namespace(each.item.namespace) for each in found.values()}
        seen = tuple(owners) if len(owners) <= _MOST_OWNERS else None
        most = min(MAX_LIMIT, max(len(found), 1))
        result = self._searcher.search(
            self._place,
            SearchQuery.of(query),
            Filter(now=now, owners=seen),
            SearchSettings(max_results=most, max_results_per_source=most, graph_depth=0),
        )
        ranked = {
            hit.memory.id: replace(found[hit.memory.id], score=hit.score)
            for hit in result.hits
            if hit.memory.id in found and hit.memory.content
        }
        return {**ranked, **{id: each for id, each in found.items() if id not in ranked}}

    def _renew(self, items: Iterable[StoredItem], now: datetime) -> None:
        ids = [each.id for each in items if each.minutes is not None]
        if ids:
            with self._store.write(self._place) as unit:
                ItemTable(unit, now).renew(ids)


def _to_item(draft: ItemDraft, value: Mapping[str, Any], now: datetime, place: int) -> StoredItem:
    return StoredItem(
        namespace=draft.namespace,
        key=draft.key,
        value=value,
        text=draft.text,
        minutes=draft.minutes,
        created_at=now,
        updated_at=now,
        place=place,
    )
