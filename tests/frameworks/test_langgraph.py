"""Tacit as the store of LangGraph, side by side with LangGraph's own in memory."""

import asyncio
import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypedDict

import pytest
from langgraph.graph import START, StateGraph
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from tacit import AsyncTacit, FakeEmbedder, InvalidInput, Tacit
from tacit.integrations.langgraph import TacitStore
from tests.frameworks.agent_memory import ASKED, JWT, REPLY, blocks_in, run_sample, samples_of
from tests.proxying import provider_on_loopback

pytestmark = pytest.mark.frameworks

DOCS = {
    ("docs", "a"): {
        "one": {"title": "Python tutorial", "score": 4, "tags": ["x", "y"], "of": {"lang": "en"}},
        "two": {"title": "TypeScript guide", "score": 4.5, "tags": ["x"], "of": {"lang": "de"}},
    },
    ("docs", "b"): {"three": {"title": "Rust book", "score": 5, "tags": []}},
    ("docs", "a", "old"): {"four": {"title": "Perl cookbook", "score": 1, "tags": ["y"]}},
    ("users", "ann"): {"prefs": {"theme": "dark", "score": 3}},
}


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self):
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self):
        return self.now

    def advance(self, minutes):
        self.now += timedelta(minutes=minutes)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def tacit(clock):
    with Tacit.open(":memory:", embedder=FakeEmbedder(), clock=clock) as found:
        yield found


@pytest.fixture
def store(tacit):
    return TacitStore(tacit)


@pytest.fixture
def both(store):
    """Ours and LangGraph's own, with the same items."""
    stores = store, InMemoryStore()
    for each in stores:
        each.batch(
            [
                PutOp(namespace, key, value)
                for namespace, values in DOCS.items()
                for key, value in values.items()
            ]
        )
    return stores


def shown(result):
    """What a store answered, without the times."""
    if isinstance(result, list):
        return [shown(each) for each in result]
    if result is None or isinstance(result, tuple):
        return result
    return result.namespace, result.key, result.value


def prefix(*path):
    return MatchCondition("prefix", path)


def suffix(*path):
    return MatchCondition("suffix", path)


@pytest.mark.parametrize(
    "operation",
    [
        GetOp(("docs", "a"), "one"),
        GetOp(("docs", "a"), "none"),
        GetOp(("docs",), "one"),
        SearchOp(("docs", "a"), filter={"score": {"$gt": 4}}),
        SearchOp((), filter={"score": {"$gte": 3, "$lt": 5}}),
        SearchOp(("docs",), filter={"score": {"$lte": 4}}),
        SearchOp(("docs",), filter={"score": {"$ne": 4}}),
        SearchOp(("docs",), filter={"score": {"$eq": 4}, "title": "Python tutorial"}),
        SearchOp(("docs",), filter={"title": "nothing"}),
        SearchOp(("docs",), filter={"of": {"lang": "de"}}),
        SearchOp(("docs",), filter={"of": {"lang": {"$ne": "de"}}}),
        SearchOp(("docs",), filter={"tags": ["x", "y"]}),
        SearchOp(("docs",), filter={"tags": ["x"]}),
        SearchOp(("docs", "b")),
        SearchOp(("doc",)),
        SearchOp(("docs",), limit=2),
        SearchOp(("docs",), limit=2, offset=1),
        SearchOp(("docs",), limit=2, offset=9),
        SearchOp(()),
        ListNamespacesOp(),
        ListNamespacesOp(limit=2, offset=1),
        ListNamespacesOp(max_depth=1),
        ListNamespacesOp(max_depth=2),
        ListNamespacesOp((prefix("docs"),)),
        ListNamespacesOp((prefix("docs", "*"), suffix("old"))),
        ListNamespacesOp((prefix("*", "a"),), max_depth=2),
        ListNamespacesOp((suffix("a"),)),
        ListNamespacesOp((suffix("a", "*"),)),
        ListNamespacesOp((prefix("docs", "a", "old", "older"),)),
        ListNamespacesOp((prefix("docs"), prefix("*", "a")), max_depth=2),
        ListNamespacesOp((prefix("docs"), suffix("a"), suffix("docs", "*"))),
        SearchOp((), limit=2_000),
    ],
    ids=str,
)
def test_an_operation_has_the_answer_of_the_store_in_memory(both, operation):
    ours, theirs = (shown(store.batch([operation])[0]) for store in both)
    assert ours == theirs
    (later,) = asyncio.run(both[0].abatch([operation]))
    assert shown(later) == theirs


def test_the_best_answer_to_a_query_is_that_of_the_store_in_memory(both):
    def embed(texts):
        return [list(each) for each in FakeEmbedder().embed(texts)]

    theirs = InMemoryStore(index={"dims": 32, "embed": embed, "fields": ["title"]})
    for namespace, values in DOCS.items():
        for key, value in values.items():
            theirs.put(namespace, key, value)
    ours = both[0]
    for query in ("a tutorial in Python", "a guide", "the Rust book"):
        one, other = (store.search(("docs",), query=query) for store in (ours, theirs))
        assert shown(one[0]) == shown(other[0])
        assert sorted(each.key for each in one) == sorted(each.key for each in other)
        assert one[0].score is not None
    found = ours.search(("docs",), query="a tutorial in Python", filter={"score": 5}, limit=1)
    assert [each.key for each in found] == ["three"]


def test_reads_of_a_batch_see_what_was_before_its_writes(both):
    operations = [
        PutOp(("docs", "b"), "three", {"title": "other"}),
        GetOp(("docs", "b"), "three"),
        PutOp(("docs", "b"), "five", {"title": "first"}),
        PutOp(("docs", "b"), "five", {"title": "last"}),
        PutOp(("docs", "a"), "one", None),
        SearchOp(("docs", "b")),
        ListNamespacesOp(max_depth=1),
    ]
    ours, theirs = (shown(store.batch(operations)) for store in both)
    assert ours == theirs
    for store in both:
        assert store.get(("docs", "b"), "five").value == {"title": "last"}
        assert store.get(("docs", "a"), "one") is None
        store.delete(("docs", "a"), "never there")


def test_async_calls_are_those_of_the_base_class(tacit):
    async def talk():
        store = TacitStore(AsyncTacit(tacit))
        await store.aput(("users", "ann"), "prefs", {"theme": "dark"})
        (item,) = await store.asearch(("users",), query="theme")
        await store.adelete(("users", "ann"), "prefs")
        return item.value, await store.aget(("users", "ann"), "prefs")

    assert asyncio.run(talk()) == ({"theme": "dark"}, None)


def test_an_item_keeps_its_first_time_and_has_its_last(store, clock):
    store.put(("users", "ann"), "prefs", {"theme": "dark"})
    clock.advance(5)
    store.put(("users", "ann"), "prefs", {"theme": "light"})
    item = store.get(("users", "ann"), "prefs")
    assert item.updated_at - item.created_at == timedelta(minutes=5)


@pytest.mark.parametrize(
    ("index", "query", "is_found"),
    [
        (None, "walnut", True),
        (False, "walnut", False),
        (["title"], "walnut", False),
        (["notes[*].text"], "walnut", True),
        (["notes[0].text"], "walnut", False),
        (["notes[-1].text"], "walnut", True),
    ],
)
def test_an_item_is_found_by_the_fields_that_are_indexed(store, index, query, is_found):
    value = {"title": "Snacks", "notes": [{"text": "apple"}, {"text": "walnut"}]}
    store.put(("users",), "item", value, index=index)
    store.put(("users",), "other", {"title": "apple pie"}, index=["title"])
    (item,) = [each for each in store.search(("users",), query=query) if each.key == "item"]
    assert ((item.score or 0) > 0.2) is is_found


def test_the_fields_of_the_store_count_where_an_item_names_none(tacit):
    store = TacitStore(tacit, fields=["title"])
    store.put(("users",), "item", {"title": "Snacks", "text": "walnut"})
    (item,) = store.search(("users",), query="walnut")
    assert (item.score or 0) < 0.2


# Time to live


def test_an_item_lives_so_many_minutes_after_its_last_use(store, clock):
    for key in ("read", "searched", "peeked", "left"):
        store.put((key,), key, {"a": 1}, ttl=10)
    store.put(("kept",), "kept", {"a": 1})
    clock.advance(6)
    assert store.get(("read",), "read") is not None
    assert store.get(("peeked",), "peeked", refresh_ttl=False) is not None
    assert len(store.search(("searched",))) == 1
    clock.advance(6)
    assert sorted(each.key for each in store.search(())) == ["kept", "read", "searched"]
    assert store.list_namespaces() == [("kept",), ("read",), ("searched",)]
    assert store.sweep_ttl() == 2
    assert store.sweep_ttl() == 0


def test_the_configuration_says_how_long_and_whether_reading_counts(tacit, clock):
    store = TacitStore(tacit, ttl={"default_ttl": 10, "refresh_on_read": False})
    store.put(("users",), "short", {"a": 1})
    store.put(("users",), "long", {"a": 1}, ttl=None)
    clock.advance(6)
    assert store.get(("users",), "short") is not None
    clock.advance(6)
    assert [each.key for each in store.search(("users",))] == ["long"]


def test_a_store_sweeps_now_and_then_if_it_is_told_to(tacit, clock):
    store = TacitStore(tacit, ttl={"sweep_interval_minutes": 5}, clock=clock)
    store.put(("users",), "old", {"a": 1}, ttl=1)
    clock.advance(6)
    store.put(("users",), "new", {"a": 1})
    assert store.sweep_ttl() == 0


# At a server


@pytest.fixture
def server(tmp_path):
    """A server of the package that is tested, as a program of its own."""
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tacit",
            "serve",
            "--db",
            tmp_path / "memory.db",
            "--port",
            "0",
            "--no-ui",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            found = None
            while found is None and (line := process.stdout.readline()):
                found = re.search(r'listens on (http://[^\s"]+)', line)
            assert found is not None
            yield found[1]
        finally:
            process.kill()


def test_the_store_at_a_server_answers_as_the_store_in_memory(server):
    with Tacit.connect(server) as remote:
        stores = TacitStore(remote), InMemoryStore()
        for store in stores:
            store.batch(
                [
                    PutOp(namespace, key, value)
                    for namespace, values in DOCS.items()
                    for key, value in values.items()
                ]
            )
        operations = [
            GetOp(("docs", "a"), "one"),
            GetOp(("docs", "a"), "none", refresh_ttl=False),
            SearchOp(("docs",), filter={"score": {"$gte": 4}}, limit=2, offset=1),
            ListNamespacesOp((prefix("docs", "*"), suffix("old"))),
            ListNamespacesOp((prefix("docs"), prefix("*", "a")), max_depth=2),
            ListNamespacesOp(max_depth=1, limit=1),
        ]
        ours, theirs = (shown(store.batch(operations)) for store in stores)
        assert ours == theirs
        store = TacitStore(AsyncTacit(remote))
        (found,) = asyncio.run(store.asearch(("docs",), query="the Rust book", limit=1))
        assert (found.key, found.score is None) == ("three", False)
        with pytest.raises(InvalidInput, match=r"value\.password: .*secret"):
            store.put(("users",), "login", {"password": "kF9!xQ2#mP7z"})
        with pytest.raises(ValueError, match="Unsupported operator"):
            store.search(("docs",), filter={"score": {"$near": 4}})
        assert (store.sweep_ttl(), store.erase(("docs",))) == (0, 4)


# What is refused


@pytest.mark.parametrize("namespace", [(), ("",), ("a.b",), ("langgraph",)])
def test_a_namespace_that_langgraph_refuses_is_refused(both, namespace):
    for store in both:
        with pytest.raises(InvalidNamespaceError):
            store.put(namespace, "key", {"a": 1})


def test_an_operator_that_does_not_exist_is_refused(both):
    for store in both:
        with pytest.raises(ValueError, match="Unsupported operator"):
            store.search(("docs",), filter={"score": {"$near": 4}})


def test_what_has_no_order_is_not_between(store):
    store.put(("days",), "one", {"day": "2026-03-01", "note": None})
    assert len(store.search(("days",), filter={"day": {"$gte": "2026-02-01"}})) == 1
    assert store.search(("days",), filter={"note": {"$gt": 1}}) == []
    assert store.search(("days",), filter={"none": {"$lt": 1}}) == []


def test_a_secret_is_refused_by_its_place(store):
    with pytest.raises(InvalidInput, match=r"value\.password: .*secret"):
        store.put(("users",), "login", {"password": "kF9!xQ2#mP7z"})
    assert store.search(("users",)) == []


# In a graph


class State(TypedDict):
    said: str


def test_nodes_read_and_write_by_their_runtime(store):
    def note(state, runtime):
        runtime.store.put(("users", "ann"), "said", {"text": state["said"]})
        (found,) = runtime.store.search(("users", "ann"), query="walnuts")
        return {"said": found.value["text"].upper()}

    builder = StateGraph(State)
    builder.add_node(note)
    builder.add_edge(START, "note")
    graph = builder.compile(store=store)
    store.put(("users", "ann"), "said", {"text": "no walnuts"})
    assert graph.invoke({"said": "no peanuts"}) == {"said": "NO PEANUTS"}
    assert store.get(("users", "ann"), "said").value == {"text": "no peanuts"}


def test_items_are_in_the_file_of_the_memories(tmp_path):
    path = tmp_path / "memory.db"
    with Tacit.open(path, embedder="none") as tacit:
        TacitStore(tacit).put(("users", "ann"), "prefs", {"theme": "dark"})
        assert tacit.list() == []
    with Tacit.open(path, embedder="none") as tacit:
        store = TacitStore(tacit)
        assert store.get(("users", "ann"), "prefs").value == {"theme": "dark"}
        assert store.erase(("users",)) == 1
        assert store.list_namespaces() == []


@pytest.mark.parametrize(("code", "shown"), samples_of("langgraph"))
def test_the_sample_of_the_page_prints_what_it_shows(code, shown):
    assert run_sample(code) == shown


EXAMPLE = Path(__file__).parents[2] / "examples" / "langgraph_chat.py"
ASKED_NEXT = "Fine, and the expiry?"


@pytest.fixture
def chat(tmp_path):
    """Run the example with two messages to a provider on loopback."""
    with provider_on_loopback() as provider:
        provider.reply = REPLY

        def talk():
            environment = {
                **os.environ,
                "OPENAI_BASE_URL": f"{provider.url}/v1",
                "OPENAI_API_KEY": "none",
                "TACIT_MEMORY_INJECTION_DEADLINE_MS": "60000",
            }
            return subprocess.run(
                [sys.executable, EXAMPLE, "ann"],
                input=f"{ASKED}\n{ASKED_NEXT}\n",
                env=environment,
                cwd=tmp_path,
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            ).stdout

        yield provider, talk


def test_the_example_talks_with_memory_and_knows_what_was_asked_last(chat):
    provider, talk = chat
    with Tacit.open() as tacit:
        tacit.remember(JWT, type="decision", user="ann")
    assert talk() == f"{REPLY}\n" * 2
    first, second = (
        [each["content"] for each in asked.json["messages"]] for asked in provider.received
    )
    assert second[: len(first)] == first
    assert len(blocks_in(map(str, second))) == 1
    assert JWT in str(first)
    with Tacit.open() as tacit:
        assert [(each.user, each.turn) for each in tacit.turns.list()] == [("ann", 2), ("ann", 1)]
    assert talk().splitlines()[0] == f"Last time you asked: {ASKED_NEXT}"
