"""Which requests a server or its pages let in, by their headers."""

import pytest

from tacit.core.errors import InvalidInput
from tacit.runtime.addresses import AllowedHosts, HostObjection, client_address
from tacit.runtime.limits import RateLimiter
from tacit.settings.server import ServerSettings


@pytest.mark.parametrize(
    ("headers", "objection"),
    [
        ({"host": "127.0.0.1:8377"}, None),
        ({"host": "localhost"}, None),
        ({"host": "[::1]:8377"}, None),
        ({"host": "Memory.Example.org:443"}, None),
        ({"host": "evil.example"}, HostObjection.HOST),
        ({}, HostObjection.HOST),
        ({"host": "localhost:1", "origin": "http://localhost:1"}, None),
        ({"host": "localhost:1", "origin": "http://localhost:2"}, HostObjection.SITE),
        ({"host": "localhost:1", "origin": "null"}, HostObjection.SITE),
        ({"host": "localhost:1", "sec-fetch-site": "cross-site"}, HostObjection.SITE),
        ({"host": "localhost:1", "sec-fetch-site": "same-origin"}, None),
    ],
)
def test_other_names_and_other_sites_are_objected_to(headers, objection):
    assert AllowedHosts(["memory.example.org"]).find_objection(headers) is objection


def test_where_any_name_will_do_other_sites_still_will_not():
    anywhere = AllowedHosts(["*"])
    assert anywhere.find_objection({"host": "any.example"}) is None
    foreign = {"host": "any.example", "origin": "https://evil.example"}
    assert anywhere.find_objection(foreign) is HostObjection.SITE


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("192.0.2.7", [], "192.0.2.7"),
        ("192.0.2.7", ["198.51.100.1"], "192.0.2.7"),  # no proxy of ours: it may say anything
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["127.0.0.1, 198.51.100.1"], "198.51.100.1"),  # what comes before is made up
        ("10.0.0.1", ["203.0.113.9", "198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        ("10.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"),
        ("10.0.0.1", ["[2001:db8::7]:4711"], "2001:db8::/64"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", ["198.51.100.1, nonsense"], "10.0.0.1"),
        ("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("2001:db8::7", [], "2001:db8::/64"),
        ("2001:db8::8", ["198.51.100.1"], "2001:db8::/64"),
        ("::1", [], "::1"),
        ("testclient", ["198.51.100.1"], "testclient"),
        ("", ["198.51.100.1"], ""),
    ],
)
def test_only_trusted_proxies_name_the_address_of_a_client(peer, forwarded, address):
    trusted = ServerSettings(trusted_proxies="10.0.0.0/8, fd00::1").proxy_networks
    assert client_address(peer, forwarded, trusted) == address


def test_without_trusted_proxies_nobody_names_an_address():
    trusted = ServerSettings().proxy_networks
    assert client_address("127.0.0.1", ["198.51.100.1"], trusted) == "127.0.0.1"


def test_trusted_proxies_are_addresses_and_networks():
    with pytest.raises(InvalidInput, match=r"'proxy\.example' is no address"):
        ServerSettings(trusted_proxies="10.0.0.1, proxy.example")


def test_what_is_given_back_can_be_taken_again():
    limiter = RateLimiter(lambda: 0.0)
    assert [limiter.wait("a", 12) for _ in range(3)] == [0, 0, 5 + 1]
    limiter.give_back("a")
    limiter.give_back("nobody")
    assert limiter.wait("a", 12) == 0
    assert limiter.wait("b", 12) == 0
