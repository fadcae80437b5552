"""Keys that are bound to a user: they see that user's memories and shared ones, by every call."""

import io
import json

import pytest

from tests.serving import served

SECRET = "xylophone"
ASKED = "Where is the xylophone kept in the northern hall?"
FINE, GONE, REFUSED = {200, 201, 204}, {404}, {403}
LINES = {"Content-Type": "application/x-ndjson"}

CALLS = {
    "GET /v1/memories": (FINE, {"params": {"any_state": True}}),
    "GET /v1/memories?after={memory}": (GONE, {}),
    "GET /v1/memories?user=bob": (REFUSED, {}),
    "GET /v1/memories?scope=user&scope_id=bob": (FINE, {}),
    "GET /v1/memories?scope=session": (FINE, {"params": {"any_state": True}}),
    "GET /v1/memories/count": (FINE, {"params": {"contains": SECRET}}),
    "POST /v1/memories/bulk/get": (FINE, {"json": {"ids": ["{memory}", "{other}", "{said}"]}}),
    "POST /v1/memories/bulk/forget": (GONE, {"json": {"ids": ["{own}", "{memory}"]}}),
    "POST /v1/memories/bulk/restore": (GONE, {"json": {"ids": ["{memory}"]}}),
    "POST /v1/memories/assign": (REFUSED, {"json": {"user": "ann", "ids": ["{memory}"]}}),
    "GET /v1/memories/{memory}": (GONE, {}),
    "GET /v1/memories/{said}": (GONE, {}),
    "PATCH /v1/memories/{memory}": (GONE, {"json": {"content": "mine"}}),
    "DELETE /v1/memories/{memory}": (GONE, {}),
    "POST /v1/memories/{memory}/restore": (GONE, {}),
    "POST /v1/memories/{memory}/erase": (GONE, {}),
    "POST /v1/memories/{shared}/erase": (GONE, {}),
    "POST /v1/memories/erase": (REFUSED, {"json": {"contains": "northern"}}),
    "POST /v1/owners/erase": (REFUSED, {"json": {"scope": "user", "scope_id": "bob"}}),
    "GET /v1/memories/{memory}/history": (GONE, {}),
    "GET /v1/memories/{erased}/history": (GONE, {}),
    "GET /v1/memories/{memory}/links": (GONE, {}),
    "GET /v1/memories/{linked}/links": (FINE, {}),
    "GET /v1/memories/{memory}/graph": (GONE, {}),
    "GET /v1/memories/{linked}/graph": (FINE, {"params": {"depth": 4}}),
    "POST /v1/links": (GONE, {"json": {"source": "{own}", "target": "{memory}"}}),
    "DELETE /v1/links": (GONE, {"params": {"source": "{memory}", "target": "{other}"}}),
    "POST /v1/search": (FINE, {"json": {"text": ASKED}}),
    "POST /v1/search?recent": (FINE, {"json": {"text": ASKED, "mode": "recent"}}),
    "POST /v1/search?typed": (FINE, {"json": {"text": "", "mode": "typed", "types": ["fact"]}}),
    "POST /v1/search?user": (REFUSED, {"json": {"text": ASKED, "user": "bob"}}),
    "GET /v1/reviews": (FINE, {}),
    "GET /v1/reviews/{review}": (GONE, {}),
    "POST /v1/reviews/{review}/accept": (GONE, {"json": {"reason": "mine"}}),
    "POST /v1/reviews/{proposal}/accept": (GONE, {"json": {"reason": "mine"}}),
    "POST /v1/reviews/{review}/reject": (GONE, {}),
    "POST /v1/memories/{memory}/irrelevant": (GONE, {"json": {"text": ASKED}}),
    "GET /v1/memories/{memory}/marks": (GONE, {}),
    "DELETE /v1/marks/{mark}": (GONE, {}),
    "GET /v1/memory/context": (FINE, {"params": {"user_request": ASKED}}),
    "GET /v1/memory/context?": (REFUSED, {"params": {"user_request": ASKED, "user": "bob"}}),
    "POST /v1/memory/select": (FINE, {"json": {"user_request": ASKED}}),
    "POST /v1/memory/select?user": (REFUSED, {"json": {"user_request": ASKED, "user": "bob"}}),
    "GET /v1/memory/conflicts": (FINE, {}),
    "POST /v1/memory/conflicts/resolve": (
        GONE,
        {"json": {"keep": "{memory}", "supersede": ["{other}"]}},
    ),
    "POST /v1/turns": (FINE, {"json": {"session": "mine", "text": ASKED}}),
    "POST /v1/turns?user": (REFUSED, {"json": {"session": "m", "text": ASKED, "user": "bob"}}),
    "POST /v1/turns/preview": (
        REFUSED,
        {"json": {"session": "mine", "text": ASKED, "user": "bob"}},
    ),
    "POST /v1/ground": (FINE, {"json": {"text": ASKED, "context": "mine"}}),
    "POST /v1/ground?user": (REFUSED, {"json": {"text": ASKED, "user": "bob"}}),
    "POST /v1/prompt?user": (REFUSED, {"json": {"text": ASKED, "user": "bob"}}),
    "POST /v1/ground?role": (REFUSED, {"json": {"text": ASKED, "role": "admin"}}),
    "GET /v1/policy": (REFUSED, {}),
    "POST /v1/documents/index": (REFUSED, {}),
    "POST /v1/upkeep": (REFUSED, {"json": {}}),
    "GET /v1/memories/export": (REFUSED, {}),
    "POST /v1/memories": (
        REFUSED,
        {"json": {"content": "x", "scope": "user", "scope_id": "bob"}},
    ),
    "POST /v1/memories/bulk": (REFUSED, {"json": {"items": [{"content": "x", "scope_id": "bob"}]}}),
    "PATCH /v1/memories/{own}": (REFUSED, {"json": {"scope_id": "bob"}}),
    "PATCH /v1/memories/{shared}": (REFUSED, {"json": {"scope": "user", "scope_id": "ann"}}),
    "POST /v1/learn": (FINE, {}),
    "GET /v1/profile": (FINE, {}),
    "GET /v1/profile?user=bob": (REFUSED, {}),
    "GET /v1/activity": (FINE, {}),
    "GET /metrics": (REFUSED, {}),
    "GET /v1/settings": (REFUSED, {}),
    "GET /v1/agents": (REFUSED, {}),
    "GET /v1/keys": (REFUSED, {}),
    "POST /v1/keys": (REFUSED, {"json": {"name": "n", "workspace": None, "role": "admin"}}),
    "GET /v1/workspaces": (REFUSED, {}),
    "POST /v1/documents": (REFUSED, {"json": {"path": "/tmp"}}),
}
"""What each call must answer to Ann, and what is sent; names in braces are mostly Bob's things."""


class House:
    """A workspace with memories of Bob's, and shared ones, and a key that is Ann's."""

    def __init__(self, served):
        self.client, self.tacit = served.client, served.tacit
        self.ann = served.key("admin", user="ann")
        self.known = self._furnish()
        hidden = ("memory", "other", "said", "erased", "review", "proposal", "mark")
        self.private = [SECRET, *(self.known[name] for name in hidden)]

    def _furnish(self):
        tacit, bobs = self.tacit, {"scope": "user", "scope_id": "bob"}
        memory, other = tacit.memories.remember_all(
            [
                {"content": f"The {SECRET} is kept in the northern hall", **bobs},
                {"content": f"The {SECRET} is kept in the old mill", **bobs},
            ]
        )
        linked = tacit.remember("A linked thing", scope_id="ann").id
        tacit.memories.link(linked, memory.id)
        tacit.memories.link(memory.id, other.id)
        said = tacit.remember(f"a {SECRET} lesson", scope="session", scope_id="bobs talk")
        erased = tacit.remember(f"the {SECRET} maker", **bobs).id
        tacit.erase(erased)
        return {
            "memory": memory.id,
            "other": other.id,
            "said": said.id,
            "erased": erased,
            "linked": linked,
            "own": tacit.remember("A bell of mine", scope_id="ann").id,
            "nobodys": tacit.remember("A bell of nobody").id,
            "shared": tacit.remember("A bell of all", scope="org").id,
            "mark": tacit.turns.mark_irrelevant_for("another question", other.id),
            "review": tacit.edit(memory.id, content=f"the {SECRET}", by="agent").review.id,
            "proposal": self._proposal(bobs),
        }

    def _proposal(self, owner):
        """A statement that waits for Bob."""
        with self.tacit._context.store.write("default") as unit:
            from tacit.core.kinds import Actor
            from tacit.writing.author import Author
            from tacit.writing.draft import MemoryDraft
            from tacit.writing.reviews import propose_memory

            now = self.tacit._context.clock()
            author = Author(unit=unit, by=Actor.AGENT, now=now, new_id=self.tacit._context.new_id)
            draft = MemoryDraft.of({"content": f"a {SECRET} player", **owner})
            made = draft.memory(id=author.new_id(), workspace="default", by=Actor.AGENT, now=now)
            return propose_memory(author, made).id

    def ask(self, operation, sent):
        method, _, path = operation.partition(" ")
        asked = json.dumps(sent)
        for name, id in self.known.items():
            path, asked = path.replace(f"{{{name}}}", id), asked.replace(f"{{{name}}}", id)
        answer = self.client.request(method, path, headers=self.ann, **json.loads(asked))
        return answer, path + asked

    def kept(self):
        """All that others than Ann have."""
        file = io.BytesIO()
        self.tacit.archive.export_to(file)
        lines = [json.loads(line) for line in file.getvalue().splitlines()[1:]]
        ids = {self.known[name] for name in ("memory", "other", "said", "nobodys", "shared")}
        return [line for line in lines if {line.get("id"), line.get("memory")} & ids]


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    config = tmp_path_factory.mktemp("users") / "tacit.toml"
    config.write_text("[server]\nrequests_per_minute = 0\n")
    with served(config=config) as house:
        yield House(house)


@pytest.mark.parametrize("operation", CALLS)
def test_a_key_of_one_user_sees_and_touches_nothing_of_another(house, operation):
    expected, sent = CALLS[operation]
    before = house.kept()
    answer, asked = house.ask(operation, sent)
    assert answer.status_code in expected, answer.text
    for private in house.private:
        assert private in asked or private not in answer.text, (private, answer.text)
    assert house.kept() == before


def _ids(answer):
    return {each["id"] for each in answer.json()["items"]}


def test_a_user_sees_their_own_memories_and_shared_ones(house):
    seen = {house.known[name] for name in ("own", "nobodys", "shared", "linked")}
    answer, _ = house.ask("GET /v1/memories", {})
    assert seen <= _ids(answer)
    counted, _ = house.ask("GET /v1/memories/count", {})
    assert counted.json()["count"] == len(_ids(answer))
    found, _ = house.ask("POST /v1/search", {"json": {"text": "bell"}})
    hits = {each["memory"]["id"] for each in found.json()["hits"]}
    assert hits >= {house.known[name] for name in ("own", "nobodys", "shared")}
    for id in seen:
        assert house.client.get(f"/v1/memories/{id}", headers=house.ann).status_code == 200


def test_a_profile_is_that_of_the_keys_user(house):
    for asked in ("", "?user=ann"):
        answer, _ = house.ask(f"GET /v1/profile{asked}", {})
        told = answer.json()
        assert {each["id"] for each in told["facts"]} >= {house.known["own"]}
        assert {each["scope_id"] for each in told["facts"]} == {"ann"}
        assert "A bell of mine" in told["text"]


def test_counts_tell_nothing_of_others(house):
    listed, _ = house.ask("GET /v1/memories", {"params": {"limit": 1000}})
    stats = house.ask("GET /v1/stats", {})[0].json()
    assert stats["by_state"]["live"] == len(listed.json()["items"])
    assert "session" not in stats["by_scope"]
    assert (stats["reviews"], stats["associations"], stats["audit_entries"]) == (0, 0, 0)
    every, _ = house.ask("GET /v1/memories", {"params": {"limit": 1000, "any_state": True}})
    grown = house.ask("GET /v1/activity", {})[0].json()["growth"]
    total = grown["before"] + sum(grown["created"].values())
    assert total == len(every.json()["items"])


def test_receipts_tell_a_user_nothing_of_how_much_others_have(house):
    asked = {"text": "Which ocarina is ours?", "session": "counting"}
    begun, _ = house.ask("POST /v1/turns", {"json": {**asked, "receipt": "whole"}})
    id = begun.json()["id"]
    assert house.tacit.turns.find(id).receipt.unseen.others > 0
    house.client.post(f"/v1/turns/{id}/commit", json={}, headers=house.ann)
    seen = [
        begun.json()["receipt"],
        house.ask("POST /v1/turns/preview", {"json": asked})[0].json()["receipt"],
        house.ask(f"GET /v1/receipts/{id}", {})[0].json(),
        *house.ask("GET /v1/receipts", {"params": {"session": "counting"}})[0].json()["items"],
        *house.ask("GET /v1/sessions/counting", {})[0].json()["receipts"],
        house.ask("POST /v1/ground", {"json": {"text": asked["text"]}})[0].json()["receipt"],
        house.ask("GET /v1/memory/context", {"params": {"user_request": asked["text"]}})[0].json()[
            "receipt"
        ],
    ]
    assert [each["unseen"]["others"] for each in seen if each["unseen"]] == [0] * len(seen)


def test_what_a_user_writes_is_theirs(house):
    made, _ = house.ask("POST /v1/memories", {"json": {"content": "A drum"}})
    assert made.json()["memory"]["scope_id"] == "ann"
    items = {"json": {"items": [{"content": "A harp"}, {"content": "A gong", "scope": "org"}]}}
    many, _ = house.ask("POST /v1/memories/bulk", items)
    owners = [each["memory"]["scope_id"] for each in many.json()["items"]]
    assert owners == ["ann", ""]
    lines = '{"content": "A lute"}\n{"content": "no", "scope_id": "bob"}\n{"kind": "memory"}\n'
    taken = house.client.post(
        "/v1/memories/import", content=lines, headers={**house.ann, **LINES}
    ).json()
    assert (taken["counts"], len(taken["rejected"])) == ({"created": 1}, 2)
    (lute,) = house.tacit.list(contains="lute")
    assert lute.scope_id == "ann"
    turn, _ = house.ask("POST /v1/turns", {"json": {"session": "a", "text": "Which drum?"}})
    assert house.tacit.turns.find(turn.json()["id"]).receipt.user == "ann"


def test_what_belongs_to_a_users_own_session_is_theirs_to_see(house):
    house.ask("POST /v1/turns", {"json": {"session": "anns talk", "text": "Which bell?"}})
    named = {"scope": "session", "scope_id": "anns talk"}
    made, _ = house.ask("POST /v1/memories", {"json": {"content": "Rings twice today", **named}})
    id = made.json()["memory"]["id"]
    assert house.client.get(f"/v1/memories/{id}", headers=house.ann).status_code == 200
    assert id in house.ask("POST /v1/memories/bulk/get", {"json": {"ids": [id]}})[0].text
    assert _ids(house.ask("GET /v1/memories", {"params": named})[0]) == {id}
    assert house.ask("GET /v1/memories/count", {"params": named})[0].json() == {"count": 1}
    assert id in house.ask("POST /v1/search", {"json": {"text": "rings twice", **named}})[0].text
    others = {"scope": "session", "scope_id": "bobs talk"}
    assert _ids(house.ask("GET /v1/memories", {"params": others})[0]) == set()
    taken = {"json": {"content": "In his", **others}}
    assert house.ask("POST /v1/memories", taken)[0].status_code == 409


def test_a_user_shares_and_erases_their_own(house):
    made, _ = house.ask("POST /v1/memories", {"json": {"content": "A triangle"}})
    id = made.json()["memory"]["id"]
    shared = house.client.patch(
        f"/v1/memories/{id}", json={"scope": "org", "scope_id": ""}, headers=house.ann
    )
    assert shared.json()["memory"]["scope"] == "org"
    made, _ = house.ask("POST /v1/memories", {"json": {"content": "A whistle"}})
    id = made.json()["memory"]["id"]
    erased = house.client.post(f"/v1/memories/{id}/erase", headers=house.ann)
    assert erased.status_code == 200
    own = {"scope": "user", "scope_id": "ann", "contains": "no such"}
    assert house.ask("POST /v1/memories/erase", {"json": own})[0].status_code == 200


def test_an_agent_bound_to_a_user_meets_both_walls(house):
    tacit = house.tacit
    ids = {
        "own": tacit.remember("Ours", scope_id="ann", agent="coder").id,
        "agents": tacit.remember("Another agent's", scope_id="ann", agent="planner").id,
        "users": tacit.remember("Another user's", scope_id="bob", agent="coder").id,
    }
    _, token = tacit.keys.add("both", "write", agent="coder", user="ann")
    both = {"Authorization": f"Bearer {token}"}
    asked = {
        name: house.client.get(f"/v1/memories/{id}", headers=both).status_code
        for name, id in ids.items()
    }
    assert asked == {"own": 200, "agents": 404, "users": 404}
    answer = house.client.get("/v1/memories", params={"limit": 1000}, headers=both)
    listed = _ids(answer) & set(ids.values())
    assert listed == {ids["own"]}


def test_a_key_without_a_user_sees_every_users_memories(house):
    _, token = house.tacit.keys.add("unbound", "read")
    headers = {"Authorization": f"Bearer {token}"}
    path = f"/v1/memories/{house.known['memory']}"
    assert house.client.get(path, headers=headers).status_code == 200
    seen = house.client.get("/v1/memories", params={"user": "ann"}, headers=headers)
    assert SECRET not in seen.text
