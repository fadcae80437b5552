"""What the page of reviews shows of a wish."""

import pytest

from tacit import Tacit
from tacit.settings.config.config import Config
from tacit.settings.writing import WritingSettings
from tacit.store.inmemory.store import InMemoryStore
from tacit.ui.pages.review.change_preview import to_change_preview


@pytest.fixture
def memory():
    with Tacit.open(":memory:", embedder="none") as tacit:
        yield tacit


def wished(memory):
    (review,) = memory.reviews()
    return to_change_preview(memory.review(review.id))


def words(half):
    return "".join(piece.text for piece in half.text)


def test_a_change_shows_both_texts_and_the_other_fields_that_differ(memory):
    mine = memory.remember("The API listens on port 8080")
    memory.edit(
        mine.id,
        content="The API listens on port 9090",
        importance=0.9,
        tags=["api", "port"],
        by="agent",
    )
    wish = wished(memory)
    assert wish.title == "Change a memory"
    assert [each.text for each in wish.now.text if each.is_own] == ["8080"]
    assert [each.text for each in wish.wished.text if each.is_own] == ["9090"]
    assert {(each.name, each.now, each.wished) for each in wish.fields} == {
        ("Importance", "0.6", "0.9"),
        ("Tags", "none", "api, port"),
    }


def test_a_change_of_other_fields_only_says_that_the_words_stay(memory):
    mine = memory.remember("The API listens on port 8080")
    memory.edit(mine.id, pinned=True, by="agent")
    wish = wished(memory)
    assert wish.wished.note == "The same words; see below."
    assert [(each.name, each.now, each.wished) for each in wish.fields] == [("Pinned", "no", "yes")]


def test_forgetting_and_bringing_back_say_what_is_hidden(memory):
    mine = memory.remember("The wiki is read only")
    memory.forget(mine.id, by="agent")
    wish = wished(memory)
    assert (words(wish.now), wish.wished.note[:9]) == ("The wiki is read only", "Forgotten")
    memory.accept(memory.reviews()[0].id)
    memory.remember("The wiki is read only", by="agent")
    wish = wished(memory)
    assert (wish.now.note[:9], words(wish.wished)) == ("Forgotten", "The wiki is read only")


def test_replacing_shows_the_other_memory_its_author_and_the_reason(memory):
    mine = memory.remember("Billing runs on MySQL")
    theirs = memory.remember("Billing runs on PostgreSQL", by="agent")
    memory.resolve(keep=theirs.id, supersede=[mine.id], reason="moved in March", by="agent")
    wish = wished(memory)
    assert wish.title == "Replace a memory by another"
    assert wish.wished.memory == theirs.id
    assert wish.reason == "moved in March"
    assert ("Source", "user", "agent") in [(f.name, f.now, f.wished) for f in wish.fields]


def test_saying_that_both_are_right_shows_both(memory):
    mine = memory.remember("Billing runs on MySQL")
    theirs = memory.remember("Billing runs on PostgreSQL", by="agent")
    memory.resolve(keep_both=[mine.id, theirs.id], by="agent")
    wish = wished(memory)
    assert wish.title == "Say that both are right"
    assert {wish.now.memory, wish.wished.memory} == {mine.id, theirs.id}
    assert not wish.replaces


def test_something_new_stands_beside_nothing():
    config = Config(writing=WritingSettings(write_policy="review"))
    memory = Tacit(InMemoryStore(), "w", config=config)
    memory.remember("The office is in Porto", key="office", by="agent")
    wish = wished(memory)
    assert wish.title == "Remember something new"
    assert (wish.now.note[:7], words(wish.wished)) == ("Nothing", "The office is in Porto")
    assert ("Key", "office") in [(each.name, each.wished) for each in wish.fields]
    assert "Id" not in [each.name for each in wish.fields]
