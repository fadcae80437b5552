"""`Connection`: reads and writes in one workspace of a server."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx2

from tacit.api.client.transport import (
    JSON,
    MOST_TRIES,
    Call,
    Transport,
    headers_for,
    to_json_bytes,
    to_query,
)
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, Owner, Scope

Value = TypeVar("Value")
Read = Callable[[Any], Value]


@dataclass(frozen=True, slots=True)
class Connection:
    """Reads and writes in one workspace; without a name, in the workspace of the key."""

    transport: Transport
    workspace: str | None

    def get(self, path: str, read: Read[Value], **params: Any) -> Value:
        """Send a GET request."""
        call = Call(
            method="GET",
            path=path,
            params=to_query(params),
            headers=headers_for(self.workspace),
            is_repeatable=True,
        )
        return self.transport.send(call, read)

    def fetch(self, path: str, read: Callable[[httpx2.Response], Value], *accepted: int) -> Value:
        """Send a GET request and read the response itself, also with an `accepted` status."""
        call = Call(
            method="GET",
            path=path,
            headers=headers_for(self.workspace),
            is_repeatable=True,
            accepted=accepted,
        )
        return self.transport.fetch(call, read)

    def read_with_body(
        self, path: str, body: Any, read: Read[Value], *, media_type: str = JSON
    ) -> Value:
        """Send a POST request that only reads."""
        call = Call(
            method="POST",
            path=path,
            content=_to_body(body),
            media_type=media_type,
            headers=headers_for(self.workspace),
            is_repeatable=True,
        )
        return self.transport.send(call, read)

    def write(
        self,
        path: str,
        body: Any = None,
        *,
        read: Read[Value],
        at_most: float | None = None,
        tries: int = MOST_TRIES,
        media_type: str = JSON,
        params: Mapping[str, Any] | None = None,
    ) -> Value:
        """Send a POST request with an idempotency key, so that retries have no further effect."""
        call = Call(
            method="POST",
            path=path,
            params=to_query(params or {}),
            content=_to_body(body),
            media_type=media_type,
            headers={**headers_for(self.workspace), "Idempotency-Key": uuid4().hex},
            is_repeatable=True,
            tries=tries,
        )
        return self.transport.send(call, read, at_most=at_most)

    def change(
        self, method: str, path: str, read: Read[Value], body: Any = None, **params: Any
    ) -> Value:
        """Send a changing request without retries."""
        call = Call(
            method=method,
            path=path,
            params=to_query(params),
            content=_to_body(body),
            headers=headers_for(self.workspace),
        )
        return self.transport.send(call, read)

    def put(
        self,
        path: str,
        body: Any,
        read: Read[Value],
        *,
        version: str | None = None,
        media_type: str = JSON,
    ) -> Value:
        """Send a PUT request without retries; with a `version`, only if it is still current."""
        only = {} if version is None else {"If-Match": f'"{version}"'}
        call = Call(
            method="PUT",
            path=path,
            content=_to_body(body),
            media_type=media_type,
            headers={**headers_for(self.workspace), **only},
        )
        return self.transport.send(call, read)

    def stream(
        self, path: str, silence: float, headers: Mapping[str, str] | None = None, **params: Any
    ) -> AbstractContextManager[httpx2.Response]:
        """Stream a response; it ends after `silence` seconds without data."""
        own = {**headers_for(self.workspace), **(headers or {})}
        call = Call(method="GET", path=path, params=to_query(params), headers=own)
        return self.transport.stream(call, silence)


def _to_body(body: Any) -> bytes | None:
    """A body as bytes: bytes unchanged, anything else as JSON."""
    return body if body is None or isinstance(body, bytes) else to_json_bytes(body)


def quote_segment(name: str) -> str:
    """A name as one path segment, with dots and slashes quoted."""
    return quote(name, safe="").replace(".", "%2E")


# Paths and arguments


def actor_argument(by: Actor | str, usual: Actor = Actor.USER) -> dict[str, str]:
    """The `by` argument; left out for the usual actor, so that an agent's key acts as its agent."""
    actor = check_field("by", by)
    return {} if actor is usual else {"by": str(actor)}


def owner_path(owner: Owner, what: str = "") -> str:
    """The path of a session or a project, or of a resource below it."""
    kind, name = owner
    path = f"/v1/{kind}s/{quote_segment(name)}"
    return f"{path}/{what}" if what else path


def session_path(name: str, what: str = "") -> str:
    """The path of a session, or of a resource below it."""
    return owner_path((Scope.SESSION, check_field("session", name)), what)


# Readers of responses


def read_items(read: Callable[[Any], Value]) -> Callable[[Any], "list[Value]"]:
    """A reader for the items of a list response."""
    return lambda answer: [read(each) for each in answer["items"]]


def read_nothing(_: Any) -> None:
    """A reader for responses without content."""


class RemotePart:
    """The calls about one subject of a workspace of a server."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
