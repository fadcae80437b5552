"""The page about episodes: whose words are listed, page by page, and found by a search."""

import pytest

from tacit import Tacit
from tacit.ui.pages.said.said_query import PAGE_SIZE, SaidQuery, find_said
from tacit.ui.speakers import recent_speakers
from tests.support import say

pytestmark = pytest.mark.episodes

BOILER = "the boiler in the cellar makes a noise like a kettle"
BEES = "the tenants of the attic keep bees"


@pytest.fixture
def tacit():
    with Tacit.open(":memory:", embedder="none") as tacit:
        yield tacit


def _words(tacit, **asked):
    return [each.text for each in find_said(tacit, SaidQuery(**asked)).episodes]


def test_an_address_and_its_query_say_the_same():
    query = SaidQuery(user="ann", text="bees & boilers")
    assert query.to_query() == {"user": "ann", "text": "bees & boilers"}
    assert SaidQuery.from_query({**query.to_query(), "workspace": "w"}) == query
    assert SaidQuery(session="s").has_owner
    assert not SaidQuery(project="p", text="bees").has_owner


def test_words_are_listed_by_user_project_and_session(tacit):
    say(tacit, BOILER, session="house", user="ann", project="home")
    say(tacit, BEES, session="attic", user="ann")
    say(tacit, "the cellar key hangs behind the door", session="keys", user="ben")
    assert _words(tacit, user="ann") == [BEES, BOILER]
    assert _words(tacit, user="ann", project="work") == [BEES]
    assert _words(tacit, user="ann", session="house") == [BOILER]


def test_forgotten_words_are_listed_and_not_found(tacit):
    say(tacit, BEES, user="ann")
    tacit.episodes.forget(tacit.episodes.list(user="ann")[0].id)
    (listed,) = find_said(tacit, SaidQuery(user="ann")).episodes
    assert (listed.text, listed.forgotten) == (BEES, True)
    assert _words(tacit, user="ann", text="who keeps bees") == []


def test_a_search_finds_the_words_that_fit_in_the_session_that_is_named(tacit):
    say(tacit, BOILER, session="house", user="ann")
    say(tacit, BEES, session="attic", user="ann")
    assert _words(tacit, user="ann", text="noise of the boiler")[0] == BOILER
    assert _words(tacit, user="ann", text="noise of the boiler", session="attic") in ([], [BEES])


def test_pages_follow_each_other_without_gaps(tacit):
    for number in range(PAGE_SIZE + 2):
        say(tacit, f"crate number {number} holds old maps", session=f"c{number}", user="ann")
    first = find_said(tacit, SaidQuery(user="ann"))
    second = find_said(tacit, SaidQuery(user="ann", after=first.episodes[-1].id))
    assert (len(first.episodes), first.has_more) == (PAGE_SIZE, True)
    assert [each.text for each in second.episodes] == [
        f"crate number {number} holds old maps" for number in (1, 0)
    ]
    assert not second.has_more


def test_those_who_spoke_last_are_offered_first(tacit):
    say(tacit, BOILER, session="house", user="ann")
    say(tacit, BEES, session="attic", user="ben")
    assert recent_speakers(tacit) == ["ben", "ann"]
