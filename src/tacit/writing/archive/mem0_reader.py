"""Reads what mem0's `get_all`, its exports and the backups of OpenMemory contain."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Self

from tacit.core.errors import ArchiveError
from tacit.core.fields import check_field
from tacit.writing.archive.source_file import SourceEntry, SourceFile, parse_json

_LISTS = ("results", "memories")
_SPELLINGS = MappingProxyType(
    {
        "userId": "user_id",
        "agentId": "agent_id",
        "runId": "run_id",
        "createdAt": "created_at",
        "updatedAt": "updated_at",
        "expirationDate": "expiration_date",
    }
)
_CONTEXT = frozenset((*_LISTS, "relations", "count", "next", "previous"))
_BACKED_UP = ("categories", "category_ids")
_LONGEST_TAG = 500
_LIVE = (None, "active")
_NO_JSON = (
    "this is no mem0 export, which is JSON; it looks like text: import it with the format"
    ' "markdown" or, with a memory on each line, "lines"'
)


@dataclass(frozen=True, slots=True)
class _BackupContext:
    """What an OpenMemory backup says once for all memories: its user and category names."""

    user: str | None = None
    categories: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """Read the context of a backup."""
        user, categories = data.get("user"), data.get("categories")
        id = _text(user.get("user_id")) if isinstance(user, Mapping) else None
        listed = categories if isinstance(categories, list) else []
        named = [each for each in listed if isinstance(each, Mapping)]
        names = {str(each.get("id")): _text(each.get("name")) for each in named}
        return cls(
            None if id is None else check_field("scope_id", id),
            {each: name for each, name in names.items() if name and len(name) <= _LONGEST_TAG},
        )

    def about(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """The context of one memory."""
        found: dict[str, Any] = {} if self.user is None else {"user_id": self.user}
        ids = told.get("category_ids")
        if self.categories and isinstance(ids, list):
            named = (self.categories.get(str(id), str(id)) for id in ids)
            found["categories"] = list(dict.fromkeys(named))
        return found


def is_mem0_export(data: Any) -> bool:
    """Whether JSON looks like memories of mem0."""
    if _is_record(data) or _is_empty(data):
        return True
    lists = [data.get(each) for each in _LISTS] if isinstance(data, Mapping) else [data]
    return any(_is_record(each) for found in lists if isinstance(found, list) for each in found)


def read_mem0(sheet: SourceFile) -> Iterator[SourceEntry]:
    """Read the entries of an export, as JSON or JSON Lines."""
    if sheet.data is None:
        yield from _read_json_lines(sheet)
    elif isinstance(sheet.data, list):
        yield from _read_records(sheet.data, sheet, _BackupContext())
    elif _is_record(sheet.data):
        yield from _read_records([sheet.data], sheet, _BackupContext())
    else:
        yield from _read_object(sheet.data, sheet)


def _is_record(data: Any) -> bool:
    """Whether an object is a memory of mem0; one with a kind is a line of our own archives."""
    if not isinstance(data, Mapping) or "kind" in data:
        return False
    is_backed_up = "content" in data and any(name in data for name in _BACKED_UP)
    return isinstance(data.get("memory"), str) or is_backed_up


def _is_empty(data: Any) -> bool:
    """Whether JSON is what mem0 writes if there are no memories."""
    is_told = isinstance(data, Mapping) and any(data.get(each) == [] for each in _LISTS)
    return is_told and _CONTEXT.issuperset(data)


def _read_json_lines(sheet: SourceFile) -> Iterator[SourceEntry]:
    """Read JSON Lines, one memory per line."""
    lines = [(number, line) for number, line in enumerate(sheet.lines, 1) if line.strip()]
    records = [(number, parse_json(line)) for number, line in lines]
    if not any(isinstance(record, Mapping) for _, record in records):
        raise ArchiveError(_NO_JSON)
    for number, record in records:
        yield _entry(number, record, sheet, _BackupContext())


def _read_object(data: Mapping[str, Any], sheet: SourceFile) -> Iterator[SourceEntry]:
    """Read an object with a list of memories, or with the fields of a custom schema."""
    name = next((each for each in _LISTS if isinstance(data.get(each), list)), None)
    if name is None:
        yield from _read_profile(data, sheet)
        return
    records: Sequence[Any] = data[name]
    yield from _read_records(records, sheet, _BackupContext.of(data))
    if data.get("next"):
        problem = "names more pages than this one; export them all and import each"
        yield SourceEntry.left_out(len(records) + 1, "next", problem)
    if data.get("relations"):
        problem = "of the graph are left out; the memories say what they were read from"
        yield SourceEntry.left_out(len(records) + 1, "relations", problem)


def _read_records(
    records: Sequence[Any], sheet: SourceFile, around: _BackupContext
) -> Iterator[SourceEntry]:
    for number, record in enumerate(records, start=1):
        yield _entry(number, record, sheet, around)


def _entry(number: int, record: Any, sheet: SourceFile, around: _BackupContext) -> SourceEntry:
    """The entry of one memory; other fields are kept in the metadata, under mem0."""
    if not isinstance(record, Mapping):
        return SourceEntry.left_out(number, "memory", 'is no object; mem0 writes {"memory": "..."}')
    told = {_SPELLINGS.get(name, name): value for name, value in record.items()}
    told = {**told, **around.about(told)}
    if told.get("state") not in _LIVE:
        return SourceEntry.left_out(
            number, "state", f"it is {told['state']} in OpenMemory, not active"
        )
    content = told.pop("memory", None) or told.pop("content", None)
    if content is None:
        return SourceEntry.left_out(number, "memory", 'is missing; mem0 writes {"memory": "..."}')
    own = told.pop("metadata", None)
    rest = {name: value for name, value in told.items() if value not in (None, "", [], {})}
    own = own if isinstance(own, Mapping) else {"metadata": own} if own else {}
    values = {
        "content": content,
        "agent": _text(told.get("agent_id")),
        "tags": _tags(told.get("categories")),
        "origin": sheet.origin(
            session=_text(told.get("run_id")), time=_time(told.get("created_at"))
        ),
        "expires_at": _time(told.get("expiration_date")),
        "metadata": {**own, "mem0": rest} if rest else dict(own),
        **_owner(told),
    }
    return SourceEntry(number, {name: value for name, value in values.items() if value is not None})


def _owner(told: Mapping[str, Any]) -> dict[str, Any]:
    user = _text(told.get("user_id"))
    return {"scope": "user", "scope_id": user} if user else {}


def _text(value: Any) -> str | None:
    return None if value in (None, "") else str(value)


def _time(value: Any) -> str | None:
    """A time as ISO 8601, or in seconds since 1970; None if it is neither."""
    try:
        if isinstance(value, str):
            return datetime.fromisoformat(value).isoformat()
        return datetime.fromtimestamp(value, UTC).isoformat()
    except (TypeError, ValueError, OverflowError, OSError):
        return None


def _tags(categories: Any) -> Any:
    if not categories:
        return None
    return [categories] if isinstance(categories, str) else categories


def _read_profile(data: Mapping[str, Any], sheet: SourceFile) -> Iterator[SourceEntry]:
    """Read a structured export: each field, or each element of its list, is a memory."""
    said = [
        (name, element)
        for name, value in data.items()
        for element in (value if isinstance(value, list) else [value])
        if element not in (None, "", {}, [])
    ]
    for number, (name, element) in enumerate(said, start=1):
        values = {"content": f"{name}: {_words(element)}", "origin": sheet.origin()}
        yield SourceEntry(number, {**values, "metadata": {"mem0": {"field": name}}})


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_words(each)}" for name, each in value.items() if each)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
