"""Calls of `RemoteTacit` that are derived: a call of a protocol, and the route that answers it.

`history = endpoint(MemoryProtocol.history, "GET /v1/memories/{id}/history")` is a method with the
signature and the documentation of the protocol. It checks its arguments as the library does, fills
the path with those that it names, sends the others (GET and DELETE as query, POST as JSON), and
reads the response by the return type.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial, update_wrapper
from inspect import Parameter, Signature, signature
from types import MappingProxyType
from typing import Any, TypeVar, cast, get_args, get_origin
from urllib.parse import parse_qsl

from tacit.api.client.connection import (
    Connection,
    quote_segment,
    read_items,
    read_nothing,
)
from tacit.api.client.messages import to_plain
from tacit.core.fields import check_field
from tacit.core.kinds import check_choice

CallType = TypeVar("CallType", bound=Callable[..., Any])
Check = Callable[[Any], Any]
Reader = Callable[[Any], Any]

_PLACEHOLDER = re.compile(r"\{(\w+)\}")

_OWN_FIELDS = (
    *("agent", "days", "id", "ids", "into", "limit", "project", "reason", "scope_id", "session"),
    *("text", "turns", "types", "user", "weight"),
)
_FIELDS: Mapping[str, str] = MappingProxyType(
    {name: name for name in _OWN_FIELDS}
    | {
        "contains": "text",
        "keep": "id",
        "keep_both": "ids",
        "memory": "id",
        "min_confidence": "confidence",
        "receipt": "id",
        "source": "id",
        "supersede": "ids",
        "target": "id",
        "turn": "id",
    }
)
"""The field as which `check_field` checks a parameter; choices are checked by their type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A route of the server: how a call becomes a request, and its response a result."""

    method: str
    path: str
    query: Mapping[str, str]
    signature: Signature
    checks: Mapping[str, Check]
    read: Reader
    is_read_only: bool

    @property
    def path_names(self) -> list[str]:
        """The parameters that are part of the path."""
        return _PLACEHOLDER.findall(self.path)

    def send(self, connection: Connection, args: Any, kwargs: Any) -> Any:
        """Send a call with these arguments, and read the response."""
        values = self._check_arguments(args, kwargs)
        in_path = {name: quote_segment(values.pop(name)) for name in self.path_names}
        path, sent = self.path.format(**in_path), {**values, **self.query}
        if self.method == "GET":
            return connection.get(path, self.read, **sent)
        if self.method != "POST":
            return connection.change(self.method, path, self.read, **sent)
        body = to_plain(sent) or None
        if self.is_read_only:
            return connection.read_with_body(path, body, self.read)
        return connection.write(path, body, read=self.read)

    def _check_arguments(self, args: Any, kwargs: Any) -> dict[str, Any]:
        """The arguments to send; None is left out, and so is the usual actor.

        Without `by`, an agent's key acts as its agent.
        """
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        checked: dict[str, Any] = {}
        for name, parameter in self.signature.parameters.items():
            value = bound.arguments[name]
            if value is None and parameter.default is None:
                continue
            if name in self.checks:
                value = self.checks[name](value)
            if name != "by" or value != parameter.default:
                checked[name] = value
        return checked


def endpoint(
    call: CallType,
    route: str,
    *,
    key: str | None = None,
    read: Reader | None = None,
    fields: Mapping[str, str] = _FIELDS,
    is_read_only: bool = False,
) -> CallType:
    """A method that sends a call of a protocol to a route, such as `GET /v1/stats`.

    The response is read by the return type, or only what it has under `key`, or by `read`. `fields`
    names the fields as which parameters are checked, where that differs from other calls. A POST
    is sent with an idempotency key unless it `is_read_only`.
    """
    method, _, address = route.partition(" ")
    path, _, query = address.partition("?")
    whole = signature(call)
    parameters = list(whole.parameters.values())[1:]
    found = Endpoint(
        method=method,
        path=path,
        query=dict(parse_qsl(query)),
        signature=whole.replace(parameters=parameters),
        checks=_find_checks(parameters, {**_FIELDS, **fields}),
        read=read or _find_reader(whole.return_annotation, key),
        is_read_only=is_read_only,
    )

    def send(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        return found.send(self._connection, args, kwargs)

    update_wrapper(send, call)
    send.__dict__["endpoint"] = found
    return cast(CallType, send)


def _find_checks(parameters: Iterable[Parameter], fields: Mapping[str, str]) -> dict[str, Check]:
    """The checks of parameters: by the choices that they accept, or else by their field."""
    checks: dict[str, Check] = {}
    for each in parameters:
        choices = _find_choices(each.annotation)
        if choices is not None:
            checks[each.name] = partial(check_choice, each.name, choices)
        elif each.name in fields:
            field = fields[each.name]
            # as in the library: an error about `session(id)` names the session
            name = field if each.name == "id" else each.name
            checks[each.name] = partial(check_field, field, name=name)
    return checks


def _find_choices(annotation: Any) -> type[StrEnum] | None:
    """The choices that a parameter accepts, as those of `Scope` in `Scope | str`."""
    for each in get_args(annotation):
        if isinstance(each, type) and issubclass(each, StrEnum):
            return each
    return None


def _find_reader(result: Any, key: str | None) -> Reader:
    """The reader of a response for a return type: a value, items, or what is under a key."""
    kind = get_origin(result) or result
    if key is not None:
        return lambda answer: kind(answer[key])
    if result is None:
        return read_nothing
    if kind is not result:
        return read_items(_find_value_reader(get_args(result)[0]))
    return _find_value_reader(kind)


def _find_value_reader(kind: Any) -> Reader:
    return cast(Reader, getattr(kind, "from_dict", kind))
