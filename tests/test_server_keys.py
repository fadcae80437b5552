"""Keys over HTTP: made once, listed without secrets, revoked, and only for those who run it all."""

import pytest

from tacit.core.keys import hash_token, parse_key_id
from tests.serving import served

CI = {
    "name": "ci",
    "workspace": "shop",
    "role": "write",
    "agent": "coder",
    "user": "ann",
    "speaks_for_users": True,
}


@pytest.fixture
def here():
    with served() as here:
        yield here


@pytest.fixture
def admin(here):
    return here.key(name="operator")


def test_a_key_is_made_with_a_token_that_opens_what_it_says(here, admin):
    made = here.client.post("/v1/keys", json=CI, headers=admin)
    assert made.status_code == 201
    key, token = made.json()["key"], made.json()["token"]
    assert key["id"] == parse_key_id(token)
    assert {name: key[name] for name in CI} == CI
    status = here.client.get("/v1/status", headers={"Authorization": f"Bearer {token}"}).json()
    told = (status["workspace"], status["role"], status["agent"], status["server_wide"])
    assert told == ("shop", "write", "coder", False)
    assert (status["user"], status["speaks_for_users"]) == ("ann", True)


def test_an_agents_key_does_not_speak_for_users_unless_asked(here, admin):
    given = {"name": "ci", "workspace": None, "role": "write"}
    plain = here.client.post("/v1/keys", json=given, headers=admin).json()["key"]
    agents = {**given, "name": "coder", "agent": "coder"}
    silent = here.client.post("/v1/keys", json=agents, headers=admin).json()["key"]
    assert (plain["speaks_for_users"], plain["user"]) == (True, None)
    assert silent["speaks_for_users"] is False


def test_the_first_key_is_made_without_one_and_from_then_on_one_is_needed(here):
    first = {"name": "root", "workspace": None, "role": "admin"}
    made = here.client.post("/v1/keys", json=first)
    assert made.status_code == 201
    assert made.json()["key"]["workspace"] is None
    assert here.client.get("/v1/keys").status_code == 401
    headers = {"Authorization": f"Bearer {made.json()['token']}"}
    assert here.client.get("/v1/keys", headers=headers).status_code == 200


def test_keys_are_listed_with_no_trace_of_their_tokens(here, admin):
    made = here.client.post("/v1/keys", json=CI, headers=admin).json()
    listed = here.client.get("/v1/keys", headers=admin)
    assert [each["name"] for each in listed.json()["items"]] == ["operator", "ci"]
    assert listed.json()["items"][1] == made["key"]
    assert "digest" not in listed.text
    for secret in (made["token"], hash_token(made["token"]).hex()):
        assert secret not in listed.text


def test_a_revoked_key_stays_in_the_list_and_opens_nothing(here, admin):
    made = here.client.post("/v1/keys", json=CI, headers=admin).json()
    address = f"/v1/keys/{made['key']['id']}"
    own = {"Authorization": f"Bearer {made['token']}"}
    assert here.client.get("/v1/status", headers=own).status_code == 200
    revoked = here.client.delete(address, headers=admin)
    assert (revoked.status_code, revoked.content) == (204, b"")
    assert here.client.get("/v1/status", headers=own).status_code == 401
    listed = here.client.get("/v1/keys", headers=admin).json()["items"]
    assert listed[1]["revoked_at"] is not None
    assert here.client.delete(address, headers=admin).status_code == 404
    assert here.client.delete("/v1/keys/nobody", headers=admin).status_code == 404
    assert here.client.post("/v1/keys", json=CI, headers=admin).status_code == 201


def test_what_is_looked_up_while_a_key_is_made_or_revoked_is_not_remembered(here, admin):
    token = admin["Authorization"].removeprefix("Bearer ")
    key_cache, keyring = here.service.key_cache, here.tacit.keys

    class Slow:
        """Looks up, and hears of a change before it can answer."""

        def find_by_token(self, token):
            found = keyring.find_by_token(token)
            key_cache.clear()
            return found

        def any(self):
            key_cache.clear()
            return False

    key_cache._keyring = Slow()
    assert key_cache.find(token) is not None
    assert key_cache.find_cached(token) == (False, None)
    assert key_cache.are_keys_needed() is False
    assert key_cache.cached_need() == (False, False)


def test_no_answer_with_a_token_is_kept(here, admin):
    headers = {**admin, "Idempotency-Key": "once"}
    first = here.client.post("/v1/keys", json=CI, headers=headers)
    again = here.client.post("/v1/keys", json=CI, headers=headers)
    assert (first.status_code, again.status_code) == (201, 409)
    assert "token" not in again.json()
    assert "choose another name" in again.json()["detail"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"role": "owner"}, "role"),
        ({"workspace": ""}, "workspace"),
        ({"agent": ""}, "agent"),
        ({"user": ""}, "user"),
        ({"speaks_for_users": "perhaps"}, "speaks_for_users"),
        ({"digest": "00"}, "digest"),
    ],
)
def test_a_key_that_cannot_be_made_is_refused(here, admin, change, field):
    answer = here.client.post("/v1/keys", json={**CI, **change}, headers=admin)
    assert (answer.status_code, answer.json()["field"]) == (422, field)
    assert len(here.tacit.keys.list()) == 1


def test_a_key_for_every_workspace_is_never_made_by_leaving_something_out(here, admin):
    content = {"name": "ci", "role": "admin"}
    answer = here.client.post("/v1/keys", json=content, headers=admin)
    assert (answer.status_code, answer.json()["field"]) == (422, "workspace")


@pytest.mark.parametrize(
    ("role", "workspace"), [("admin", "shop"), ("admin", "default"), ("write", None)]
)
def test_others_neither_see_nor_make_nor_revoke_keys(here, role, workspace):
    headers = here.key(role, workspace=workspace, name="other")
    (key,) = here.tacit.keys.list()
    asked = [
        here.client.get("/v1/keys", headers=headers),
        here.client.post("/v1/keys", json=CI, headers=headers),
        here.client.delete(f"/v1/keys/{key.id}", headers=headers),
    ]
    assert [answer.status_code for answer in asked] == [403, 403, 403]
    assert here.tacit.keys.list() == [key]


def test_an_agents_key_gives_itself_no_more_than_it_has(here):
    agent = here.key("admin", agent="coder")
    (key,) = here.tacit.keys.list()
    asked = [
        here.client.post("/v1/keys", json={**CI, "agent": None}, headers=agent),
        here.client.delete(f"/v1/keys/{key.id}", headers=agent),
        here.client.put("/v1/settings", json={"writing": {"learn": False}}, headers=agent),
        here.client.put("/v1/settings/raw", content="", headers=agent),
    ]
    assert [answer.status_code for answer in asked] == [403] * 4
    assert here.client.get("/v1/settings", headers=agent).status_code == 200
    assert here.tacit.keys.list() == [key]
