"""The command on what waits for a person: what people type, what they see, and how it ends."""

import json

import pytest


def _json(ran):
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def _remember(run, content, *options):
    return _json(run("remember", content, "--json", *options))["memory"]["id"]


@pytest.fixture
def wish(run):
    """An agent's wish to change what a person wrote."""
    mine = _remember(run, "We indent with tabs")
    asked = ("edit", mine, "--content", "We indent with spaces", "--by", "agent", "--json")
    return _json(run(*asked))["review"]


def test_where_nothing_waits_that_is_said(run):
    _remember(run, "x")
    assert run("review").out == "Nothing in this workspace waits for a person.\n"
    assert _json(run("review", "--json")) == []
    for action in ("accept", "reject"):
        assert "Nothing in this workspace waits" in run("review", action, "--all").out
        assert _json(run("review", action, "--all", "--json")) == []


def test_what_waits_is_listed_with_what_would_change(run, wish):
    shown = run("review").out
    for part in (
        wish["id"][-8:],
        "update",
        wish["memory"][-8:],
        "We indent with tabs → We indent with spaces",
        "agent",
    ):
        assert part in shown
    assert run("review", "list").out == shown
    (told,) = _json(run("review", "--json"))
    assert told["review"] == wish
    assert (told["present"], told["wished"]) == ("We indent with tabs", "We indent with spaces")


def test_every_kind_of_wish_is_shown_in_words(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    mine = _remember(run, "4 spaces", "--key", "indent", "--confidence", "0.8")
    run("edit", mine, "--pin", "--tag", "style", "--by", "tool")
    run("edit", mine, "--clear", "key", "--agent", "coder", "--by", "tool")
    run("forget", mine, "--by", "agent")
    theirs = "2 spaces", "--key", "indent", "--by", "agent", "--json"
    run("edit", mine, "--trust", "unverified")
    assert _json(run("remember", *theirs))["review"]["action"] == "supersede"
    gone = _remember(run, "old news")
    run("forget", gone)
    run("restore", gone, "--by", "agent")
    sides = [
        _remember(run, content, "--confidence", "0.9", "--by", by)
        for content, by in (("Billing runs on MySQL", "user"), ("Billing runs on Oracle", "agent"))
    ]
    run("conflicts", "keep", *sides, "--by", "agent")
    shown = " ".join(run("review").out.split())
    for part in (
        "pinned: false → true",
        'tags: [] → ["style"]',
        "key: indent → (none)",
        "agent: (none) → coder",
        "4 spaces → (forgotten)",
        "4 spaces → 2 spaces",
        "(forgotten) → old news",
        "Billing runs on MySQL compatible_with Billing runs on Oracle",
        "insert association",
    ):
        assert part in shown, part


def test_the_list_says_how_to_decide(run, wish):
    assert "accept ID does it, reject ID drops it" in run("review").out


def test_of_two_memories_it_is_shown_when_each_was_stated(run):
    day = '{"time": "2026-01-05T12:00:00Z"}'
    _remember(run, "2 spaces", "--key", "indent", "--origin", day)
    review = _json(run("remember", "4 spaces", "--key", "indent", "--by", "agent", "--json"))
    shown = run("review", "show", review["review"]["id"]).out
    (row,) = [line for line in shown.splitlines() if line.startswith("stated ")]
    assert row.split()[1:3] == ["written", "2026-01-05"]
    assert row.count("written") == 2


def test_one_is_shown_side_by_side(run, wish):
    shown = run("review", "show", wish["id"][-8:])
    assert shown.code == 0
    for part in ("update", wish["id"], "now", "wished", "We indent with tabs", "with spaces"):
        assert part in shown.out
    said = " ".join(shown.out.split())
    assert "An agent wants to change a memory that a person wrote, and only a person may" in said
    assert "Until you decide, the memory stays as it is" in said
    assert "accept: Makes the change in your name" in said
    assert "reject: Leaves the memory as it is" in said
    assert _json(run("review", "show", wish["id"], "--json"))["review"] == wish


def test_what_is_accepted_is_done_in_the_persons_name(run, wish):
    ran = run("review", "accept", wish["id"][-8:], "--reason", "agreed")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"updated {wish['memory'][-8:]}")
    row = _json(run("history", wish["memory"], "--json"))[-1]
    assert (row["by"], row["new"]["reason"]) == ("user", "agreed")
    assert "reason: agreed" in run("history", wish["memory"]).out
    again = run("review", "accept", wish["id"][-8:])
    assert (again.code, again.out) == (2, "")
    assert "waits in workspace 'default'; tacit review lists what does" in again.err


def test_what_is_rejected_is_dropped(run, wish):
    ran = run("review", "reject", wish["id"])
    assert ran.out == f"rejected {wish['id'][-8:]} update {wish['memory'][-8:]}\n"
    assert _json(run("review", "--json")) == []
    assert _json(run("get", wish["memory"], "--json"))["content"] == "We indent with tabs"


def test_the_answer_can_be_had_as_json(run, wish):
    other = _json(run("forget", wish["memory"], "--by", "agent", "--json"))["review"]
    assert _json(run("review", "reject", other["id"], "--json")) == other
    accepted = _json(run("review", "accept", wish["id"], "--json"))
    assert (accepted["status"], accepted["memory"]["id"]) == ("updated", wish["memory"])


def test_an_agent_cannot_decide(run, wish):
    for action in ("accept", "reject"):
        ran = run("review", action, wish["id"], "--by", "agent")
        assert ran.code == 2
        assert "only a person decides" in ran.err
    assert len(_json(run("review", "--json"))) == 1


def test_all_is_asked_for_once_more(run, wish):
    run("forget", _remember(run, "old news"), "--by", "agent")
    for action in ("accept", "reject"):
        refused = run("review", action, "--all", stdin=b"n\n")
        assert refused.code == 1
        assert "We indent with tabs" in refused.err
        assert "We indent with spaces" in refused.err
        assert f"{action.capitalize()} all 2?" in refused.err
    assert len(_json(run("review", "--json"))) == 2
    assert run("review", "accept", "--all", stdin=b"y\n").code == 0
    assert _json(run("review", "--json")) == []
    contents = [each["content"] for each in _json(run("list", "--json"))]
    assert contents == ["We indent with spaces"]


def test_what_cannot_be_done_does_not_stop_the_rest(run, wish):
    run("forget", _remember(run, "old news"), "--by", "agent")
    run("edit", wish["memory"], "--content", "We indent with care")
    ran = run("review", "accept", "--all", "--yes")
    assert ran.code == 2
    assert ran.out.startswith("forgotten ")
    assert f"{wish['id'][-8:]} still waits: review: memory {wish['memory']} was changed" in ran.err
    assert [each["review"]["id"] for each in _json(run("review", "--json"))] == [wish["id"]]
    second = _json(run("forget", wish["memory"], "--by", "tool", "--json"))["review"]
    ran = run("review", "accept", wish["id"], second["id"], "--json")
    assert ran.code == 2
    assert json.loads(ran.out)["status"] == "forgotten"
    assert json.loads(ran.err)["review"] == wish["id"]


def test_lists_come_in_pages(run):
    for number in range(3):
        run("forget", _remember(run, f"number {number}"), "--by", "agent")
    first = run("review", "-n", "2").out
    (hint,) = [line for line in first.splitlines() if "more: --after" in line]
    rest = _json(run("review", "--after", hint.split()[-1], "--json"))
    assert [each["present"] for each in rest] == ["number 2"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("list", "abcd1234"), "ids: are for show, accept and reject"),
        (("show",), "ids: name what to show; tacit review lists"),
        (("accept",), "ids: name what to accept, or say --all"),
        (("reject", "abcd1234", "--all"), "all: is to accept or reject"),
        (("show", "--all"), "all: is to accept or reject"),
        (("show", "abc"), "'abc' is too short"),
        (("show", "abcd1234"), "no review with an id ending 'abcd1234' waits"),
    ],
)
def test_what_makes_no_sense_is_said(run, wish, arguments, problem):
    ran = run("review", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert problem in " ".join(ran.err.split())


def test_words_of_a_wish_do_not_steer_the_terminal(run, wish):
    mine = _remember(run, "plain")
    run("edit", mine, "--content", "red \x1b[31m [bold]now[/bold]", "--by", "agent")
    for shown in (run("review").out, run("review", "show", _last(run)).out):
        assert "\x1b" not in shown
        assert "[bold]now[/bold]" in " ".join(shown.split())


def _last(run):
    return _json(run("review", "--json"))[-1]["review"]["id"]
