"""Which requests a server or its pages let in, by their headers."""

import pytest

from tacit.access.hosts import Hosts, Objection


@pytest.mark.parametrize(
    ("headers", "objection"),
    [
        ({"host": "127.0.0.1:8377"}, None),
        ({"host": "localhost"}, None),
        ({"host": "[::1]:8377"}, None),
        ({"host": "Memory.Example.org:443"}, None),
        ({"host": "evil.example"}, Objection.HOST),
        ({}, Objection.HOST),
        ({"host": "localhost:1", "origin": "http://localhost:1"}, None),
        ({"host": "localhost:1", "origin": "http://localhost:2"}, Objection.SITE),
        ({"host": "localhost:1", "origin": "null"}, Objection.SITE),
        ({"host": "localhost:1", "sec-fetch-site": "cross-site"}, Objection.SITE),
        ({"host": "localhost:1", "sec-fetch-site": "same-origin"}, None),
    ],
)
def test_other_names_and_other_sites_are_objected_to(headers, objection):
    assert Hosts(["memory.example.org"]).objection(headers) is objection


def test_where_any_name_will_do_other_sites_still_will_not():
    anywhere = Hosts(["*"])
    assert anywhere.objection({"host": "any.example"}) is None
    foreign = {"host": "any.example", "origin": "https://evil.example"}
    assert anywhere.objection(foreign) is Objection.SITE
