"""A store for LangGraph: `builder.compile(store=TacitStore(tacit))`.

Items are exact values by namespace and key, beside the memories of a workspace.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar

from tacit.api.protocols.items import ItemsProtocol
from tacit.core.errors import InvalidInput
from tacit.core.fields import MAX_LIMIT
from tacit.core.items import FoundItem, Namespace, StoredItem
from tacit.runtime.clock import Clock, system_clock
from tacit.writing.items import ItemDraft, name_texts

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
        get_text_at_path,
    )
except ImportError as error:
    needed = "the store for LangGraph needs more than is installed"
    raise ImportError(f"{needed}; run: pip install 'tacit[langgraph]'") from error

if TYPE_CHECKING:
    from tacit.api.async_tacit import AsyncTacit
    from tacit.api.base import BaseTacit

_WHOLE = "$"

Found = TypeVar("Found")


class TacitStore(BaseStore):
    """LangGraph's store in a database or at a server, searched by words and by meaning.

    `fields` are the paths that items are found by, unless `put` names others; `ttl` is LangGraph's
    `TTLConfig`. What has expired is not returned, and is removed by `sweep_ttl`.
    """

    supports_ttl = True

    def __init__(
        self,
        tacit: "BaseTacit | AsyncTacit",
        *,
        fields: Sequence[str] = (_WHOLE,),
        ttl: TTLConfig | None = None,
        clock: Clock = system_clock,
    ) -> None:
        if isinstance(fields, str):
            raise InvalidInput("fields", f"expected a list of paths; pass [{fields!r}]")
        self.items = _find_items(tacit)
        self._clock = clock
        self.ttl_config = ttl
        self._fields = tuple(fields)
        self._swept_at: datetime | None = None

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations: what is read is as it was before what is written."""
        asked = list(ops)
        results: list[Result] = [self._read(op) for op in asked]
        for is_used in (True, False):
            gets = [
                (place, op)
                for place, op in enumerate(asked)
                if isinstance(op, GetOp) and op.refresh_ttl is is_used
            ]
            if gets:
                places = [(op.namespace, op.key) for _, op in gets]
                found = self.items.get_all(places, refresh=is_used)
                for (place, _), item in zip(gets, found, strict=True):
                    results[place] = None if item is None else _to_item(item)
        puts = [op for op in asked if isinstance(op, PutOp)]
        if puts:
            self.items.put_all(self._to_draft(op) for op in puts)
            self._sweep_if_due()
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """`batch` for async programs, in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Remove the items that have expired; returns how many."""
        return self.items.sweep()

    def erase(self, prefix: tuple[str, ...]) -> int:
        """Erase all items of a namespace and of those in it; returns how many."""
        return self.items.erase(prefix).removed["items"]

    def _read(self, op: Op) -> Result:
        if isinstance(op, SearchOp):
            return [_to_search_item(each) for each in self._search(op)]
        if isinstance(op, ListNamespacesOp):
            return self._list_namespaces(op)
        if not isinstance(op, GetOp | PutOp):
            raise ValueError(f"{type(op).__name__} is no operation")  # noqa: TRY004
        return None

    def _search(self, op: SearchOp) -> list[FoundItem]:
        search = partial(
            self.items.search,
            op.namespace_prefix,
            query=op.query,
            filter=op.filter,
            refresh=op.refresh_ttl,
        )
        return _read_pages(search, op.limit, op.offset)

    def _list_namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        named = {each.match_type: each.path for each in conditions}
        if unknown := named.keys() - {"prefix", "suffix"}:
            raise ValueError(f"{min(unknown)!r} is no way to match; use prefix or suffix")
        if len(named) == len(conditions):
            list_some = partial(self.items.namespaces, max_depth=op.max_depth, **named)
            return _read_pages(list_some, op.limit, op.offset)
        met = [
            frozenset(_read_pages(partial(self.items.namespaces, **{each.match_type: each.path})))
            for each in conditions
        ]
        found = {namespace[: op.max_depth] for namespace in frozenset.intersection(*met)}
        return sorted(found)[op.offset : op.offset + op.limit]

    def _to_draft(self, op: PutOp) -> ItemDraft:
        namespace = tuple(op.namespace)
        if op.value is None:
            return ItemDraft(namespace, op.key, None)
        paths = self._fields if op.index is None else op.index or ()
        if tuple(paths) == (_WHOLE,):
            return ItemDraft(namespace, op.key, op.value, minutes=op.ttl)
        texts = [text for path in paths for text in _texts_at(op.value, path)]
        return ItemDraft(namespace, op.key, op.value, "\n".join(texts), op.ttl)

    def _sweep_if_due(self) -> None:
        """Sweep now and then if the configuration says how often."""
        minutes = (self.ttl_config or {}).get("sweep_interval_minutes")
        if minutes is None:
            return
        now = self._clock()
        if self._swept_at is None or now - self._swept_at >= timedelta(minutes=minutes):
            self._swept_at = now
            self.items.sweep()


def _find_items(tacit: "BaseTacit | AsyncTacit") -> ItemsProtocol:
    from tacit.api.async_tacit import AsyncTacit

    own = tacit._wrapped if isinstance(tacit, AsyncTacit) else tacit  # noqa: SLF001
    return own.items


def _read_pages(
    read: Callable[..., Sequence[Found]], limit: float = inf, offset: int = 0
) -> list[Found]:
    """As many of what is listed as wanted, in calls of no more than a call may list."""
    found: list[Found] = []
    while len(found) < limit:
        size = int(min(MAX_LIMIT, limit - len(found)))
        page = read(limit=size, offset=offset + len(found))
        found += page
        if len(page) < size:
            break
    return found


def _texts_at(value: Mapping[str, Any], path: str) -> Iterable[str]:
    """The texts at a path; those of the whole value have the names of their fields."""
    return name_texts(value) if path == _WHOLE else get_text_at_path(value, path)


def _to_item(item: StoredItem) -> Item:
    return Item(
        value=dict(item.value),
        key=item.key,
        namespace=item.namespace,
        created_at=item.created_at,
        updated_at=item.updated_at,
    )


def _to_search_item(found: FoundItem) -> SearchItem:
    item = found.item
    return SearchItem(
        item.namespace,
        item.key,
        dict(item.value),
        item.created_at,
        item.updated_at,
        score=found.score,
    )
