"""The contract of a store for how far long work has come."""

import pytest

VALUE = {"after": "01890a5d", "seen": 12, "share": 0.5, "of": [None, True, {"ü\x00": "日本"}]}


def _put(store, name, value, workspace="w"):
    with store.write(workspace) as unit:
        unit.progress.put(name, value)


def _get(store, name, workspace="w"):
    with store.read(workspace) as unit:
        return unit.progress.get(name)


def test_work_goes_on_where_it_stood(store):
    assert _get(store, "upkeep") is None
    _put(store, "upkeep", VALUE)
    _put(store, "other", {})
    assert _get(store, "upkeep") == VALUE
    assert _get(store, "other") == {}
    _put(store, "upkeep", {"after": None})
    assert _get(store, "upkeep") == {"after": None}


def test_workspaces_do_not_meet(store):
    _put(store, "upkeep", {"n": 1})
    _put(store, "upkeep", {"n": 2}, workspace="theirs")
    assert _get(store, "upkeep") == {"n": 1}
    with store.write("theirs") as unit:
        unit.progress.remove("upkeep")
    assert _get(store, "upkeep") == {"n": 1}
    assert _get(store, "upkeep", "theirs") is None


def test_what_was_removed_begins_anew(store):
    _put(store, "upkeep", VALUE)
    with store.write("w") as unit:
        unit.progress.remove("upkeep")
        unit.progress.remove("unknown")
        assert unit.progress.get("upkeep") is None


def test_a_change_to_what_was_given_or_read_changes_nothing_in_the_store(store):
    given = {"seen": [1]}
    _put(store, "upkeep", given)
    given["seen"].append(2)
    _get(store, "upkeep")["seen"].append(3)
    assert _get(store, "upkeep") == {"seen": [1]}


def test_work_of_a_transaction_that_failed_never_went_on(store):
    _put(store, "upkeep", {"n": 1})
    with pytest.raises(ZeroDivisionError), store.write("w") as unit:
        unit.progress.put("upkeep", {"n": 2})
        _ = 1 / 0
    assert _get(store, "upkeep") == {"n": 1}
