"""Calls about items: exact values by namespace and key."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from tacit.core.items import FoundItem, Namespace, Place, StoredItem
from tacit.core.kinds import Actor
from tacit.writing.erasure import Sweep
from tacit.writing.items import ItemDraft


class ItemsProtocol(Protocol):
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
        """Keep a JSON object under a key of a namespace, in place of what was there.

        Search finds it by `text`: without one by all of the value, with an empty one not at all.
        It expires `minutes` after it was last used. A value with a secret is refused.
        """

    def put_all(self, drafts: Iterable[ItemDraft]) -> None:
        """Keep many values and remove those whose value is None, all or none.

        The last draft of a namespace and key counts.
        """

    def get(self, namespace: Sequence[str], key: str, *, refresh: bool = True) -> StoredItem | None:
        """The item of a namespace and key; with `refresh` one that expires begins its time anew."""

    def get_all(
        self, places: Iterable[Place], *, refresh: bool = True
    ) -> Sequence[StoredItem | None]:
        """The items of some namespaces and keys, in this order; None where there is none."""

    def delete(self, namespace: Sequence[str], key: str) -> None:
        """Remove an item, if there is one."""

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
        """The items of a namespace and of those in it, in the order they were written.

        With a `query` those that answer it come first, best first; the others have no score.
        `filter` says what fields of the value must be: the same, or as operators say (`$eq`,
        `$ne`, `$gt`, `$gte`, `$lt`, `$lte`).
        """

    def namespaces(
        self,
        *,
        prefix: Sequence[str] = (),
        suffix: Sequence[str] = (),
        max_depth: int | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> Sequence[Namespace]:
        """The namespaces that have items, by name; `*` in `prefix` and `suffix` is any part.

        They are cut off after `max_depth` parts.
        """

    def erase(
        self, prefix: Sequence[str], *, dry_run: bool = False, by: Actor | str = Actor.USER
    ) -> Sweep:
        """Erase all items of a namespace and of those in it; only a person can."""

    def sweep(self) -> int:
        """Remove the items that have expired; returns how many."""
