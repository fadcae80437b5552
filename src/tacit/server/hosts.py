"""The names a server goes by: a page of another site must not reach it under a name of its own."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from tacit.server.problems import CROSS_SITE, WRONG_HOST, Refusal

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
_ANY = "*"
_PORT = re.compile(r":\d+$")


class Hosts:
    """Checks the Host of requests, and that a browser sends them from a page of this very host."""

    def __init__(self, allowed: Iterable[str]) -> None:
        self._allowed = frozenset(name.lower() for name in allowed) | LOOPBACK

    def check(self, headers: Headers) -> None:
        """Refuse another name, and other sites."""
        host = headers.get("host", "").lower()
        name = _PORT.sub("", host)
        if _ANY not in self._allowed and name not in self._allowed:
            detail = f"{name[:100]!r} is not a name of this server; --allow-host adds one"
            raise Refusal(WRONG_HOST, detail)
        origin = headers.get("origin")
        is_foreign = origin is not None and urlsplit(origin).netloc.lower() != host
        if is_foreign or headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            raise Refusal(CROSS_SITE, "ask from a program, or from a page of this server")
