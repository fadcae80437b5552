"""Items: exact values by namespace and key, beside the memories and apart from them."""

import asyncio
import io
import json
import time

import pytest

from tacit import AsyncTacit, FakeEmbedder, InvalidInput, Tacit, migrate
from tacit.core.vectors import pack_vector
from tacit.store.workspaces import items_workspace
from tacit.writing.items import ItemDraft

ANN = ("users", "ann")
BOB = ("users", "bob")


@pytest.fixture
def items(tacit):
    return tacit.items


def put(items, namespace, key, value, **more):
    items.put_all([ItemDraft(namespace, key, value, **more)])


def get(items, namespace, key, *, renews=False):
    return items.get(namespace, key, refresh=renews)


def keys(found):
    return [each.item.key for each in found]


def test_a_value_is_kept_as_it_is_and_replaced_whole(items, clock):
    value = {"theme": "dark", "size": 12, "nested": {"list": [1, None, "ü"]}}
    put(items, ANN, "prefs", value)
    first = get(items, ANN, "prefs")
    assert first.value == value
    clock.advance(hours=1)
    put(items, ANN, "prefs", {"theme": "light"})
    second = get(items, ANN, "prefs")
    assert second.value == {"theme": "light"}
    assert (second.created_at, second.updated_at > first.updated_at) == (first.created_at, True)
    assert get(items, BOB, "prefs") is None
    put(items, ANN, "prefs", None)
    assert get(items, ANN, "prefs") is None


def test_items_are_found_in_their_namespace_by_what_they_say(items):
    items.put_all(
        [
            ItemDraft(ANN, "food", {"a": 1}, "Ann eats no peanuts"),
            ItemDraft(ANN, "work", {"a": 2}, "Ann works on billing"),
            ItemDraft(BOB, "food", {"a": 3}, "Bob eats peanuts"),
            ItemDraft(ANN, "hidden", {"a": 4}),
        ]
    )
    found = items.search(ANN, query="peanuts")
    assert keys(found)[0] == "food"
    assert found[0].score is not None
    assert sorted(keys(found)) == ["food", "hidden", "work"]
    assert next(each for each in found if each.item.key == "hidden").score is None
    both = items.search(("users",), query="peanuts", filter={"a": {"$ne": 1}})
    assert both[0].item.namespace == BOB
    assert keys(items.search(("users",))) == ["food", "work", "food", "hidden"]
    assert keys(items.search(("users",), limit=2, offset=1)) == ["work", "food"]


def test_a_changed_item_is_found_by_what_it_says_now(items):
    put(items, ANN, "food", {"a": 1}, text="peanuts")
    put(items, ANN, "food", {"a": 1}, text="walnuts")
    before, after = (items.search(ANN, query=word)[0].score or 0 for word in ("peanuts", "walnuts"))
    assert after > 10 * before


def test_items_are_no_memories_and_memories_no_items(items, tacit):
    put(items, ANN, "food", {"a": 1}, text="Ann eats no peanuts")
    assert tacit.list() == []
    assert tacit.search("peanuts").hits == ()
    assert tacit.turn(session="s1", text="Who eats no peanuts?").block is None
    tacit.remember("Ann eats no walnuts")
    assert len(items.search(())) == 1


def test_each_workspace_has_its_own(items, tacit):
    put(items, ANN, "food", {"a": 1})
    other = tacit.workspace.open("other").items
    assert get(other, ANN, "food") is None
    put(other, ANN, "food", {"a": 2})
    assert get(items, ANN, "food").value == {"a": 1}


def test_an_item_expires_after_its_last_use(items, clock):
    put(items, ANN, "kept", {"a": 1}, minutes=10.0)
    put(items, ANN, "left", {"a": 2}, minutes=10.0, text="left")
    clock.advance(minutes=6)
    assert get(items, ANN, "kept", renews=True) is not None
    assert get(items, ANN, "left") is not None
    clock.advance(minutes=6)
    assert get(items, ANN, "left") is None
    assert keys(items.search(ANN, query="left", refresh=True)) == ["kept"]
    assert items.sweep() == 1
    clock.advance(minutes=6)
    assert keys(items.search(ANN)) == ["kept"]
    put(items, ANN, "left", {"a": 3})
    assert get(items, ANN, "left").created_at == clock()
    clock.advance(minutes=11)
    assert items.sweep() == 1
    assert keys(items.search(ANN)) == ["left"]


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"password": "kF9!xQ2#mP7z"}, "value.password"),
        ({"notes": ["fine", "AWS key AKIAIOSFODNN7EXAMPLE"]}, "value.notes.1"),
    ],
)
def test_a_secret_is_refused_with_its_place_and_nothing_of_the_batch_is_kept(items, value, place):
    with pytest.raises(InvalidInput, match="secret") as raised:
        items.put_all([ItemDraft(ANN, "fine", {"a": 1}), ItemDraft(ANN, "secret", value)])
    assert raised.value.field == place
    assert items.search(()) == []


@pytest.mark.parametrize(
    ("draft", "field"),
    [
        (ItemDraft((), "key", {"a": 1}), "namespace"),
        (ItemDraft(ANN, "key", {"a": float("nan")}), "value"),
        (ItemDraft(ANN, "key", {"a": "x" * 1_000_001}), "value"),
        (ItemDraft(ANN, "key", {"a": 1}, minutes=0), "ttl"),
        (ItemDraft(ANN, 3, {"a": 1}), "key"),
    ],
)
def test_what_cannot_be_kept_is_refused(items, draft, field):
    with pytest.raises(InvalidInput) as raised:
        items.put_all([draft])
    assert raised.value.field.split(".")[0] == field


def test_namespaces_are_listed_and_erased(items):
    put(items, ANN, "food", {"a": 1})
    put(items, (*ANN, "old"), "food", {"a": 1})
    put(items, BOB, "food", {"a": 1})
    assert items.namespaces() == [ANN, (*ANN, "old"), BOB]
    assert items.erase(ANN).removed["items"] == 2
    assert items.namespaces() == [BOB]


def test_async_programs_have_the_same_items(tacit):
    async def talk():
        items = AsyncTacit(tacit).items
        await items.put(ANN, "food", {"a": 1})
        return (await items.get(ANN, "food")).value, await items.namespaces()

    assert asyncio.run(talk()) == ({"a": 1}, [ANN])


def test_a_value_is_found_by_all_of_it_unless_a_text_is_given(items):
    items.put(ANN, "whole", {"food": {"likes": ["walnuts"]}})
    items.put(ANN, "said", {"food": "walnuts"}, text="dates")
    items.put(ANN, "unsaid", {"food": "walnuts"}, text="")
    found = {each.item.key: each.item.text for each in items.search(ANN, query="walnuts")}
    assert found == {"whole": "food likes: walnuts", "said": "dates", "unsaid": ""}
    assert keys(items.search(ANN, query="walnuts"))[0] == "whole"


def test_namespaces_are_named_by_how_they_begin_and_end(items):
    for namespace in (ANN, BOB, ("users", "ann", "old"), ("docs", "ann")):
        items.put(namespace, "key", {"a": 1})
    assert items.namespaces(prefix=["users"], max_depth=1) == [("users",)]
    assert items.namespaces(suffix=["ann"]) == [("docs", "ann"), ANN]
    assert items.namespaces(prefix=("*", "ann")) == [("docs", "ann"), ANN, (*ANN, "old")]
    assert items.namespaces(limit=1, offset=1) == [ANN]


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda items: items.search("users"), "prefix"),
        (lambda items: items.search(filter={"a": {"$near": 1}}), "filter"),
        (lambda items: items.search(filter=[1]), "filter"),
        (lambda items: items.search(limit=0), "limit"),
        (lambda items: items.search(offset=-1), "offset"),
        (lambda items: items.namespaces(max_depth=0), "max_depth"),
        (lambda items: items.get("users", "key"), "namespace"),
        (lambda items: items.put("users", "key", {}), "namespace"),
        (lambda items: items.put(ANN, "key", None), "value"),
        (lambda items: items.put(ANN, "key", {}, text="key AKIAIOSFODNN7EXAMPLE"), "text"),
        (lambda items: items.delete((), "key"), "namespace"),
        (lambda items: items.erase(()), "prefix"),
        (lambda items: items.erase(ANN, by="agent"), "by"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_asked(items, call, field):
    with Tacit.connect("http://127.0.0.1:9") as remote:
        for each in (
            (items, remote.items) if field not in ("offset", "max_depth", "by") else [items]
        ):
            if field == "prefix" and each is not items:
                continue
            with pytest.raises(InvalidInput) as raised:
                call(each)
            assert raised.value.field == field


# Vectors


class CountingEmbedder(FakeEmbedder):
    """It counts the texts that it embeds."""

    def __init__(self):
        super().__init__()
        self.texts = 0

    def embed(self, texts):
        self.texts += len(texts)
        return super().embed(texts)


@pytest.mark.encodes
def test_many_texts_are_embedded_behind_the_write(tmp_path):
    embedder = CountingEmbedder()
    with Tacit.open(tmp_path / "memory.db", embedder=embedder) as tacit:
        many = [ItemDraft(ANN, f"k{each}", {"a": each}, f"walnut {each}") for each in range(200)]
        tacit.items.put_all(many)
        assert embedder.texts == 64
        assert keys(tacit.items.search(ANN, query="walnut 150"))[0] == "k150"
        while tacit._context.item_embedder.count_missing():
            time.sleep(0.01)
        assert embedder.texts == 200
        tacit.items.put_all([*many, ItemDraft(ANN, "new", {}, "dates")])
        assert embedder.texts == 201


def test_items_without_vectors_get_them_with_the_others(tmp_path):
    path = tmp_path / "memory.db"
    with Tacit.open(path, embedder="none") as tacit:
        tacit.items.put(ANN, "food", {"a": 1}, text="walnuts and dates")
        tacit.items.put(ANN, "unsaid", {"a": 1}, text="")
    with Tacit.open(path, embedder=FakeEmbedder()) as tacit:
        assert tacit.archive.embed_missing().vectors == 2
        assert [each.item.key for each in tacit.items.search(ANN, query="dates") if each.score] == [
            "food"
        ]


# Archives


def _written(tacit, **more):
    file = io.BytesIO()
    tacit.archive.export_to(file, **more)
    return file.getvalue()


@pytest.mark.parametrize("embeddings", [True, False])
def test_items_are_exported_and_imported_as_they_are(items, tacit, clock, embeddings):
    items.put(ANN, "food", {"a": [1, None, "ü"]}, text="Ann eats no peanuts")
    items.put(BOB, "short", {"a": 2}, minutes=10)
    items.put(BOB, "over", {"a": 3}, minutes=1)
    clock.advance(minutes=5)
    items.put(ANN, "food", {"a": 4}, text="Ann eats no walnuts")
    assert items.get(BOB, "short") is not None
    archive = _written(tacit, embeddings=embeddings)
    other = tacit.workspace.open("other")
    report = other.archive.import_from(io.BytesIO(archive))
    assert (report.counts["items"], report.rejected) == (2, ())
    assert other.items.search(()) == items.search(())
    assert other.items.search((), query="walnuts")[0].score is not None
    again = other.archive.import_from(io.BytesIO(archive))
    assert (again.counts.get("items", 0), again.rejected) == (0, ())
    clock.advance(minutes=9)
    assert keys(other.items.search(BOB)) == ["short"]


def test_an_item_that_differs_here_stays_as_it_is_here(items, tacit):
    items.put(ANN, "food", {"a": 1})
    archive = _written(tacit)
    items.put(ANN, "food", {"a": 2})
    (rejected,) = tacit.archive.import_from(io.BytesIO(archive)).rejected
    assert "'food' of ['users', 'ann'] has another value here" in rejected.reason
    assert items.get(ANN, "food").value == {"a": 2}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'{"a": 1}', b'{"password": "kF9!xQ2#mP7z"}'),
        (b'{"a": 1}', b"7"),
        (b'"namespace": ["users", "ann"]', b'"namespace": "users"'),
        (b'"namespace": ["users", "ann"], ', b""),
        (b'"namespace": ["users", "ann"]', b'"namespace": [7]'),
        (b'"minutes": null', b'"minutes": "long"'),
        (b'"place": 0', b'"place": "first"'),
    ],
)
def test_a_line_that_is_no_item_is_left_out_and_named(items, tacit, old, new):
    items.put(ANN, "food", {"a": 1})
    archive = _written(tacit)
    assert old in archive
    other = tacit.workspace.open("other")
    report = other.archive.import_from(io.BytesIO(archive.replace(old, new)))
    assert (report.rejected_count, other.items.search(())) == (1, [])


def test_agents_bring_in_no_items(items, tacit):
    items.put(ANN, "food", {"a": 1})
    other = tacit.workspace.open("other")
    report = other.archive.import_from(io.BytesIO(_written(tacit)), by="agent")
    assert (report.rejected_count, other.items.search(())) == (1, [])


# Erasure


LAYOUTS = {
    "users": ("users", "ann", "notes"),
    "first": ("ann", "notes"),
    "last": ("notes", "ann"),
    "bob's": ("users", "bob", "ann"),
    "ann's thread": ("threads", "t1"),
    "project": ("projects", "shop"),
    "shared": ("docs",),
}


@pytest.fixture
def full(tacit):
    for name, namespace in LAYOUTS.items():
        tacit.items.put(namespace, name, {"says": f"the {name} heliotrope"}, minutes=5)
    with tacit.turn(session="t1", text="What is up?", user="ann") as turn:
        turn.commit("Not much.")
    return tacit


@pytest.mark.parametrize(
    ("erase", "gone"),
    [
        (
            lambda tacit, **asked: tacit.memories.erase_owner("user:ann", **asked),
            {"users", "first", "last", "ann's thread"},
        ),
        (lambda tacit, **asked: tacit.memories.erase_owner("user:bob", **asked), {"bob's"}),
        (lambda tacit, **asked: tacit.memories.erase_owner("user:users", **asked), set()),
        (lambda tacit, **asked: tacit.memories.erase_owner("user", **asked), set()),
        (lambda tacit, **asked: tacit.memories.erase_owner("project:shop", **asked), {"project"}),
        (lambda tacit, **asked: tacit.memories.erase_session("t1", **asked), {"ann's thread"}),
        (
            lambda tacit, **asked: tacit.memories.erase_matching(contains="HELIO", **asked),
            set(LAYOUTS),
        ),
        (
            lambda tacit, **asked: tacit.memories.erase_matching(contains="shared", **asked),
            {"shared"},
        ),
        (
            lambda tacit, **asked: tacit.memories.erase_matching(owner="user:bob", **asked),
            {"bob's"},
        ),
        (
            lambda tacit, **asked: tacit.memories.erase_matching(
                created_from="2020-01-01", **asked
            ),
            set(LAYOUTS),
        ),
        (
            lambda tacit, **asked: tacit.memories.erase_matching(created_to="2020-01-01", **asked),
            set(),
        ),
        (lambda tacit, **asked: tacit.memories.erase_matching(tag="x", **asked), set()),
        (
            lambda tacit, **asked: tacit.memories.erase_matching(
                contains="helio", state="forgotten", **asked
            ),
            set(),
        ),
        (lambda tacit, **asked: tacit.items.erase(("users",), **asked), {"users", "bob's"}),
    ],
)
def test_erasing_takes_the_items_that_are_meant_and_counts_them(full, erase, gone):
    assert erase(full, dry_run=True).removed["items"] == len(gone)
    assert len(full.items.search(())) == len(LAYOUTS)
    assert erase(full).removed["items"] == len(gone)
    assert {each.item.key for each in full.items.search(())} == set(LAYOUTS) - gone
    assert erase(full).removed["items"] == 0


def test_erasing_takes_what_has_expired_and_was_not_removed_yet(full, clock):
    clock.advance(minutes=6)
    assert full.items.search(()) == []
    assert full.memories.erase_owner("user:bob").removed["items"] == 1
    assert full.items.erase(("docs",)).removed["items"] == 1


def test_erasing_the_unnamed_user_says_that_items_are_left(full):
    assert any("items" in each for each in full.memories.erase_owner("user").not_reached)
    assert not any("items" in each for each in full.memories.erase_owner("user:ann").not_reached)


@pytest.mark.parametrize("how", ["owner", "words", "namespace"])
def test_nothing_of_an_erased_item_is_in_any_byte_of_the_files(tmp_path, how):
    path = tmp_path / "memory.db"
    with Tacit.open(path, embedder=FakeEmbedder()) as tacit:
        for number in range(100):
            tacit.items.put(BOB, f"k{number}", {"says": f"ordinary value {number}"})
        tacit.items.put(ANN, "quetzal", {"quetzal": "The quetzal nests here"})
        tacit.items.put(ANN, "quetzal", {"says": "The quetzal sings"}, text="quetzal")
        held = tacit._context.item_embedder
        (model,) = _vector_models(tacit)
        vector = pack_vector(FakeEmbedder().embed(["quetzal"])[0], model)
        assert b"quetzal" in _bytes(path)
        assert vector in _bytes(path)
        assert held.count_missing() == 0
        if how == "owner":
            tacit.memories.erase_owner("user:ann")
        elif how == "words":
            tacit.memories.erase_matching(contains="quetzal")
        else:
            tacit.items.erase(ANN)
        assert b"quetzal" not in _bytes(path).lower()
        assert vector not in _bytes(path)
    assert b"quetzal" not in _bytes(path).lower()


def _bytes(path):
    return b"".join(each.read_bytes() for each in path.parent.glob(f"{path.name}*"))


def _vector_models(tacit):
    with tacit._context.store.read(items_workspace("default")) as unit:
        return unit.vectors.models()


# Moves


def test_items_move_with_their_workspace(tmp_path):
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    with Tacit.open(old, embedder=FakeEmbedder()) as tacit:
        put(tacit.items, ANN, "food", {"a": 1}, text="Ann eats no peanuts")
    migrate(old, new)
    with Tacit.open(new, embedder=FakeEmbedder()) as tacit:
        (found,) = tacit.items.search(ANN, query="peanuts")
    assert found.item.value == {"a": 1}
    assert found.score is not None


# At the command line


def test_the_command_line_exports_imports_and_erases_items(run, tmp_path):
    path = tmp_path / "cli.db"
    with Tacit.open(path) as tacit:
        tacit.items.put(ANN, "food", {"a": 1})
        tacit.items.put((*ANN, "old"), "food", {"a": 1})
        tacit.items.put(BOB, "food", {"a": 1})
    assert run("export", tmp_path / "archive.jsonl").code == 0
    wished = run("erase", "--namespace", "users/ann", "--dry-run")
    assert "2 items" in wished.err
    gone = json.loads(run("erase", "--namespace", "users/ann", "--yes", "--json").out)
    assert gone["removed"]["items"] == 2
    gone = json.loads(run("erase", "--owner", "user:bob", "--yes", "--json").out)
    assert gone["removed"]["items"] == 1
    assert run("import", tmp_path / "archive.jsonl", "--yes").code == 0
    with Tacit.open(path) as tacit:
        assert len(tacit.items.search()) == 3
    assert run("erase", "--namespace", "users/ann", "--owner", "user:ann", "-y").code == 2
