"""`tacit keys`: a token is shown once, keys are listed, and end when they are revoked."""

import json

import pytest

from tacit.core.keys import Role, hash_token, is_token_of, parse_key_id
from tacit.store.backends import open_store


@pytest.fixture
def keys(run):
    def keys(*arguments):
        return run("keys", *arguments)

    return keys


@pytest.fixture
def kept(tmp_path):
    """What is kept at the moment it is asked for."""

    def kept():
        store = open_store(tmp_path / "cli.db")
        found = store.keys().all()
        store.close()
        return found

    return kept


def _row(ran, name):
    (line,) = [line for line in ran.out.splitlines() if f" {name} " in line]
    return line.split()


def test_the_token_is_all_that_a_pipe_gets_and_the_rest_is_said_beside_it(keys, kept):
    made = keys("add", "ci", "--role", "write")
    assert made.code == 0
    token = made.out.strip()
    (key,) = kept()
    assert parse_key_id(token) == key.id
    assert is_token_of(key, token)
    assert f"Key {key.id} may read and write in workspace default." in made.err
    assert "cannot be shown again" in made.err


def test_a_key_is_for_one_workspace_or_for_every_one(keys, kept, monkeypatch):
    keys("add", "one", "--role", "read", "-w", "shop")
    keys("add", "all", "--role", "admin", "--every-workspace", "--agent", "coder")
    monkeypatch.setenv("TACIT_WORKSPACE", "from the environment")
    keys("add", "env", "--role", "read")
    one, every, env = kept()
    assert (one.workspace, one.role, one.agent) == ("shop", Role.READ, None)
    assert (every.workspace, every.role, every.agent) == (None, Role.ADMIN, "coder")
    assert env.workspace == "from the environment"


def test_a_key_is_bound_to_a_user_and_speaks_for_users_if_asked(keys, kept):
    silent = keys("add", "coder", "--role", "write", "--agent", "coder", "--user", "ann")
    keys("add", "app", "--role", "write", "--agent", "app", "--speaks-for-users")
    coder, app = kept()
    assert (coder.user, coder.speaks_for_users) == ("ann", False)
    assert (app.user, app.speaks_for_users) == (None, True)
    assert "in workspace default, as agent coder, bound to user ann." in silent.err
    listed = keys("list")
    assert _row(listed, "coder")[4:6] == ["coder", "ann"]
    assert _row(listed, "app")[4:7] == ["app", "for", "users"]


def test_json_has_the_token_once_and_never_the_digest(keys, kept):
    made = json.loads(keys("add", "ci", "--role", "read", "--json").out)
    (key,) = kept()
    assert made == key.to_dict() | {"token": made["token"]}
    assert is_token_of(key, made["token"])
    listed = keys("list", "--json").out
    assert json.loads(listed) == [key.to_dict()]
    assert hash_token(made["token"]).hex() not in listed


def test_keys_are_listed_with_what_they_open(keys):
    keys("add", "ci", "--role", "write", "-w", "shop", "--agent", "coder")
    keys("add", "[b]root[/b]", "--role", "admin", "--every-workspace")
    keys("revoke", "ci")
    listed = keys("list")
    assert _row(listed, "ci")[1:5] == ["ci", "write", "shop", "coder"]
    assert len(_row(listed, "ci")) == 9
    assert _row(listed, "[b]root[/b]")[1:4] == ["[b]root[/b]", "admin", "every"]


def test_a_key_is_revoked_by_its_name_or_its_id(keys, kept):
    keys("add", "ci", "--role", "read")
    keys("add", "phone", "--role", "read")
    by_name = keys("revoke", "ci")
    assert "(ci) is revoked" in by_name.out
    by_id = keys("revoke", kept()[1].id)
    assert "(phone) is revoked" in by_id.out
    assert all(key.revoked_at is not None for key in kept())
    again = keys("revoke", "ci")
    assert (again.code, "was revoked before" in again.out) == (0, True)


def test_a_name_means_the_key_that_is_in_use(keys, kept):
    keys("add", "ci", "--role", "read")
    keys("revoke", "ci")
    keys("add", "ci", "--role", "write")
    assert json.loads(keys("revoke", "ci", "--json").out)["revoked"] is True
    assert all(key.revoked_at is not None for key in kept())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("add", "ci"), "--role read or write or admin"),
        (("add", "--role", "read"), "write: tacit keys add NAME --role ROLE"),
        (("add", "a\nb", "--role", "read"), "name: write 1 to 100"),
        (("add", "x", "--role", "read", "-w", "a", "--every-workspace"), "not both"),
        (("add", "known", "--role", "read"), "choose another name, or revoke that one first"),
        (("list", "ci"), "write: tacit keys list"),
        (("list", "--role", "read"), "are for add"),
        (("list", "--user", "ann"), "are for add"),
        (("list", "--speaks-for-users"), "are for add"),
        (("add", "x", "--role", "read", "--user", ""), "user: must not be empty"),
        (("revoke",), "write: tacit keys revoke ID"),
        (("revoke", "nobody"), "there is no key 'nobody'; see: tacit keys list"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(keys, kept, arguments, said):
    keys("add", "known", "--role", "read")
    ran = keys(*arguments)
    assert ran.code == 2
    assert said in ran.err
    assert ran.out == ""
    assert len(kept()) == 1


def test_a_store_is_made_by_adding_only(run, keys, tmp_path):
    for arguments in (("list",), ("revoke", "ci")):
        ran = keys(*arguments)
        assert ran.code == 2
        assert "begin with: tacit keys add" in ran.err
    assert not (tmp_path / "cli.db").exists()
    run("remember", "x")
    assert "There are no keys" in keys("list").out
    keys("add", "ci", "--role", "read")
    assert [file.name for file in tmp_path.glob("cli.db*.bak")] == []
