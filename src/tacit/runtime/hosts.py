"""The names a server goes by: a page of another site must not reach it under a name of its own."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from urllib.parse import urlsplit

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
_ANY = "*"
_PORT = re.compile(r":\d+$")


class Objection(StrEnum):
    """What speaks against serving a request."""

    HOST = "host"
    SITE = "site"


class Hosts:
    """Looks at the Host of requests, and whether a browser sends them from a page of this host."""

    def __init__(self, allowed: Iterable[str]) -> None:
        self._allowed = frozenset(name.lower() for name in allowed) | LOOPBACK

    def objection(self, headers: Mapping[str, str]) -> Objection | None:
        """What speaks against a request with these headers: another name, or another site."""
        if not self._is_own(host_of(headers)):
            return Objection.HOST
        return Objection.SITE if _is_foreign(headers) else None

    def _is_own(self, host: str) -> bool:
        return _ANY in self._allowed or name_of(host) in self._allowed


def host_of(headers: Mapping[str, str]) -> str:
    """The host that was asked, with its port."""
    return headers.get("host", "").lower()


def name_of(host: str) -> str:
    """A host without its port."""
    return _PORT.sub("", host)


def _is_foreign(headers: Mapping[str, str]) -> bool:
    """Whether a page of another site asks."""
    origin = headers.get("origin")
    if origin is not None and _host_in(origin) != host_of(headers):
        return True
    return headers.get("sec-fetch-site") in ("cross-site", "same-site")


def _host_in(origin: str) -> str | None:
    """The host of an origin with its port; None where it is no address."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None
