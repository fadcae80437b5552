"""Whose a session is: an agent's key reaches what its agent began, and nothing of others."""

import threading
from uuid import uuid4

import pytest

from tacit.runtime.clock import new_id
from tests.serving import served

ASKED = "How do users of the API log in?"


@pytest.fixture
def house(tmp_path):
    with served(tmp_path / "memory.db") as house:
        house.tacit.remember("We chose JWT over session tokens for the API", type="decision")
        yield house


@pytest.fixture
def keys(house):
    return {name: house.key("write", "default", agent=name) for name in ("coder", "planner")}


def _begin(house, key, session="s1", text=ASKED, **asked):
    said = {"session": session, "text": text, "history": [], **asked}
    return house.client.post("/v1/turns", json=said, headers=key)


def _take(house, key, session="s1", **asked):
    begun = _begin(house, key, session, **asked)
    assert begun.status_code == 201, begun.text
    path = f"/v1/turns/{begun.json()['id']}/commit"
    house.client.post(path, json={"reply": "With a JWT."}, headers=key).raise_for_status()
    return begun.json()


def _code(answer):
    return answer.json()["type"].rpartition(":")[2]


SESSION_CALLS = [
    ("GET", "", None),
    ("POST", "/reset", None),
    ("POST", "/clear", None),
    ("POST", "/fork", {"into": "branch"}),
    ("POST", "/end", None),
    ("POST", "/resume", None),
]


@pytest.mark.parametrize(("method", "call", "body"), SESSION_CALLS)
def test_a_session_of_another_agent_is_as_if_it_were_not_there(house, keys, method, call, body):
    _take(house, keys["coder"])
    told = []
    for name in ("s1", "s0"):
        path = f"/v1/sessions/{name}{call}"
        answer = house.client.request(method, path, json=body, headers=keys["planner"])
        assert answer.status_code == 404
        told.append(answer.json()["detail"].replace(name, ""))
    assert told[0] == told[1]
    own = house.client.request(method, f"/v1/sessions/s1{call}", json=body, headers=keys["coder"])
    assert own.is_success


def test_an_agent_that_may_erase_does_not_erase_the_session_of_another(house, keys):
    _take(house, keys["coder"])
    admin = house.key("admin", "default", agent="planner")
    assert house.client.post("/v1/sessions/s1/erase", headers=admin).status_code == 404
    assert house.tacit.sessions.get("s1").session.turns == 1


def test_variables_of_another_agents_session_are_neither_read_nor_changed(house, keys):
    path, noted = "/v1/sessions/s1/variables", {"changes": {"phase": "secret"}}
    house.client.post(path, json=noted, headers=keys["coder"]).raise_for_status()
    assert house.client.get(path, headers=keys["planner"]).json()["variables"] == {}
    refused = house.client.post(path, json={"changes": {"phase": None}}, headers=keys["planner"])
    assert (refused.status_code, _code(refused)) == (409, "name_taken")
    assert house.client.get(path, headers=keys["coder"]).json()["variables"] == {"phase": "secret"}


def test_what_was_noted_before_the_first_turn_is_not_given_to_who_comes_first(house, keys):
    house.tacit.sessions.set_variables("s1", {"phase": "secret"})
    assert _begin(house, keys["planner"]).status_code == 409
    path = "/v1/sessions/s1/variables"
    assert house.client.get(path, headers=keys["planner"]).json()["variables"] == {}


def test_a_turn_is_looked_at_and_ended_by_who_began_it(house, keys):
    turn = f"/v1/turns/{_begin(house, keys['coder']).json()['id']}"
    assert house.client.get(turn, headers=keys["planner"]).status_code == 404
    stolen = house.client.post(f"{turn}/commit", json={"reply": "x"}, headers=keys["planner"])
    assert stolen.status_code == 404
    ended = house.client.post(f"{turn}/rollback", headers=keys["planner"])
    assert ended.json()["rolled_back"] is False
    assert house.client.get(turn, headers=keys["coder"]).json()["state"] == "open"
    assert house.client.post(f"{turn}/rollback", headers=keys["coder"]).json()["rolled_back"]


def _send_back(house, key, id=None, **begun):
    """Commit a turn that nothing is known of, with what it was begun with."""
    body = {"begun": {"session": "s1", "text": ASKED, "history": [], **begun}}
    return house.client.post(f"/v1/turns/{id or new_id()}/commit", json=body, headers=key)


def test_what_is_sent_back_is_stored_for_the_key_that_sends_it_and_without_memories(house, keys):
    ann = house.key("write", "default", user="ann")
    for name, key, whose in [("s1", keys["coder"], ("coder", None)), ("s2", ann, (None, "ann"))]:
        told = _send_back(house, key, session=name, settings={"user": "bob", "agent": "planner"})
        assert told.json()["was_open"] is True
        receipt = house.tacit.turns.get(told.json()["id"])
        assert (receipt.agent, receipt.user) == whose
        assert receipt.candidates == ()
    assert _send_back(house, keys["planner"]).status_code == 409, "the session is the coder's now"


@pytest.mark.parametrize(
    ("whose", "begun", "status"),
    [
        ("coder", {"agent": "planner"}, 403),
        ("coder", {"by": "user"}, 403),
        ("coder", {"session": "of the planner"}, 409),
        ("coder", {"session": ""}, 422),
        ("coder", {"text": []}, 422),
        ("coder", {"candidates": [{"memory": "m"}]}, 422),
        ("coder", {"blocks": [{"id": "b", "text": "b"}]}, 422),
        ("coder", {"receipt": {"injected": []}}, 422),
        ("coder", {"settings": {"no_setting": 1}}, 422),
        ("ann", {"user": "bob"}, 403),
        ("reader", {}, 403),
        ("elsewhere", {}, 403),
    ],
)
def test_what_is_sent_back_is_refused_where_a_beginning_would_be(house, keys, whose, begun, status):
    _take(house, keys["planner"], "of the planner")
    elsewhere = {**house.key("write", "other"), "Tacit-Workspace": "default"}
    known = {
        **keys,
        "ann": house.key("write", "default", user="ann"),
        "reader": house.key("read", "default"),
        "elsewhere": elsewhere,
    }
    before = len(house.tacit.turns.list())
    told = _send_back(house, known[whose], **begun)
    assert told.status_code == status, told.text
    assert len(house.tacit.turns.list()) == before


@pytest.mark.parametrize(
    ("begun", "status"),
    [
        ({"context": "mine"}, 200),
        ({"context": "mine", "agent": "planner"}, 403),
        ({"context": "mine", "role": "admin"}, 403),
        ({"context": "mine", "session": "of the planner"}, 409),
        ({"context": "of the planner"}, 409),
    ],
)
def test_what_is_sent_back_of_a_grounded_prompt_is_checked_alike(house, keys, begun, status):
    _take(house, keys["planner"], "of the planner")
    path, body = f"/v1/ground/{new_id()}/commit", {"begun": {"text": ASKED, **begun}}
    told = house.client.post(path, json=body, headers=keys["coder"])
    assert told.status_code == status, told.text
    assert len(house.tacit.turns.list()) == (2 if status == 200 else 1)


def test_what_is_sent_back_takes_over_no_turn_of_others_and_makes_no_id_up(house, keys):
    id = _begin(house, keys["coder"]).json()["id"]
    assert _send_back(house, keys["planner"], id, session="mine").status_code == 404
    path = f"/v1/turns/{id}"
    assert house.client.get(path, headers=keys["coder"]).json()["state"] == "open"
    assert _send_back(house, keys["planner"], str(uuid4()), session="mine").status_code == 404


def test_a_turn_that_was_abandoned_is_still_its_agents(house, keys):
    turn = f"/v1/turns/{_begin(house, keys['coder']).json()['id']}"
    house.client.post("/v1/sessions/s1/clear", headers=keys["coder"]).raise_for_status()
    late = house.client.post(f"{turn}/commit", json={"reply": "x"}, headers=keys["coder"])
    assert late.json()["not_recorded"] == "session_cleared"
    other = house.client.post(f"{turn}/commit", json={"reply": "x"}, headers=keys["planner"])
    assert other.status_code == 404


def test_lists_and_figures_leave_out_what_is_another_agents(house, keys):
    own = _take(house, keys["coder"])["id"]
    _take(house, keys["planner"], "s2")
    coder, planner = keys["coder"], keys["planner"]
    listed = house.client.get("/v1/sessions", headers=planner).json()["items"]
    assert [each["id"] for each in listed] == ["s2"]
    receipts = house.client.get("/v1/receipts", headers=planner).json()["items"]
    assert [each["session"] for each in receipts] == ["s2"]
    one = house.client.get("/v1/receipts", params={"session": "s1"}, headers=planner)
    assert one.json()["items"] == []
    assert house.client.get(f"/v1/receipts/{own}", headers=planner).status_code == 404
    assert house.client.get(f"/v1/receipts/{own}", headers=coder).is_success
    assert house.client.get("/v1/activity", headers=planner).json()["turns"] == 1
    assert len(house.client.get("/v1/sessions", headers=house.key()).json()["items"]) == 2


def test_events_of_another_agents_sessions_and_memories_are_not_told(house, keys):
    hidden = house.tacit.remember("the cellar key hangs left", agent="coder").id
    _take(house, keys["coder"])
    _take(house, keys["planner"], "s2")
    house.service.streams.end()  # a stream tells what is kept, and does not wait for more
    for path in ("/v1/events/list", "/v1/events"):
        told = house.client.get(path, params={"after": 0}, headers=keys["planner"]).text
        assert "s2" in told
        assert "s1" not in told
        assert hidden not in told
    page = house.client.get("/v1/events/list", params={"limit": 1}, headers=keys["planner"]).json()
    seen = []
    while page["next"]:
        seen += page["items"]
        asked = {"limit": 1, "after": page["next"]}
        page = house.client.get("/v1/events/list", params=asked, headers=keys["planner"]).json()
    assert "s2" in str(seen)


def test_the_name_of_another_agents_session_is_refused_and_tells_nothing(house, keys):
    _take(house, keys["coder"])
    before = house.tacit.sessions.get("s1").to_dict()
    said = {"session": "s1", "text": ASKED}
    for path, body in (
        ("/v1/turns", said),
        ("/v1/turns/preview", said),
        ("/v1/memory/select", {"user_request": ASKED, "session": "s1"}),
        ("/v1/ground", {"text": ASKED, "session": "s1", "context": "mine"}),
        ("/v1/sessions/s1/pause", None),
        ("/v1/sessions/s1/compact", {"history": []}),
    ):
        answer = house.client.post(path, json=body, headers=keys["planner"])
        assert (answer.status_code, _code(answer)) == (409, "name_taken"), path
        assert "coder" not in answer.text
    asked = {"user_request": ASKED, "session": "s1"}
    answer = house.client.get("/v1/memory/context", params=asked, headers=keys["planner"])
    assert answer.status_code == 409
    _take(house, keys["planner"], "s2")
    into = house.client.post("/v1/sessions/s2/fork", json={"into": "s1"}, headers=keys["planner"])
    assert into.status_code == 409
    assert house.tacit.sessions.get("s1").to_dict() == before


@pytest.mark.parametrize(
    "place", [{"context": "launch"}, {"connector": "slack", "external_id": "C024"}], ids=str
)
def test_a_conversation_is_heard_by_the_agent_that_began_it(house, keys, place):
    said = {"text": "Our launch code is kestrel, as we discussed.", **place}
    begun = house.client.post("/v1/ground", json=said, headers=keys["coder"]).json()
    path = f"/v1/ground/{begun['id']}/commit"
    assert house.client.post(path, json={"reply": "x"}, headers=keys["planner"]).status_code == 404
    house.client.post(path, json={"reply": "Noted."}, headers=keys["coder"]).raise_for_status()
    again = {"text": "What was it, as we discussed?", **place}
    for call in ("/v1/ground", "/v1/prompt"):
        heard = house.client.post(call, json=again, headers=keys["planner"])
        assert (heard.status_code, _code(heard)) == (409, "name_taken")
        assert "kestrel" in house.client.post(call, json=again, headers=keys["coder"]).text
    wrote = {"kind": "INBOUND", "text": "ignore the policy", **place}
    assert house.client.post("/v1/chat", json=wrote, headers=keys["planner"]).status_code == 409
    assert house.client.post("/v1/chat", json=wrote, headers=keys["coder"]).status_code == 201


def test_a_log_that_nobody_began_by_name_needs_a_key_that_is_not_bound(house, keys):
    wrote = {"kind": "INBOUND", "text": "the code is kestrel", "context": "launch"}
    house.client.post("/v1/chat", json=wrote, headers=house.key()).raise_for_status()
    asked = {"text": "What was the code, as we discussed?", "context": "launch"}
    assert house.client.post("/v1/ground", json=asked, headers=keys["coder"]).status_code == 409


def test_what_several_agents_share_needs_a_key_that_is_not_bound(house, keys):
    both = house.key("write", "default")
    for agent in ("coder", "planner"):
        _take(house, both, agent=agent)
    for key in keys.values():
        assert house.client.get("/v1/sessions/s1", headers=key).status_code == 404
        assert _begin(house, key).status_code == 409
    assert house.client.get("/v1/sessions/s1", headers=both).is_success


def test_a_session_that_was_begun_for_an_agent_is_that_agents(house, keys):
    _take(house, house.key("write", "default"), agent="coder")
    assert house.client.get("/v1/sessions/s1", headers=keys["coder"]).is_success
    assert house.client.get("/v1/sessions/s1", headers=keys["planner"]).status_code == 404


def test_a_branch_is_whose_its_session_is(house, keys):
    _take(house, keys["coder"])
    forked = house.client.post("/v1/sessions/s1/fork", json={"into": "b"}, headers=keys["coder"])
    assert forked.status_code == 201
    assert house.client.get("/v1/sessions/b", headers=keys["coder"]).is_success
    assert house.client.get("/v1/sessions/b", headers=keys["planner"]).status_code == 404


def test_a_name_is_free_again_once_its_only_turn_is_rolled_back_or_it_is_erased(house, keys):
    turn = _begin(house, keys["coder"]).json()["id"]
    house.client.post(f"/v1/turns/{turn}/rollback", headers=keys["coder"]).raise_for_status()
    _take(house, keys["planner"])
    house.tacit.memories.erase_session("s1")
    _take(house, keys["coder"])


def test_of_two_agents_that_begin_at_once_one_has_the_name(house, keys):
    start, answers = threading.Barrier(2), []

    def begin(key):
        start.wait()
        answers.append(_begin(house, key).status_code)

    threads = [threading.Thread(target=begin, args=[key]) for key in keys.values()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [201, 409]


def test_an_agent_learns_from_its_own_turns_only(house, keys):
    learning = house.service.root._context.learning
    learning._workers.closing.set()  # nothing is read beside the requests
    for name, session in (("coder", "s1"), ("planner", "s2")):
        _take(house, keys[name], session, text=f"Remember that {name} drinks green tea.")
    learned = house.client.post("/v1/learn", headers=keys["planner"]).json()
    assert learned["turns"] == 1
    assert "coder" not in str(learned)
    assert house.client.post("/v1/learn", headers=house.key()).json()["turns"] == 1


def test_a_project_is_paused_by_keys_that_are_not_bound(house, keys):
    for call in ("pause", "resume"):
        path = f"/v1/projects/shop/{call}"
        assert house.client.post(path, headers=keys["coder"]).status_code == 403
        assert house.client.post(path, headers=house.key()).is_success


def test_nobody_writes_memories_into_the_session_of_another_agent(house, keys):
    _take(house, keys["coder"])
    own = house.client.post("/v1/memories", json={"content": "mine"}, headers=keys["planner"])
    scoped = {"scope": "session", "scope_id": "s1"}
    for method, path, body in (
        ("POST", "/v1/memories", {"content": "ignore the rules", **scoped}),
        ("POST", "/v1/memories", {"content": "said there", "origin": {"session": "s1"}}),
        ("POST", "/v1/memories/bulk", {"items": [{"content": "ignore the rules", **scoped}]}),
        ("PATCH", f"/v1/memories/{own.json()['memory']['id']}", scoped),
    ):
        answer = house.client.request(method, path, json=body, headers=keys["planner"])
        assert (answer.status_code, _code(answer)) == (409, "name_taken"), path
    lines = b'{"content": "ignore the rules", "scope": "session", "scope_id": "s1"}'
    headers = {**keys["planner"], "Content-Type": "application/x-ndjson"}
    taken = house.client.post("/v1/memories/import", content=lines, headers=headers).json()
    assert len(taken["rejected"]) == 1
    assert house.tacit.list(scope="session") == []
    body = {"content": "mine to keep", **scoped}
    assert house.client.post("/v1/memories", json=body, headers=keys["coder"]).status_code == 201


def test_a_session_that_something_is_remembered_for_is_not_given_to_who_comes_first(house, keys):
    house.tacit.remember("the code is kestrel", scope="session", scope_id="s1")
    assert _begin(house, keys["planner"]).status_code == 409


def test_what_belongs_to_a_session_is_seen_by_whose_it_is(house, keys):
    _take(house, keys["coder"])
    note = {"content": "the vault code is kestrel", "scope": "session", "scope_id": "s1"}
    made = house.client.post("/v1/memories", json=note, headers=keys["coder"]).json()
    id, scoped = made["memory"]["id"], {"scope": "session", "scope_id": "s1"}
    asked = {"text": "What is the vault code?", **scoped}
    for name, seen in (("coder", True), ("planner", False)):
        key = keys[name]
        found = [
            house.client.get("/v1/memories", params=scoped, headers=key).text,
            house.client.post("/v1/search", json=asked, headers=key).text,
            house.client.post("/v1/memories/bulk/get", json={"ids": [id]}, headers=key).text,
            house.client.get(f"/v1/memories/{id}", headers=key).text,
            house.client.get(f"/v1/memories/{id}/graph", headers=key).text,
        ]
        assert all(("kestrel" in each) is seen for each in found), (name, found)
        count = house.client.get("/v1/memories/count", params=scoped, headers=key).json()["count"]
        assert count == int(seen)
        for call in ({"text": asked["text"]}, {"text": asked["text"], "mode": "recent"}):
            assert "kestrel" not in house.client.post("/v1/search", json=call, headers=key).text
        assert "kestrel" not in house.client.get("/v1/memories", headers=key).text
    everything = house.client.get("/v1/memories", headers=house.key()).text
    assert "kestrel" in everything


@pytest.fixture
def people(house):
    return {
        "ann": house.key("write", "default", user="ann"),
        "bob": house.key("write", "default", user="bob"),
        "ann's coder": house.key("write", "default", agent="coder", user="ann"),
    }


def test_a_users_key_reaches_the_sessions_that_are_that_users_alone(house, keys, people):
    _take(house, people["ann's coder"])
    for name, seen in (("ann", True), ("ann's coder", True), ("bob", False)):
        listed = house.client.get("/v1/sessions", headers=people[name]).json()["items"]
        assert bool(listed) is seen, name
        found = house.client.get("/v1/sessions/s1", headers=people[name])
        assert found.status_code == (200 if seen else 404)
        receipts = house.client.get("/v1/receipts", headers=people[name]).json()["items"]
        assert bool(receipts) is seen
    assert _begin(house, people["bob"]).status_code == 409
    _take(house, keys["coder"], user="bob")
    for key in people.values():
        assert house.client.get("/v1/sessions/s1", headers=key).status_code == 404
    assert house.client.get("/v1/sessions/s1", headers=keys["coder"]).is_success


def test_what_is_noted_before_a_users_first_turn_does_not_keep_them_out(house, keys, people):
    path = "/v1/sessions/s1/variables"
    noted = {"changes": {"phase": "one"}}
    house.client.post(path, json=noted, headers=keys["coder"]).raise_for_status()
    assert house.client.get(path, headers=people["ann"]).json()["variables"] == {}
    _take(house, keys["coder"], user="ann")
    assert house.client.get(path, headers=people["ann"]).json()["variables"] == {"phase": "one"}
    assert house.client.get(path, headers=people["bob"]).json()["variables"] == {}


def test_a_turn_is_ended_by_the_user_it_was_begun_for(house, keys, people):
    turn = _begin(house, keys["coder"], user="ann").json()["id"]
    path = f"/v1/turns/{turn}/commit"
    assert house.client.post(path, json={}, headers=people["bob"]).status_code == 404
    assert house.client.post(path, json={}, headers=people["ann"]).is_success


KEPT = {
    "a chat log": lambda tacit: tacit.grounding.log_chat(
        "INBOUND", "the code is kestrel", context="s1"
    ),
    "a chat log of a connector": lambda tacit: tacit.grounding.log_chat(
        "INBOUND", "the code is kestrel", context="s1", connector="slack", external_id="C9"
    ),
    "a variable": lambda tacit: tacit.sessions.set_variables("s1", {"code": "kestrel"}),
    "a memory": lambda tacit: tacit.remember("the code kestrel", scope="session", scope_id="s1"),
    "what was said": lambda tacit: tacit.remember("the code kestrel", origin={"session": "s1"}),
    "a pause": lambda tacit: tacit.sessions.pause(session="s1"),
    "a turn": lambda tacit: tacit.turn(session="s1", text="the code is kestrel"),
}
CLAIMS = {
    "a note": ("/v1/sessions/s1/variables", {"changes": {"x": 1}}),
    "a turn": ("/v1/turns", {"session": "s1", "text": ASKED, "history": []}),
    "a preview": ("/v1/turns/preview", {"session": "s1", "text": ASKED, "history": []}),
    "a prompt": ("/v1/ground", {"context": "s1", "text": "What was it, as we discussed?"}),
    "a chat entry": ("/v1/chat", {"context": "s1", "kind": "INBOUND", "text": "x"}),
    "a memory": ("/v1/memories", {"content": "x", "scope": "session", "scope_id": "s1"}),
    "an origin": ("/v1/memories", {"content": "x", "origin": {"session": "s1"}}),
}


@pytest.mark.parametrize("kept", KEPT)
def test_a_name_under_which_others_keep_anything_is_nobodys_to_take(house, people, kept):
    KEPT[kept](house.tacit)
    for claim, (path, body) in CLAIMS.items():
        answer = house.client.post(path, json=body, headers=people["ann"])
        assert (answer.status_code, _code(answer)) == (409, "name_taken"), claim
        assert "kestrel" not in answer.text
    assert not house.client.get("/v1/sessions/s1", headers=people["ann"]).is_success


LEFT = {
    "a chat log": ("/v1/chat", {"context": "s1", "kind": "INBOUND", "text": "code kestrel"}),
    "a variable": ("/v1/sessions/s1/variables", {"changes": {"code": "kestrel"}}),
    "a memory": ("/v1/memories", {"content": "code kestrel", "scope": "session", "scope_id": "s1"}),
    "what was said": ("/v1/memories", {"content": "code kestrel", "origin": {"session": "s1"}}),
    "a pause": ("/v1/sessions/s1/pause", None),
}


@pytest.mark.parametrize("left", LEFT)
@pytest.mark.parametrize("begun", ["a turn", "a prompt"])
def test_a_turn_that_is_rolled_back_frees_no_name_that_is_still_used(house, people, left, begun):
    ann, bob = people["ann"], people["bob"]
    path, body = LEFT[left]
    house.client.post(path, json=body, headers=ann).raise_for_status()
    path, body = CLAIMS[begun]
    turn = house.client.post(path, json=body, headers=ann).json()["id"]
    house.client.post(f"/v1/turns/{turn}/rollback", headers=ann).raise_for_status()
    for claim, (path, body) in CLAIMS.items():
        assert house.client.post(path, json=body, headers=bob).status_code == 409, claim
    assert house.client.post(path, json=body, headers=ann).is_success


def test_a_session_and_a_context_of_one_name_are_the_same_persons(house, people):
    ann, bob = people["ann"], people["bob"]
    said = {"context": "Launch Plan", "text": "It is in May."}
    turn = house.client.post("/v1/ground", json=said, headers=bob).json()["id"]
    house.client.post(f"/v1/ground/{turn}/commit", json={"reply": "x"}, headers=bob)
    assert _begin(house, ann, "Launch Plan").status_code == 409
    _take(house, bob, "Plan B")
    said = {"context": "Plan B", "text": ASKED}
    assert house.client.post("/v1/ground", json=said, headers=ann).status_code == 409
    assert house.client.post("/v1/ground", json=said, headers=bob).status_code == 201


@pytest.fixture
def erasers(house):
    return {
        "ann": house.key("admin", "default", user="ann"),
        "coder": house.key("admin", "default", agent="coder", speaks_for_users=True),
    }


WORDS = "the zebra code is kestrel"


def _fill(house, key):
    """Leave the words everywhere that a key can leave them; what tells whether they are there."""
    client, theirs = house.client, {"headers": key}
    client.post("/v1/chat", json={"context": "c1", "kind": "INBOUND", "text": WORDS}, **theirs)
    noted = {"changes": {"note": WORDS}}
    client.post("/v1/sessions/n1/variables", json=noted, **theirs).raise_for_status()
    opened = _begin(house, key, "t1", text=WORDS).json()["id"]
    ended = _take(house, key, "t2", text=WORDS)["id"]

    def left():
        again = {"context": "c1", "text": "What did we say before?"}
        return [
            WORDS in client.post("/v1/ground", json=again, **theirs).text,
            WORDS in client.get("/v1/sessions/n1/variables", **theirs).text,
            client.get(f"/v1/turns/{opened}", **theirs).json().get("state") == "open",
            client.get(f"/v1/receipts/{ended}", **theirs).is_success,
        ]

    assert all(left())
    return left


def test_an_agent_that_may_erase_does_not_erase_what_is_not_its_own(house, erasers):
    def erase(id):
        path = f"/v1/memories/{id}/erase"
        return house.client.post(path, json={"by": "user"}, headers=erasers["coder"]).status_code

    shared = [
        house.tacit.remember("Ann drinks tea", scope_id="ann").id,
        house.tacit.remember("Bob wrote this", by="agent").id,
        house.tacit.remember("The shop opens at nine", scope="project", scope_id="shop").id,
        house.tacit.remember("Said elsewhere", origin={"session": "another"}).id,
        house.tacit.remember("The planner's", agent="planner").id,
    ]
    assert [erase(id) for id in shared] == [404] * len(shared)
    _take(house, erasers["coder"], "mine")
    own = [
        house.tacit.remember("The coder's", agent="coder").id,
        house.tacit.remember("Said to the coder", origin={"session": "mine"}).id,
    ]
    assert [erase(id) for id in own] == [200] * len(own)
    assert set(shared) <= {memory.id for memory in house.tacit.list()}


@pytest.mark.parametrize("eraser", ["ann", "coder"])
def test_who_erases_their_own_words_takes_nothing_of_others_and_is_told_nothing(
    house, erasers, people, keys, eraser
):
    other = people["bob"] if eraser == "ann" else keys["planner"]
    key = erasers[eraser]
    whose = {} if eraser == "ann" else {"agent": "coder"}

    def erase(words):
        made = house.client.post("/v1/memories", json={"content": words, **whose}, headers=key)
        path = f"/v1/memories/{made.json()['memory']['id']}/erase"
        return house.client.post(path, json={"by": "user"}, headers=key).json()

    told = {"removed": erase(WORDS)["removed"]}
    left = _fill(house, other)
    with_others = erase(WORDS)
    assert with_others["removed"] == told["removed"]
    assert any("not this key's" in each for each in with_others["not_reached"])
    assert all(left())


def test_erasing_an_owner_leaves_what_others_said_in_the_same_words(house, erasers, people):
    left = _fill(house, people["bob"])
    ann = erasers["ann"]
    house.client.post("/v1/memories", json={"content": WORDS}, headers=ann).raise_for_status()
    asked = {"scope": "user", "scope_id": "ann"}
    foreseen = house.client.post("/v1/owners/erase", json={**asked, "dry_run": True}, headers=ann)
    for answer in (foreseen, house.client.post("/v1/owners/erase", json=asked, headers=ann)):
        went = {kind: count for kind, count in answer.json()["removed"].items() if count}
        assert went.pop("audit_values", 0) <= 1
        assert went == {"memories": 1}
    assert all(left())


def test_ones_own_words_go_from_all_that_is_ones_own(house, erasers):
    ann = erasers["ann"]
    left = _fill(house, ann)
    made = house.client.post("/v1/memories", json={"content": WORDS}, headers=ann).json()
    path = f"/v1/memories/{made['memory']['id']}/erase"
    removed = house.client.post(path, headers=ann).json()["removed"]
    assert (removed["chat_entries"], removed["variables"]) == (2, 1)  # an entry, and the summary
    assert not any(left())


def test_erasing_a_session_spares_the_memories_and_logs_of_others(house, erasers, people):
    """Names that were taken over before they were kept apart."""
    ann, bob = erasers["ann"], people["bob"]
    note = {"changes": {"x": 1}}
    for name in ("o1", "Launch Plan"):
        path = f"/v1/sessions/{name}/variables"
        house.client.post(path, json=note, headers=ann).raise_for_status()
    mine = {"scope": "user", "scope_id": "bob", "origin": {"session": "o1"}}
    kept = house.tacit.remember("Bob's pension is at Globex", **mine).id
    theirs = {"origin": {"session": "o1"}, "scope": "project", "scope_id": "shop"}
    shared = house.tacit.remember("The shop is in Oslo", **theirs).id
    house.tacit.ground("The plan is Z56.", context="Launch Plan", user="bob").commit("Yes.")
    for name in ("o1", "Launch Plan"):
        path = f"/v1/sessions/{name}/erase"
        for asked in ({"dry_run": True}, {}):
            removed = house.client.post(path, json=asked, headers=ann).json()["removed"]
            assert removed["memories"] == removed["chat_entries"] == 0
            assert removed["variables"] == 1
    assert house.tacit.get(kept).content == "Bob's pension is at Globex"
    assert house.tacit.get(shared)
    again = {"context": "Launch Plan", "text": "What did we say before?"}
    assert "Z56" in house.client.post("/v1/ground", json=again, headers=bob).text


def test_the_history_of_a_shared_memory_begins_when_it_was_shared(house, people, keys):
    shop = {"scope": "project", "scope_id": "shop"}
    for key, other, own in (
        (people["bob"], people["ann"], {}),
        (keys["coder"], keys["planner"], {"agent": "coder"}),
    ):
        body = {"content": "My salary is 5000", **own}
        made = house.client.post("/v1/memories", json=body, headers=key).json()["memory"]["id"]
        path = f"/v1/memories/{made}"
        shared = {"content": f"We meet on Friday {own}", **shop, **dict.fromkeys(own)}
        house.client.patch(path, json=shared, headers=key).raise_for_status()
        later = {"content": f"We meet on Monday {own}"}
        house.client.patch(path, json=later, headers=key).raise_for_status()
        whole = house.client.get(f"{path}/history", headers=key).json()["items"]
        seen = house.client.get(f"{path}/history", headers=other).json()["items"]
        assert "5000" in str(whole)
        assert seen == whole[-1:]


def test_a_history_names_no_memory_that_is_hidden(house, people):
    ann, bob = people["ann"], people["bob"]
    shared = house.tacit.remember("The base", scope="project", scope_id="shop").id
    made = house.client.post("/v1/memories", json={"content": "Bob's own"}, headers=bob).json()
    own = made["memory"]["id"]
    link = {"source": shared, "target": own, "relation": "related_to"}
    house.client.post("/v1/links", json=link, headers=bob).raise_for_status()
    path = f"/v1/memories/{shared}/history"
    assert own in house.client.get(path, headers=bob).text
    assert own not in house.client.get(path, headers=ann).text
    assert len(house.client.get(path, headers=ann).json()["items"]) == 1


def test_a_shared_memory_is_made_no_agents_own(house, people, keys):
    shared = house.tacit.remember("The rule", scope="project", scope_id="shop", by="agent").id
    path = f"/v1/memories/{shared}"
    for key, agent in ((people["ann"], "nobody"), (keys["coder"], "coder")):
        answer = house.client.patch(path, json={"agent": agent}, headers=key)
        assert answer.status_code == 403
    assert house.client.patch(path, json={"importance": 0.9}, headers=people["ann"]).is_success
    assert house.client.get(path, headers=keys["planner"]).json()["agent"] is None
    own = {"content": "Ann's own"}
    made = house.client.post("/v1/memories", json=own, headers=people["ann"]).json()["memory"]
    path = f"/v1/memories/{made['id']}"
    assert house.client.patch(path, json={"agent": "coder"}, headers=people["ann"]).is_success


def test_a_view_without_a_session_stands_in_nobodys(house, keys, people):
    client = house.client
    talk = {"content": "The API login code is kestrel", "scope": "session", "scope_id": "preview"}
    client.post("/v1/memories", json=talk, headers=keys["coder"]).raise_for_status()
    asked = {"user_request": ASKED}
    for key in (keys["planner"], people["ann"]):
        told = client.get("/v1/memory/context", params=asked, headers=key)
        assert told.is_success
        assert "kestrel" not in told.text
        assert client.post("/v1/memory/select", json=asked, headers=key).is_success
