"""Who may come in: keys, roles, workspaces, hosts, sites and limits."""

import asyncio
import inspect
import io
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Semaphore

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit import Tacit
from tacit.runtime import http_server as request_body
from tacit.runtime.limits import ConcurrencyLimiter, FairSlots, SlotTimeout
from tacit.server.lifecycle import announce_settings
from tacit.server.request_input import CheckedRoute
from tacit.server.routes import ROUTERS
from tests.serving import running, served

NEW = {"content": "the tea is green"}


@pytest.fixture
def house():
    with served() as house:
        yield house


def _code(answer):
    return answer.json()["type"].rpartition(":")[2]


def test_without_keys_the_owner_of_the_machine_may_everything(house):
    assert house.client.post("/v1/memories", json=NEW).status_code == 201
    assert house.client.get("/metrics").status_code == 200


def test_once_there_is_a_key_nobody_comes_in_without_one(house):
    house.key()
    answer = house.client.get("/v1/memories")
    assert (answer.status_code, _code(answer)) == (401, "key_missing")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_revoked_key_keeps_the_door_closed(house):
    house.key()
    house.tacit.keys.revoke(house.tacit.keys.list()[0].id)
    assert house.client.get("/v1/memories").status_code == 401


@pytest.mark.parametrize("token", ["", "nonsense", "tacit_aaaaaaaaaaaa_" + "b" * 43, "tacit_é"])
def test_a_wrong_key_is_refused(house, token):
    house.key()
    headers = {"Authorization": f"Bearer {token}".encode()}
    answer = house.client.get("/v1/memories", headers=headers)
    assert answer.status_code == 401


def test_a_key_stops_working_when_it_is_revoked(house):
    key = house.key()
    assert house.client.get("/v1/memories", headers=key).status_code == 200
    house.tacit.keys.revoke(house.tacit.keys.list()[0].id)
    house.service.key_cache._monotonic = lambda: float("inf")
    assert house.client.get("/v1/memories", headers=key).status_code == 401


@pytest.mark.parametrize(
    ("role", "method", "path", "status"),
    [
        ("read", "get", "/v1/memories", 200),
        ("read", "post", "/v1/memories", 403),
        ("read", "post", "/v1/turns", 403),
        ("write", "post", "/v1/memories", 201),
        ("write", "post", "/v1/memories/{id}/erase", 403),
        ("admin", "post", "/v1/memories/{id}/erase", 200),
        ("write", "post", "/v1/sessions/{id}/erase", 403),
        ("admin", "post", "/v1/sessions/{id}/erase", 200),
        ("read", "get", "/metrics", 200),
    ],
)
def test_a_role_opens_what_it_says(house, role, method, path, status):
    known = house.tacit.remember("the mill is old").id
    body = {"json": {"session": "s", "text": "hm"} if "turns" in path else NEW}
    given = {} if method == "get" or "{id}" in path else body
    answer = house.client.request(method, path.format(id=known), headers=house.key(role), **given)
    assert answer.status_code == status


def test_a_key_for_one_workspace_works_there_and_nowhere_else(house):
    key = house.key("admin", workspace="north")
    assert house.client.post("/v1/memories", json=NEW, headers=key).status_code == 201
    assert house.tacit.workspace.open("north").list()[0].content == NEW["content"]
    answer = house.client.get("/v1/memories", headers={**key, "Tacit-Workspace": "default"})
    assert (answer.status_code, _code(answer)) == (403, "not_allowed")
    assert house.client.get("/metrics", headers=key).status_code == 403


def test_a_key_for_every_workspace_chooses(house):
    key = house.key()
    for name in ("north", "south"):
        headers = {**key, "Tacit-Workspace": name}
        house.client.post("/v1/memories", json={"content": name}, headers=headers)
    assert [each.content for each in house.tacit.workspace.open("south").list()] == ["south"]


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        ("caf%C3%A9", "café"),
        ("%E6%97%A5%E6%9C%AC", "日本"),
        ("50%25", "50%"),
        ("team/a b", "team/a b"),
    ],
)
def test_the_name_of_a_workspace_is_percent_decoded(house, sent, name):
    key = house.key("write", workspace=name)
    headers = {**key, "Tacit-Workspace": sent}
    assert house.client.post("/v1/memories", json=NEW, headers=headers).status_code == 201
    assert len(house.tacit.workspace.open(name).list()) == 1


@pytest.mark.parametrize("sent", [b"caf\xc3\xa9", b"50%", b"%zz", b"%ff", b"%00", b"%0a", b""])
def test_what_names_no_workspace_is_refused(house, sent):
    answer = house.client.get("/v1/memories", headers={"Tacit-Workspace": sent})
    assert (answer.status_code, answer.json()["field"]) == (422, "workspace")


def test_who_does_something_is_said_in_every_call_that_writes(house):
    one, other = (house.tacit.remember(content).id for content in ("a barn", "a mill"))
    house.tacit.memories.link(one, other)
    ends = {"source": one, "target": other, "by": "operator"}
    assert house.client.delete("/v1/links", params=ends).status_code == 204
    assert house.tacit.memories.history(one)[-1].by == "operator"
    house.client.delete(f"/v1/memories/{other}", params={"by": "agent"}).raise_for_status()
    assert house.tacit.reviews.list()[-1].by == "agent"
    house.client.post(f"/v1/memories/{one}/erase", json={"by": "operator"}).raise_for_status()
    assert house.tacit.memories.history(one)[-1].by == "operator"
    assert house.client.post("/v1/memories/erase", json={}).status_code == 422
    assert house.client.post("/v1/owners/erase", json={"scope": "user"}).status_code == 422
    key = house.key("admin", agent="coder")
    for path, said in (
        ("memories", {"contains": "mill"}),
        ("owners", {"scope": "user", "scope_id": ""}),
    ):
        answer = house.client.post(f"/v1/{path}/erase", headers=key, json=said)
        assert answer.status_code == 403
        assert "a key without an agent" in answer.json()["detail"]
    for method, path, said in (
        ("post", f"/v1/memories/{other}/erase", {"json": {"by": "user"}}),
        ("post", "/v1/memories/erase", {"json": {"contains": "mill", "by": "user"}}),
        ("delete", "/v1/links", {"params": {**ends, "source": other}}),
        ("delete", f"/v1/memories/{other}", {"params": {"by": "user"}}),
    ):
        assert house.client.request(method, path, headers=key, **said).status_code == 403
    assert house.tacit.get(other).content == "a mill"


def test_an_agent_writes_as_itself_and_cannot_change_a_persons_words(house):
    known = house.tacit.remember("the door is blue").id
    key = house.key("write", agent="coder")
    written = house.client.post("/v1/memories", json=NEW, headers=key).json()["memory"]
    assert (written["source"], written["explicit"]) == ("agent", False)
    for other in ({"by": "user"}, {"agent": "planner"}):
        refused = house.client.post("/v1/memories", json={**NEW, **other}, headers=key)
        assert (refused.status_code, _code(refused)) == (403, "not_allowed")
    changed = house.client.patch(f"/v1/memories/{known}", json={"content": "red"}, headers=key)
    assert changed.json()["status"] == "queued"
    assert house.tacit.get(known).content == "the door is blue"


def test_an_agent_neither_sees_nor_touches_what_is_another_agents_own(house):
    own = house.tacit.remember("the cellar key hangs left", agent="planner").id
    key = house.key("write", agent="coder")
    calls = [
        ("get", f"/v1/memories/{own}", None),
        ("get", f"/v1/memories/{own}/history", None),
        ("get", f"/v1/memories/{own}/graph", None),
        ("patch", f"/v1/memories/{own}", {"content": "x"}),
        ("delete", f"/v1/memories/{own}", None),
        ("post", "/v1/memories/bulk/forget", {"ids": [own]}),
    ]
    for method, path, body in calls:
        answer = house.client.request(method, path, json=body, headers=key)
        assert answer.status_code == 404, path
    assert house.client.get("/v1/memories", headers=key).json()["items"] == []
    hat = house.tacit.remember("a hat").id
    for asks, seen in ((key, [hat]), (house.key("read", agent="planner"), [own, hat])):
        read = house.client.post("/v1/memories/bulk/get", json={"ids": [own, hat]}, headers=asks)
        assert [each["id"] for each in read.json()["items"]] == seen
    found = house.client.post("/v1/search", json={"text": "cellar key"}, headers=key)
    assert found.json()["hits"] == []
    for path in ("/v1/memories", f"/v1/memories/{hat}/graph"):
        other = house.client.get(path, params={"agent": "planner"}, headers=key)
        assert other.status_code == 403


def test_an_agent_assigns_what_it_may_see_and_asks_for_what_a_person_wrote(house):
    hidden = house.tacit.remember("the cellar key hangs left", agent="planner", by="agent").id
    known = house.tacit.remember("the door is blue").id
    own = house.tacit.remember("the roof is red", by="agent").id
    key = house.key("write", agent="coder")
    path = "/v1/memories/assign"
    answer = house.client.post(path, json={"user": "ann", "ids": [hidden]}, headers=key)
    assert answer.status_code == 404
    refused = house.client.post(path, json={"user": "ann", "by": "user"}, headers=key)
    assert refused.status_code == 403
    answer = house.client.post(path, json={"user": "ann"}, headers=house.key("read"))
    assert answer.status_code == 403
    done = house.client.post(path, json={"user": "ann"}, headers=key).json()
    assert (done["assigned"], done["queued"], done["next"]) == (1, 1, None)
    owners = [house.tacit.get(id).scope_id for id in (hidden, known, own)]
    assert owners == ["", "", "ann"]


def test_an_agent_is_not_told_of_what_is_another_agents_own(house):
    house.tacit.remember("the cellar key hangs left", agent="planner")
    house.tacit.remember("the cellar is locked", scope_id="bob")
    said = {"session": "s", "text": "Where does the cellar key hang?", "user": "ann"}
    answer = house.client.post("/v1/turns", json=said, headers=house.key("write", agent="coder"))
    assert answer.json()["receipt"]["unseen"] == {"unowned": 0, "others": 1}
    assert "bob" not in answer.text


@pytest.mark.parametrize("path", ["/v1/ground", "/v1/prompt"])
def test_the_policy_of_admins_is_told_to_admins_only_whatever_call_asks_for_it(house, path):
    asked = {"text": "Where is the deploy guide?", "role": "admin"}
    told = {
        role: house.client.post(path, json=asked, headers=house.key(role)).status_code
        for role in ("read", "write", "admin")
    }
    assert told == {"read": 403, "write": 403, "admin": 201}
    for role, status in (("write", 403), ("admin", 200)):
        answer = house.client.get("/v1/policy", headers=house.key(role))
        assert answer.status_code == status
    public = {**asked, "role": "public"}
    assert house.client.post(path, json=public, headers=house.key("write")).status_code == 201


def test_a_graph_leaves_out_what_the_named_agent_may_not_see(house):
    door = house.tacit.remember("the door is blue").id
    own = house.tacit.remember("the cellar key hangs left", agent="planner").id
    house.tacit.memories.link(door, own)
    for agent, seen in (("planner", {door, own}), ("coder", {door}), (None, {door, own})):
        named = {} if agent is None else {"agent": agent}
        found = house.client.get(f"/v1/memories/{door}/graph", params=named).json()
        assert {each["id"] for each in found["nodes"]} == seen


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8377", ""])
def test_another_name_is_refused(house, host):
    answer = house.client.get("/health", headers={"Host": host})
    assert (answer.status_code, _code(answer)) == (421, "host_not_allowed")


@pytest.mark.parametrize("host", ["localhost:8377", "127.0.0.1", "[::1]:1"])
def test_the_names_of_this_machine_are_fine(house, host):
    assert house.client.get("/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_pages_of_other_sites_are_refused_and_get_no_permission(house, headers):
    answer = house.client.post("/v1/memories", json=NEW, headers=headers)
    assert (answer.status_code, _code(answer)) == (403, "cross_site")
    assert "access-control-allow-origin" not in answer.headers
    assert house.tacit.list() == []


def test_every_answer_has_the_headers_that_keep_browsers_in_check(house):
    for path in ("/health", "/v1/memories", "/nowhere"):
        headers = house.client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "server" not in headers


@pytest.mark.parametrize("path", ["/v1/memories", "/v1/sessions", "/health", "/nowhere"])
def test_a_query_has_so_many_parameters_and_bytes(house, path):
    many = "&".join(f"a{number}=1" for number in range(8_000))
    begun = time.perf_counter()
    answer = house.client.get(f"{path}?{many[:30_000]}")
    assert time.perf_counter() - begun < 0.5
    assert (answer.status_code, _code(answer)) == (422, "invalid_input")
    assert "200 parameters" in answer.json()["detail"]
    answer = house.client.get(f"{path}?text={'a' * 33_000}")
    assert (answer.status_code, _code(answer)) == (414, "address_too_long")


def test_a_query_can_name_a_hundred_types(house):
    query = "&".join(["types=fact"] * 100 + ["limit=1"])
    assert house.client.get(f"/v1/memories?{query}").status_code == 200


def test_a_request_keeps_its_id_and_gets_one_where_it_has_none(house):
    given = house.client.get("/health", headers={"X-Request-ID": "abc-1"})
    assert given.headers["x-request-id"] == "abc-1"
    made = house.client.get("/health", headers={"X-Request-ID": "bad id\t"})
    assert len(made.headers["x-request-id"]) == 32


def test_a_body_that_is_too_large_is_refused_stated_or_not(house, tmp_path):
    config = tmp_path / "tacit.toml"
    config.write_text("[server]\nmax_body_kb = 1\n")
    with served(config=config) as small:
        for content in (b"x" * 2000, (b"x" * 500 for _ in range(4))):
            headers = {"Content-Type": "application/json"}
            answer = small.client.post("/v1/memories", content=content, headers=headers)
            assert (answer.status_code, _code(answer)) == (413, "too_large")


def test_only_histories_and_batches_may_be_longer_than_a_megabyte(house):
    text = {"text": "x" * 1_100_000}
    answer = house.client.post("/v1/extract", json=text)
    assert (answer.status_code, _code(answer)) == (413, "too_large")
    assert house.client.post("/v1/turns/preview", json={"session": "s", **text}).status_code == 200


def test_more_requests_than_may_wait_are_refused_and_health_answers(tmp_path, monkeypatch):
    config = tmp_path / "tacit.toml"
    config.write_text("[server]\nwaiting_requests = 2\n")
    with served(config=config) as busy, ThreadPoolExecutor() as pool:
        begun, go_on = Semaphore(0), Event()

        def slow(_):
            begun.release()
            go_on.wait(60)
            return []

        monkeypatch.setattr(type(busy.tacit.workspace), "names", slow)
        try:
            waiting = [pool.submit(busy.client.get, "/v1/workspaces") for _ in range(2)]
            for _ in waiting:
                assert begun.acquire(timeout=60)
            refused = busy.client.get("/v1/workspaces")
            assert busy.client.get("/health").status_code == 200
        finally:
            go_on.set()
        assert (refused.status_code, _code(refused)) == (503, "overloaded")
        assert refused.headers["retry-after"] == "1"
        assert [each.result().status_code for each in waiting] == [200, 200]
        assert busy.client.get("/v1/workspaces").status_code == 200


def test_a_batch_that_is_too_large_is_refused(tmp_path):
    config = tmp_path / "tacit.toml"
    config.write_text("[server]\nmax_batch = 2\n")
    with served(config=config) as small:
        items = [{"content": f"shelf {number}"} for number in range(3)]
        answer = small.client.post("/v1/memories/bulk", json={"items": items})
        assert (answer.status_code, answer.json()["field"]) == (422, "items")
        assert small.tacit.list() == []
        ids = [small.tacit.remember(each["content"]).id for each in items]
        answer = small.client.post("/v1/memories/bulk/get", json={"ids": ids})
        assert (answer.status_code, answer.json()["field"]) == (422, "ids")
        answer = small.client.post("/v1/memories/bulk/get", json={"ids": ids[:2]})
        assert len(answer.json()["items"]) == 2


def test_who_asks_too_often_is_told_when_to_come_back(tmp_path):
    config = tmp_path / "tacit.toml"
    config.write_text("[server]\nrequests_per_minute = 30\n")
    with served(config=config) as slow:
        answers = [slow.client.get("/v1/memories") for _ in range(7)]
        assert [each.status_code for each in answers] == [200] * 5 + [429] * 2
        assert int(answers[-1].headers["retry-after"]) >= 1
        other = slow.key()
        assert slow.client.get("/v1/memories", headers=other).status_code == 200
        assert slow.client.get("/health").status_code == 200


@pytest.fixture
def guarded(tmp_path):
    """A server with a key, where thirty requests a minute are allowed: five at once."""
    config = tmp_path / "tacit.toml"
    config.write_text("[server]\nrequests_per_minute = 30\n")
    with served(config=config) as house:
        house.valid = house.key()
        yield house


def _guess(number):
    return {"Authorization": f"Bearer tacit_{number:012}_{'b' * 43}"}


def test_an_address_that_guesses_keys_is_limited_before_they_are_looked_up(guarded, monkeypatch):
    looked_up = []
    holding = guarded.service.key_cache.find
    monkeypatch.setattr(
        guarded.service.key_cache,
        "find",
        lambda token: looked_up.append(token) or holding(token),
    )
    answers = [guarded.client.get("/v1/status", headers=_guess(each)) for each in range(8)]
    assert [each.status_code for each in answers] == [401] * 5 + [429] * 3
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert len(looked_up) == 5


def test_an_address_without_a_key_is_limited_too(guarded):
    answers = [guarded.client.get("/v1/status") for _ in range(7)]
    assert [each.status_code for each in answers] == [401] * 5 + [429] * 2


def test_a_key_in_use_is_not_shut_out_by_guesses_of_the_same_address(guarded):
    assert guarded.client.get("/v1/status", headers=guarded.valid).status_code == 200
    for number in range(8):
        guarded.client.get("/v1/status", headers=_guess(number))
    assert guarded.client.get("/v1/status", headers=guarded.valid).status_code == 200


def test_guesses_of_one_address_do_not_limit_another(tmp_path):
    config = tmp_path / "tacit.toml"
    config.write_text('[server]\nrequests_per_minute = 30\ntrusted_proxies = "192.0.2.1"\n')
    with served(config=config) as house:
        house.key()
        house.client._transport.client = ("192.0.2.1", 50_000)

        def ask(address, number):
            headers = {**_guess(number), "X-Forwarded-For": f"made-up, {address}"}
            return house.client.get("/v1/status", headers=headers).status_code

        assert [ask("198.51.100.1", each) for each in range(6)] == [401] * 5 + [429]
        assert ask("198.51.100.2", 6) == 401


def test_what_a_stranger_sends_is_not_read(guarded):
    """The key is asked for before the body is looked at."""
    answer = guarded.client.post(
        "/v1/memories", content=b"{" * 1_000, headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, _code(answer)) == (401, "key_missing")


def test_trusted_proxies_that_are_no_addresses_are_refused(house):
    answer = house.client.put("/v1/settings", json={"server": {"trusted_proxies": "proxy.example"}})
    assert (answer.status_code, answer.json()["field"]) == (422, "trusted_proxies")


def test_an_error_that_nobody_expected_shows_no_trace(house, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("secret path /etc/tacit")

    monkeypatch.setattr(type(house.tacit), "stats", broken, raising=False)
    monkeypatch.setattr(type(house.tacit), "list", broken)
    answer = house.client.get("/v1/memories")
    assert (answer.status_code, _code(answer)) == (500, "internal")
    assert "secret" not in answer.text
    assert answer.headers["x-request-id"] == answer.json()["request_id"]


def test_bad_json_and_unknown_fields_are_named(house):
    json = {"Content-Type": "application/json"}
    broken = house.client.post("/v1/memories", content=b'{"content": ', headers=json)
    assert (broken.status_code, _code(broken)) == (400, "unreadable")
    unknown = house.client.post("/v1/memories", json={**NEW, "colour": "red"})
    assert (unknown.status_code, unknown.json()["field"]) == (422, "colour")


def test_a_form_is_told_to_be_json(house):
    answer = house.client.post("/v1/memories", data={"content": "x"})
    assert (answer.status_code, _code(answer)) == (415, "unsupported_media_type")


def test_a_wrong_item_of_a_batch_is_named(house):
    answer = house.client.post("/v1/memories/bulk", json={"items": [NEW, {"content": " "}]})
    assert (answer.status_code, answer.json()["field"]) == (422, "drafts[1].content")


def test_a_wrong_method_is_told_the_right_ones(house):
    for path in ("/v1/memories", "/v1/memories/01890a5d-ac96-774b-bcce-b302099a8057"):
        answer = house.client.put(path)
        assert answer.status_code == 405
        assert "GET" in answer.headers["allow"].split(", ")


def test_a_look_makes_no_workspace(house):
    house.client.get("/v1/stats", headers={"Tacit-Workspace": "ghost"})
    announce_settings(house.service, house.service.state)
    assert "ghost" not in house.client.get("/v1/workspaces").json()["items"]


def test_an_agent_imports_neither_for_others_nor_in_their_names(house):
    known = house.tacit.remember("the loft is dry")
    export = io.BytesIO()
    house.tacit.archive.export_to(export)
    forged = export.getvalue().replace(known.id.encode(), b"01890a5d-ac96-774b-bcce-b302099a8057")
    lines = b'{"content": "own"}\n{"content": "foreign", "agent": "planner"}\n' + forged
    key = {**house.key("write", agent="coder"), "Content-Type": "application/x-ndjson"}
    params = {"format": "jsonl"}
    answer = house.client.post("/v1/memories/import", content=lines, headers=key, params=params)
    assert answer.json()["counts"] == {"created": 1}
    written = {each.content: str(each.source) for each in house.tacit.list(state=None)}
    assert written == {"the loft is dry": "user", "own": "agent"}


def test_the_same_idempotency_key_does_the_work_once(house):
    headers = {"Idempotency-Key": "one"}
    body = {"session": "s", "text": "Where is the tea?"}
    first = house.client.post("/v1/turns", json=body, headers=headers)
    again = house.client.post("/v1/turns", json=body, headers=headers)
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"
    other = house.client.post("/v1/turns", json={**body, "text": "?"}, headers=headers)
    assert (other.status_code, _code(other)) == (422, "key_reused")


def test_idempotency_keys_of_different_callers_do_not_meet(house):
    keys = [house.key("write", workspace="north") for _ in range(2)]
    answers = [
        house.client.post(
            "/v1/memories",
            json={"content": f"bell {number}"},
            headers={**key, "Idempotency-Key": "one"},
        )
        for number, key in enumerate(keys)
    ]
    assert [each.status_code for each in answers] == [201, 201]


def test_a_refused_request_may_be_sent_again_with_its_key(house):
    headers = {"Idempotency-Key": "one"}
    assert (
        house.client.post("/v1/memories", json={"content": ""}, headers=headers).status_code == 422
    )
    assert (
        house.client.post("/v1/memories", json={"content": ""}, headers=headers).status_code == 422
    )
    assert house.client.post("/v1/memories", json=NEW, headers=headers).status_code == 201


def test_an_edit_of_something_that_changed_meanwhile_is_refused(house):
    id = house.tacit.remember("the roof leaks").id
    tag = house.client.get(f"/v1/memories/{id}").headers["etag"]
    house.tacit.edit(id, importance=0.9)
    late = house.client.patch(
        f"/v1/memories/{id}", json={"pinned": True}, headers={"If-Match": tag}
    )
    assert (late.status_code, _code(late)) == (412, "changed_meanwhile")
    fresh = house.client.get(f"/v1/memories/{id}").headers["etag"]
    headers = {"If-Match": fresh}
    assert house.client.patch(
        f"/v1/memories/{id}", json={"pinned": True}, headers=headers
    ).is_success


def test_binding_elsewhere_without_keys_is_refused(tmp_path, run):
    ran = run("serve", "--host", "0.0.0.0", "--port", "0", db=tmp_path / "m.db")
    assert ran.code == 2
    assert "tacit keys add" in ran.err


def test_binding_elsewhere_with_keys_asks_for_them(tmp_path, run):
    db = tmp_path / "m.db"
    made = run("keys", "add", "ops", "--every-workspace", "--role", "admin", db=db)
    token = made.out.strip()
    with running(db, "--host", "0.0.0.0") as server, server.client() as client:
        address = server.url.replace("0.0.0.0", "127.0.0.1")
        assert client.get(f"{address}/v1/status").status_code == 401
        headers = {"Authorization": f"Bearer {token}"}
        assert client.get(f"{address}/v1/status", headers=headers).status_code == 200
    assert token not in "".join(server.log)


def _asked(house, headers, receive, path="/v1/memories"):
    """The status of a request whose body comes as `receive` says."""
    sent = []

    async def send(message):
        sent.append(message)

    named = {"host": "127.0.0.1", "content-type": "application/json", "content-length": "100"}
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [
            (name.lower().encode(), value.encode()) for name, value in {**named, **headers}.items()
        ],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "scheme": "http",
        "root_path": "",
        "http_version": "1.1",
        "app": house.client.app,
    }
    return house.client.app(scope, receive, send), sent


def _piece(body, more_body=False):
    return {"type": "http.request", "body": body, "more_body": more_body}


def test_a_body_that_does_not_come_is_given_up(house, monkeypatch):
    monkeypatch.setattr(request_body, "IDLE_SECONDS", 0.01)

    async def never():
        await asyncio.Event().wait()

    async def ask():
        answering, sent = _asked(house, house.key(), never)
        await answering
        return sent[0]["status"]

    assert house.client.portal.call(ask) == 408


def test_a_body_that_trickles_is_given_up_too(house, monkeypatch):
    monkeypatch.setattr(request_body, "WHOLE_SECONDS", 0.0)
    monkeypatch.setattr(request_body, "MIN_BYTES_PER_SECOND", 1e9)

    async def trickle():
        await asyncio.sleep(0.001)
        return _piece(b" ", more_body=True)

    async def ask():
        answering, sent = _asked(house, house.key(), trickle)
        await answering
        return sent[0]["status"]

    assert house.client.portal.call(ask) == 408


def test_bodies_that_do_not_come_shut_out_nobody_else(tmp_path):
    config = tmp_path / "tacit.toml"
    config.write_text("[server]\nwaiting_requests = 8\n")
    with served(config=config) as house:
        slow, other = house.key("read"), house.key()

        async def never():
            await asyncio.Event().wait()

        async def begin():
            waiting = [asyncio.ensure_future(_asked(house, slow, never)[0]) for _ in range(20)]
            await asyncio.sleep(0.3)
            return waiting

        async def end(waiting):
            for each in waiting:
                each.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

        waiting = house.client.portal.call(begin)
        assert sum(not each.done() for each in waiting) == 4
        assert house.client.get("/v1/stats", headers=slow).status_code == 200
        assert house.client.get("/v1/stats", headers=other).status_code == 200
        remembered = {"content": "the tea is green"}
        answer = house.client.post("/v1/memories", json=remembered, headers=other)
        assert answer.status_code == 201
        house.client.portal.call(end, waiting)


@pytest.mark.parametrize("path", ["/v1/memories", "/v1/memories/import"])
def test_a_key_that_is_revoked_while_a_body_is_read_opens_nothing(house, path):
    house.key()
    key, token = house.tacit.keys.add("slow", "write")
    body = b'{"content": "written after the end of the key"}'
    came = []

    async def receive():
        if not came:
            came.append(1)
            return _piece(body[:5], more_body=True)
        house.tacit.keys.revoke(key.id)
        house.service.key_cache.clear()
        return _piece(body[5:])

    async def ask():
        answering, sent = _asked(house, {"Authorization": f"Bearer {token}"}, receive, path)
        await answering
        return sent[0]["status"]

    assert house.client.portal.call(ask) == 401
    assert house.tacit.list() == []


def test_who_hangs_up_leaves_no_error_in_the_log(house, caplog):
    async def gone():
        return {"type": "http.disconnect"}

    async def ask():
        answering, sent = _asked(house, house.key(), gone)
        await answering
        return sent

    assert house.client.portal.call(ask) == []
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


@given(most=st.integers(0, 40), callers=st.lists(st.sampled_from("abcdef"), max_size=80))
def test_seats_never_run_out_for_a_newcomer_before_many_hold_them(most, callers):
    seats, held = ConcurrencyLimiter(), Counter()
    for caller in callers:
        held[caller] += seats.take(caller, most)
    assert seats.count == held.total() <= most
    assert all(2 * count <= most + 1 for count in held.values())
    if most >= 2 ** (len(held) + 1):
        assert seats.take("newcomer", most)


ODD = (
    "http://[",
    "http://[::1\xff]",
    "null",
    "",
    "²",
    "9" * 5_000,
    "-1",
    "1e9",
    "\xff",
    "%ff",
    ",",
    "a\tb",
)
ODD_HEADERS = ("Origin", "Last-Event-ID", "Content-Length", "X-Forwarded-For", "Sec-Fetch-Site",
               "Idempotency-Key", "If-Match", "Tacit-Workspace", "Authorization", "Traceparent",
               "X-Request-ID", "Accept", "Range", "Host", "Content-Type")  # fmt: skip


@pytest.mark.parametrize("header", ODD_HEADERS)
def test_no_odd_header_gets_an_error_of_the_server(house, header):
    house.service.streams.end()
    for value in ODD:
        for method, path in (("GET", "/v1/stats"), ("POST", "/v1/memories"), ("GET", "/v1/events")):
            headers = {header: value.encode("latin-1")}
            answer = house.client.request(method, path, headers=headers)
            assert answer.status_code < 500, (method, path, value[:30])


def test_an_origin_that_is_no_address_is_another_site(house):
    answer = house.client.get("/v1/stats", headers={"Origin": "http://["})
    assert (answer.status_code, _code(answer)) == (403, "cross_site")


def _hold(slots, held, ended):
    """Hold a slot as long as it is told to, and note whose it is."""

    async def hold(caller):
        async with slots.hold(caller):
            held.append(caller)
            await ended.wait()

    return hold


async def _settle():
    for _ in range(5):
        await asyncio.sleep(0)


def test_a_caller_leaves_a_thread_to_others():
    async def act():
        slots, held, ended = FairSlots(4, 30), [], asyncio.Event()
        hold = _hold(slots, held, ended)
        tasks = [asyncio.create_task(hold("greedy")) for _ in range(10)]
        await _settle()
        assert held == ["greedy"] * 3
        tasks += [asyncio.create_task(hold(name)) for name in ("one", "two")]
        await _settle()
        assert held == ["greedy"] * 3 + ["one"]
        ended.set()
        await asyncio.gather(*tasks)
        return held

    held = asyncio.run(act())
    assert sorted(held) == ["greedy"] * 10 + ["one", "two"]
    assert held[4] == "two"  # who holds the fewest is next, however many wait before


def test_without_keys_all_threads_are_taken_and_a_single_one_too():
    async def count(slots, caller):
        held, ended = [], asyncio.Event()
        tasks = [asyncio.create_task(_hold(slots, held, ended)(caller)) for _ in range(9)]
        await _settle()
        taken = len(held)
        ended.set()
        await asyncio.gather(*tasks)
        return taken

    assert asyncio.run(count(FairSlots(4, 30), "")) == 4
    assert asyncio.run(count(FairSlots(1, 30), "one")) == 1


def test_who_waits_for_a_thread_too_long_or_hangs_up_leaves_it_to_the_next():
    async def act():
        slots, held, ended = FairSlots(1, 0.01), [], asyncio.Event()
        hold = _hold(slots, held, ended)
        first = asyncio.create_task(hold("one"))
        await _settle()
        with pytest.raises(SlotTimeout):
            await hold("two")
        slots._wait_seconds = 30
        gone, next_one = (asyncio.create_task(hold(name)) for name in ("gone", "next"))
        await _settle()
        gone.cancel()
        await _settle()
        ended.set()
        await asyncio.gather(first, next_one)
        assert held == ["one", "next"]
        gone = asyncio.create_task(hold("again"))
        await _settle()
        assert gone.done()

    asyncio.run(act())


def test_one_key_leaves_a_thread_to_the_others(house, monkeypatch):
    """A key whose requests take long waits for itself alone."""
    go_on, begun = Event(), Semaphore(0)
    inner = Tacit.extract

    def slow(self, text, **_):
        begun.release()
        assert go_on.wait(60)
        return inner(self, text)

    monkeypatch.setattr(Tacit, "extract", slow)
    greedy, other = house.key("read", "default"), house.key("read", "default")
    most = house.service.config.server.threads - 1
    with ThreadPoolExecutor(8) as pool:
        try:
            asked = [
                pool.submit(
                    house.client.post, "/v1/extract", json={"text": "I like tea"}, headers=greedy
                )
                for _ in range(most + 3)
            ]
            assert all(begun.acquire(timeout=30) for _ in range(most))
            assert house.client.get("/v1/memories", headers=other).status_code == 200
            assert not begun.acquire(timeout=0.1)
        finally:
            go_on.set()
        assert {each.result().status_code for each in asked} == {200}


def test_a_request_that_finds_no_thread_in_time_is_refused(house, monkeypatch):
    monkeypatch.setattr(house.service, "work_slots", FairSlots(0, 0.01))
    answer = house.client.get("/v1/stats")
    assert (answer.status_code, _code(answer)) == (503, "overloaded")
    assert answer.headers["retry-after"] == "1"


def test_every_call_that_works_on_a_thread_waits_for_its_turn():
    for route in (each for router in ROUTERS for each in router.routes):
        if route.path.startswith("/v1/") and not inspect.iscoroutinefunction(route.endpoint):
            assert isinstance(route, CheckedRoute) or route.path == "/v1/status", route.path
