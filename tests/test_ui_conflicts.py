"""The view model of the conflicts page."""

from dataclasses import replace

import pytest

from tacit import Tacit
from tacit.core.kinds import LEARNED_BY, Actor
from tacit.core.review_reasons import statement_verb
from tacit.ui.pages.conflicts.view_model import (
    all_pairs,
    author_text,
    count_text,
    diff_contents,
    owner_text,
    quote,
    recommendation_text,
    to_resolution,
    usage_text,
)


@pytest.fixture
def memory():
    with Tacit.open(":memory:", embedder="none") as tacit:
        yield tacit


def test_two_sides_are_told_apart_by_their_words_and_advised(memory):
    memory.remember("Billing runs on MySQL")
    memory.remember("Billing runs on PostgreSQL", by="agent")
    (conflict,) = memory.conflicts.list()
    assert [side[-1].text for side in diff_contents(conflict)] == ["MySQL", "PostgreSQL"]
    assert all(side[-1].is_unique for side in diff_contents(conflict))
    assert (
        recommendation_text(conflict) == "Recommended is the marked one: trusted over unverified."
    )
    mine, theirs = conflict.memories
    assert author_text(mine) == "Written by the user; trusted"
    assert author_text(theirs) == "Written by an agent; not verified by a person"
    assert usage_text(mine) == "never"


def test_where_no_rule_decides_that_is_said(memory):
    memory.remember("Billing runs on MySQL", confidence=0.9)
    memory.remember("Billing runs on PostgreSQL", confidence=0.9, by="operator")
    (conflict,) = memory.conflicts.list()
    assert recommendation_text(conflict) == (
        "No rule decides: same confidence, different sources. Until you decide, turns show both,"
        " or none if conflict_policy is omit."
    )


@pytest.mark.parametrize("source", list(Actor))
def test_the_origin_of_a_memory_is_a_phrase(memory, source):
    said = replace(memory.remember("Billing runs on MySQL").memory, source=source)
    learned = replace(said, metadata={LEARNED_BY: "rule"})
    assert author_text(said).endswith("; trusted")
    assert author_text(learned).startswith("Learned from ")
    assert (statement_verb(said), statement_verb(learned)) == ("written", "said")


def test_outcomes_say_what_became_of_each_side(memory):
    mine = memory.remember("Billing runs on MySQL").memory
    theirs = memory.remember("Billing runs on PostgreSQL", by="agent").memory
    queued = to_resolution(
        memory.conflicts.resolve(keep=theirs.id, supersede=[mine.id], by="agent"), theirs
    )
    assert queued.is_queued
    assert not queued.is_undoable
    both = to_resolution(memory.conflicts.resolve(keep_both=[mine.id, theirs.id]), None)
    assert both.is_undoable
    assert both.text.startswith("Both are right")
    assert not to_resolution(
        memory.conflicts.resolve(keep_both=[mine.id, theirs.id]), None
    ).is_undoable
    memory.memories.unlink(*all_pairs([theirs.id, mine.id])[0], "compatible_with")
    kept = to_resolution(memory.conflicts.resolve(keep=mine.id, supersede=[theirs.id]), mine)
    assert kept.text == "Kept “Billing runs on MySQL”. Past now: “Billing runs on PostgreSQL”."
    assert [each.id for each in kept.superseded] == [theirs.id]
    assert not kept.is_undoable


def test_owners_are_named_as_people_would(memory):
    told = [
        owner_text(memory.remember(f"The value is {number}", **fields).memory)
        for number, fields in enumerate(
            (
                {},
                {"scope": "org"},
                {"scope": "project", "scope_id": "web"},
                {"scope_id": "ann", "agent": "helper"},
            )
        )
    ]
    assert told == ["the user", "everybody", "project web", "user ann, for agent helper only"]


def test_counts_say_what_is_known():
    assert count_text(0, 20, is_first=True) == "0 conflicts"
    assert count_text(1, 20, is_first=True) == "1 conflict"
    assert count_text(21, 20, is_first=True) == "20 conflicts on this page, and more"
    assert count_text(3, 20, is_first=False) == "3 conflicts on this page"


def test_long_texts_are_quoted_by_their_beginning():
    assert quote("a\n b") == "“a b”"
    assert len(quote("word " * 100)) <= 62
