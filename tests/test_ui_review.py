"""The preview of a change on the review page."""

import pytest

from tacit import Tacit
from tacit.runtime.clock import system_clock
from tacit.settings.config import Config
from tacit.settings.writing import WritingSettings
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tacit.ui.pages.review.change_preview import to_change_preview


@pytest.fixture
def memory():
    with Tacit.open(":memory:", embedder="none") as tacit:
        yield tacit


def wished(memory):
    (review,) = memory.reviews.list()
    return to_change_preview(memory.reviews.get(review.id), system_clock())


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
    preview = wished(memory)
    assert preview.title == "Change a memory"
    assert [each.text for each in preview.now.text if each.is_unique] == ["8080"]
    assert [each.text for each in preview.requested.text if each.is_unique] == ["9090"]
    assert {(each.name, each.now, each.requested) for each in preview.fields} == {
        ("Importance", "0.6", "0.9"),
        ("Tags", "none", "api, port"),
    }


def test_a_change_of_other_fields_only_says_that_the_words_stay(memory):
    mine = memory.remember("The API listens on port 8080")
    memory.edit(mine.id, pinned=True, by="agent")
    preview = wished(memory)
    assert preview.requested.note == "The same words; see below."
    assert [(each.name, each.now, each.requested) for each in preview.fields] == [
        ("Pinned", "no", "yes")
    ]


def test_forgetting_and_bringing_back_say_what_is_hidden(memory):
    mine = memory.remember("The wiki is read only")
    memory.forget(mine.id, by="agent")
    preview = wished(memory)
    assert (words(preview.now), preview.requested.note[:9]) == (
        "The wiki is read only",
        "Forgotten",
    )
    memory.reviews.accept(memory.reviews.list()[0].id)
    memory.remember("The wiki is read only", by="agent")
    preview = wished(memory)
    assert (preview.now.note[:9], words(preview.requested)) == (
        "Forgotten",
        "The wiki is read only",
    )


def test_replacing_shows_the_other_memory_its_author_and_the_reason(memory):
    mine = memory.remember("Billing runs on MySQL")
    theirs = memory.remember("Billing runs on PostgreSQL", by="agent")
    memory.conflicts.resolve(
        keep=theirs.id, supersede=[mine.id], reason="moved in March", by="agent"
    )
    preview = wished(memory)
    assert preview.title == "Replace a memory by another"
    assert preview.requested.memory.id == theirs.id
    assert preview.reason == "moved in March"
    assert ("Source", "user", "agent") in [(f.name, f.now, f.requested) for f in preview.fields]


def test_saying_that_both_are_right_shows_both(memory):
    mine = memory.remember("Billing runs on MySQL")
    theirs = memory.remember("Billing runs on PostgreSQL", by="agent")
    memory.conflicts.resolve(keep_both=[mine.id, theirs.id], by="agent")
    preview = wished(memory)
    assert preview.title == "Both are right"
    assert {preview.now.memory.id, preview.requested.memory.id} == {mine.id, theirs.id}
    assert not preview.replaces


def test_something_new_stands_beside_nothing():
    config = Config(writing=WritingSettings(write_policy="review"))
    memory = Tacit(SqliteInMemoryStore.open(), "w", config=config)
    origin = {"session": "s3", "ordinal": 4}
    memory.remember("The office is in Porto", key="office", origin=origin, by="agent")
    preview = wished(memory)
    assert preview.title == "Remember something new"
    assert (preview.now.note[:7], words(preview.requested)) == ("Nothing", "The office is in Porto")
    fields = [(each.name, each.requested) for each in preview.fields]
    assert ("Key", "office") in fields
    assert ("Origin", "ordinal: 4, session: s3") in fields
    assert preview.asked_by == "Asked by an agent"
    assert "write_policy = review" in preview.explanation.why
    assert "Id" not in [each.name for each in preview.fields]
