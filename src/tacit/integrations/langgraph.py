"""A store for LangGraph: `builder.compile(store=TacitStore(tacit))`.

Items are exact values by namespace and key, beside the memories of a workspace.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from tacit.api.items import FoundItem, ItemDraft, Items
from tacit.core.errors import InvalidInput
from tacit.store.items import StoredItem

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
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
    from tacit.api.tacit import Tacit

_WHOLE = "$"
_ANY = "*"


class TacitStore(BaseStore):
    """LangGraph's store in the database of a `Tacit`, searched by words and by meaning.

    `fields` are the paths that items are found by, unless `put` names others; `ttl` is LangGraph's
    `TTLConfig`. What has expired is not returned, and is removed by `sweep_ttl`.
    """

    supports_ttl = True

    def __init__(
        self,
        tacit: "Tacit | AsyncTacit",
        *,
        fields: Sequence[str] = (_WHOLE,),
        ttl: TTLConfig | None = None,
    ) -> None:
        if isinstance(fields, str):
            raise InvalidInput("fields", f"expected a list of paths; pass [{fields!r}]")
        self.items = Items.of(tacit)
        self.ttl_config = ttl
        self._fields = tuple(fields)
        self._swept_at: datetime | None = None

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations: what is read is as it was before what is written."""
        asked = list(ops)
        results: list[Result] = [self._read(op) for op in asked]
        gets = [(place, op) for place, op in enumerate(asked) if isinstance(op, GetOp)]
        if gets:
            found = self.items.get(
                [(op.namespace, op.key) for _, op in gets],
                renews=[op.refresh_ttl for _, op in gets],
            )
            for (place, _), item in zip(gets, found, strict=True):
                results[place] = None if item is None else _to_item(item)
        puts = [op for op in asked if isinstance(op, PutOp)]
        if puts:
            self.items.put(self._to_draft(op) for op in puts)
            self._sweep_if_due()
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """`batch` for async programs, in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Remove the items that have expired; returns how many."""
        return self.items.sweep()

    def erase(self, prefix: tuple[str, ...]) -> int:
        """Remove all items of a namespace and of those in it; returns how many."""
        return self.items.erase(prefix)

    def _read(self, op: Op) -> Result:
        if isinstance(op, SearchOp):
            return [_to_search_item(each) for each in self._search(op)]
        if isinstance(op, ListNamespacesOp):
            return self._list_namespaces(op)
        if not isinstance(op, GetOp | PutOp):
            raise ValueError(f"{type(op).__name__} is no operation")  # noqa: TRY004
        return None

    def _search(self, op: SearchOp) -> list[FoundItem]:
        wanted = op.filter or {}
        return self.items.find(
            tuple(op.namespace_prefix),
            query=op.query,
            matches=lambda value: all(
                _matches(value.get(name), each) for name, each in wanted.items()
            ),
            limit=op.limit,
            offset=op.offset,
            renews=op.refresh_ttl,
        )

    def _list_namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        found = {
            namespace[: op.max_depth]
            for namespace in self.items.namespaces()
            if all(_is_named_by(condition, namespace) for condition in conditions)
        }
        return sorted(found)[op.offset : op.offset + op.limit]

    def _to_draft(self, op: PutOp) -> ItemDraft:
        namespace = tuple(op.namespace)
        if op.value is None:
            return ItemDraft(namespace, op.key, None)
        paths = self._fields if op.index is None else op.index or ()
        texts = [text for path in paths for text in _texts_at(op.value, path)]
        return ItemDraft(namespace, op.key, op.value, "\n".join(texts), op.ttl)

    def _sweep_if_due(self) -> None:
        """Sweep now and then if the configuration says how often."""
        minutes = (self.ttl_config or {}).get("sweep_interval_minutes")
        if minutes is None:
            return
        now = self.items.now()
        if self._swept_at is None or now - self._swept_at >= timedelta(minutes=minutes):
            self._swept_at = now
            self.items.sweep()


def _texts_at(value: Mapping[str, Any], path: str) -> list[str]:
    """The texts at a path; those of the whole value have the names of their fields."""
    return list(_name_texts(value)) if path == _WHOLE else get_text_at_path(value, path)


def _name_texts(value: object, name: str = "") -> Iterable[str]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _name_texts(each, f"{name} {key}".strip())
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _name_texts(each, name)
    elif value is not None:
        yield f"{name}: {value}" if name else str(value)


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


def _is_named_by(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    """Whether a namespace begins or ends as a condition says."""
    path = tuple(condition.path)
    if condition.match_type not in ("prefix", "suffix"):
        raise ValueError(f"{condition.match_type!r} is no way to match; use prefix or suffix")
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)]
    if condition.match_type == "suffix":
        part = namespace[len(namespace) - len(path) :]
    return all(wanted in (_ANY, name) for wanted, name in zip(path, part, strict=True))


# Filters


def _matches(value: Any, wanted: Any) -> bool:
    """Whether a value is what a filter wants: the same, or within what operators say."""
    if isinstance(wanted, Mapping):
        if any(name.startswith("$") for name in wanted):
            return all(_compare(value, name, each) for name, each in wanted.items())
        return isinstance(value, Mapping) and all(
            _matches(value.get(name), each) for name, each in wanted.items()
        )
    if isinstance(wanted, list | tuple):
        return (
            isinstance(value, list)
            and len(value) == len(wanted)
            and all(_matches(each, part) for each, part in zip(value, wanted, strict=True))
        )
    return bool(value == wanted)


def _compare(value: Any, operator: str, wanted: Any) -> bool:
    if operator == "$eq":
        return bool(value == wanted)
    if operator == "$ne":
        return bool(value != wanted)
    pair = _to_comparable(value, wanted)
    if operator not in _ORDERS:
        known = ", ".join(("$eq", "$ne", *_ORDERS))
        raise ValueError(f"Unsupported operator: {operator}; there are {known}")
    return pair is not None and _ORDERS[operator](*pair)


def _to_comparable(value: Any, wanted: Any) -> tuple[Any, Any] | None:
    """Two numbers, or else two texts; None if they have no order."""
    try:
        return float(value), float(wanted)
    except (TypeError, ValueError):
        both_texts = isinstance(value, str) and isinstance(wanted, str)
        return (value, wanted) if both_texts else None


_ORDERS = {
    "$gt": lambda value, wanted: bool(value > wanted),
    "$gte": lambda value, wanted: bool(value >= wanted),
    "$lt": lambda value, wanted: bool(value < wanted),
    "$lte": lambda value, wanted: bool(value <= wanted),
}
