"""Sessions, projects and receipts over the API."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.api.client.connection import owner_path, quote_segment, session_path
from tacit.core.kinds import Scope
from tacit.server.request_input import decode_name, decode_path_for_matching
from tests.serving import served

ASKED = "Which tokens did we choose for the API?"
NAMES = [
    *("x/variables", "a/b/reset", "/a//b/", "..", ".", "%2F", "100%", "été 日本", "a?b#c", "fork"),
    *("a;b=c&d+e", "a\\b"),
]


@pytest.fixture
def house():
    with served() as house:
        house.tacit.remember("We chose JWT over session tokens for the API", type="decision")
        yield house


def _say(house, session="s1", text=ASKED, **fields):
    """A turn from its beginning to its end; the answer to the beginning."""
    begun = house.client.post("/v1/turns", json={"session": session, "text": text, **fields})
    house.client.post(f"/v1/turns/{begun.json()['id']}/commit", json={}).raise_for_status()
    return begun.json()


def _pages(house, path, **query):
    """Every item of a list, two at a time."""
    items, after = [], None
    while True:
        given = {**query, "limit": 2, **({"after": after} if after else {})}
        page = house.client.get(path, params=given).json()
        items += page["items"]
        after = page["next"]
        if after is None:
            return items


def test_sessions_come_page_by_page_the_last_active_first(house):
    names = [f"s{number}" for number in range(5)]
    for name in [*names, "s1"]:
        _say(house, name)
    listed = _pages(house, "/v1/sessions")
    assert [each["id"] for each in listed] == ["s1", "s4", "s3", "s2", "s0"]
    assert listed[0] == house.tacit.sessions.list(limit=1)[0].to_dict()


def test_a_list_of_sessions_says_which_are_paused(house):
    for name in ("s0", "s1", "shop"):
        _say(house, name)
    house.tacit.sessions.pause(session="s1")
    house.tacit.sessions.pause(project="shop")
    told = {each["id"]: each["paused"] for each in _pages(house, "/v1/sessions")}
    assert told == {"s0": False, "s1": True, "shop": False}


@pytest.mark.parametrize("cursor", ["s1", "yesterday s1", "2026-01-01 ", "2026-01-01 \x00"])
def test_what_is_no_cursor_is_refused(house, cursor):
    answer = house.client.get("/v1/sessions", params={"after": cursor})
    assert (answer.status_code, answer.json()["field"]) == (422, "after")


@pytest.mark.parametrize("name", NAMES)
def test_every_call_on_a_session_reaches_it_by_any_name_it_can_have(house, name):
    _say(house, name)

    def post(what, **body):
        answer = house.client.post(session_path(name, what), **({"json": body} if body else {}))
        assert answer.is_success, answer.text
        return answer.json()

    assert house.client.get(session_path(name)).json()["id"] == name
    assert post("variables", changes={"mood": "calm"})["session"] == name
    noted = house.client.get(session_path(name, "variables")).json()
    assert noted == {"session": name, "variables": {"mood": "calm"}}
    assert post("reset")["previous_count"] == 1
    assert post("clear")["session"] == name
    assert post("compact", history=[])["messages"] == []
    assert post("fork", into=f"{name}/branch")["id"] == f"{name}/branch"
    assert post("end")["session"] == name
    assert post("pause") == {"session": name, "paused": True}
    assert post("resume")["was_paused"]
    assert post("erase")["removed"]["sessions"] == 1
    assert [each["id"] for each in _pages(house, "/v1/sessions")] == [f"{name}/branch"]


@pytest.mark.parametrize("name", NAMES)
def test_a_project_and_an_agent_are_reached_by_any_name_they_can_have(house, name):
    path = owner_path((Scope.PROJECT, name), "pause")
    assert house.client.post(path).json() == {"project": name, "paused": True}
    assert house.tacit.sessions.resume(project=name)
    assert house.client.get(f"/v1/agents/{quote_segment(name)}/config").json()["id"] == name


def test_a_slash_that_is_not_encoded_ends_a_name(house):
    _say(house, "a/b")
    assert house.client.get("/v1/sessions/a/b").status_code == 404
    assert house.client.get("/v1/sessions/a%2fb").json()["id"] == "a/b"
    assert house.client.get("/v1/sessions/%61%2Fb").json()["id"] == "a/b"


@given(name=st.text(min_size=1, max_size=40))
def test_a_name_in_a_path_comes_out_as_it_went_in(name):
    sent = name.encode("utf-8", "replace").decode()
    path = decode_path_for_matching(
        {"raw_path": f"/v1/sessions/{quote_segment(sent)}/variables".encode()}
    )
    head, part, tail = path.rsplit("/", 2)
    assert (head, decode_name(part), tail) == ("/v1/sessions", sent, "variables")


def test_a_session_tells_what_it_was_shown(house):
    begun = _say(house)
    report = house.client.get("/v1/sessions/s1").json()
    assert report == house.tacit.sessions.get("s1").to_dict()
    assert report["blocks"][0]["text"] == begun["block"]["text"]
    assert report["receipts"][0]["query"] == ASKED


def test_an_unknown_session_is_not_found(house):
    assert house.client.get("/v1/sessions/nobody").status_code == 404
    assert house.client.post("/v1/sessions/no/fork", json={"into": "x"}).status_code == 404


def test_an_agent_does_not_read_the_words_of_another_agents_memories_in_a_session(house):
    house.tacit.remember("The API tokens are rotated on Mondays", agent="planner")
    _say(house, agent="planner")
    path, anybody = "/v1/sessions/s1", house.key("read")
    own = house.client.get(path, headers=house.key("read", "default", agent="planner")).json()
    assert "rotated on Mondays" in own["blocks"][0]["text"]
    for name, text in (("planner", own["blocks"][0]["text"]), ("coder", "")):
        report = house.client.get(path, params={"agent": name}, headers=anybody).json()
        assert report["blocks"][0]["text"] == text
    coder = house.key("read", "default", agent="coder")
    for named in ({}, {"agent": "planner"}):
        assert house.client.get(path, params=named, headers=coder).status_code == 404


def test_a_reset_lets_everything_come_again(house):
    _say(house)
    answer = house.client.post("/v1/sessions/s1/reset")
    told = {"session": "s1", "memory_tracking_reset": True, "previous_count": 1}
    assert answer.json() == {**told, "abandoned_turns": 0}
    assert _say(house)["receipt"]["count"] == 1


def test_clearing_a_session_abandons_its_open_turns_and_their_commit_says_so(house):
    begun = house.client.post("/v1/turns", json={"session": "s1", "text": ASKED}).json()
    path = f"/v1/turns/{begun['id']}"
    assert house.client.post("/v1/sessions/s1/clear").json()["abandoned_turns"] == 1
    assert house.client.get(path).json()["state"] == "abandoned"
    for _ in range(2):
        ended = house.client.post(f"{path}/commit", json={"reply": "Postgres."})
        assert ended.status_code == 200
        assert ended.json()["not_recorded"] == "session_cleared"
        assert ended.json()["was_open"] is ended.json()["block_stays"] is False
    assert house.client.post(f"{path}/rollback").json()["rolled_back"] is False
    assert house.client.get("/v1/receipts").json()["items"] == []


def test_a_compacted_history_comes_back_shorter(house):
    history = [
        {"role": role, "content": f"{number}: we keep the ledger in the cellar. " * 20}
        for number in range(10)
        for role in ("user", "assistant")
    ]
    asked = {"history": history, "level": "emergency", "settings": {"context_window": 2_000}}
    done = house.client.post("/v1/sessions/s1/compact", json=asked).json()
    assert done["dropped"] == 10
    assert len(done["messages"]) == 11
    assert done["messages"][1:] == history[10:]
    assert done["tokens_after"] < done["tokens_before"]


def test_a_setting_that_does_not_exist_is_named(house):
    asked = {"history": [], "settings": {"windo": 1}}
    answer = house.client.post("/v1/sessions/s1/compact", json=asked)
    assert (answer.status_code, answer.json()["field"]) == (422, "windo")


def test_a_branch_has_the_blocks_of_its_session(house):
    _say(house)
    answer = house.client.post("/v1/sessions/s1/fork", json={"into": "team/branch"})
    assert (answer.status_code, answer.json()["id"]) == (201, "team/branch")
    branch = house.client.get(session_path("team/branch")).json()
    assert [block["made_in"] for block in branch["blocks"]] == ["s1"]
    again = house.client.post("/v1/sessions/s1/fork", json={"into": "team/branch"})
    assert (again.status_code, again.json()["field"]) == (422, "into")


@pytest.mark.parametrize(("kind", "place"), [("session", "s1"), ("project", "shop/web")])
def test_what_is_paused_is_left_alone_until_it_is_resumed(house, kind, place):
    def skipped():
        where = {"session": "s1", "project": "shop/web"}
        asked = {"text": ASKED, **where}
        return house.client.post("/v1/turns/preview", json=asked).json()["receipt"]["skipped"]

    paused = house.client.post(owner_path((Scope(kind), place), "pause"))
    assert paused.json() == {kind: place, "paused": True}
    assert skipped() == "paused"
    for was_paused in (True, False):
        resumed = house.client.post(owner_path((Scope(kind), place), "resume"))
        assert resumed.json() == {kind: place, "paused": False, "was_paused": was_paused}
    assert skipped() is None


def test_a_key_to_read_changes_no_session(house):
    key = house.key("read")
    for what in ("reset", "clear", "pause", "resume"):
        assert house.client.post(f"/v1/sessions/s1/{what}", headers=key).status_code == 403


def test_sessions_and_receipts_of_another_workspace_are_not_there(house):
    begun = _say(house)
    key = house.key("read", "other")
    for path in ("/v1/sessions/s1", f"/v1/receipts/{begun['id']}"):
        assert house.client.get(path, headers=key).status_code == 404
    assert house.client.get("/v1/sessions", headers=key).json()["items"] == []
    assert house.client.get("/v1/receipts", headers=key).json()["items"] == []


def test_receipts_come_page_by_page_as_summaries(house):
    begun = [_say(house, session)["id"] for session in ("s1", "s2", "s1", "s1", "s1")]
    every = _pages(house, "/v1/receipts")
    assert [each["id"] for each in every] == begun[::-1]
    assert "candidates" not in every[0]
    assert [each["id"] for each in _pages(house, "/v1/receipts", session="s1")] == [
        begun[place] for place in (4, 3, 2, 0)
    ]


def test_receipts_come_whole_where_that_is_asked_for(house):
    _say(house, history=_say(house)["messages"])
    listed = _pages(house, "/v1/receipts", whole=True)
    assert listed == [each.to_dict() for each in house.tacit.turns.list()]
    assert [each["fate"] for each in listed[0]["candidates"]] == ["seen_in_window"]


def test_a_turn_begins_with_its_whole_receipt_where_that_is_asked_for(house):
    begun = _say(house)
    assert "candidates" not in begun["receipt"]
    whole = _say(house, receipt="whole", history=begun["messages"])["receipt"]
    kept = house.tacit.turns.get(whole["id"]).to_dict()
    times = {"timings_ms": None, "cpu_ms": None}
    assert {**whole, **times} == {**kept, **times}
    assert (whole["query"], whole["filtered"]) == (ASKED, 1)
    asked = {"session": "s1", "text": ASKED, "receipt": "half"}
    refused = house.client.post("/v1/turns", json=asked)
    assert (refused.status_code, refused.json()["field"]) == (422, "receipt")


def test_a_preview_thinks_of_the_scopes_and_types_that_are_named(house):
    house.tacit.remember("The tokens of the API are JWT", scope="org")

    def thought_of(**only):
        asked = {"session": "s1", "text": ASKED, **only}
        receipt = house.client.post("/v1/turns/preview", json=asked).json()["receipt"]
        return sorted(each["type"] for each in receipt["candidates"])

    assert thought_of() == ["decision", "fact"]
    assert thought_of(scopes=["org"]) == ["fact"]
    assert thought_of(types=["decision"]) == ["decision"]


def test_one_receipt_is_whole(house):
    begun = _say(house)
    receipt = house.client.get(f"/v1/receipts/{begun['id']}").json()
    assert receipt["query"] == ASKED
    assert [each["fate"] for each in receipt["candidates"]] == ["injected"]
    assert house.client.get(f"/v1/receipts/{'0' * 8}-0000-7000-8000-{'0' * 12}").status_code == 404


def test_receipts_hold_no_words_of_an_erased_memory(house):
    begun = _say(house)
    house.tacit.erase(begun["receipt"]["memories"][0]["memory"])
    told = house.client.get(f"/v1/receipts/{begun['id']}").text
    told += house.client.get("/v1/receipts").text + house.client.get("/v1/sessions/s1").text
    assert "JWT" not in told


def test_a_memory_of_no_use_counts_less(house):
    begun = _say(house)
    memory = begun["receipt"]["memories"][0]["memory"]
    path = f"/v1/receipts/{begun['id']}/irrelevant"
    marked = house.client.post(path, json={"memory": memory})
    assert (marked.status_code, set(marked.json())) == (201, {"mark"})
    assert _say(house, "s2")["receipt"]["count"] == 0
    assert house.client.delete(f"/v1/marks/{marked.json()['mark']}").status_code == 204
    assert _say(house, "s3")["receipt"]["count"] == 1
    other = house.tacit.remember("never asked for").id
    assert house.client.post(path, json={"memory": other}).json()["field"] == "memory"


def test_an_agent_cannot_mark_what_it_does_not_know_of(house):
    memory = house.tacit.remember("The API tokens are rotated on Mondays", agent="planner").id
    begun = _say(house, agent="planner")
    key = house.key("write", "default", agent="coder")
    path = f"/v1/receipts/{begun['id']}/irrelevant"
    assert house.client.post(path, json={"memory": memory}, headers=key).status_code == 404
    path, asked = f"/v1/memories/{memory}/irrelevant", {"text": "When are tokens rotated?"}
    assert house.client.post(path, json=asked, headers=key).status_code == 404
    own = house.key("write", "default", agent="planner")
    path = f"/v1/marks/{house.client.post(path, json=asked, headers=own).json()['mark']}"
    assert house.client.delete(path, headers=key).status_code == 404
    assert house.client.delete(path, headers=own).status_code == 204
