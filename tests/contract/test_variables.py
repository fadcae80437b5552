"""The contract of a store for what workflows note about sessions."""

from datetime import timedelta

import pytest

from tacit.core.sessions import SessionVariable
from tacit.language.terms import WordMatcher
from tests.support import START

VALUE = {"list": [None, True, 0.5], "ü\x00": "日本"}


def _note(name, value, session="s", at=START):
    return SessionVariable(session=session, name=name, value=value, at=at)


def _put(store, *variables, workspace="w"):
    with store.write(workspace) as unit:
        for each in variables:
            unit.variables.put(each)


def _of(store, session="s", workspace="w"):
    with store.read(workspace) as unit:
        return {each.name: each.value for each in unit.variables.of(session)}


def test_what_is_noted_is_there_by_name_until_it_is_noted_anew_or_removed(store):
    assert _of(store) == {}
    _put(store, _note("b", VALUE), _note("a", 1), _note("a", "theirs", session="s2"))
    assert list(_of(store)) == ["a", "b"]
    assert _of(store) == {"a": 1, "b": VALUE}
    _put(store, _note("a", [2]))
    assert _of(store)["a"] == [2]
    with store.write("w") as unit:
        assert unit.variables.remove("s", "a")
        assert not unit.variables.remove("s", "a")
    assert _of(store) == {"b": VALUE}
    assert _of(store, "s2") == {"a": "theirs"}


def test_workspaces_do_not_meet(store):
    _put(store, _note("a", 1))
    _put(store, _note("a", 2), workspace="theirs")
    with store.write("theirs") as unit:
        unit.variables.remove("s", "a")
    assert _of(store) == {"a": 1}
    assert _of(store, workspace="theirs") == {}


def test_a_change_to_what_was_given_or_read_changes_nothing_in_the_store(store):
    given = [1]
    _put(store, _note("a", given))
    given.append(2)
    _of(store)["a"].append(3)
    assert _of(store) == {"a": [1]}


def test_what_holds_erased_words_is_dropped_however_deep_they_stand(store):
    deep = {"lines": ["The  VAULT opens with heliotrope", 3]}
    _put(store, _note("a", deep), _note("b", "heliotrope"), _note("c", 7, session="s2"))
    with store.write("w") as unit:
        words = WordMatcher.of(["the vault opens\nwith heliotrope", "x"])
        assert unit.variables.drop_holding(words, lambda each: each.session == "s2") == 0
        assert unit.variables.drop_holding(words, lambda _: True) == 1
        assert unit.variables.drop_holding(WordMatcher.of([" "]), lambda _: True) == 0
    assert _of(store) == {"b": "heliotrope"}
    assert _of(store, "s2") == {"c": 7}


def test_what_is_too_old_is_pruned(store):
    later = START + timedelta(days=2)
    _put(store, _note("old", 1), _note("new", 2, at=later))
    with store.write("w") as unit:
        assert unit.variables.prune(START + timedelta(days=1)) == 1
    assert _of(store) == {"new": 2}


def test_pages_are_in_the_order_of_sessions_and_names(store):
    places = [("s", "b"), ("s", "a"), ("s2", "a"), ("s", "aa"), ("r", "z")]
    _put(store, *(_note(name, 1, session) for session, name in places))
    with store.read("w") as unit:
        found, after = [], None
        while page := unit.variables.scan(after, 2):
            found += page
            after = page[-1]
    assert [(each.session, each.name) for each in found] == sorted(places)


def test_a_transaction_that_failed_noted_nothing(store):
    with pytest.raises(ZeroDivisionError), store.write("w") as unit:
        unit.variables.put(_note("a", 1))
        _ = 1 / 0
    assert _of(store) == {}
