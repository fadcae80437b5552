"""Requests that ask for another host, or come from a page of another site, are refused."""

from starlette.datastructures import Headers

from tacit.runtime.addresses import AllowedHosts, HostObjection, requested_host, strip_port
from tacit.server.problems import CROSS_SITE, WRONG_HOST, Refusal


def check(hosts: AllowedHosts, headers: Headers) -> None:
    """Refuse another name, and other sites."""
    objection = hosts.find_objection(headers)
    if objection is HostObjection.HOST:
        name = strip_port(requested_host(headers))
        detail = f"{name[:100]!r} is not a name of this server; --allow-host adds one"
        raise Refusal(WRONG_HOST, detail)
    if objection is HostObjection.SITE:
        raise Refusal(CROSS_SITE, "ask from a program, or from a page of this server")
