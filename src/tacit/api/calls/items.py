"""Calls about items: exact values by namespace and key, beside the memories of a workspace.

They are no memories: no turn recalls them, and nothing is learned from them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from tacit.api.protocols.items import ItemsProtocol
from tacit.api.workspace import Part
from tacit.core.errors import InvalidInput, NotAllowed
from tacit.core.fields import MAX_LIMIT, check_field
from tacit.core.items import (
    FoundItem,
    Namespace,
    Place,
    StoredItem,
    check_item_filter,
    matches_item_filter,
    reaches,
)
from tacit.core.kinds import Actor
from tacit.language.query import SearchQuery
from tacit.search.filter import Filter
from tacit.settings.search import SearchSettings
from tacit.store.items import ItemTable, item_id, owner_of_namespace
from tacit.store.transactions import call_after_commit
from tacit.store.workspaces import items_workspace
from tacit.writing.erasure import EraseTally, Sweep, require_person
from tacit.writing.items import ItemChecker, ItemDraft

_EMBEDDED_AT_ONCE = 64
"""So many new texts are embedded before they are kept; more follow in the background."""

_MOST_OWNERS = 200
_ANY = "*"
_COPIES = "histories that hosts keep, and what was sent to models"


class Items(Part, ItemsProtocol):
    """Exact values by namespace and key, beside the memories: no turn recalls them."""

    def put(
        self,
        namespace: Sequence[str],
        key: str,
        value: Mapping[str, Any],
        *,
        text: str | None = None,
        minutes: float | None = None,
    ) -> None:
        at = ItemChecker().check_namespace(namespace)
        self.put_all([ItemDraft(at, key, check_field("value", value), text, minutes)])

    def put_all(self, drafts: Iterable[ItemDraft]) -> None:
        checker = ItemChecker()
        checked = {each.at: each for each in map(checker.check, drafts)}
        for namespace, _ in checked:
            self._check_reach(namespace)
        kept = [each for each in checked.values() if each.value is not None]
        with self._context.store.read(self._place) as unit:
            texts = {each.at: each.text or "" for each in kept}
            fresh = ItemTable(unit, self._context.clock()).new_texts(texts)
        vectors = self._context.item_embedder.embed_texts(fresh[:_EMBEDDED_AT_ONCE])
        with self._context.store.write(self._place) as unit:
            now = self._context.clock()
            table = ItemTable(unit, now)
            table.remove(place for place, each in checked.items() if each.value is None)
            table.put([each.to_item(now, place) for place, each in enumerate(kept)], vectors)
        if len(vectors) < len(fresh):
            call_after_commit(self._context.item_embedding.schedule)

    def get(self, namespace: Sequence[str], key: str, *, refresh: bool = True) -> StoredItem | None:
        at = ItemChecker().check_namespace(namespace)
        return self.get_all([(at, key)], refresh=refresh)[0]

    def get_all(
        self, places: Iterable[Place], *, refresh: bool = True
    ) -> Sequence[StoredItem | None]:
        checker = ItemChecker()
        asked = [checker.check_place(*place) for place in places]
        reached = {place for place in asked if reaches(self._context.reach, place[0])}
        now = self._context.clock()
        with self._context.store.read(self._place) as unit:
            found = ItemTable(unit, now).get(reached)
        if refresh:
            self._renew(found.values(), now)
        return [found.get(place) for place in asked]

    def delete(self, namespace: Sequence[str], key: str) -> None:
        self.put_all([ItemDraft(ItemChecker().check_namespace(namespace), key, None)])

    def search(
        self,
        prefix: Sequence[str] = (),
        *,
        query: str | None = None,
        filter: Mapping[str, Any] | None = None,
        limit: int = 10,
        offset: int = 0,
        refresh: bool = False,
    ) -> Sequence[FoundItem]:
        size, first = check_field("limit", limit), _check_offset(offset)
        wanted = check_item_filter(filter or {})
        said = None if not query else check_field("text", query, "query")
        now = self._context.clock()
        found = {
            item_id(*each.at): FoundItem(each)
            for each in self._within(ItemChecker().check_namespace(prefix, "prefix"), now)
            if matches_item_filter(each.value, wanted)
        }
        if said is not None and found:
            found = self._rank(said, found, now)
        page = list(found.values())[first : first + size]
        if refresh:
            self._renew((each.item for each in page), now)
        return page

    def namespaces(
        self,
        *,
        prefix: Sequence[str] = (),
        suffix: Sequence[str] = (),
        max_depth: int | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> Sequence[Namespace]:
        checker = ItemChecker()
        start = checker.check_namespace(prefix, "prefix")
        end = checker.check_namespace(suffix, "suffix")
        size, first = check_field("limit", limit), _check_offset(offset)
        if max_depth is not None and (type(max_depth) is not int or max_depth < 1):
            raise InvalidInput("max_depth", f"{max_depth!r} is not a whole number above 0")
        fixed = start[: start.index(_ANY)] if _ANY in start else start
        found = {
            each.namespace[:max_depth]
            for each in self._within(fixed, self._context.clock())
            if _begins_with(each.namespace, start) and _ends_with(each.namespace, end)
        }
        return sorted(found)[first : first + size]

    def erase(
        self, prefix: Sequence[str], *, dry_run: bool = False, by: Actor | str = Actor.USER
    ) -> Sweep:
        require_person(check_field("by", by))
        within = ItemChecker().check_namespace(prefix, "prefix")
        if not within:
            raise InvalidInput("prefix", "is empty; name a namespace, so that not all is erased")
        places = [each.at for each in self._everything() if each.namespace[: len(within)] == within]
        tally = EraseTally()
        tally.add("items", len(places) if dry_run else self._remove(places))
        if not dry_run:
            tally.miss(*self._context.store.purge(), _COPIES)
        return tally.sweep(dry_run=dry_run)

    def sweep(self) -> int:
        now = self._context.clock()
        if self._context.reach.is_bound:
            over = [each for each in self._everything() if each.has_expired(now)]
            return self._remove([each.at for each in over])
        with self._context.store.write(self._place) as unit:
            return ItemTable(unit, now).sweep()

    @property
    def _place(self) -> str:
        return items_workspace(self._context.name)

    def _check_reach(self, namespace: Namespace) -> None:
        reach = self._context.reach
        if not reaches(reach, namespace):
            named = ("agents", reach.agent), ("users", reach.user)
            own = ", ".join(f"{mark!r}, {name!r}" for mark, name in named if name is not None)
            raise NotAllowed(f"this key keeps items in namespaces of its own, such as ({own})")

    def _within(self, prefix: Namespace, now: datetime) -> list[StoredItem]:
        with self._context.store.read(self._place) as unit:
            items = ItemTable(unit, now).within(prefix)
        return [each for each in items if reaches(self._context.reach, each.namespace)]

    def _everything(self) -> list[StoredItem]:
        """All within reach, also what has expired."""
        with self._context.store.read(self._place) as unit:
            items = ItemTable(unit, self._context.clock()).everything()
            return [each for each in items if reaches(self._context.reach, each.namespace)]

    def _remove(self, places: Sequence[Place]) -> int:
        with self._context.store.write(self._place) as unit:
            return ItemTable(unit, self._context.clock()).remove(places)

    def _rank(self, query: str, found: dict[str, FoundItem], now: datetime) -> dict[str, FoundItem]:
        """The same items, those that answer a query first."""
        owners = {owner_of_namespace(each.item.namespace) for each in found.values()}
        seen = tuple(owners) if len(owners) <= _MOST_OWNERS else None
        most = min(MAX_LIMIT, max(len(found), 1))
        result = self._context.searcher.search(
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
        places = [each.at for each in items if each.minutes is not None]
        if places:
            with self._context.store.write(self._place) as unit:
                ItemTable(unit, now).renew(places)


def _check_offset(offset: int) -> int:
    if type(offset) is not int or offset < 0:
        raise InvalidInput("offset", f"{offset!r} is not a whole number from 0")
    return offset


def _begins_with(namespace: Namespace, start: Namespace) -> bool:
    return len(namespace) >= len(start) and _are_named(namespace[: len(start)], start)


def _ends_with(namespace: Namespace, end: Namespace) -> bool:
    behind = len(namespace) - len(end)
    return behind >= 0 and _are_named(namespace[behind:], end)


def _are_named(parts: Namespace, wanted: Namespace) -> bool:
    return all(name in (_ANY, part) for part, name in zip(parts, wanted, strict=True))
