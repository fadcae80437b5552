"""What every backend keeps of how statements stand to each other, and of what waits for that."""

from dataclasses import replace

import pytest

from tacit.core.episodes import to_episode_id
from tacit.core.memory import StatementComparison
from tacit.store.workspaces import episodes_workspace
from tests.support import make_memory

SAID = episodes_workspace("default")


def _make_episode(content):
    row = make_memory(content)
    return replace(row, id=to_episode_id(row.id), workspace=SAID)


def _insert(store, *rows):
    for row in rows:
        with store.write(row.workspace) as unit:
            unit.memories.insert(row)


def _compare(store, old, new, score=0.9, workspace="default", **fields):
    found = StatementComparison(earlier=old.id, later=new.id, score=score, likeness=0.5, **fields)
    with store.write(workspace) as unit:
        unit.comparisons.put(found)
    return found


def _of(store, *rows, workspace="default"):
    with store.read(workspace) as unit:
        return unit.comparisons.of([each.id for each in rows])


@pytest.fixture
def three(store):
    old, new, said = make_memory("old"), make_memory("new"), _make_episode("said")
    _insert(store, old, new, said)
    return old, new, said


def test_a_comparison_is_found_by_either_side(store, three):
    old, new, said = three
    first, second = _compare(store, old, new), _compare(store, new, said, by_model=False)
    assert _of(store, old) == [first]
    assert _of(store, said) == [second]
    assert sorted(_of(store, new), key=lambda each: each.ids) == sorted(
        (first, second), key=lambda each: each.ids
    )


def test_what_is_found_later_takes_the_place_of_what_was_known_in_either_order(store, three):
    old, new, _ = three
    _compare(store, old, new)
    turned = _compare(store, new, old, score=0.6)
    assert _of(store, old, new) == [turned]


def test_a_comparison_that_no_longer_holds_is_dropped(store, three):
    old, new, _ = three
    _compare(store, old, new)
    with store.write("default") as unit:
        unit.comparisons.remove(new.id, old.id)
    assert _of(store, old) == []


def test_every_comparison_of_a_statement_is_cleared_and_counted(store, three):
    old, new, said = three
    _compare(store, old, new)
    _compare(store, new, said)
    with store.write("default") as unit:
        assert unit.comparisons.clear(new.id) == 2
    assert _of(store, *three) == []


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_comparison_goes_with_either_text(store, three, gone):
    old, new, said = three
    kept = {0: [(new, said)], 1: [], 2: [(old, new)]}[gone]
    _compare(store, old, new)
    _compare(store, new, said)
    with store.write(three[gone].workspace) as unit:
        unit.memories.delete(three[gone].id)
    assert [each.ids for each in _of(store, *three)] == [(a.id, b.id) for a, b in kept]


def test_other_workspaces_do_not_see_it(store, three):
    old, new, _ = three
    _compare(store, old, new)
    assert _of(store, old, new, workspace="other") == []
    with store.write("other") as unit:
        assert unit.comparisons.clear(old.id) == 0
    assert len(_of(store, old)) == 1


def test_what_waits_comes_in_pages_the_newest_first_and_once(store):
    rows = [make_memory(str(number)) for number in range(4)]
    _insert(store, *rows)
    ids = sorted(row.id for row in rows)
    with store.write("default") as unit:
        for id in (*ids, ids[0]):
            unit.uncompared.add(id)
    with store.read("default") as unit:
        assert unit.uncompared.newest(None, 3) == ids[:0:-1]
        assert unit.uncompared.newest(ids[1], 3) == ids[:1]
        assert unit.uncompared.count() == 4
        assert unit.uncompared.waiting([*ids[:2], "unknown"]) == set(ids[:2])
    with store.write("default") as unit:
        unit.uncompared.remove(ids[1:])
        unit.memories.delete(ids[0])
    with store.read("default") as unit:
        assert unit.uncompared.newest(None, 9) == []


def test_all_that_is_live_waits_when_everything_is_to_be_compared(store):
    live, gone = make_memory("live"), replace(make_memory("gone"), forgotten=True)
    past = replace(make_memory("past"), superseded_by=live.id)
    _insert(store, live, gone, past)
    with store.write("default") as unit:
        unit.uncompared.add_all()
    with store.read("default") as unit:
        assert unit.uncompared.newest(None, 9) == [live.id]
