"""Giving memories to a user: nothing is lost, nothing is doubled, and the history says it."""

import json
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit import FakeEmbedder, InvalidInput, NotFound, Tacit
from tests.properties import examples
from tests.support import CountedIds, HandClock

ASKED = "Which protocol does the API speak?"
SAID = "The API speaks gRPC"


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def tacit(clock):
    with Tacit.open(":memory:", embedder=FakeEmbedder(), clock=clock) as tacit:
        yield tacit


def _rows(tacit, id, since=1):
    return [(row.action, row.old, row.new) for row in tacit.memories.history(id)[since:]]


def _counts(done):
    return {name: n for name, n in done.to_dict().items() if n and type(n) is int}


def test_what_belongs_to_no_user_becomes_the_users_and_is_found(tacit):
    id = tacit.remember(SAID).id
    before = tacit.get(id)
    assert _counts(tacit.memories.assign("ann")) == {"assigned": 1}
    with tacit.turn(session="s", history=[], text=ASKED, user="ann") as turn:
        assert [each.memory for each in turn.receipt.injected] == [id]
    assert _rows(tacit, id) == [("update", {"scope_id": ""}, {"scope_id": "ann"})]
    assert tacit.get(id).updated_at == before.updated_at
    assert _counts(tacit.memories.assign("ann")) == {}


def test_only_what_is_selected_is_assigned(tacit):
    fact = tacit.remember(SAID).id
    liked = tacit.remember("Tabs", type="preference").id
    bobs = tacit.remember("The port is 80", scope_id="bob").id
    project = tacit.remember("The CI is slow", scope="project", scope_id="api").id
    assert _counts(tacit.memories.assign("ann", types=["preference"])) == {"assigned": 1}
    assert _counts(tacit.memories.assign("ann", from_user="bob")) == {"assigned": 1}
    assert _counts(tacit.memories.assign("zoe", ids=[liked])) == {"assigned": 1}
    owners = {id: tacit.get(id).scope_id for id in (fact, liked, bobs, project)}
    assert owners == {fact: "", liked: "zoe", bobs: "ann", project: "api"}


def test_every_state_is_assigned_so_that_a_users_past_is_the_users(tacit):
    old = tacit.remember("tabs", key="editor.indent").id
    new = tacit.remember("4 spaces", key="editor.indent").id
    gone = tacit.remember(SAID).id
    tacit.forget(gone)
    assert _counts(tacit.memories.assign("ann")) == {"assigned": 3}
    assert {each.id for each in tacit.list(state=None, scope_id="ann")} == {old, new, gone}
    assert [each.id for each in tacit.list()] == [new]


def test_a_twin_goes_on_for_both_and_takes_over_what_it_lacks(tacit):
    twin = tacit.remember(SAID, scope_id="ann", by="agent", tags=["api"]).id
    id = tacit.remember(SAID, tags=["rpc"], importance=0.9, pinned=True).id
    assert _counts(tacit.memories.assign("ann")) == {"merged": 1}
    kept, ended = tacit.get(twin), tacit.get(id)
    assert (kept.tags, kept.importance, kept.pinned) == (("api", "rpc"), 0.9, True)
    assert kept.explicit
    assert (ended.scope_id, ended.superseded_by) == ("ann", twin)
    ((action, old, new),) = _rows(tacit, id)
    assert (action, old["scope_id"], new["scope_id"]) == ("supersede", "", "ann")
    assert len(_rows(tacit, twin)) == 1
    assert [each.id for each in tacit.list(scope_id="ann")] == [twin]


@pytest.mark.parametrize("end", ["forget", "expire"])
def test_a_twin_that_was_forgotten_or_has_ended_is_back(tacit, clock, end):
    twin = tacit.remember(SAID, scope_id="ann").id
    if end == "forget":
        tacit.forget(twin)
    else:
        tacit.edit(twin, expires_at=clock.now)
    tacit.remember(SAID)
    clock.advance(days=1)
    assert _counts(tacit.memories.assign("ann")) == {"merged": 1}
    assert [each.id for each in tacit.list(scope_id="ann")] == [twin]


def test_a_twin_that_is_live_stays_as_it_is_when_a_forgotten_one_joins_it(tacit):
    twin = tacit.remember(SAID, scope_id="ann").id
    id = tacit.remember(SAID).id
    tacit.forget(id)
    assert _counts(tacit.memories.assign("ann")) == {"merged": 1}
    assert _rows(tacit, twin) == []
    assert [each.id for each in tacit.list()] == [twin]
    assert tacit.count(state="forgotten") == 1


def test_a_key_has_one_current_value_and_the_newer_one_it_is(tacit, clock):
    older = tacit.remember("tabs", key="editor.indent").id
    clock.advance(days=1)
    anns = tacit.remember("4 spaces", key="editor.indent", scope_id="ann").id
    assert _counts(tacit.memories.assign("ann")) == {"outdated": 1}
    assert tacit.get(older).superseded_by == anns
    clock.advance(days=1)
    newer = tacit.remember("2 spaces", key="editor.indent").id
    assert _counts(tacit.memories.assign("ann")) == {"assigned": 1, "superseded": 1}
    assert [each.id for each in tacit.list(key="editor.indent")] == [newer]
    assert len(_rows(tacit, newer)) == len(_rows(tacit, anns)) == 1


def test_of_two_values_that_begin_at_one_time_one_is_to_come(tacit, clock):
    begin = clock.now + timedelta(days=9)
    older = tacit.remember("tabs", key="editor.indent", valid_from=begin).id
    clock.advance(days=1)
    anns = tacit.remember("4 spaces", key="editor.indent", scope_id="ann", valid_from=begin).id
    assert _counts(tacit.memories.assign("ann")) == {"outdated": 1}
    assert tacit.get(older).superseded_by == anns
    clock.advance(days=9)
    assert [each.id for each in tacit.list(key="editor.indent")] == [anns]


def test_a_key_keeps_what_a_person_said_against_a_newer_guess(tacit, clock):
    anns = tacit.remember("4 spaces", key="editor.indent", scope_id="ann").id
    clock.advance(days=1)
    tacit.remember("tabs", key="editor.indent", by="agent")
    assert _counts(tacit.memories.assign("ann", by="agent")) == {"outdated": 1}
    assert [each.id for each in tacit.list(key="editor.indent")] == [anns]


def test_an_agent_assigns_its_own_and_asks_for_what_a_person_wrote(tacit):
    own = tacit.remember("The port is 80", by="agent").id
    persons = tacit.remember(SAID).id
    assert _counts(tacit.memories.assign("ann", by="agent")) == {"assigned": 1, "queued": 1}
    assert (tacit.get(own).scope_id, tacit.get(persons).scope_id) == ("ann", "")
    (report,) = tacit.reviews.list()
    tacit.reviews.accept(report.id)
    assert tacit.get(persons).scope_id == "ann"


def test_what_waited_is_merged_when_a_person_accepts_it_after_all(tacit):
    id = tacit.remember(SAID).id
    tacit.memories.assign("ann", by="agent")
    twin = tacit.remember(SAID, scope_id="ann").id
    (report,) = tacit.reviews.list()
    tacit.reviews.accept(report.id)
    assert tacit.get(id).superseded_by == twin


def test_a_dry_run_says_what_would_become_of_each_and_changes_nothing(tacit):
    tacit.remember(SAID)
    tacit.remember(SAID, scope_id="ann")
    other = tacit.remember("The port is 80").id
    done = tacit.memories.assign("ann", dry_run=True)
    assert done.dry_run
    assert _counts(done) | {"dry_run": 0} == {"assigned": 1, "merged": 1, "dry_run": 0}
    assert tacit.get(other).scope_id == ""
    assert tacit.reviews.list() == []


def test_many_are_assigned_lot_by_lot_and_a_limit_goes_on_where_it_stopped(tacit):
    tacit.memories.remember_all([f"Service {n} listens on port {n}" for n in range(450)])
    told = []
    first = tacit.memories.assign("ann", limit=50, progress=lambda *each: told.append(each))
    assert (first.assigned, told) == (50, [(50, 450)])
    rest = tacit.memories.assign("ann", after=first.next, progress=lambda *each: told.append(each))
    assert (rest.assigned, rest.next) == (400, None)
    assert told[1:] == [(200, 400), (400, 400), (400, 400)]
    assert tacit.count(scope_id="ann") == 450


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"user": ""}, "user"),
        ({"user": "ann", "from_user": "ann"}, "from_user"),
        ({"user": "ann", "scope": "project"}, "scope"),
        ({"user": "ann", "ids": [], "types": ["fact"]}, "ids"),
    ],
)
def test_what_cannot_be_meant_is_refused(tacit, asked, field):
    with pytest.raises(InvalidInput) as caught:
        tacit.memories.assign(**asked)
    assert caught.value.field == field


def test_ids_are_assigned_all_or_none(tacit):
    id = tacit.remember(SAID).id
    project = tacit.remember("The CI is slow", scope="project").id
    with pytest.raises(InvalidInput, match="scope project"):
        tacit.memories.assign("ann", ids=[id, project])
    with pytest.raises(NotFound):
        tacit.memories.assign("ann", ids=[id, CountedIds()()])
    assert tacit.get(id).scope_id == ""


# The command


def test_the_command_shows_the_count_asks_and_assigns(run):
    run("remember", SAID)
    run("remember", "Tabs", "--type", "preference")
    refused = run("assign", "--user", "ann", stdin=b"n\n")
    assert "This would be done:\n2 memories assigned to ann" in refused.err
    assert refused.code == 1
    planned = run("assign", "--user", "ann", "--dry-run", "--type", "preference")
    assert planned.out == "This would be done:\n1 memory assigned to ann\n"
    assert "2 memories assigned to ann\n" in run("assign", "--user", "ann", stdin=b"y\n").out
    assert run("assign", "--user", "ann", "--yes").out == (
        "No memory matches, so nothing changes.\n"
    )


def test_the_command_takes_ids_and_another_users_memories(run):
    id = run("remember", SAID).out.split()[1]
    told = json.loads(run("assign", id, "--user", "ann", "--yes", "--json").out)
    assert (told["assigned"], told["user"]) == (1, "ann")
    assert json.loads(run("list", "--json").out)[0]["scope_id"] == "ann"
    run("assign", "--user", "bob", "--from", "ann", "--yes")
    assert json.loads(run("list", "--json").out)[0]["scope_id"] == "bob"
    assert run("assign", "--user", "bob", "--from", "bob").code == 2


# Whatever was there before

_STATEMENTS = st.lists(
    st.tuples(
        st.sampled_from(["tabs", "4 spaces", "2 spaces"]),
        st.sampled_from([None, "editor.indent"]),
        st.sampled_from(["", "ann"]),
        st.sampled_from(["user", "agent"]),
        st.sampled_from(["stay", "forget", "expire"]),
    ),
    max_size=8,
)


@settings(max_examples=examples(15, 60))
@given(said=_STATEMENTS, by=st.sampled_from(["user", "agent"]))
def test_nothing_is_lost_or_doubled_and_every_new_owner_has_one_row(said, by):
    clock = HandClock()
    with Tacit.open(":memory:", embedder="none", clock=clock) as tacit:
        for content, key, owner, author, then in said:
            clock.advance(hours=1)
            id = tacit.remember(content, key=key, scope_id=owner, by=author).id
            if then == "forget":
                tacit.forget(id)
            elif then == "expire" and tacit.memories.get_all([id]):
                tacit.edit(id, expires_at=clock.now)
        before = {each.id: each for each in tacit.list(state=None)}
        rows = {id: len(tacit.memories.history(id)) for id in before}
        unkeyed = {each.content for each in tacit.list() if each.key is None}
        is_valued = tacit.count(key="editor.indent", scope_id="")
        was_settled = tacit.count(key="editor.indent", scope_id="ann") <= 1
        done = tacit.memories.assign("ann", by=by)
        after = {each.id: each for each in tacit.list(state=None)}
        assert after.keys() == before.keys()
        for id, memory in after.items():
            fresh = tacit.memories.history(id)[rows[id] :]
            assert bool(fresh) == (memory != before[id])
            moves = [row for row in fresh if "scope_id" in (row.new or {})]
            assert len(moves) == (memory.scope_id != before[id].scope_id)
        assert done.total == sum(each.scope_id == "" for each in before.values())
        if by == "user":
            assert all(each.scope_id == "ann" for each in after.values())
            assert {each.content for each in tacit.list() if each.key is None} == unkeyed
            if is_valued and was_settled:
                assert tacit.count(key="editor.indent") == 1
        assert _counts(tacit.memories.assign("ann", by=by)) == (
            {"queued": done.queued} if done.queued else {}
        )
