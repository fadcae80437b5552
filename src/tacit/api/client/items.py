"""`RemoteTacit`'s calls about items."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from tacit.api.client.connection import RemotePart, actor_argument, read_items, read_nothing
from tacit.api.protocols.items import ItemsProtocol
from tacit.core.fields import check_field
from tacit.core.items import FoundItem, Namespace, Place, StoredItem, check_item_filter
from tacit.core.kinds import Actor
from tacit.writing.erasure import Sweep
from tacit.writing.items import ItemChecker, ItemDraft

_PATH = "/v1/items"


class RemoteItems(RemotePart, ItemsProtocol):
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
        body = {"drafts": [asdict(checker.check(each)) for each in drafts]}
        self._connection.write(_PATH, body, read=read_nothing)

    def get(self, namespace: Sequence[str], key: str, *, refresh: bool = True) -> StoredItem | None:
        at = ItemChecker().check_namespace(namespace)
        return self.get_all([(at, key)], refresh=refresh)[0]

    def get_all(
        self, places: Iterable[Place], *, refresh: bool = True
    ) -> Sequence[StoredItem | None]:
        checker = ItemChecker()
        asked = [checker.check_place(*place) for place in places]
        body = {
            "places": [{"namespace": namespace, "key": key} for namespace, key in asked],
            "refresh": refresh,
        }
        return self._connection.read_with_body(f"{_PATH}/get", body, read_items(_read_known))

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
        body = {
            "prefix": ItemChecker().check_namespace(prefix, "prefix"),
            "query": query,
            "filter": check_item_filter(filter or {}),
            "limit": check_field("limit", limit),
            "offset": offset,
            "refresh": refresh,
        }
        read = read_items(FoundItem.from_dict)
        return self._connection.read_with_body(f"{_PATH}/search", body, read)

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
        body = {
            "prefix": checker.check_namespace(prefix, "prefix"),
            "suffix": checker.check_namespace(suffix, "suffix"),
            "max_depth": max_depth,
            "limit": check_field("limit", limit),
            "offset": offset,
        }
        return self._connection.read_with_body(f"{_PATH}/namespaces", body, read_items(tuple))

    def erase(
        self, prefix: Sequence[str], *, dry_run: bool = False, by: Actor | str = Actor.USER
    ) -> Sweep:
        within = ItemChecker().check_namespace(prefix, "prefix")
        body = {"prefix": within, "dry_run": dry_run, **actor_argument(by)}
        return self._connection.write(f"{_PATH}/erase", body, read=Sweep.from_dict)

    def sweep(self) -> int:
        return self._connection.write(f"{_PATH}/sweep", read=_read_count)


def _read_known(item: Any) -> StoredItem | None:
    return None if item is None else StoredItem.from_dict(item)


def _read_count(answer: Any) -> int:
    return int(answer["removed"])
