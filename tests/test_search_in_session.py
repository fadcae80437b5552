"""A search inside a session sees what a turn there sees: its memories, and those of no other."""

import pytest

from tacit import InvalidInput
from tacit.api.tacit import share_workspace
from tests.serving import served
from tests.support import HandClock, say, writing_opener

MODES = ["hybrid", "recent", "important"]


def _fill(tacit):
    tacit.remember("The harbour closes at noon", session="planning")
    tacit.remember("The harbour closes at dusk", session="rumours")
    tacit.remember("The harbour is old", user="ann")
    tacit.remember("The harbour is small", user="bob")
    tacit.remember("The harbour is public", org=True)


def _found(result):
    return {hit.memory.content.removeprefix("The harbour ") for hit in result.hits}


@pytest.mark.parametrize("mode", MODES)
def test_a_user_in_a_session_finds_what_is_of_both(tacit, mode):
    _fill(tacit)
    asked = {"mode": mode, "min_score": 0, "user": "ann"}
    assert _found(tacit.search("harbour", **asked)) == {"is old", "is public"}
    inside = tacit.search("harbour", **asked, session="planning")
    assert _found(inside) == {"is old", "is public", "closes at noon"}
    assert _found(tacit.search("harbour", **asked, session="new")) == {"is old", "is public"}


@pytest.mark.parametrize("mode", MODES)
def test_what_was_kept_for_another_session_is_not_found_inside_one(tacit, mode):
    _fill(tacit)
    asked = {"mode": mode, "min_score": 0}
    assert "closes at dusk" in _found(tacit.search("harbour", **asked))
    inside = _found(tacit.search("harbour", **asked, session="planning"))
    assert "closes at noon" in inside
    assert "closes at dusk" not in inside


@pytest.mark.episodes
def test_what_nobody_known_said_in_the_session_is_searched_too(tmp_path):
    with writing_opener(tmp_path, embedder="none", clock=HandClock()) as opened:
        _search_what_was_said(share_workspace(opened(), "default"))


def _search_what_was_said(shared):
    say(shared, "we saw the old lighthouse with Jonas", session="planning")

    def said(**asked):
        found = shared.search("the lighthouse we saw with Jonas", episodes=True, **asked).episodes
        return [hit.episode.text for hit in found]

    assert said(session="planning") == ["we saw the old lighthouse with Jonas"]
    assert said() == said(session="rumours") == []


def test_a_session_without_a_name_is_refused(tacit):
    with pytest.raises(InvalidInput, match="session"):
        tacit.search("harbour", session="")


def test_at_a_server_a_session_of_others_adds_nothing():
    with served() as house:
        _fill(house.tacit)
        for name in ("ann", "bob"):
            with house.tacit.turn(session=f"of {name}", text="hello", user=name) as turn:
                turn.commit("hi")
            house.tacit.remember(f"The harbour is {name}'s", session=f"of {name}")
        key = house.key("read", user="ann")

        def found(session):
            body = {"text": "harbour", "session": session, "settings": {"min_score": 0}}
            answer = house.client.post("/v1/search", json=body, headers=key)
            assert answer.status_code == 200
            return {hit["memory"]["content"] for hit in answer.json()["hits"]}

        assert "The harbour is ann's" in found("of ann")
        assert found("of bob") == found("new") == {"The harbour is old", "The harbour is public"}
