"""Items as they are given: checked, without secrets, and with the text that finds them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.items import Namespace, Place, StoredItem
from tacit.language.redaction.redact import redact, redact_json
from tacit.store.items import end_of_item

MAX_VALUE_BYTES = 1_000_000
_MOST_TEXT = 20_000
_MOST_PARTS = 100


@dataclass(frozen=True, slots=True)
class ItemDraft:
    """A value to keep under a key of a namespace, or None to remove it.

    `text` is what search finds it by: all of the value if it is None, nothing if it is empty. It
    expires `minutes` after it was last used.
    """

    namespace: Namespace
    key: str
    value: Mapping[str, Any] | None
    text: str | None = None
    minutes: float | None = None

    @property
    def at(self) -> Place:
        """Where it is kept."""
        return self.namespace, self.key

    def to_item(self, now: datetime, place: int) -> StoredItem:
        """The item of a checked draft."""
        return StoredItem(
            namespace=self.namespace,
            key=self.key,
            value=self.value or {},
            text=self.text or "",
            minutes=self.minutes,
            created_at=now,
            updated_at=now,
            expires_at=end_of_item(now, self.minutes),
            place=place,
        )


@dataclass(slots=True)
class ItemChecker:
    """Checks the drafts of one call, each name once."""

    _names: set[str] = field(default_factory=set)

    def check(self, draft: ItemDraft) -> ItemDraft:
        """The draft as it is kept; a secret in it is refused."""
        namespace = self.check_namespace(draft.namespace)
        if not namespace:
            raise InvalidInput("namespace", "is empty; give at least one name")
        self._check_name("key", draft.key)
        checked = replace(draft, namespace=namespace)
        if draft.value is None:
            return checked
        value = _check_value(draft.value)
        text = "\n".join(name_texts(value)) if draft.text is None else draft.text
        if not isinstance(text, str):
            raise InvalidInput("text", f"expected text, not {type(text).__name__}")
        text = text[:_MOST_TEXT]
        if draft.text and redact(text).text != text:
            raise refuse_secret("text")
        if draft.minutes is not None and not _is_positive(draft.minutes):
            raise InvalidInput("ttl", f"{draft.minutes} is not a number of minutes above 0")
        return replace(checked, value=value, text=text)

    def check_namespace(self, namespace: Any, name: str = "namespace") -> Namespace:
        """A namespace, or the beginning of one; it may be empty."""
        if isinstance(namespace, str) or not isinstance(namespace, Iterable):
            raise InvalidInput(name, f"expected a list of names; pass [{namespace!r}]")
        parts = tuple(namespace)
        if len(parts) > _MOST_PARTS:
            raise InvalidInput(name, f"has {len(parts)} names; at most {_MOST_PARTS}")
        for part in parts:
            self._check_name(name, part)
        return parts

    def check_place(self, namespace: Any, key: Any) -> Place:
        """A namespace and a key."""
        self._check_name("key", key)
        return self.check_namespace(namespace), key

    def _check_name(self, name: str, text: Any) -> None:
        if isinstance(text, str) and text in self._names:
            return
        if redact(check_field("content", text, name)).text != text:
            raise refuse_secret(name)
        self._names.add(text)


def read_item(values: Mapping[str, Any]) -> StoredItem:
    """Read and check an item that was written as JSON."""
    namespace = ItemChecker().check_namespace(values["namespace"])
    checks = {"namespace": namespace, "value": check_field("value", values["value"])}
    item = StoredItem.from_dict({**values, **checks})
    if type(item.place) is not int:
        raise InvalidInput("place", f"{item.place!r} is not a whole number")
    draft = ItemDraft(item.namespace, item.key, item.value, item.text, item.minutes)
    checked = ItemChecker().check(draft)
    return replace(item, value=checked.value or {}, text=checked.text or "")


def refuse_secret(place: str) -> InvalidInput:
    """The error for a place that holds a secret."""
    problem = "holds what looks like a secret, which is not kept; store a reference to it instead"
    return InvalidInput(place, problem)


def name_texts(value: object, name: str = "") -> Iterator[str]:
    """The texts of a value, each with the name of its field."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from name_texts(each, f"{name} {key}".strip())
    elif isinstance(value, list | tuple):
        for each in value:
            yield from name_texts(each, name)
    elif value is not None:
        yield f"{name}: {value}" if name else str(value)


def _check_value(given: Any) -> Mapping[str, Any]:
    value: Mapping[str, Any] = check_field("value", given)
    size = len(json.dumps(value, ensure_ascii=False).encode())
    if size > MAX_VALUE_BYTES:
        limit = f"{size:,} bytes is too long; at most {MAX_VALUE_BYTES:,}"
        raise InvalidInput("value", f"{limit}: keep large contents elsewhere")
    place = _find_secret(value)
    if place is not None:
        raise refuse_secret(".".join(("value", *place)))
    return value


def _is_positive(minutes: Any) -> bool:
    is_number = isinstance(minutes, int | float) and not isinstance(minutes, bool)
    return is_number and 0 < minutes < float("inf")


def _find_secret(value: Any) -> tuple[str, ...] | None:
    """The place of a secret in a JSON value, if there is one."""
    if redact_json(value) == value:
        return None
    if isinstance(value, Mapping):
        for name, each in value.items():
            if redact_json({name: each}) != {name: each}:
                return (name, *(_find_secret(each) or ()))
    if isinstance(value, list):
        for number, each in enumerate(value):
            inside = _find_secret(each)
            if inside is not None:
                return (str(number), *inside)
    return ()
