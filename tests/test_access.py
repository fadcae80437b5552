"""Keys: who may do what, and what tells a token from a guess."""

import re
from dataclasses import replace

import pytest

from tacit.core.errors import InvalidInput
from tacit.core.keys import Role, create_token, hash_token, is_token_of, issue_key, parse_key_id
from tests.support import START


def _issue(name="ci", role="write", workspace="default", agent=None, **more):
    return issue_key(name, role, workspace=workspace, agent=agent, at=START, **more)


def test_each_role_may_do_what_those_below_it_may():
    allowed = {(one, other) for one in Role for other in Role if one.allows(other)}
    assert allowed == {
        ("read", "read"),
        ("write", "read"),
        ("write", "write"),
        ("admin", "read"),
        ("admin", "write"),
        ("admin", "admin"),
    }


def test_a_token_names_its_key_and_no_two_are_alike():
    made = [create_token() for _ in range(50)]
    for id, token in made:
        assert re.fullmatch(r"tacit_[a-z0-9]{12}_[A-Za-z0-9_-]{43}", token)
        assert parse_key_id(token) == id
    assert len({id for id, _ in made}) == len({token for _, token in made}) == 50


@pytest.mark.parametrize(
    "token",
    ["", "tacit", "sk-123", "tacit_short_" + "x" * 43, "tacit_" + "a" * 12 + "_" + "x" * 42]
    + ["tacit_" + "a" * 12 + "_" + "x" * 43 + end for end in ("\n", "x", "ü", "\udc80")],
)
def test_what_cannot_be_a_token_names_no_key(token):
    assert parse_key_id(token) is None
    assert not is_token_of(_issue()[0], token)


def test_a_key_matches_its_own_token_only():
    key, token = _issue()
    other, _ = _issue()
    assert is_token_of(key, token)
    assert not is_token_of(other, token)
    assert not is_token_of(key, token[:-1] + ("a" if token[-1] != "a" else "b"))
    assert not is_token_of(replace(other, id=key.id), token)


def test_a_key_tells_nothing_of_its_token():
    key, token = _issue()
    secret = token.rpartition(key.id)[2]
    assert key.digest == hash_token(token)
    assert secret not in repr(key)
    assert "digest" not in repr(key)
    assert key.to_dict() == {
        "id": key.id,
        "name": "ci",
        "workspace": "default",
        "role": "write",
        "agent": None,
        "user": None,
        "speaks_for_users": True,
        "created_at": "2026-03-01T12:00:00.000000Z",
        "revoked_at": None,
    }


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "two\nlines", "bell\a"])
def test_a_name_that_nobody_could_read_is_refused(name):
    with pytest.raises(InvalidInput, match="name: write 1 to 100 printable"):
        _issue(name)


def test_a_key_is_for_what_exists():
    with pytest.raises(InvalidInput, match="role: 'owner' is none of read, write, admin"):
        _issue(role="owner")
    with pytest.raises(InvalidInput, match="workspace"):
        _issue(workspace="")
    with pytest.raises(InvalidInput, match="agent"):
        _issue(agent="")
    assert _issue(" ci ", workspace=None)[0].name == "ci"
    assert _issue(workspace=None)[0].workspace is None


def test_an_agents_key_speaks_for_users_only_if_that_was_asked_for():
    assert _issue()[0].speaks_for_users
    assert _issue(user="ann")[0].speaks_for_users
    assert not _issue(agent="coder")[0].speaks_for_users
    assert not _issue(agent="coder", user="ann")[0].speaks_for_users
    assert _issue(agent="coder", speaks_for_users=True)[0].speaks_for_users


def test_a_key_is_bound_to_a_user_by_a_name_that_a_user_can_have():
    assert _issue(user="ann")[0].user == "ann"
    for name in ("", " ", "a\nb"):
        with pytest.raises(InvalidInput):
            _issue(user=name)
