"""The address of a client: that of the connection, or the one that a trusted proxy names."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Networks = tuple[IPv4Network | IPv6Network, ...]

_IPV6_SITE = 64
"""A client has at least a network of this length, so all its addresses count as one."""


def client_address(peer: str, forwarded: Sequence[str], trusted: Networks) -> str:
    """Whom a request comes from.

    `forwarded` are the X-Forwarded-For headers. They count only if the connection comes from a
    trusted proxy: then the last address in them that is not a trusted proxy is the client's, since
    everything before it may be made up. A name that is no address counts as it is.
    """
    address = _address(peer)
    if address is None or not _is_in(address, trusted):
        return _name(peer)
    named = [part.strip() for header in forwarded for part in header.split(",")]
    for part in reversed(named):
        before = _address(part)
        if before is None:
            break
        address = before
        if not _is_in(before, trusted):
            break
    return _name(str(address))


def _address(text: str) -> IPv4Address | IPv6Address | None:
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


def _name(text: str) -> str:
    found = _address(text)
    if isinstance(found, IPv6Address) and not found.is_loopback:
        return str(ip_network((found.packed, _IPV6_SITE), strict=False))
    return text if found is None else str(found)
