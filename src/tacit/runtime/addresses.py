"""Network addresses: of clients, of the host names that a server accepts, of listening sockets."""

import ipaddress
import re
import socket
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from tacit.core.errors import InvalidInput

# Clients: the address of the connection, or the one that a trusted proxy names.


Networks = tuple[IPv4Network | IPv6Network, ...]

_IPV6_SITE = 64
"""A client has at least a network of this length, so all its addresses count as one."""


def client_address(peer: str, forwarded: Sequence[str], trusted: Networks) -> str:
    """The address that a request comes from.

    `forwarded` are the X-Forwarded-For headers. They count only if the connection comes from a
    trusted proxy: then the last address in them that is not a trusted proxy is the client's, since
    everything before it may be made up. A name that is no address counts as it is.
    """
    address = _parse_address(peer)
    if address is None or not _is_in(address, trusted):
        return _to_client_name(peer)
    named = [part.strip() for header in forwarded for part in header.split(",")]
    for part in reversed(named):
        before = _parse_address(part)
        if before is None:
            break
        address = before
        if not _is_in(before, trusted):
            break
    return _to_client_name(str(address))


def _parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """An address, with or without a port; IPv4 inside of IPv6 is IPv4."""
    bare = text.partition("]")[0].removeprefix("[") if text.startswith("[") else text
    if bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        found = ip_address(bare)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def _is_in(address: IPv4Address | IPv6Address, networks: Networks) -> bool:
    return any(address in network for network in networks)


def _to_client_name(text: str) -> str:
    found = _parse_address(text)
    if isinstance(found, IPv6Address) and not found.is_loopback:
        return str(ip_network((found.packed, _IPV6_SITE), strict=False))
    return text if found is None else str(found)


# Host names: a page of another site must not reach the server under a name of its own.


LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
_ANY = "*"
_PORT = re.compile(r":\d+$")


class HostObjection(StrEnum):
    """Why a request is not served."""

    HOST = "host"
    SITE = "site"


class AllowedHosts:
    """Checks the Host header of requests, and that browsers send them from a page of this host."""

    def __init__(self, allowed: Iterable[str]) -> None:
        self._allowed = frozenset(name.lower() for name in allowed) | LOOPBACK

    def find_objection(self, headers: Mapping[str, str]) -> HostObjection | None:
        """Why a request with these headers is not served: another host name, or another site."""
        if not self._is_own(requested_host(headers)):
            return HostObjection.HOST
        return HostObjection.SITE if _is_cross_site(headers) else None

    def _is_own(self, host: str) -> bool:
        return _ANY in self._allowed or strip_port(host) in self._allowed


def requested_host(headers: Mapping[str, str]) -> str:
    """The host that a request names, with its port."""
    return headers.get("host", "").lower()


def strip_port(host: str) -> str:
    """A host without its port."""
    return _PORT.sub("", host)


def _is_cross_site(headers: Mapping[str, str]) -> bool:
    """Whether a page of another site sends the request."""
    origin = headers.get("origin")
    if origin is not None and _host_of_origin(origin) != requested_host(headers):
        return True
    return headers.get("sec-fetch-site") in ("cross-site", "same-site")


def _host_of_origin(origin: str) -> str | None:
    """The host of an origin with its port; None where it is no address."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


# Listening sockets.


def bind_socket(host: str, port: int) -> socket.socket:
    """Open the socket to listen on; port 0 is any free port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except socket.gaierror as error:
        listening.close()
        problem = f"{host} is no address of this machine ({error.strerror})"
        raise InvalidInput("host", f"{problem}; 127.0.0.1 is this machine alone") from error
    except OSError as error:
        listening.close()
        raise InvalidInput(
            "port",
            f"cannot listen on {host}:{port} ({error.strerror});"
            " stop what listens there, or name another with --port",
        ) from error
    return listening


def socket_url(listening: socket.socket) -> str:
    """Where a socket listens, as an address for HTTP."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def to_local_url(url: str) -> str:
    """The URL by which this machine reaches a server that listens on all addresses."""
    return url.replace("0.0.0.0", "127.0.0.1").replace("[::]", "[::1]")


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine can reach a host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
