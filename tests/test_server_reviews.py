"""Reviews over HTTP: what waits is seen, and decided by persons only."""

import pytest

from tests.serving import served


@pytest.fixture
def house():
    with served() as house:
        yield house


@pytest.fixture
def wish(house):
    """An agent's wish to change what a person wrote."""
    mine = house.tacit.remember("the door is blue").id
    return house.tacit.edit(mine, content="the door is red", by="agent").review


def _code(answer):
    return answer.json()["type"].removeprefix("urn:tacit:problem:")


def _ask(house, wish, what, key=None, **body):
    path = f"/v1/reviews/{wish.id}/{what}"
    return house.client.post(path, json=body or None, headers=key)


def test_a_review_is_told_with_the_memory_as_it_is(house, wish):
    assert house.client.get("/v1/reviews").json() == {"items": [wish.to_dict()], "next": None}
    told = house.client.get(f"/v1/reviews/{wish.id}").json()
    assert told["review"] == wish.to_dict()
    assert told["memory"] == house.tacit.get(wish.memory).to_dict()
    assert (told["present"], told["wished"]) == ("the door is blue", "the door is red")
    assert told["other"] is None


def test_reviews_come_in_pages(house):
    for number in range(3):
        house.tacit.forget(house.tacit.remember(f"shelf {number}").id, by="agent")
    first = house.client.get("/v1/reviews", params={"limit": 2}).json()
    rest = house.client.get("/v1/reviews", params={"after": first["next"]}).json()
    seen = [each["id"] for each in (*first["items"], *rest["items"])]
    assert seen == [each.id for each in house.tacit.reviews.list()]


@pytest.mark.parametrize("body", [{}, {"reason": "painted"}, {"reason": "", "by": "operator"}])
def test_what_is_accepted_is_done(house, wish, body):
    answer = _ask(house, wish, "accept", **body)
    assert answer.status_code == 200
    assert answer.json()["status"] == "updated"
    assert answer.json()["memory"] == house.tacit.get(wish.memory).to_dict()
    row = house.tacit.memories.history(wish.memory)[-1]
    assert row.by == body.get("by", "user")
    assert row.new.get("reason", "") == body.get("reason", "")
    assert house.tacit.reviews.list() == []


def test_what_is_rejected_is_dropped(house, wish):
    answer = _ask(house, wish, "reject", reason="it is blue")
    assert (answer.status_code, answer.json()) == (200, wish.to_dict())
    assert house.tacit.get(wish.memory).content == "the door is blue"
    kind, data = [(each.kind, each.data) for each in house.tacit.workspace.events().events][-1]
    assert (kind, data["decision"], data["reason"]) == ("review_decided", "rejected", "it is blue")


@pytest.mark.parametrize("what", ["accept", "reject"])
def test_what_was_decided_is_not_found_any_more(house, wish, what):
    assert _ask(house, wish, what).status_code == 200
    for again in ("accept", "reject"):
        assert (_ask(house, wish, again).status_code) == 404
    assert house.client.get(f"/v1/reviews/{wish.id}").status_code == 404


@pytest.mark.parametrize("what", ["accept", "reject"])
def test_a_decision_that_is_sent_again_has_the_same_answer(house, wish, what):
    key = {"Idempotency-Key": "once"}
    first, second = (_ask(house, wish, what, key, reason="so") for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json() == second.json()
    assert second.headers["idempotent-replayed"] == "true"


def test_a_wish_that_makes_no_sense_any_more_says_why(house, wish):
    house.tacit.edit(wish.memory, content="the door is green")
    answer = _ask(house, wish, "accept")
    assert (answer.status_code, _code(answer)) == (422, "invalid_input")
    assert answer.json()["field"] == "review"
    assert "was changed (content) after this was asked" in answer.json()["detail"]
    twin = house.tacit.edit(wish.memory, content="the gate is red", by="agent").review
    house.tacit.remember("the gate is red")
    assert _code(_ask(house, twin, "accept")) == "already_known"
    assert house.tacit.reviews.list() == [wish, twin]


@pytest.mark.parametrize("role", ["write", "admin"])
@pytest.mark.parametrize("what", ["accept", "reject"])
@pytest.mark.parametrize("body", [{}, {"by": "agent"}, {"by": "user"}])
def test_an_agents_key_never_decides(house, wish, role, what, body):
    key = house.key(role, agent="coder")
    answer = _ask(house, wish, what, key, **body)
    assert (answer.status_code, _code(answer)) == (403, "not_allowed")
    assert "only a person decides" in answer.json()["detail"]
    assert house.tacit.reviews.list() == [wish]


@pytest.mark.parametrize("what", ["accept", "reject"])
def test_a_role_opens_what_it_says(house, wish, what):
    read = house.key("read")
    assert house.client.get(f"/v1/reviews/{wish.id}", headers=read).status_code == 200
    assert _ask(house, wish, what, read).status_code == 403
    assert _ask(house, wish, what, house.key("write")).status_code == 200


@pytest.mark.parametrize("by", ["agent", "tool", "import", "system"])
def test_nobody_decides_in_the_name_of_another_than_a_person(house, wish, by):
    for what in ("accept", "reject"):
        answer = _ask(house, wish, what, by=by)
        assert (answer.status_code, answer.json()["field"]) == (422, "by")
    assert house.tacit.reviews.list() == [wish]


def test_an_agent_does_not_see_wishes_about_another_agents_own(house, wish):
    own = house.tacit.remember("the cellar key hangs left", agent="planner").id
    hidden = house.tacit.forget(own, by="agent").review
    for agent, seen in (("planner", [wish, hidden]), ("coder", [wish])):
        key = house.key("read", agent=agent)
        listed = house.client.get("/v1/reviews", headers=key).json()["items"]
        assert listed == [each.to_dict() for each in seen]
        named = house.client.get("/v1/reviews", params={"agent": agent}, headers=house.key())
        assert named.json()["items"] == listed
        found = house.client.get(f"/v1/reviews/{hidden.id}", headers=key)
        assert found.status_code == (200 if hidden in seen else 404)
    other = house.client.get("/v1/reviews", params={"agent": "planner"}, headers=key)
    assert other.status_code == 403
