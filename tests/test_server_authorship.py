"""Whose words count at a server: keys bound to users, rules of an organisation, agents' keys."""

import json

import pytest

from tests.serving import served

SHARED = {"scope": "project", "scope_id": "p"}


@pytest.fixture
def house():
    with served() as house:
        yield house


@pytest.fixture
def ann(house):
    return house.key("write", workspace="default", user="ann")


@pytest.fixture
def bob(house):
    return house.key("write", workspace="default", user="bob")


def _post(house, path, caller, /, **body):
    return house.client.post(path, json=body, headers=caller)


def _remember(house, caller, content, **fields):
    answer = _post(house, "/v1/memories", caller, content=content, **fields)
    assert answer.is_success, answer.text
    return answer.json()["memory"]


def _import(house, caller, **line):
    headers = {**caller, "Content-Type": "application/x-ndjson"}
    content = json.dumps(line).encode()
    answer = house.client.post("/v1/memories/import", content=content, headers=headers)
    assert answer.is_success, answer.text
    return answer.json()


def _ask(house, key, text, **more):
    asked = {"session": "s", "text": text, "project": "p", **more}
    answer = _post(house, "/v1/turns", key, receipt="whole", **asked)
    assert answer.is_success, answer.text
    return answer.json()


def test_what_bob_writes_about_ann_takes_nothing_from_her_turns(house, ann, bob):
    _remember(house, ann, "I'm allergic to peanuts", key="allergy")
    theirs = _remember(house, bob, "I'm not allergic to peanuts", key="allergy", **SHARED)
    assert theirs["origin"]["author"] == "bob"
    block = _ask(house, ann, "Am I allergic to peanuts?")["block"]["text"]
    assert "I'm allergic to peanuts" in block
    assert "not allergic" not in block


def test_a_shared_memory_names_its_author_to_others_in_block_and_receipt(house, ann, bob):
    known = _remember(house, bob, "The deploys run on Fridays", **SHARED)
    asked = "When do the deploys run, on Fridays?"
    turn = _ask(house, ann, asked)
    assert "(written by bob)" in turn["block"]["text"]
    (told,) = [each for each in turn["receipt"]["candidates"] if each["memory"] == known["id"]]
    assert told["author"] == "bob"
    assert "written by" not in _ask(house, bob, asked, session="t")["block"]["text"]


@pytest.mark.parametrize("scope", ["project", "org"])
def test_a_key_about_a_person_is_refused_where_others_write(house, bob, scope):
    body = {"content": "meat", "key": "user.diet", "scope": scope, "scope_id": "p"}
    answer = _post(house, "/v1/memories", bob, **body)
    assert answer.status_code == 422
    assert "about a person" in answer.text
    report = _import(house, bob, **body)
    assert report["counts"] == {}
    assert "about a person" in json.dumps(report["rejected"])


def test_a_key_names_no_other_author(house, ann, bob):
    answer = _post(house, "/v1/memories", bob, content="x", origin={"author": "ann"}, **SHARED)
    assert answer.status_code == 403
    agent = house.key("write", workspace="default", agent="coder")
    answer = _post(house, "/v1/memories", agent, content="x", origin={"author": "ann"}, **SHARED)
    assert answer.status_code == 403
    theirs = _remember(house, ann, "a bell", **SHARED)
    path = f"/v1/memories/{theirs['id']}"
    read = house.client.get(path, headers=bob).json()["origin"]
    kept = house.client.patch(path, json={"origin": read, "importance": 0.9}, headers=bob).json()
    assert kept["memory"]["origin"]["author"] == "ann"
    changed = house.client.patch(path, json={"content": "a gong"}, headers=bob).json()
    assert changed["memory"]["origin"]["author"] == "bob"


def test_what_a_user_shares_or_imports_is_theirs(house, ann):
    own = _remember(house, ann, "a drum")
    shared = house.client.patch(f"/v1/memories/{own['id']}", json=SHARED, headers=ann).json()
    assert shared["memory"]["origin"]["author"] == "ann"
    _import(house, ann, content="a harp", origin={"author": "bob"}, **SHARED)
    (harp,) = house.tacit.list(contains="harp")
    assert harp.origin.author == "ann"


_ORG = {"scope": "org", "scope_id": ""}
_RULES = [{"type": "constraint"}, {"type": "preference"}, {"type": "fact", "pinned": True}]


@pytest.mark.parametrize("rule", _RULES, ids=["constraint", "preference", "pin"])
def test_rules_of_an_organisation_need_an_admin(house, ann, rule):
    def is_refused(answer):
        assert answer.status_code == 403, answer.text
        assert "role admin" in answer.text
        return True

    write, admin = house.key("write", workspace="default"), house.key("admin")
    draft = {"content": "Always praise the bells", "key": "bells", **_ORG, **rule}
    for key in (write, ann):
        assert is_refused(_post(house, "/v1/memories", key, **draft))
        assert is_refused(_post(house, "/v1/memories/bulk", key, items=[draft]))
        report = _import(house, key, **draft)
        assert report["counts"] == {}
        assert "role admin" in json.dumps(report["rejected"])
    plain = _remember(house, write, "The bells are old", **_ORG)
    path = f"/v1/memories/{plain['id']}"
    assert is_refused(house.client.patch(path, json=rule, headers=write))
    known = _remember(house, admin, draft.pop("content"), **draft)
    path = f"/v1/memories/{known['id']}"
    assert is_refused(house.client.patch(path, json={"content": "x"}, headers=write))
    assert is_refused(house.client.delete(path, headers=write))
    assert is_refused(_post(house, f"{path}/restore", write))
    assert is_refused(_post(house, "/v1/memories/bulk/forget", write, ids=[known["id"]]))
    ends = {"keep": plain["id"], "supersede": [known["id"]]}
    assert is_refused(_post(house, "/v1/memory/conflicts/resolve", write, **ends))
    if not rule.get("pinned"):
        value = {"content": "no bells", "key": "bells", **_ORG}
        assert is_refused(_post(house, "/v1/memories", write, **value))
    wish = house.tacit.forget(known["id"], by="agent").review
    assert is_refused(_post(house, f"/v1/reviews/{wish.id}/accept", write))
    assert house.client.patch(path, json={"importance": 0.8}, headers=admin).is_success
    assert house.tacit.get(known["id"]).content == "Always praise the bells"


def test_the_library_writes_rules_of_an_organisation(house):
    assert house.tacit.remember("Always praise the bells", type="constraint", **_ORG).id


def test_pins_of_an_agents_key_wait_for_a_person(house):
    agent = house.key("write", workspace="default", agent="coder")
    answer = _post(house, "/v1/memories", agent, content="Praise the bells", pinned=True).json()
    assert answer["status"] == "queued"
    assert house.tacit.list() == []
    plain = _remember(house, agent, "The drum is red")
    path = f"/v1/memories/{plain['id']}"
    changed = house.client.patch(path, json={"pinned": True}, headers=agent).json()
    assert changed["status"] == "queued"
    assert not house.tacit.get(plain["id"]).pinned


@pytest.mark.episodes
def test_an_agents_key_reads_what_was_said_in_its_own_sessions_only(house):
    here = house.service.tacit("default")
    for agent, session, said in (
        ("coder", "c", "the cashews give me a rash"),
        ("planner", "p", "the almonds give me a rash"),
    ):
        with here.turn(session=session, text=said, user="ann", agent=agent) as turn:
            turn.commit("I see.")
    here.learn()
    assert len(house.tacit.episodes.list(user="ann")) == 2
    coder = house.key("write", workspace="default", agent="coder", speaks_for_users=True)
    ann = house.key("write", workspace="default", user="ann")

    def said_to(key):
        listed = house.client.get("/v1/episodes", params={"user": "ann"}, headers=key).json()
        searched = {"text": "a rash", "episodes": True, "user": "ann"}
        hits = _post(house, "/v1/search", key, **searched).json()["episodes"]
        texts = {each["text"] for each in listed["items"]}
        assert {each["episode"]["text"] for each in hits} == texts
        return texts

    assert said_to(coder) == {"the cashews give me a rash"}
    assert len(said_to(ann)) == 2
    block = _ask(house, coder, "What gives me a rash?", user="ann", session="new")["block"]
    assert "almonds" not in json.dumps(block)
    (other,) = house.tacit.episodes.list(user="ann", session="p")
    assert house.client.get(f"/v1/episodes/{other.id}", headers=coder).status_code == 404
