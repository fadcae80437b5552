"""A server, as one workspace sees it."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx2

from tacit.api.client.call import JSON, MOST_TRIES, Call, encoded, query
from tacit.api.client.transport import Transport, headers_for

Value = TypeVar("Value")
Read = Callable[[Any], Value]


@dataclass(frozen=True, slots=True)
class Connection:
    """Reads and writes in one workspace; without a name, in that of the key."""

    transport: Transport
    workspace: str | None

    def get(self, path: str, read: Read[Value], **params: Any) -> Value:
        """Read something."""
        call = Call(
            method="GET",
            path=path,
            params=query(params),
            headers=headers_for(self.workspace),
            is_repeatable=True,
        )
        return self.transport.ask(call, read)

    def fetch(self, path: str, read: Callable[[httpx2.Response], Value], *accepted: int) -> Value:
        """Read something of the answer itself, also of one with a status that is accepted."""
        call = Call(
            method="GET",
            path=path,
            headers=headers_for(self.workspace),
            is_repeatable=True,
            accepted=accepted,
        )
        return self.transport.fetch(call, read)

    def look(self, path: str, body: Any, read: Read[Value], *, media_type: str = JSON) -> Value:
        """Read something that takes a body to say."""
        call = Call(
            method="POST",
            path=path,
            content=_sent(body),
            media_type=media_type,
            headers=headers_for(self.workspace),
            is_repeatable=True,
        )
        return self.transport.ask(call, read)

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
        """Have something done, once however often the request arrives."""
        call = Call(
            method="POST",
            path=path,
            params=query(params or {}),
            content=_sent(body),
            media_type=media_type,
            headers={**headers_for(self.workspace), "Idempotency-Key": uuid4().hex},
            is_repeatable=True,
            tries=tries,
        )
        return self.transport.ask(call, read, at_most=at_most)

    def change(
        self, method: str, path: str, read: Read[Value], body: Any = None, **params: Any
    ) -> Value:
        """Change or remove something; what was cut off is not sent again."""
        call = Call(
            method=method,
            path=path,
            params=query(params),
            content=_sent(body),
            headers=headers_for(self.workspace),
        )
        return self.transport.ask(call, read)

    def put(
        self,
        path: str,
        body: Any,
        read: Read[Value],
        *,
        version: str | None = None,
        media_type: str = JSON,
    ) -> Value:
        """Change what is at a path, once; if a version is given, only that one."""
        only = {} if version is None else {"If-Match": f'"{version}"'}
        call = Call(
            method="PUT",
            path=path,
            content=_sent(body),
            media_type=media_type,
            headers={**headers_for(self.workspace), **only},
        )
        return self.transport.ask(call, read)

    def stream(
        self, path: str, silence: float, headers: Mapping[str, str] | None = None, **params: Any
    ) -> AbstractContextManager[httpx2.Response]:
        """An answer as it comes; `silence` is after how many seconds without anything it is off."""
        own = {**headers_for(self.workspace), **(headers or {})}
        call = Call(method="GET", path=path, params=query(params), headers=own)
        return self.transport.stream(call, silence)


def _sent(body: Any) -> bytes | None:
    """A body as it travels: bytes as they are, the rest as JSON."""
    return body if body is None or isinstance(body, bytes) else encoded(body)


def segment(name: str) -> str:
    """A name as a part of a path, dots and slashes included."""
    return quote(name, safe="").replace(".", "%2E")
