"""Lists that had no end: `limit` bounds them, in a program and at a server."""

import pytest

from tacit import InvalidInput
from tacit.core.projects import Checkout
from tests.serving import served

REMOTE = "github.com/acme/shop"


@pytest.fixture
def wells(tacit):
    """A memory with three changes, three links and three marks."""
    return _fill(tacit)


def _fill(tacit):
    one = tacit.remember("The old well is deep").id
    for number in (1, 2):
        tacit.edit(one, importance=number / 10)
    for weight in (0.2, 0.9, 0.5):
        tacit.memories.link(one, tacit.remember(f"A well of {weight}").id, weight=weight)
    asked = ("How deep is it?", "Which well is old?", "Where is water?")
    marks = [tacit.turns.mark_irrelevant_for(each, one) for each in asked]
    return one, marks


def test_a_history_ends_with_the_last_change(tacit, wells):
    one, _ = wells
    whole = tacit.memories.history(one)
    assert list(tacit.memories.history(one, limit=2)) == list(whole[-2:])
    assert list(tacit.memories.history(one, limit=1_000)) == list(whole)


def test_the_links_of_most_weight_are_listed_first_where_there_are_too_many(tacit, wells):
    one, _ = wells
    assert len(tacit.memories.links(one)) == 3
    assert [edge.weight for edge in tacit.memories.links(one, limit=2)] == [0.9, 0.5]


def test_the_last_marks_are_listed_oldest_first(tacit, wells):
    one, marks = wells
    assert [each.id for each in tacit.turns.marks(one, limit=2)] == marks[-2:]


def test_folders_of_projects_are_listed_page_by_page(tacit):
    for number in range(5):
        here = Checkout(path=f"/srv/shop{number}", host="", remote=REMOTE)
        tacit.projects.match(here)
        if number:
            tacit.projects.join(here)
    whole = tacit.projects.places()
    assert [each.path for each in whole] == [f"/srv/shop{number}" for number in range(5)]
    for asked in ({}, {"project": REMOTE}):
        first = tacit.projects.places(**asked, limit=2)
        assert first == whole[:2]
        assert tacit.projects.places(**asked, limit=2, after=first[-1]) == whole[2:4]


@pytest.mark.parametrize("limit", [0, 1_001, True, "2"])
def test_a_limit_that_is_no_number_of_rows_is_refused(tacit, wells, limit):
    one, _ = wells
    for call in (tacit.memories.history, tacit.memories.links, tacit.turns.marks):
        with pytest.raises(InvalidInput, match="limit"):
            call(one, limit=limit)
    with pytest.raises(InvalidInput, match="limit"):
        tacit.projects.places(limit=limit)


def test_a_server_bounds_the_same_lists():
    with served() as house:
        one, marks = _fill(house.tacit)
        for name in ("history", "links", "marks"):
            path = f"/v1/memories/{one}/{name}"
            whole, some = (
                house.client.get(path + asked).json()["items"] for asked in ("", "?limit=1")
            )
            assert len(whole) >= 3
            assert len(some) == 1
            assert some[0] in whole
            assert house.client.get(f"{path}?limit=0").status_code == 422
        assert some[0]["id"] == marks[-1]
