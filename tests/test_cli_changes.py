"""The command on what memory did by itself: what people see, and how they undo it."""

import json

import pytest


def _json(ran):
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


@pytest.fixture
def change(run):
    """A value of an agent that a newer one replaced."""
    for value in ("We indent with tabs", "We indent with spaces"):
        run("remember", value, "--key", "editor.indent", "--by", "agent")
    (change,) = _json(run("changes", "--json"))
    return change


def test_where_memory_changed_nothing_that_is_said(run):
    run("remember", "x")
    assert run("changes").out == "Memory changed nothing by itself in this workspace.\n"
    assert _json(run("changes", "--json")) == []


def test_changes_are_listed_with_both_wordings_and_why(run, change, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    shown = run("changes").out
    for part in (
        change["id"][-8:],
        "replaced",
        "was We indent with tabs",
        "now We indent with spaces",
        "a newer value of editor.indent",
        f"To undo one: tacit changes --undo {change['id'][-8:]}",
    ):
        assert part in shown


def test_a_change_is_undone_by_the_end_of_its_id(run, change):
    undone = _json(run("changes", "--undo", change["id"][-8:], "--json"))
    assert (undone["status"], undone["memory"]["content"]) == ("restored", "We indent with tabs")
    (listed,) = _json(run("changes", "--json"))
    assert listed["undone"]
    shown = run("changes").out
    assert "undone" in shown
    assert "To undo one" not in shown


def test_restore_brings_a_replaced_memory_back(run, change):
    assert "restored" in run("restore", change["memory"]["id"][-8:]).out
    contents = {each["content"] for each in _json(run("list", "--json"))}
    assert contents == {"We indent with tabs", "We indent with spaces"}


def test_the_list_goes_on_after_a_change(run, change):
    run("remember", "We indent with both", "--key", "editor.indent", "--by", "agent")
    (newest,) = _json(run("changes", "--limit", "1", "--json"))
    assert f"more: --after {newest['id'][-8:]}" in run("changes", "-n", "1").out
    (older,) = _json(run("changes", "--after", newest["id"][-8:], "--json"))
    assert older["id"] == change["id"]


@pytest.mark.parametrize(("ending", "told"), [("ab", "too short"), ("00000000abcd", "no change")])
def test_what_names_no_change_is_said(run, change, ending, told):
    ran = run("changes", "--undo", ending)
    assert ran.code == 2
    assert told in ran.err
