"""The contract of a store for the folders that projects are at."""

from tacit.core.projects import ProjectPlace
from tests.support import START


def _place(path, claim="github.com/acme/shop", project=None, host=""):
    return ProjectPlace(host=host, path=path, claim=claim, project=project, at=START)


def _put(store, *places, workspace="w"):
    with store.write(workspace) as unit:
        for each in places:
            unit.places.put(each)


def test_a_place_is_known_by_host_path_and_claim_until_it_is_removed(store):
    here, there = _place("/a", project="p"), _place("/a", project="p", host="other")
    waiting = _place("/a", claim="github.com/acme/other")
    _put(store, here, there, waiting)
    with store.read("w") as unit:
        assert unit.places.get("", "/a", here.claim) == here
        assert unit.places.get("", "/b", here.claim) is None
        assert unit.places.at("", "/a") == [waiting, here]
        assert unit.places.of_project("p") == [here, there]
    decided = _place("/a", claim=waiting.claim, project="/a")
    _put(store, decided)
    with store.write("w") as unit:
        assert unit.places.at("", "/a") == [decided, here]
        assert unit.places.remove(here)
        assert not unit.places.remove(here)
        assert unit.places.of_project("p") == [there]


def test_pages_are_in_the_order_of_host_path_and_claim(store):
    keys = [("", "/b", "x"), ("", "/a", "y"), ("", "/a", "x"), ("h", "/A", "x"), ("", "/ü", "x")]
    _put(store, *(_place(path, claim, host=host) for host, path, claim in keys))
    with store.read("w") as unit:
        found, after = [], None
        while page := unit.places.scan(after, 2):
            found += page
            after = page[-1]
    assert [each.key for each in found] == sorted(keys)


def test_workspaces_do_not_meet(store):
    _put(store, _place("/a", project="p"))
    _put(store, _place("/b", project="p"), workspace="theirs")
    with store.read("w") as unit:
        assert [each.path for each in unit.places.of_project("p")] == ["/a"]
