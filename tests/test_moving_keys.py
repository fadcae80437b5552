"""Keys move with the workspaces that they open, and are verified like everything else."""

from contextlib import closing
from dataclasses import replace

import pytest

from tacit import Tacit, migrate
from tacit.core.errors import MoveRefused
from tacit.core.keys import issue_key
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tacit.store.sqlite.store import SqliteStore
from tacit.writing.archive.move import move_workspaces
from tests.support import START

BEFORE_THE_UPGRADE = {"speaks_for_users": True, "speaks_by_upgrade": True}
UNSEEN = {"progress": lambda *_: None}


def _key(name, workspace, agent=None, **more):
    return issue_key(name, "write", workspace=workspace, agent=agent, at=START, **more)[0]


@pytest.fixture
def full():
    """Two workspaces, and keys to one, to the other, to all, to none yet, and to none any more."""
    store = SqliteInMemoryStore.open()
    for workspace in ("ours", "theirs"):
        Tacit(store, workspace).remember("We ship on Tuesdays")
    for key in (
        _key("ours", "ours", "coder", user="ann", speaks_for_users=True),
        _key("theirs", "theirs"),
        _key("root", None),
        _key("early", "not there yet"),
        replace(_key("old", "ours", "coder"), revoked_at=START, **BEFORE_THE_UPGRADE),
    ):
        store.keys().add(key)
    return store


def _keys(moved):
    return {
        each.name: (kind.source, kind.target, kind.copied, kind.is_equal)
        for each in moved
        for kind in each.kinds
        if kind.name == "keys"
    }


def test_every_key_arrives_as_it_was(full, store):
    moved = move_workspaces(full, store, **UNSEEN)
    assert store.keys().all() == full.keys().all()
    assert all(each.is_complete for each in moved)
    assert _keys(moved) == {
        "ours": (2, 2, 2, True),
        "theirs": (1, 1, 1, True),
        "*": (2, 2, 2, True),
    }


def test_a_move_that_is_run_again_copies_no_key_twice(full, store):
    move_workspaces(full, store, **UNSEEN)
    again = move_workspaces(full, store, **UNSEEN)
    assert _keys(again)["ours"] == (2, 2, 0, True)
    assert _keys(again)["*"] == (2, 2, 0, True)


def test_one_workspace_takes_its_own_keys_along_and_no_others(full, store):
    moved = move_workspaces(full, store, ["theirs"], **UNSEEN)
    assert [key.name for key in store.keys().all()] == ["theirs"]
    assert _keys(moved) == {"theirs": (1, 1, 1, True)}


def test_where_there_are_no_other_keys_nothing_is_said_of_them(store):
    here = SqliteInMemoryStore.open()
    Tacit(here, "ours").remember("We ship on Tuesdays")
    assert [each.name for each in move_workspaces(here, store, **UNSEEN)] == ["ours"]


@pytest.mark.parametrize("name", ["ours", "root"])
def test_a_key_that_differs_at_the_target_is_left_alone(full, store, name):
    (key,) = [key for key in full.keys().all() if key.name == name]
    there = replace(key, revoked_at=START)
    store.keys().add(there)
    with pytest.raises(MoveRefused, match="at the target already and differs"):
        move_workspaces(full, store, **UNSEEN)
    assert store.keys().all() == [there]
    assert store.workspaces() == []


def test_a_name_that_another_key_has_at_the_target_stands_in_the_way(full, store):
    store.keys().add(_key("root", "elsewhere"))
    with pytest.raises(MoveRefused, match="another key named 'root' is in use at the target"):
        move_workspaces(full, store, **UNSEEN)
    assert store.workspaces() == []


def test_a_key_that_does_not_arrive_is_noticed(full):
    class Lossy(SqliteInMemoryStore):
        """Forgets keys at once."""

        def keys(self):
            return SqliteInMemoryStore.open().keys()

    moved = move_workspaces(full, Lossy.open(), **UNSEEN)
    assert _keys(moved)["theirs"] == (1, 0, 1, False)
    assert not any(each.is_complete for each in moved)


def test_the_command_counts_keys_of_all_workspaces_in_one_row(run, tmp_path):
    with closing(SqliteStore.open(tmp_path / "a.db")) as store:
        Tacit(store, "ours").remember("We ship on Tuesdays")
        store.keys().add(_key("ours", "ours"))
        store.keys().add(_key("root", None))
    ran = run("migrate", tmp_path / "a.db", tmp_path / "b.db")
    assert ran.code == 0
    (row,) = [line.split() for line in ran.out.splitlines() if line.startswith("keys")]
    assert row == ["keys", "2", "2", "2", "equal"]


def test_a_store_that_has_keys_only_moves_them(tmp_path):
    with closing(SqliteStore.open(tmp_path / "a.db")) as store:
        store.keys().add(_key("root", None))
    report = migrate(tmp_path / "a.db", tmp_path / "b.db")
    assert report.is_complete
    assert _keys(report.workspaces) == {"*": (1, 1, 1, True)}
