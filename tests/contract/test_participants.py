"""The contract of a store for participants: whose a session is, and who reaches it."""

import pytest

from tacit.core.permissions import UNBOUND, Viewer
from tacit.core.receipt import Receipt
from tacit.core.sessions import Participant, Session
from tests.support import START


def _took(session, agent=None, user=None):
    return Participant(session=session, agent=agent, user=user, took_turn=True)


def _claim(session, agent=None, user=None):
    return Participant(session=session, agent=agent, user=user)


KNOWN = {
    "ann's": [_took("ann's", "coder", "ann")],
    "bob's": [_took("bob's", "coder", "bob")],
    "both": [_took("both", "coder", "ann"), _took("both", "coder", "bob")],
    "agents": [_took("agents", "coder", "ann"), _took("agents", "planner", "ann")],
    "open": [_took("open")],
    "claimed": [_claim("claimed", "coder")],
    "noted first": [_claim("noted first", "coder"), _took("noted first", "coder", "ann")],
    "of two": [_claim("of two", "planner"), _took("of two", "coder", "ann")],
    "unknown": [],
}
REACHED = {
    Viewer(agent="coder"): {"ann's", "bob's", "both", "claimed", "noted first"},
    Viewer(user="ann"): {"ann's", "agents", "noted first", "of two"},
    Viewer(agent="coder", user="ann"): {"ann's", "noted first"},
    Viewer(agent="planner"): set(),
    Viewer(user="eve"): set(),
}


@pytest.fixture
def filled(store):
    with store.write("w") as unit:
        for number, (name, participants) in enumerate(KNOWN.items()):
            at = START.replace(microsecond=number)
            unit.sessions.put(Session(id=name, created_at=at, updated_at=at))
            unit.receipts.put(Receipt(id=f"{number:036}", session=name, turn=1, at=at))
            for each in participants:
                unit.participants.put(each)
    return store


@pytest.mark.parametrize("reach", REACHED, ids=str)
def test_a_bound_caller_reaches_what_is_its_own_alone(filled, reach):
    with filled.read("w") as unit:
        assert {name for name, each in KNOWN.items() if reach.sees_session(each)} == REACHED[reach]
        listed = [each.id for each in unit.sessions.recent_reached(reach, 50)]
        receipts = [each.session for each in unit.receipts.recent_reached(reach, 50)]
    newest = [name for name in reversed(KNOWN) if name in REACHED[reach]]
    assert listed == receipts == newest


def test_pages_go_on_after_what_was_left_out(filled):
    reach = Viewer(agent="coder")
    with filled.read("w") as unit:
        seen, last, place = [], None, None
        while page := unit.receipts.recent_reached(reach, 2, last):
            seen += [each.session for each in page]
            last = page[-1].id
        sessions = []
        while page := unit.sessions.recent_reached(reach, 2, place):
            sessions += [each.id for each in page]
            place = (page[-1].updated_at, page[-1].id)
    assert set(seen) == set(sessions) == REACHED[reach]
    assert len(seen) == len(sessions) == len(REACHED[reach])


def test_whoever_is_not_bound_reaches_all(filled):
    with filled.read("w") as unit:
        assert len(unit.sessions.recent(50)) == len(KNOWN)
    assert UNBOUND.sees_session(())


def test_a_turn_that_was_taken_stays_so(store):
    with store.write("w") as unit:
        for each in (_claim("s", "coder"), _took("s", "coder"), _claim("s", "coder")):
            unit.participants.put(each)
    with store.read("w") as unit:
        assert unit.participants.of("s") == [_took("s", "coder")]
    with store.write("w") as unit:
        assert not unit.participants.release(_claim("s", "coder"))


def test_a_claim_goes_and_others_stay(store):
    claims = [_claim("s", "coder"), _claim("s", None, "ann"), _claim("t", "coder")]
    with store.write("w") as unit:
        for each in claims:
            unit.participants.put(each)
        assert unit.participants.release(claims[0])
        assert not unit.participants.release(claims[0])
        assert unit.participants.scan(None, 10) == claims[1:]
        assert unit.participants.scan(claims[1], 10) == claims[2:]
        assert unit.participants.clear("t") == 1
        assert unit.participants.of("t") == []
    with store.read("other") as unit:
        assert unit.participants.scan(None, 10) == []
