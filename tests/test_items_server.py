"""Items at a server: what the library does, by every door, and what a key reaches of them."""

import asyncio
from contextlib import ExitStack

import pytest

from tacit import AsyncTacit, InvalidInput, Tacit
from tacit.core.errors import NotAllowed
from tacit.writing.items import ItemDraft
from tests.serving import running

ANN = ("users", "ann")
BOB = ("users", "bob")
CODER = ("agents", "coder")
SHARED = ("docs",)
_names = iter(f"w{number}" for number in range(10_000))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("served") / "memory.db") as server:
        yield server


@pytest.fixture(scope="module")
def keyed(tmp_path_factory):
    """A server with keys, and what a key of each kind opens."""
    path = tmp_path_factory.mktemp("keyed") / "memory.db"
    whose = {
        "anybody": {},
        "reader": {"role": "read"},
        "ann": {"user": "ann"},
        "bob": {"user": "bob"},
        "coder": {"agent": "coder", "role": "write"},
        "planner": {"agent": "planner"},
        "elsewhere": {"workspace": "elsewhere"},
    }
    with Tacit.open(path) as tacit:
        tokens = {
            name: tacit.keys.add(name, **{"role": "admin", "workspace": "default", **given})[1]
            for name, given in whose.items()
        }
    with running(path) as server, ExitStack() as opened:
        yield {
            name: opened.enter_context(Tacit.connect(server.url, token))
            for name, token in tokens.items()
        }


@pytest.fixture(params=["library", "server"])
def items(request, tmp_path):
    """The items of a workspace of its own, in a file and at a server."""
    if request.param == "library":
        with Tacit.open(tmp_path / "memory.db") as tacit:
            yield tacit.items
    else:
        server = request.getfixturevalue("server")
        with Tacit.connect(server.url, workspace=next(_names)) as tacit:
            yield tacit.items


def test_a_server_does_with_items_what_the_library_does(items):
    items.put(ANN, "food", {"a": [1, None, "ü"]}, text="Ann eats no peanuts", minutes=5)
    items.put_all([ItemDraft(BOB, "food", {"a": 2}), ItemDraft((*ANN, "old"), "x", {"b": 1.5})])
    food = items.get(ANN, "food")
    assert (food.namespace, food.key, food.value) == (ANN, "food", {"a": [1, None, "ü"]})
    assert (food.text, food.minutes) == ("Ann eats no peanuts", 5)
    assert food.expires_at > food.updated_at >= food.created_at
    assert items.get_all([(BOB, "food"), (BOB, "none")])[1] is None
    assert [each.item.key for each in items.search(ANN)] == ["food", "x"]
    found = items.search((), query="peanuts", limit=2)
    assert (found[0].item.namespace, found[0].score is None) == (ANN, False)
    assert [each.item.namespace for each in items.search(filter={"a": {"$gt": 1}})] == [BOB]
    assert items.namespaces() == [ANN, (*ANN, "old"), BOB]
    assert items.namespaces(prefix=["*", "ann"], max_depth=1, limit=1) == [("users",)]
    items.delete(BOB, "food")
    items.delete(BOB, "never there")
    assert items.get(BOB, "food") is None
    assert items.sweep() == 0
    assert items.erase(ANN, dry_run=True).removed["items"] == 2
    gone = items.erase(ANN)
    assert (gone.removed["items"], items.search(())) == (2, [])
    assert gone.not_reached


@pytest.mark.parametrize(
    ("draft", "field"),
    [
        (ItemDraft(ANN, "key", {"password": "kF9!xQ2#mP7z"}), "value.password"),
        (ItemDraft(ANN, "key", {"a": 1}, "AWS key AKIAIOSFODNN7EXAMPLE"), "text"),
        (ItemDraft(ANN, "AKIAIOSFODNN7EXAMPLE", {"a": 1}), "key"),
        (ItemDraft(("AKIAIOSFODNN7EXAMPLE",), "key", {"a": 1}), "namespace"),
        (ItemDraft((), "key", {"a": 1}), "namespace"),
        (ItemDraft(ANN, "key", {"a": 1}, minutes=-1), "ttl"),
    ],
)
def test_a_secret_is_refused_and_nothing_of_the_batch_is_kept(items, draft, field):
    with pytest.raises(InvalidInput) as raised:
        items.put_all([ItemDraft(ANN, "fine", {"a": 1}), draft])
    assert raised.value.field == field
    assert items.search(()) == []


def test_the_server_refuses_a_secret_by_itself(server):
    drafts = [{"namespace": ANN, "key": "key", "value": {"password": "kF9!xQ2#mP7z"}}]
    with server.client() as client:
        refused = client.post("/v1/items", json={"drafts": drafts})
    assert (refused.status_code, refused.json()["field"]) == (422, "value.password")


def test_async_programs_have_the_items_of_a_server(server):
    async def talk():
        async with await AsyncTacit.connect(server.url, workspace=next(_names)) as tacit:
            await tacit.items.put(ANN, "food", {"a": 1})
            return (await tacit.items.get(ANN, "food")).value

    assert asyncio.run(talk()) == {"a": 1}


def test_items_of_a_server_are_exported_imported_and_erased_with_the_rest(server, tmp_path):
    with (
        Tacit.connect(server.url, workspace=next(_names)) as one,
        Tacit.connect(server.url, workspace=next(_names)) as other,
    ):
        one.items.put(ANN, "food", {"a": 1})
        one.archive.export_to(tmp_path / "archive.jsonl")
        assert other.archive.import_from(tmp_path / "archive.jsonl").counts["items"] == 1
        assert other.items.get(ANN, "food") == one.items.get(ANN, "food")
        assert other.memories.erase_owner("user:ann").removed["items"] == 1
        assert (other.items.search(()), len(one.items.search(()))) == ([], 1)


def test_a_key_reaches_the_items_of_its_user_and_its_agent_alone(keyed):
    anybody = keyed["anybody"].items
    for namespace in (ANN, BOB, CODER, (*CODER, *ANN), SHARED, ("ann", "notes")):
        anybody.put(namespace, "key", {"a": 1}, minutes=5)

    def reached(name):
        items = keyed[name].items
        found = {each.item.namespace for each in items.search()}
        assert found == set(items.namespaces())
        everything = [(each, "key") for each in anybody.namespaces()]
        assert found == {each.namespace for each in items.get_all(everything) if each}
        return found

    assert reached("ann") == {ANN, (*CODER, *ANN)}
    assert reached("bob") == {BOB}
    assert reached("coder") == {ANN, BOB, CODER, (*CODER, *ANN), SHARED, ("ann", "notes")}
    assert reached("planner") == {ANN, BOB, SHARED, ("ann", "notes")}
    assert reached("elsewhere") == set()
    for name, namespace in (("bob", ANN), ("bob", SHARED), ("planner", CODER)):
        with pytest.raises(NotAllowed, match="namespaces of its own"):
            keyed[name].items.put(namespace, "key", {"a": 2})
        with pytest.raises(NotAllowed, match="namespaces of its own"):
            keyed[name].items.delete(namespace, "key")
    keyed["bob"].items.put((*BOB, "mine"), "key", {"a": 2})
    assert keyed["bob"].items.erase(("users",)).removed["items"] == 2
    with pytest.raises(NotAllowed):
        keyed["bob"].memories.erase_owner("user:ann")
    with pytest.raises(NotAllowed):
        keyed["coder"].items.erase(CODER)
    with pytest.raises(NotAllowed):
        keyed["reader"].items.put(SHARED, "key", {"a": 2})
    assert len(anybody.search(())) == 5


def test_reading_with_a_readers_key_writes_nothing(keyed):
    keyed["anybody"].items.put(("ttl",), "key", {"a": 1}, minutes=5)
    end = keyed["anybody"].items.get(("ttl",), "key", refresh=False).expires_at
    keyed["reader"].items.get(("ttl",), "key")
    keyed["reader"].items.search(("ttl",), refresh=True)
    assert keyed["anybody"].items.get(("ttl",), "key", refresh=False).expires_at == end
    keyed["anybody"].items.get(("ttl",), "key")
    assert keyed["anybody"].items.get(("ttl",), "key", refresh=False).expires_at > end
