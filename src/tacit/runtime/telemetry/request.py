"""The request that is being served, by an id that its log lines and its trace share."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import uuid4

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""The methods that are told apart; a client can make up any other."""

_ACCEPTED = re.compile(r"[A-Za-z0-9._-]{1,128}")
_current: ContextVar[str | None] = ContextVar("tacit_request_id", default=None)


def new_request_id() -> str:
    """An id that no other request has."""
    return uuid4().hex


def request_id() -> str | None:
    """The id of the request that is being served, if one is."""
    return _current.get()


@contextmanager
def serving(id: str | None = None) -> Iterator[str]:
    """Serve a request under the client's id, or under a new one where that cannot be used."""
    used = id if id is not None and _ACCEPTED.fullmatch(id) else new_request_id()
    token = _current.set(used)
    try:
        yield used
    finally:
        _current.reset(token)
