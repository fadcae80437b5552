"""The contract of a store for turns that have begun: each is found by its id alone."""

from tacit.core.open_turn import OpenTurn
from tacit.core.receipt import Receipt
from tests.support import START, next_id


def _begun(session):
    receipt = Receipt(id=next_id(), session=session, turn=1, at=START)
    return OpenTurn(receipt=receipt, anchor="a" * 64)


def test_a_turn_that_has_begun_is_found_by_its_id_in_whatever_session(store):
    turns = [_begun("s"), _begun("s"), _begun("other")]
    with store.write("default") as unit:
        for turn in turns:
            unit.receipts.open_turn(turn)
    with store.read("default") as unit:
        assert [unit.receipts.get_open_turn(turn.id) for turn in turns] == turns
        assert unit.receipts.get_open_turn("nothing") is None


def test_a_turn_that_has_ended_is_not_found_any_more(store):
    turn = _begun("s")
    with store.write("default") as unit:
        unit.receipts.open_turn(turn)
        unit.receipts.close_turn("s", turn.id)
        assert unit.receipts.get_open_turn(turn.id) is None


def test_a_turn_of_another_workspace_is_not_found(store):
    turn = _begun("s")
    with store.write("theirs") as unit:
        unit.receipts.open_turn(turn)
    with store.read("ours") as unit:
        assert unit.receipts.get_open_turn(turn.id) is None
