"""Requests that ask for another host, or come from a page of another site, are refused."""

from starlette.datastructures import Headers

from tacit.runtime.hosts import Hosts, Objection, host_of, name_of
from tacit.server.problems import CROSS_SITE, WRONG_HOST, Refusal


def check(hosts: Hosts, headers: Headers) -> None:
    """Refuse another name, and other sites."""
    objection = hosts.objection(headers)
    if objection is Objection.HOST:
        name = name_of(host_of(headers))
        detail = f"{name[:100]!r} is not a name of this server; --allow-host adds one"
        raise Refusal(WRONG_HOST, detail)
    if objection is Objection.SITE:
        raise Refusal(CROSS_SITE, "ask from a program, or from a page of this server")
