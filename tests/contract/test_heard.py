"""The contract of a store for what was heard: queued once, read once, and gone when it should."""

import threading
from dataclasses import replace
from datetime import timedelta

import pytest

from tacit import Tacit
from tacit.core.open_turn import CapturedTurn, QueuedTurn, QueueStage
from tacit.language.terms import WordMatcher
from tacit.store.sqlite.store import SqliteStore
from tests.support import START, HandClock, next_id

DAY = timedelta(days=1)


def _heard(session="s", **fields):
    known = {"at": START, "said": ("Port 8080 is ours",), "reply": "Noted."}
    return CapturedTurn(id=next_id(), session=session, **{**known, **fields})


def _queue(store, *turns, workspace="w"):
    with store.write(workspace) as unit:
        for turn in turns:
            unit.heard.add(turn)
    return [turn.id for turn in turns]


def _settle(store, *turns, keep=True):
    with store.write("w") as unit:
        return unit.heard.settle([turn.id for turn in turns], keep)


def _read(store, session, count):
    """Turns of a session that the rules have read."""
    turns = [_heard(session) for _ in range(count)]
    _queue(store, *turns)
    _settle(store, *turns)
    return turns


def _scanned(store, workspace="w"):
    with store.read(workspace) as unit:
        return unit.heard.scan(None, 10_000)


def _fresh(unit, limit):
    return [each.turn for each in unit.heard.at_stage(QueueStage.FRESH, limit)]


def _waiting(unit, session, limit):
    return [each.turn for each in unit.heard.waiting(session, limit)]


def test_what_was_heard_is_kept_as_it_was(store):
    full = _heard(
        at=START + timedelta(microseconds=1),
        said=("Ann's 日本 trip\x00\n", "", "🙂"),
        reply="ü" * 5_000,
        agent="coder",
        user="ann",
        project="p",
        org="o",
    )
    bare = _heard(said=(), reply="")
    _queue(store, full, bare)
    with store.read("w") as unit:
        assert unit.heard.get(full.id) == full
        assert unit.heard.get(bare.id) == bare
        assert unit.heard.get(next_id()) is None
    with store.read("other") as unit:
        assert unit.heard.get(full.id) is None
    assert CapturedTurn.from_dict(full.to_dict()) == full


def test_what_is_queued_already_is_left_alone(store):
    (turn,) = _read(store, "s", 1)
    _queue(store, replace(turn, reply="Another."))
    assert _scanned(store) == [QueuedTurn(turn=turn, stage=QueueStage.READ)]


def test_the_rules_are_given_what_is_fresh_oldest_first(store):
    turns = [_heard(name) for name in ("a", "b", "a")]
    _queue(store, *reversed(turns))
    _queue(store, _heard(), workspace="other")
    with store.read("w") as unit:
        assert _fresh(unit, 2) == turns[:2]
        assert _fresh(unit, 9) == turns
    _settle(store, turns[0])
    with store.read("w") as unit:
        assert _fresh(unit, 9) == turns[1:]


@pytest.mark.parametrize("keep", [True, False])
def test_what_the_rules_have_read_is_settled_once(store, keep):
    first, second, third = (_heard() for _ in range(3))
    _queue(store, first, second, third)
    _queue(store, first, workspace="other")
    assert _settle(store, first, _heard(), keep=keep) == {first.id}
    assert _settle(store, first, second, keep=keep) == {second.id}
    assert _settle(store, first, second, keep=not keep) == set()
    assert _settle(store, keep=keep) == set()
    with store.read("w") as unit:
        assert _fresh(unit, 9) == [third]
        assert _waiting(unit, "s", 9) == ([first, second] if keep else [])
        assert (unit.heard.get(first.id) is not None) is keep
    with store.read("other") as unit:
        assert _fresh(unit, 9) == [first]


def test_one_of_two_who_read_the_same_settles_it(store):
    turns = [_heard() for _ in range(10)]
    _queue(store, *turns)
    start = threading.Barrier(2)
    settled = []

    def settle():
        start.wait()
        for turn in turns:
            settled.extend(_settle(store, turn, keep=False))

    threads = [threading.Thread(target=settle) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(settled) == [turn.id for turn in turns]


def test_a_session_waits_for_the_model_with_what_the_rules_have_read(store):
    turns = _read(store, "s", 3)
    _read(store, "other", 1)
    _queue(store, _heard("s"))
    with store.write("w") as unit:
        assert _waiting(unit, "s", 2) == turns[:2]
        assert _waiting(unit, "s", 9) == turns
        unit.heard.hasten("s")
        assert _waiting(unit, "s", 9) == turns
        assert _waiting(unit, "nobody", 9) == []


def test_a_session_is_ripe_when_enough_of_it_was_read(store):
    _read(store, "b", 3)
    _read(store, "a", 2)
    _queue(store, _heard("a"), _heard("c"), _heard("c"), _heard("c"))
    with store.read("w") as unit:
        assert unit.heard.ripe(4, 9) == []
        assert unit.heard.ripe(3, 9) == ["b"]
        assert unit.heard.ripe(2, 9) == ["b", "a"]
        assert unit.heard.ripe(2, 1) == ["b"]
    with store.read("other") as unit:
        assert unit.heard.ripe(1, 9) == []


def test_a_session_is_ripe_when_it_is_due_and_something_was_read(store):
    _read(store, "s", 1)
    _read(store, "other", 1)
    with store.write("w") as unit:
        assert unit.heard.hasten("s") == 1
        assert unit.heard.hasten("s") == 0
        assert unit.heard.hasten("nobody") == 0
    _read(store, "s", 1)
    with store.write("w") as unit:
        assert unit.heard.ripe(9, 9) == ["s"]
        unit.heard.drop([_waiting(unit, "s", 1)[0].id])
        assert unit.heard.ripe(9, 9) == []


def test_what_is_due_before_the_rules_have_read_it_is_read_by_them_first(store):
    turn = _heard()
    _queue(store, turn)
    with store.write("w") as unit:
        assert unit.heard.hasten("s") == 1
        assert unit.heard.ripe(1, 9) == []
        assert _waiting(unit, "s", 9) == []
        assert _fresh(unit, 9) == [turn]
    _settle(store, turn)
    with store.read("w") as unit:
        assert unit.heard.ripe(9, 9) == ["s"]
        assert _waiting(unit, "s", 9) == [turn]


def test_dropping_tells_what_was_there(store):
    first, second = _queue(store, _heard(), _heard())
    _queue(store, _heard(), workspace="other")
    with store.write("w") as unit:
        assert unit.heard.drop([first, next_id()]) == {first}
        assert unit.heard.drop([first]) == set()
        assert unit.heard.drop([]) == set()
    assert [each.id for each in _scanned(store)] == [second]
    assert len(_scanned(store, "other")) == 1


def test_what_holds_the_words_is_dropped_wherever_and_however_they_stand(store):
    holding = [
        _heard(said=("Hello", "The VAULT opens\n with  heliotrope, they say")),
        _heard(reply="the vault opens with Heliotrope"),
    ]
    others = [_heard(said=("The vault", "opens with heliotrope")), _heard(reply="heliotrope")]
    _queue(store, *holding, *others)
    _queue(store, holding[0], workspace="other")
    _settle(store, holding[0])
    with store.write("w") as unit:
        words = WordMatcher.of(["The vault opens with heliotrope", "said by nobody"])
        assert len(unit.heard.drop_holding(words, lambda _: True)) == 2
        assert unit.heard.drop_holding(words, lambda _: True) == set()
        assert unit.heard.drop_holding(WordMatcher.of([" \n"]), lambda _: True) == set()
    assert [each.turn for each in _scanned(store)] == others
    assert len(_scanned(store, "other")) == 1


def test_words_are_found_anywhere_in_a_long_queue(store):
    turns = [_heard(said=(f"Lamp {number}.",)) for number in range(1_500)]
    _queue(store, *turns)
    with store.write("w") as unit:
        words = WordMatcher.of(f"lamp {n}." for n in (0, 999, 1_000, 1_499))
        assert len(unit.heard.drop_holding(words, lambda _: True)) == 4
    assert len(_scanned(store)) == 1_496


def test_old_ones_are_pruned_read_or_not(store):
    turns = [_heard(at=START + number * DAY) for number in range(4)]
    _queue(store, *turns)
    _queue(store, turns[0], workspace="other")
    _settle(store, turns[0])
    with store.write("w") as unit:
        assert unit.heard.prune(START) == 0
        assert unit.heard.prune(START + 2 * DAY) == 2
        assert unit.heard.prune(START + 2 * DAY) == 0
    assert [each.turn for each in _scanned(store)] == turns[2:]
    assert len(_scanned(store, "other")) == 1


def test_what_stood_somewhere_in_the_queue_can_be_put_there_again(store):
    turn = _heard()
    queued = QueuedTurn(turn=turn, stage=QueueStage.READ, due=True)
    with store.write("w") as unit:
        unit.heard.put(queued)
        assert unit.heard.ripe(9, 9) == ["s"]
        unit.heard.put(replace(queued, due=False))
        assert unit.heard.ripe(9, 9) == []
    assert _scanned(store) == [replace(queued, due=False)]


def test_nothing_is_queued_by_a_transaction_that_failed(store):
    with pytest.raises(ZeroDivisionError), store.write("w") as unit:
        unit.heard.add(_heard())
        _ = 1 / 0
    assert _scanned(store) == []


def test_erasing_a_memory_drops_what_was_heard_and_says_the_same(store, tacit):
    written = tacit.remember("The vault opens with heliotrope")
    tacit.edit(written.id, content="The vault opens with saffron")
    kept = _heard(said=("Ravens winter in the north tower",))
    now = _heard(said=("By the way, the vault opens with saffron.",))
    before = _heard(said=("Did you know? The vault opens with heliotrope!",))
    _queue(store, kept, now, before, workspace="default")
    assert tacit.erase(written.id).removed["heard"] == 2
    assert [each.turn for each in _scanned(store, "default")] == [kept]


def test_words_that_were_heard_are_nowhere_in_the_file_once_they_were_erased(tmp_path):
    path = tmp_path / "memory.db"
    store = SqliteStore.open(path)
    tacit = Tacit(store, "default", clock=HandClock())
    gone = tacit.remember("The vault opens with heliotrope").id
    _queue(store, _heard(said=("The vault opens with heliotrope",)), workspace="default")
    tacit.erase(gone)
    assert _scanned(store, "default") == []
    store.close()
    assert not any(b"heliotrope" in file.read_bytes() for file in tmp_path.iterdir())


def test_tries_are_counted_until_the_rules_have_read_it(store):
    turn, other = _heard(), _heard()
    _queue(store, turn, other)
    with store.write("w") as unit:
        unit.heard.add_tries([turn.id, next_id()], 1)
        unit.heard.add_tries([turn.id], 1)
        unit.heard.add_tries([turn.id, other.id], -1)
        unit.heard.add_tries([other.id], 1)
    assert [each.tries for each in _scanned(store)] == [1, 0]
    _settle(store, turn)
    assert [each.tries for each in _scanned(store)] == [0, 0]
    with store.read("w") as unit:
        assert [each.tries for each in unit.heard.waiting("s", 9)] == [0]


def test_what_is_set_aside_is_read_by_nobody_until_it_is_tried_again(store):
    turns = [_heard() for _ in range(4)]
    _queue(store, *turns)
    _queue(store, turns[0], workspace="other")
    _settle(store, turns[3])
    with store.write("w") as unit:
        unit.heard.add_tries([turns[0].id], 3)
        unit.heard.set_aside([turns[0].id, turns[1].id, turns[3].id, next_id()], "too deep")
        assert _fresh(unit, 9) == [turns[2]]
        assert _waiting(unit, "s", 9) == []
        assert unit.heard.hasten("s") == 1
        assert unit.heard.ripe(1, 9) == []
        aside = unit.heard.at_stage(QueueStage.SET_ASIDE, 9)
        assert [(each.turn, each.tries, each.problem) for each in aside] == [
            (turns[0], 3, "too deep"),
            (turns[1], 0, "too deep"),
            (turns[3], 0, "too deep"),
        ]
        assert unit.heard.at_stage(QueueStage.SET_ASIDE, 1, turns[0].id) == [aside[1]]
        assert unit.heard.settle([turns[0].id], keep=False) == set()
        assert unit.heard.retry([turns[0].id, turns[2].id, next_id()]) == {turns[0].id}
        assert unit.heard.retry([turns[0].id]) == set()
    again = {each.id: each for each in _scanned(store)}[turns[0].id]
    assert again == QueuedTurn(turn=turns[0])
    with store.read("other") as unit:
        assert unit.heard.at_stage(QueueStage.SET_ASIDE, 9) == []


def test_what_was_set_aside_moves_with_why(store):
    queued = QueuedTurn(turn=_heard(), stage=QueueStage.SET_ASIDE, tries=3, problem="too deep")
    with store.write("w") as unit:
        unit.heard.put(queued)
    assert _scanned(store) == [queued]
    assert QueuedTurn.from_dict(queued.to_dict()) == queued
