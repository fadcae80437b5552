"""Memories listed and counted by filters: in the library, over HTTP and at the terminal."""

import json
from datetime import UTC, date, datetime

import pytest

from tacit import InvalidInput, Tacit
from tacit.store.query import Query
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tacit.store.sqlite.store import SqliteStore
from tests.serving import served
from tests.support import START, HandClock


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def tacit(clock):
    return Tacit(SqliteInMemoryStore.open(), "default", clock=clock)


def _contents(memories):
    return {memory.content for memory in memories}


def test_a_list_and_its_count_take_the_same_filters(tacit):
    tacit.remember("JWT is used", tags=["Auth"], origin={"session": "s1"}, importance=0.9)
    tacit.remember("the jwt key rotates", by="agent", expires_at="2030-01-01")
    tacit.remember("gRPC is used")
    assert _contents(tacit.list(contains="jwt")) == {"JWT is used", "the jwt key rotates"}
    assert _contents(tacit.list(contains="auth", session="s1")) == {"JWT is used"}
    assert _contents(tacit.list(expires=True, explicit=False)) == {"the jwt key rotates"}
    assert tacit.count() == 3
    assert tacit.count(contains="jwt", trust="trusted", source="user") == 1
    assert tacit.count(contains=None, min_importance=0.9, max_importance=1) == 1


def test_a_project_sees_no_memories_of_other_projects(tacit):
    tacit.remember("Ann likes tea", user="ann")
    tacit.remember("The shop sells bread", project="shop")
    tacit.remember("The farm grows wheat", project="farm")
    seen = {"Ann likes tea", "The shop sells bread"}
    assert _contents(tacit.list(project="shop", user="ann")) == seen
    assert tacit.count(project="shop") == 2
    with served(tacit._context.store) as here:
        asked = {"project": "shop"}
        items = here.client.get("/v1/memories", params=asked).json()["items"]
        assert {each["content"] for each in items} == seen
        assert here.client.get("/v1/memories/count", params=asked).json() == {"count": 2}


def test_a_project_is_no_owner_of_what_is_erased(tacit):
    tacit.remember("The shop sells bread", project="shop")
    with pytest.raises(InvalidInput, match="owner='project:NAME'"):
        tacit.memories.erase_matching(project="shop")
    assert tacit.count() == 1


def test_nothing_said_of_the_state_means_live_and_none_means_all(tacit):
    tacit.forget(tacit.remember("gone").id)
    tacit.remember("here")
    assert [tacit.count(), tacit.count(state=None), tacit.count(state="forgotten")] == [1, 2, 1]
    assert _contents(tacit.list(state=None)) == {"gone", "here"}


@pytest.mark.parametrize(
    "day",
    ["2026-03-01", "2026-03-01T01:00+01:00", date(2026, 3, 1), datetime(2026, 3, 1, tzinfo=UTC)],
)
def test_a_time_may_be_said_as_everywhere_and_begins_what_it_ends(tacit, clock, day):
    clock.now = START.replace(hour=0)
    tacit.remember("at midnight")
    assert tacit.count(created_from=day) == tacit.count(updated_from=day) == 1
    assert tacit.count(created_to=day) == 0


@pytest.mark.parametrize(
    ("filters", "field"),
    [
        ({"contains": ""}, "contains"),
        ({"contains": "x" * 501}, "contains"),
        ({"contains": "a\0b"}, "contains"),
        ({"source": "nobody"}, "source"),
        ({"explicit": "yes"}, "explicit"),
        ({"min_importance": 2}, "min_importance"),
        ({"created_from": "tomorrow"}, "created_from"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_filter_that_makes_no_sense_is_named(tacit, filters, field):
    for ask in (tacit.list, tacit.count):
        with pytest.raises(InvalidInput) as refused:
            ask(**filters)
        assert refused.value.field == field


@pytest.fixture(scope="module")
def server():
    with served() as server:
        yield server


def test_a_server_counts_what_it_lists(server):
    there = server.tacit.workspace.open("counted")
    there.memories.remember_all([{"content": f"Lamp {n}", "importance": n / 10} for n in range(7)])
    asked = {"contains": "lamp", "min_importance": 0.3}
    headers = {"Tacit-Workspace": "counted"}
    listed = server.client.get("/v1/memories", params={**asked, "limit": 2}, headers=headers)
    counted = server.client.get("/v1/memories/count", params=asked, headers=headers)
    assert counted.json() == {"count": 4}
    assert [each["content"] for each in listed.json()["items"]] == ["Lamp 6", "Lamp 5"]
    for path in ("/v1/memories", "/v1/memories/count"):
        wrong = server.client.get(path, params={"colour": "red"}, headers=headers)
        assert (wrong.status_code, wrong.json()["field"]) == (422, "colour")


def test_an_agents_key_counts_only_what_the_agent_may_see(server):
    there = server.tacit.workspace.open("agents")
    there.remember("for all")
    there.remember("the planner's own", agent="planner")
    key = server.key("read", workspace="agents", agent="coder")
    count = server.client.get("/v1/memories/count", headers=key)
    assert count.json() == {"count": 1}
    words = server.client.get("/v1/memories/count", params={"contains": "planner"}, headers=key)
    assert words.json() == {"count": 0}
    other = server.client.get("/v1/memories/count", params={"agent": "planner"}, headers=key)
    assert other.status_code == 403
    owner = server.key("read", workspace="agents")
    assert server.client.get("/v1/memories/count", headers=owner).json() == {"count": 2}


def test_the_terminal_takes_every_filter(run):
    run("remember", "Ports are open", "--tag", "Network", "--importance", "0.9")
    run("remember", "Ports are shut", "--by", "agent", "--expires", "2090-01-01")

    def listed(*options):
        return [each["content"] for each in json.loads(run("list", "--json", *options).out)]

    assert listed("--contains", "NETWORK") == ["Ports are open"]
    assert listed("--source", "agent", "--trust", "unverified") == ["Ports are shut"]
    assert listed("--not-explicit") == listed("--expires") == ["Ports are shut"]
    assert listed("--lasts", "--min-importance", "0.8") == ["Ports are open"]
    assert listed("--max-importance", "0.8", "--min-confidence", "0.5") == ["Ports are shut"]
    assert listed("--created-to", "2026-01-01") == listed("--session", "s") == []
    assert len(listed("--created-from", "2026-01-01", "--updated-from", "2026-01-01")) == 2


@pytest.mark.parametrize("filters", [{"contains": "x"}, {"explicit": True}, {"sort": "importance"}])
def test_sqlite_looks_for_what_may_be_rare_in_the_order_of_the_file(tmp_path, filters):
    store = SqliteStore.open(tmp_path / "memory.db")
    with store.read("default") as unit:
        execute = unit.memories._execute
        unit.memories._execute = lambda sql, values: execute(f"EXPLAIN QUERY PLAN {sql}", values)
        unit.memories._memory = lambda row: row[3]
        plan = " ".join(unit.memories.find(Query(now=START, **filters)))
    store.close()
    assert "memories_by_id (workspace=?)" in plan


def test_a_user_lists_and_searches_their_own_and_what_is_shared(run):
    for content, *owner in (
        ("Tea of Ann", "--scope-id", "ann"),
        ("Tea of Bob", "--scope-id", "bob"),
        ("Tea of nobody",),
        ("Tea of all", "--scope", "org"),
        ("Tea of a talk", "--scope", "session", "--scope-id", "s1"),
    ):
        assert run("remember", content, *owner).code == 0
    expected = {"Tea of Ann", "Tea of nobody", "Tea of all"}
    listed = json.loads(run("list", "--user", "ann", "--json").out)
    assert {each["content"] for each in listed} == expected
    found = json.loads(run("search", "tea", "--user", "ann", "--json").out)
    assert {each["memory"]["content"] for each in found["hits"]} == expected
