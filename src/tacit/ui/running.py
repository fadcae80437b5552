"""The web UI as a process of its own, for a server that runs elsewhere."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial

from tacit.api.client.remote import RemoteTacit
from tacit.core.errors import InvalidInput, NotAllowed
from tacit.runtime.addresses import Networks
from tacit.runtime.listener import Listener
from tacit.runtime.listening import address, bound, is_loopback
from tacit.ui.app import create_pages

PORT = 8378
LOOPBACK = "127.0.0.1"

_DRAIN_SECONDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The server that is shown, where the pages listen, their names, and proxies before them."""

    url: str
    host: str = LOOPBACK
    port: int = PORT
    hosts: tuple[str, ...] = ()
    trusted_proxies: Networks = ()


def serve(options: Options, announce: Callable[[str], None]) -> None:
    """Serve the pages until told to stop; `announce` hears of the address once they listen.

    Where others can reach them, the server that they show must ask for keys.
    """
    is_exposed = not is_loopback(options.host)
    if is_exposed and not _asks_for_keys(options.url):
        raise InvalidInput(
            "host",
            f"{options.host} can be reached by others, and {options.url} asks nobody for a key;"
            " make one there first: tacit keys add operator --every-workspace --role admin",
        )
    names = options.hosts or (("*",) if is_exposed else (options.host,))
    with closing(bound(options.host, options.port)) as listening:
        pages = create_pages(options.url, names, lambda: options.trusted_proxies)
        announced = partial(announce, address(listening))
        Listener(pages, announced, drain_seconds=_DRAIN_SECONDS).run([listening])


def _asks_for_keys(url: str) -> bool:
    with RemoteTacit.connect(url, key="") as tacit:
        try:
            tacit.server.status()
        except NotAllowed:
            return True
    return False
