"""Items: exact values by namespace and key, beside the memories and apart from them."""

import pytest

from tacit import AsyncTacit, FakeEmbedder, InvalidInput, Tacit, migrate
from tacit.api.items import ItemDraft, Items

ANN = ("users", "ann")
BOB = ("users", "bob")


@pytest.fixture
def items(tacit):
    return Items.of(tacit)


def put(items, namespace, key, value, **more):
    items.put([ItemDraft(namespace, key, value, **more)])


def get(items, namespace, key, *, renews=False):
    return items.get([(namespace, key)], renews=[renews])[0]


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
    items.put(
        [
            ItemDraft(ANN, "food", {"a": 1}, "Ann eats no peanuts"),
            ItemDraft(ANN, "work", {"a": 2}, "Ann works on billing"),
            ItemDraft(BOB, "food", {"a": 3}, "Bob eats peanuts"),
            ItemDraft(ANN, "hidden", {"a": 4}),
        ]
    )
    found = items.find(ANN, query="peanuts")
    assert keys(found)[0] == "food"
    assert found[0].score is not None
    assert sorted(keys(found)) == ["food", "hidden", "work"]
    assert next(each for each in found if each.item.key == "hidden").score is None
    both = items.find(("users",), query="peanuts", matches=lambda value: value["a"] != 1)
    assert both[0].item.namespace == BOB
    assert keys(items.find(("users",))) == ["food", "work", "food", "hidden"]
    assert keys(items.find(("users",), limit=2, offset=1)) == ["work", "food"]


def test_a_changed_item_is_found_by_what_it_says_now(items):
    put(items, ANN, "food", {"a": 1}, text="peanuts")
    put(items, ANN, "food", {"a": 1}, text="walnuts")
    before, after = (items.find(ANN, query=word)[0].score or 0 for word in ("peanuts", "walnuts"))
    assert after > 10 * before


def test_items_are_no_memories_and_memories_no_items(items, tacit):
    put(items, ANN, "food", {"a": 1}, text="Ann eats no peanuts")
    assert tacit.list() == []
    assert tacit.search("peanuts").hits == ()
    assert tacit.turn(session="s1", text="Who eats no peanuts?").block is None
    tacit.remember("Ann eats no walnuts")
    assert len(items.find(())) == 1


def test_each_workspace_has_its_own(items, tacit):
    put(items, ANN, "food", {"a": 1})
    other = Items.of(tacit.in_workspace("other"))
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
    assert keys(items.find(ANN, query="left", renews=True)) == ["kept"]
    assert items.sweep() == 1
    clock.advance(minutes=6)
    assert keys(items.find(ANN)) == ["kept"]
    put(items, ANN, "left", {"a": 3})
    assert get(items, ANN, "left").created_at == clock()
    clock.advance(minutes=11)
    assert items.sweep() == 1
    assert keys(items.find(ANN)) == ["left"]


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"password": "kF9!xQ2#mP7z"}, "value.password"),
        ({"notes": ["fine", "AWS key AKIAIOSFODNN7EXAMPLE"]}, "value.notes.1"),
    ],
)
def test_a_secret_is_refused_with_its_place_and_nothing_of_the_batch_is_kept(items, value, place):
    with pytest.raises(InvalidInput, match="secret") as raised:
        items.put([ItemDraft(ANN, "fine", {"a": 1}), ItemDraft(ANN, "secret", value)])
    assert raised.value.field == place
    assert items.find(()) == []


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
        items.put([draft])
    assert raised.value.field.split(".")[0] == field


def test_namespaces_are_listed_and_erased(items):
    put(items, ANN, "food", {"a": 1})
    put(items, (*ANN, "old"), "food", {"a": 1})
    put(items, BOB, "food", {"a": 1})
    assert items.namespaces() == [ANN, (*ANN, "old"), BOB]
    assert items.erase(ANN) == 2
    assert items.namespaces() == [BOB]


def test_items_are_kept_in_an_open_database_only(tacit):
    assert Items.of(AsyncTacit(tacit)).namespaces() == []
    with (
        Tacit.connect("http://127.0.0.1:9") as remote,
        pytest.raises(InvalidInput, match=r"Tacit\.open"),
    ):
        Items.of(remote)


def test_items_move_with_their_workspace(tmp_path):
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    with Tacit.open(old, embedder=FakeEmbedder()) as tacit:
        put(Items.of(tacit), ANN, "food", {"a": 1}, text="Ann eats no peanuts")
    migrate(old, new)
    with Tacit.open(new, embedder=FakeEmbedder()) as tacit:
        (found,) = Items.of(tacit).find(ANN, query="peanuts")
    assert found.item.value == {"a": 1}
    assert found.score is not None
