"""The contract of a store for events: numbers without gaps, in the order of commits."""

import threading
from datetime import timedelta

import pytest

from tacit.core.events import Event, EventKind
from tests.support import START

KIND = EventKind.MEMORY_INJECTED


def _append(store, count, workspace="default"):
    with store.write(workspace) as unit:
        return [unit.events.append(KIND, START, {"n": n}) for n in range(count)]


def _kept(store, after=0, limit=100, workspace="default"):
    with store.read(workspace) as unit:
        return [event.number for event in unit.events.after(after, limit)]


def test_an_event_comes_back_as_it_was_noted(store):
    at = START + timedelta(microseconds=7)
    data = {"session": "s", "memories": ["a", "ü"], "conflict": {"of": None}, "tokens": 3.5}
    with store.write("default") as unit:
        assert unit.events.append(EventKind.CONFLICT_DETECTED, at, data) == 1
        unit.events.append(EventKind.COMPACTION, START, {})
    with store.read("default") as unit:
        assert unit.events.after(0, 10) == [
            Event(number=1, at=at, kind=EventKind.CONFLICT_DETECTED, data=data),
            Event(number=2, at=START, kind=EventKind.COMPACTION, data={}),
        ]


def test_what_is_noted_does_not_change_with_what_it_was_made_of(store):
    data = {"memories": ["a"]}
    with store.write("default") as unit:
        unit.events.append(KIND, START, data)
        data["memories"].append("b")
        assert unit.events.after(0, 1)[0].data == {"memories": ["a"]}


@pytest.mark.parametrize("kind", EventKind)
def test_an_event_is_the_same_after_json(kind):
    event = Event(number=3, at=START, kind=kind, data={"session": "s"})
    assert Event.from_dict(event.to_dict()) == event
    assert event.to_dict()["kind"] == kind.value


def test_where_nothing_happened_there_is_no_event(store):
    with store.read("default") as unit:
        assert (unit.events.first(), unit.events.last()) == (0, 0)
        assert unit.events.after(0, 10) == []
    with store.write("default") as unit:
        assert unit.events.prune(0) == 0


def test_numbers_are_read_where_they_are_given(store):
    with store.write("default") as unit:
        unit.events.append(KIND, START, {})
        assert (unit.events.first(), unit.events.last()) == (1, 1)
        assert unit.events.append(KIND, START, {}) == 2
        assert [event.number for event in unit.events.after(0, 10)] == [1, 2]


def test_events_are_read_in_pages_oldest_first(store):
    _append(store, 5)
    assert _kept(store, limit=2) == [1, 2]
    assert _kept(store, after=2, limit=2) == [3, 4]
    assert _kept(store, after=4, limit=2) == [5]
    assert _kept(store, after=5) == []


def test_many_events_of_one_transaction_are_numbered_in_their_order(store):
    assert _append(store, 600) == list(range(1, 601))
    with store.read("default") as unit:
        assert [event.data["n"] for event in unit.events.after(0, 1_000)] == list(range(600))


def test_workspaces_number_their_events_for_themselves(store):
    _append(store, 2, "ours")
    assert _append(store, 3, "theirs") == [1, 2, 3]
    assert _kept(store, workspace="ours") == [1, 2]
    with store.write("theirs") as unit:
        assert unit.events.prune(0) == 3
    assert _kept(store, workspace="ours") == [1, 2]


def test_what_was_not_committed_has_no_number(store):
    _append(store, 1)

    def fail():
        with store.write("default") as unit:
            unit.events.append(KIND, START, {})
            raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        fail()
    assert _append(store, 1) == [2]
    assert _kept(store) == [1, 2]


def test_pruning_keeps_the_newest(store):
    _append(store, 5)
    with store.write("default") as unit:
        assert unit.events.prune(5) == 0
        assert unit.events.prune(9) == 0
        assert unit.events.prune(2) == 3
        assert unit.events.prune(2) == 0
        assert (unit.events.first(), unit.events.last()) == (4, 5)
    assert _kept(store) == [4, 5]
    assert _kept(store, after=1, limit=1) == [4]


def test_numbers_go_on_when_everything_was_pruned(store):
    _append(store, 3)
    with store.write("default") as unit:
        assert unit.events.prune(0) == 3
        assert (unit.events.first(), unit.events.last()) == (0, 3)
    assert _append(store, 1) == [4]
    assert _kept(store) == [4]


def test_two_writers_leave_no_gap_and_give_no_number_twice(store):
    start = threading.Barrier(2)
    given = ([], [])

    def write(numbers):
        start.wait()
        for _ in range(15):
            numbers.extend(_append(store, 2))

    threads = [threading.Thread(target=write, args=(numbers,)) for numbers in given]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(numbers == sorted(numbers) for numbers in given)
    assert sorted(given[0] + given[1]) == list(range(1, 61))
    assert _kept(store) == list(range(1, 61))
