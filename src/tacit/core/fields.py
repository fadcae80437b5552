"""What each field of a value accepts: one check per field name, used by every entry point.

`check_field("importance", 0.7)` returns the value to store, or raises `InvalidInput` with the
problem and how to fix it.
"""

import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, ClassVar
from uuid import UUID

from tacit.core.errors import InvalidInput
from tacit.core.json_checks import check_json, find_text_problem
from tacit.core.json_value import Bounds, CheckedAs, Example, JsonField, JsonValue
from tacit.core.kinds import (
    Action,
    Actor,
    MemoryType,
    Relation,
    Scope,
    Sort,
    State,
    Subject,
    Trust,
    check_choice,
)
from tacit.core.times import parse_time

_SAMPLE_ID = "01890a5d-ac96-774b-bcce-b302099a8057"

Id = Annotated[str, Example(_SAMPLE_ID)]
"""The id of a memory, a review, a mark or an audit entry."""

Fraction = Annotated[float, Bounds(0, 1)]
"""A number from 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin(JsonValue):
    """The place in a conversation, a file or a page that a memory comes from; search uses it.

    `author` is the user who wrote a memory that others share; a key bound to a user names nobody
    else.
    """

    OMITS_DEFAULTS: ClassVar[bool] = True

    session: str | None = None
    ordinal: int | None = None
    speaker: str | None = None
    author: str | None = None
    time: datetime | None = None
    file: str | None = None
    url: str | None = None


_SEPARATORS = re.compile(r"[\W_]+")
_MACHINE_MADE = re.compile(r"[0-9a-f]{12}")


def to_search_text(content: str, origin: Origin, key: str | None) -> str:
    """The text that search indexes: the speaker if known, the words of the key, and the content.

    A value means little without its key; a digest or an id that tells rows apart says nothing.
    """
    words = "" if key is None or _MACHINE_MADE.search(key) else _SEPARATORS.sub(" ", key).strip()
    return ": ".join(part for part in (origin.speaker, words, content) if part)


MAX_CONTENT_BYTES = 50_000
MAX_METADATA_BYTES = 50_000
MAX_NAME_BYTES = 500
MAX_TAGS = 100
MAX_LIMIT = 1_000

Check = Callable[[str, Any], Any]


def check_field(field: str, value: Any, name: str | None = None) -> Any:
    """Return the value as it is stored, or raise `InvalidInput` with what would be right.

    `name` is what the caller calls it, if not by the name of the field: an id may be `keep`.
    """
    return _CHECKS[field](name or field, value)


class CheckedValue(JsonValue):
    """The base of values that are read from files that people edit: every field is checked."""

    __slots__ = ()

    @classmethod
    def reader(cls, field: JsonField) -> Callable[[Any], Any]:
        """The check of a field."""
        named: CheckedAs | None = field.marker(CheckedAs)
        return partial(check_field, field.name if named is None else named.name, name=field.name)


@contextmanager
def nested_field(place: str) -> Iterator[None]:
    """Prefix the field name of an `InvalidInput` raised inside with a place, as `items.3`."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(f"{place}.{error.field}", error.problem) from error


def check_all_fields(values: Mapping[str, Any], allowed: Iterable[str]) -> dict[str, Any]:
    """Check several fields at once; a name outside `allowed` is an error."""
    names = frozenset(allowed)
    for field in values:
        if field not in names:
            raise InvalidInput(field, f"no such field; the fields are {', '.join(sorted(names))}")
    checked = {field: check_field(field, value) for field, value in values.items()}
    _check_period(checked)
    return checked


def check_key_scope(key: str | None, scope: Scope) -> None:
    """Refuse what is said of a person where others write it: in a project or an organisation."""
    if scope in (Scope.PROJECT, Scope.ORG) and is_key_of_person(key):
        problem = f"{key!r} is about a person, which is no memory of a {scope}"
        raise InvalidInput("key", f"{problem}; give it the scope user, or another key")


def is_key_of_person(key: str | None) -> bool:
    """Whether a key names what is known of a person: `user.diet`, in whatever signs."""
    if key is None:
        return False
    plain = unicodedata.normalize("NFKC", key).casefold().translate(_LATIN)
    return _OF_PERSON.match(plain) is not None


_OF_PERSON = re.compile(r"user(?:[.:/ ]|$)")
_LATIN = str.maketrans("ѕеерсоіυѵ", "seepcoiuv")
"""Letters of other scripts that look like those of "user"."""


def check_ids(ids: Any) -> list[str]:
    """The ids of memories to read, without repetitions; no more than fit on a page."""
    wanted = list(dict.fromkeys(check_field("ids", ids)))
    if len(wanted) > MAX_LIMIT:
        raise InvalidInput("ids", f"{len(wanted)} are too many; at most {MAX_LIMIT} at once")
    return wanted


def _check_period(values: Mapping[str, Any]) -> None:
    start, end = values.get("valid_from"), values.get("valid_to")
    if start is not None and end is not None and end < start:
        raise InvalidInput("valid_to", "lies before valid_from; swap them or correct one")


def _text(field: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidInput(field, f"expected text, not {type(value).__name__}")
    if "\0" in value:
        at = value.index("\0")
        raise InvalidInput(field, f"character {at + 1} is NUL, which cannot be stored; remove it")
    problem = find_text_problem(value)
    if problem is not None:
        raise InvalidInput(field, problem)
    return value


def _content(field: str, value: Any) -> str:
    text = _text(field, value)
    if not text.strip():
        raise InvalidInput(field, "is empty; a memory needs at least one visible character")
    size = len(text.encode())
    if size > MAX_CONTENT_BYTES:
        limit = f"{size:,} bytes is too long; at most {MAX_CONTENT_BYTES:,}"
        raise InvalidInput(field, f"{limit}: split it into several memories")
    return text


def _name(field: str, value: Any) -> str:
    text = _text(field, value)
    if not text.strip():
        raise InvalidInput(field, "must not be empty")
    if not text.isprintable():
        raise InvalidInput(field, f"{text!r} has control characters; use printable ones")
    if len(text.encode()) > MAX_NAME_BYTES:
        raise InvalidInput(field, f"is longer than {MAX_NAME_BYTES} bytes; shorten it")
    return text


def _search_text(field: str, value: Any) -> str:
    text = _text(field, value)
    if not text:
        raise InvalidInput(field, "is empty; give what to look for or leave it out")
    if len(text.encode()) > MAX_NAME_BYTES:
        raise InvalidInput(field, f"is longer than {MAX_NAME_BYTES} bytes; shorten it")
    return text


def _short_text(field: str, value: Any) -> str:
    text = _text(field, value).strip()
    if len(text.encode()) > MAX_NAME_BYTES:
        raise InvalidInput(field, f"is longer than {MAX_NAME_BYTES} bytes; shorten it")
    return text


def _owner(field: str, value: Any) -> str:
    return "" if value == "" else _name(field, value)


def _key(field: str, value: Any) -> str:
    text = _name(field, value)
    if any(character.isspace() for character in text):
        raise InvalidInput(field, f"{text!r} has spaces; a key is one word like editor.indent")
    return text


def _fraction(field: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(field, f"expected a number from 0 to 1, not {value!r}")
    if not (math.isfinite(value) and 0 <= value <= 1):
        raise InvalidInput(field, f"{value} is out of range; give a number from 0 to 1")
    return float(value)


def _flag(field: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(field, f"expected true or false, not {value!r}")
    return value


def _count(field: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
        raise InvalidInput(field, f"expected a whole number from 0, not {value!r}")
    return value


def _one_of(kinds: type[StrEnum]) -> Check:
    return lambda field, value: check_choice(field, kinds, value)


def _optional(accept: Check) -> Check:
    return lambda field, value: None if value is None else accept(field, value)


def _id(field: str, value: Any) -> str:
    text = _text(field, value)
    try:
        return str(UUID(text))
    except ValueError:
        raise InvalidInput(field, f"{value!r} is not an id; ids look like {_SAMPLE_ID}") from None


def _ids(field: str, value: Any) -> list[str]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidInput(field, "expected a list of ids, not a single one")
    return [_id(f"{field}.{place}", each) for place, each in enumerate(value)]


def _tags(field: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidInput(field, f"expected a list of words, not {type(value).__name__}")
    tags = tuple(dict.fromkeys(_name(field, tag) for tag in value))
    if len(tags) > MAX_TAGS:
        raise InvalidInput(field, f"{len(tags)} are too many; at most {MAX_TAGS}")
    return tags


def _limit(field: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_LIMIT:
        raise InvalidInput(field, f"expected a whole number from 1 to {MAX_LIMIT}, not {value!r}")
    return value


def _types(field: str, value: Any) -> tuple[StrEnum, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidInput(field, f"expected a list of types, not {type(value).__name__}")
    return tuple(_CHECKS["type"]("type", each) for each in value)


def _scopes(field: str, value: Any) -> tuple[StrEnum, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidInput(field, "expected a list of scopes, not a single one")
    return tuple(_CHECKS["scope"]("scope", each) for each in value)


def _metadata(field: str, value: Any) -> dict[str, Any]:
    kept = _object(field, value)
    if len(json.dumps(kept, ensure_ascii=False).encode()) > MAX_METADATA_BYTES:
        raise InvalidInput(field, f"is longer than {MAX_METADATA_BYTES:,} bytes as JSON")
    return kept


def _object(field: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidInput(field, f"expected a JSON object, not {type(value).__name__}")
    check_json(field, value)
    try:
        written = json.dumps(dict(value), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(field, f"is not plain JSON ({error})") from None
    if "\\u0000" in written.replace(r"\\", ""):  # an escaped backslash before u0000 is text
        raise InvalidInput(field, "contains a NUL character, which cannot be stored; remove it")
    kept: dict[str, Any] = json.loads(written)
    return kept


def _origin(field: str, value: Any) -> Origin:
    parts = value.to_dict() if isinstance(value, Origin) else value
    if not isinstance(parts, Mapping):
        raise InvalidInput(field, f"expected an object, not {type(value).__name__}")
    for name in parts:
        if name not in _ORIGIN_CHECKS:
            known = ", ".join(_ORIGIN_CHECKS)
            raise InvalidInput(f"{field}.{name}", f"no such field; the fields are {known}")
    checked = {
        name: _ORIGIN_CHECKS[name](f"{field}.{name}", part)
        for name, part in parts.items()
        if part is not None
    }
    return Origin(**checked)


_ORIGIN_CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "session": _name,
        "ordinal": _count,
        "speaker": _name,
        "author": _name,
        "time": parse_time,
        "file": _name,
        "url": _name,
    }
)

_CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "id": _id,
        "ids": _ids,
        "workspace": _name,
        "session": _name,
        "into": _name,
        "project": _name,
        "user": _name,
        "org": _name,
        "text": _text,
        "content": _content,
        "type": _one_of(MemoryType),
        "key": _optional(_key),
        "importance": _fraction,
        "confidence": _fraction,
        "scope": _one_of(Scope),
        "scopes": _scopes,
        "scope_id": _owner,
        "agent": _optional(_name),
        "source": _one_of(Actor),
        "by": _one_of(Actor),
        "origin": _origin,
        "trust": _one_of(Trust),
        "explicit": _flag,
        "tags": _tags,
        "tag": _name,
        "types": _types,
        "metadata": _metadata,
        "pinned": _flag,
        "created_at": parse_time,
        "updated_at": parse_time,
        "last_accessed_at": _optional(parse_time),
        "access_count": _count,
        "valid_from": _optional(parse_time),
        "valid_to": _optional(parse_time),
        "superseded_by": _optional(_id),
        "expires_at": _optional(parse_time),
        "forgotten": _flag,
        "action": _one_of(Action),
        "subject": _one_of(Subject),
        "at": parse_time,
        "old": _optional(_object),
        "new": _optional(_object),
        "change": _object,
        "value": _object,
        "reason": _short_text,
        "relation": _one_of(Relation),
        "weight": _fraction,
        "sort": _one_of(Sort),
        "state": _one_of(State),
        "limit": _limit,
        "turns": _limit,
        "days": _limit,
        "contains": _search_text,
        "expires": _flag,
        "min_importance": _fraction,
        "max_importance": _fraction,
        "min_confidence": _fraction,
        "created_from": parse_time,
        "created_to": parse_time,
        "updated_from": parse_time,
    }
)
