"""What memory did lately, in figures."""

import json
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest

from tacit import Activity, Tacit
from tacit.core.activity import MemoryGrowth, count_memory_uses, summarize_activity
from tacit.core.receipt import Candidate, CandidateSource, Fate, Receipt, SkipReason
from tests.serving import served
from tests.support import HandClock, next_id

NOON = datetime(2026, 3, 4, 12, 0, 30, tzinfo=UTC)
NO_GROWTH = MemoryGrowth(before=0, created={})
LENIENT = {"contextual_min_score": 0.05}


def _candidate(memory="m", found=CandidateSource.CONTEXTUAL, fate=Fate.INJECTED):
    return Candidate(memory=memory, found=found, type="fact", fate=fate)


def _receipt(at=NOON, *candidates, **fields):
    named = {"id": next_id(), "session": "s", "turn": 1, "at": at, **fields}
    return Receipt(**named, candidates=candidates)


def _figures(receipts):
    return summarize_activity(receipts, count_memory_uses(receipts), NO_GROWTH)


def test_every_turn_is_counted_once():
    pinned = _candidate("p", CandidateSource.PINNED)
    done = _figures(
        [
            _receipt(NOON, pinned, _candidate("a"), _candidate("b", fate=Fate.BELOW_FLOOR)),
            _receipt(NOON, pinned, skipped=SkipReason.LOW_INFORMATION),
            _receipt(NOON, _candidate("b", fate=Fate.BELOW_FLOOR)),
            _receipt(NOON, skipped=SkipReason.LOW_INFORMATION),
            _receipt(NOON, skipped=SkipReason.SYSTEM_TURN),
        ]
    )
    assert (done.turns, done.injected, done.nothing) == (5, 2, 1)
    assert done.skipped == {
        SkipReason.DISABLED: 0,
        SkipReason.PAUSED: 0,
        SkipReason.SYSTEM_TURN: 1,
        SkipReason.LOW_INFORMATION: 1,
    }
    assert done.found == {
        CandidateSource.PINNED: 2,
        CandidateSource.FACT: 0,
        CandidateSource.CONTEXTUAL: 1,
        CandidateSource.STANDING: 0,
        CandidateSource.EPISODE: 0,
    }
    assert {fate: count for fate, count in done.left_out.items() if count} == {Fate.BELOW_FLOOR: 2}
    assert Fate.INJECTED not in done.left_out
    assert [(use.memory, use.count) for use in done.top] == [("p", 2), ("a", 1)]


def test_what_was_degraded_is_told_with_its_reasons():
    late, failed = "search: late", "ledger: failed (locked)"
    notes = [(late,), (late, failed), ()]
    done = _figures([_receipt(NOON, degraded=each) for each in notes])
    assert (done.degraded, list(done.reasons.items())) == (2, [(late, 2), (failed, 1)])


def test_tokens_are_those_of_turns_that_injected_something():
    receipts = [_receipt(NOON, _candidate(), tokens=number) for number in range(1, 21)]
    done = _figures([*receipts, _receipt(NOON), _receipt(NOON)])
    assert (done.tokens.sum, done.tokens.mean, done.tokens.p95) == (210, 10.5, 19)


def test_each_stage_tells_how_long_it_took_and_the_whole_comes_last():
    quick = [_receipt(NOON, timings_ms={"session": 1.0, "total": 2.0})]
    searched = [
        _receipt(NOON, timings_ms={"session": 3.0, "search": float(ms), "total": ms + 5.0})
        for ms in range(1, 101)
    ]
    done = _figures([*quick, *searched])
    assert list(done.latency_ms) == ["session", "search", "total"]
    search = done.latency_ms["search"]
    assert (search.p50, search.p95) == (50.0, 95.0)
    assert done.latency_ms["session"].p50 == 3.0


@pytest.mark.parametrize(
    ("span", "step"),
    [
        (timedelta(), timedelta(minutes=1)),
        (timedelta(minutes=48), timedelta(minutes=1)),
        (timedelta(minutes=49), timedelta(minutes=10)),
        (timedelta(hours=9), timedelta(hours=1)),
        (timedelta(days=7), timedelta(hours=6)),
        (timedelta(days=30), timedelta(days=1)),
        (timedelta(days=200), timedelta(weeks=1)),
        (timedelta(days=3650), timedelta(weeks=11)),
    ],
)
def test_periods_are_as_short_as_some_fifty_of_them_allow(span, step):
    done = _figures([_receipt(NOON - span, _candidate(), tokens=7), _receipt(NOON)])
    periods = done.series.periods
    assert done.series.step_seconds == step.total_seconds()
    assert len(periods) <= 50
    assert all(later.start - each.start == step for each, later in pairwise(periods))
    assert periods[0].start <= NOON - span < periods[0].start + step
    assert periods[-1].start <= NOON < periods[-1].start + step
    assert [sum(getattr(each, name) for each in periods) for name in COUNTED] == [1, 1, 0, 7]
    assert (done.since, done.until) == (NOON - span, NOON)


COUNTED = ("injected", "nothing", "skipped", "tokens")


def test_days_begin_at_midnight_and_weeks_on_monday():
    for span, weekday in ((30, None), (200, 0)):
        done = _figures([_receipt(NOON - timedelta(days=span)), _receipt(NOON)])
        for each in done.series.periods:
            assert each.start.time().isoformat() == "00:00:00"
            assert weekday in (None, each.start.weekday())


def test_growth_has_every_day_up_to_the_last():
    came = {date(2026, 2, 27): 2, date(2026, 2, 28): 3, date(2026, 3, 2): 5, date(2026, 3, 3): 9}
    growth = MemoryGrowth.until(date(2026, 3, 2), 3, came)
    assert growth.before == 2
    assert list(growth.created.items()) == [
        (date(2026, 2, 28), 3),
        (date(2026, 3, 1), 0),
        (date(2026, 3, 2), 5),
    ]


def _turn(tacit, text, **asked):
    with tacit.turn(session=next_id(), text=text, **LENIENT, **asked) as turn:
        turn.commit("Noted.")
    return turn


def test_the_last_turns_and_days_of_a_workspace_are_summed_up():
    clock = HandClock()
    with Tacit.open(":memory:", embedder="none", clock=clock) as tacit:
        assert tacit.workspace.activity().turns == 0
        old = tacit.remember("Backups run at midnight").id
        clock.advance(days=2)
        one, two = (
            each.id for each in tacit.memories.remember_all(["Replicas: Oslo", "Replicas: Bonn"])
        )
        tacit.workspace.open("other").remember("Replicas: elsewhere")
        for text in ("When do backups run?", "Where are replicas?", "Replicas, where?", "thanks"):
            clock.advance(minutes=1)
            _turn(tacit, text)
        done = tacit.workspace.activity(days=2)
        assert (done.turns, done.injected, done.skipped[SkipReason.LOW_INFORMATION]) == (4, 3, 1)
        assert [(use.memory, use.count) for use in done.top] == [(one, 2), (two, 2), (old, 1)]
        assert done.until - done.since == timedelta(minutes=3)
        assert (done.growth.before, list(done.growth.created.values())) == (1, [0, 2])
        assert tacit.workspace.activity(turns=2).turns == 2
        assert Activity.from_dict(json.loads(json.dumps(done.to_dict()))) == done


def test_what_nobody_can_read_any_more_is_not_named_and_others_take_its_place():
    with Tacit.open(":memory:", embedder="none") as tacit:
        things = [f"{letter}ork" for letter in "bcdfghjklmpt"]
        ids = [
            each.id
            for each in tacit.memories.remember_all(f"Our {each} is blue" for each in things)
        ]
        for each in things:
            assert len(_turn(tacit, f"Where did you put the {each}?").receipt.injected) == 1
        assert [use.memory for use in tacit.workspace.activity().top] == ids[:10]
        tacit.forget(ids[0])
        tacit.erase(ids[1])
        assert [use.memory for use in tacit.workspace.activity().top] == ids[2:]


def test_an_agents_key_is_told_of_no_memory_that_it_may_not_see():
    with served() as house:
        shared = house.tacit.remember("Replicas live in Oslo").id
        own = house.tacit.remember("Replicas of the planner live in Bonn", agent="planner").id
        _turn(house.tacit, "Where do replicas live?", agent="planner")
        seen = {}
        for agent in ("planner", "coder"):
            key = house.key("read", "default", agent=agent)
            answer = house.client.get("/v1/activity", params={"days": 1}, headers=key)
            seen[agent] = answer.json()
            assert answer.status_code == 200
            told = house.client.get("/v1/activity", params={"agent": "someone"}, headers=key)
            assert told.status_code == 403
        assert {use["memory"] for use in seen["planner"]["top"]} == {shared, own}
        assert seen["coder"]["top"] == []  # no turn was its own
        for agent, count in (("planner", 2), ("coder", 1)):
            growth = seen[agent]["growth"]
            assert growth["before"] + sum(growth["created"].values()) == count
            assert seen[agent]["turns"] == (agent == "planner")
