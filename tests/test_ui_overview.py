"""The view model of the overview: chart columns, counts and events."""

from datetime import UTC, datetime

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.core.events import Event, EventKind
from tacit.core.receipt import Fate
from tacit.ui.kit.display import ChartColumn
from tacit.ui.pages.overview.view_model import (
    event_text,
    growth_columns,
    omission_counts,
    share_of_largest,
    skip_counts,
    source_counts,
    stage_latencies,
    turn_columns,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def event(kind, **data):
    return Event(number=1, at=NOW, kind=EventKind(kind), data=data)


@pytest.mark.parametrize(
    ("happened", "words"),
    [
        (event("memory_injected", session="s1", memories=["a"]), "1 memory injected in session s1"),
        (
            event("memory_injected", session="s1", memories=["a", "b"]),
            "2 memories injected in session s1",
        ),
        (
            event("nothing_injected", session="s1", skipped="low_information"),
            "Nothing injected in session s1 (the message says too little)",
        ),
        (event("nothing_injected", skipped="bad_weather"), "Nothing injected (bad weather)"),
        (
            event(
                "memories_changed",
                by="user",
                count=3,
                changes=[{"action": "insert", "memory": "a"}, {"action": "forget", "memory": "b"}],
            ),
            "1 memory kept, 1 memory forgotten and 1 more by user",
        ),
        (event("settings_changed", valid=False), "The settings file is invalid"),
        (event("review_decided", decision="accepted"), "A change was accepted"),
    ],
)
def test_events_are_told_in_words(happened, words):
    assert event_text(happened) == words


def test_every_kind_of_event_that_really_happens_can_be_told():
    with Tacit.open(":memory:", embedder=FakeEmbedder()) as tacit:
        kept = tacit.remember("Staging has 4 replicas").memory
        tacit.edit(kept.id, content="Staging has 5 replicas", by="agent")
        tacit.reviews.reject(tacit.reviews.list()[0].id)
        with tacit.turn(session="s1", history=[], text="How many replicas?") as turn:
            turn.commit("Four.")
        tacit.sessions.reset_memory_injection_tracking("s1")
        tacit.forget(kept.id)
        assert all(event_text(each) for each in tacit.workspace.events().events)


def test_a_column_tells_what_it_stands_for():
    column = ChartColumn("1 Mar", {"injected": 2, "skipped": 0, "nothing relevant": 1})
    assert (column.total, column.description) == (3, "1 Mar: 2 injected, 1 nothing relevant")
    assert ChartColumn("2 Mar", {"injected": 0}).description == "2 Mar: nothing"


def test_the_activity_of_real_turns_becomes_columns_and_bars():
    with Tacit.open(":memory:", embedder=FakeEmbedder()) as tacit:
        tacit.remember("Staging has 4 replicas")
        for text in ("How many replicas has staging?", "ok"):
            with tacit.turn(session=text, history=[], text=text) as turn:
                turn.commit("Four.")
        activity = tacit.workspace.activity()
    columns = turn_columns(activity)
    assert sum(column.total for column in columns) == activity.turns == 2
    assert sum(source_counts(activity).values()) == sum(activity.found.values())
    assert skip_counts(activity) == {"the message says too little": 1}
    assert stage_latencies(activity)[0][0] == "total"
    assert sum(column.total for column in growth_columns(activity)) == 1
    assert len(growth_columns(activity)) == 30


def test_what_was_left_out_most_comes_first_and_what_never_was_does_not_come():
    lost = {Fate.BELOW_FLOOR: 2, Fate.OVER_SLOTS: 0, Fate.SEEN_IN_WINDOW: 5}
    assert omission_counts(lost) == [("still in view", 5), ("not relevant enough", 2)]


def test_shares_are_of_the_largest_and_of_nothing_none():
    assert share_of_largest(2, [4, 2]) == 0.5
    assert share_of_largest(0, [0, 0]) == 0.0
