"""Changes over HTTP: who sees what memory did by itself, and who undoes it."""

import pytest

from tests.serving import served


@pytest.fixture
def house():
    with served() as house:
        yield house


def _replaced(house, **fields):
    """A memory of an agent that was replaced by a newer value."""
    for value in ("tabs", "spaces"):
        house.tacit.remember(value, key="editor.indent", by="agent", **fields)
    return house.tacit.changes.list()[0]


def _list(house, key=None, **asked):
    return house.client.get("/v1/changes", params=asked, headers=key).json()["items"]


def _undo(house, change, key=None, **body):
    path = f"/v1/changes/{change.id}/undo"
    return house.client.post(path, json=body or None, headers=key)


def test_changes_are_listed_with_both_wordings_and_undone(house):
    change = _replaced(house)
    assert house.client.get("/v1/changes").json() == {"items": [change.to_dict()], "next": None}
    answer = _undo(house, change)
    assert (answer.status_code, answer.json()["status"]) == (200, "restored")
    (listed,) = _list(house)
    assert listed["undone"]
    assert house.tacit.memories.history(change.memory.id)[-1].by == "user"


def test_changes_come_in_pages(house):
    for value in ("one", "two", "three", "four"):
        house.tacit.remember(value, key="the.key", by="agent")
    first = house.client.get("/v1/changes", params={"limit": 2}).json()
    rest = house.client.get("/v1/changes", params={"after": first["next"]}).json()
    seen = [each["id"] for each in (*first["items"], *rest["items"])]
    assert seen == [each.id for each in house.tacit.changes.list()]


def test_others_neither_see_nor_undo_what_is_not_theirs(house):
    change = _replaced(house, scope="user", scope_id="ann", agent="planner")
    for who in ({"user": "ben"}, {"agent": "coder"}):
        key = house.key("write", **who)
        assert _list(house, key) == []
        assert _undo(house, change, key).status_code == 404
    assert not house.tacit.changes.list()[0].undone
    own = house.key("write", user="ann")
    assert [each["id"] for each in _list(house, own)] == [change.id]
    assert _undo(house, change, own).json()["status"] == "restored"


def test_an_agents_key_asks_a_person_to_undo_what_words_of_a_person_did(house):
    older = house.tacit.remember("tabs", key="editor.indent", by="agent").id
    newer = house.tacit.remember("spaces", key="editor.indent", by="agent").id
    house.tacit.edit(newer, content="two spaces")
    (change,) = house.tacit.changes.list()
    key = house.key("write", agent="coder")
    answer = _undo(house, change, key).json()
    assert (answer["status"], answer["review"]["action"]) == ("queued", "restore")
    assert house.tacit.get(older).superseded_by == newer
    assert _undo(house, change, key, by="user").status_code == 403


def test_who_only_reads_undoes_nothing(house):
    change = _replaced(house)
    assert _undo(house, change, house.key("read")).status_code == 403
