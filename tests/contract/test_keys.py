"""The contract of a store for keys: they belong to all of it, and end without a trace lost."""

import threading
from dataclasses import replace
from datetime import timedelta

import pytest

from tacit.core.errors import AlreadyKnown, StoreUnavailable
from tacit.core.keys import Key, Role, issue_key
from tests.support import START

DAY = timedelta(days=1)


def _key(name="ci", role=Role.WRITE, workspace="default", agent=None, at=START, **more) -> Key:
    return issue_key(name, role, workspace=workspace, agent=agent, at=at, **more)[0]


def test_a_key_comes_back_as_it_was_made(store):
    plain = _key()
    full = replace(_key("日本", Role.ADMIN, None, "coder", START + DAY), revoked_at=START + 2 * DAY)
    bound = _key("bound", user="ann")
    silent = _key("silent", agent="coder")
    speaking = _key("speaking", agent="coder", user="ann", speaks_for_users=True)
    upgraded = replace(_key("old", agent="coder"), speaks_for_users=True, speaks_by_upgrade=True)
    for key in (plain, full, bound, silent, speaking, upgraded):
        store.keys().add(key)
        assert store.keys().get(key.id) == key
    assert store.keys().get("unknown") is None


def test_all_keys_are_listed_oldest_first(store):
    keys = [_key("late", at=START + DAY), _key("early", workspace="other")]
    assert store.keys().all() == []
    for key in keys:
        store.keys().add(key)
    assert store.keys().all() == keys[::-1]


def test_a_revoked_key_is_kept_and_says_when_it_ended(store):
    key = _key()
    store.keys().add(key)
    assert store.keys().revoke(key.id, START + DAY)
    assert not store.keys().revoke(key.id, START + 2 * DAY)
    assert not store.keys().revoke("unknown", START)
    assert store.keys().get(key.id) == replace(key, revoked_at=START + DAY)


def test_a_store_knows_whether_it_ever_had_a_key(store):
    assert not store.keys().any()
    key = _key()
    store.keys().add(key)
    assert store.keys().any()
    store.keys().revoke(key.id, START)
    assert store.keys().any()


def test_a_name_is_taken_until_its_key_is_revoked(store):
    first, second = _key(), _key(workspace="other")
    store.keys().add(first)
    with pytest.raises(AlreadyKnown, match="'ci' already; choose another name"):
        store.keys().add(second)
    assert store.keys().all() == [first]
    store.keys().revoke(first.id, START)
    store.keys().add(second)
    assert store.keys().get(second.id) == second


def test_a_revoked_key_may_be_added_beside_one_in_use(store):
    store.keys().add(_key())
    store.keys().add(replace(_key(), revoked_at=START))
    assert len(store.keys().all()) == 2


def test_an_id_is_taken_for_good(store):
    key = _key()
    store.keys().add(key)
    store.keys().revoke(key.id, START)
    with pytest.raises(AlreadyKnown):
        store.keys().add(replace(key, name="other"))


def test_keys_make_no_workspace(store):
    store.keys().add(_key(workspace="ours"))
    assert store.workspaces() == []


def test_a_name_is_given_to_one_of_two(store):
    start = threading.Barrier(2)
    refused = []

    def add():
        start.wait()
        for n in range(10):
            try:
                store.keys().add(_key(f"key {n}"))
            except AlreadyKnown:
                refused.append(n)

    threads = [threading.Thread(target=add) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(refused) == list(range(10))
    assert sorted(key.name for key in store.keys().all()) == [f"key {n}" for n in range(10)]


def test_a_closed_store_has_no_keys_to_give(store):
    store.close()
    with pytest.raises(StoreUnavailable):
        store.keys().all()
