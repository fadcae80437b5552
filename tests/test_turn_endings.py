"""How turns end: overlapping, late, abandoned and repeated ones, the same through every door."""

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.core.errors import NotFound
from tacit.grounding.file_layout import to_file_name
from tacit.turn.record import LEFT_TO_COMMIT, STORED_BY_COMMIT
from tests.support import open_backend
from tests.turn_doors import DOORS, LATE_MS, REPLY, LateStore, Talk

pytestmark = pytest.mark.episodes

LISBON = "I moved to Lisbon in March with my sister."
PORT = "My sister Ana works at the port of Lisbon."
GARDEN = "We grow tomatoes in the garden behind the house."

BACKENDS = ("sqlite", pytest.param("postgres", marks=pytest.mark.other_store))


def said(*texts):
    """A history in which these texts were said and answered."""
    return [
        message
        for text in texts
        for message in (
            {"role": "user", "content": text},
            {"role": "assistant", "content": REPLY},
        )
    ]


def both_of_two_that_overlap_are_recorded(talk):
    first, second = talk.begin(LISBON), talk.begin(PORT)
    assert (talk.commit(first), talk.commit(second)) == ("recorded", "recorded")
    talk.check_recorded(first, second)


def of_two_that_overlap_the_later_may_end_first(talk):
    first, second = talk.begin(LISBON), talk.begin(PORT)
    assert (talk.commit(second), talk.commit(first, node=1)) == ("recorded", "recorded")
    talk.check_recorded(first, second)


def the_first_is_recorded_where_the_second_is_abandoned(talk):
    first, second = talk.begin(LISBON), talk.begin(PORT)
    assert talk.commit(first) == "recorded"
    third = talk.begin(GARDEN, said(LISBON))
    assert talk.commit(third) == "recorded"
    talk.check_recorded(first, third)
    assert talk.commit(second) == "recorded"  # it was slow, not dead
    talk.check_recorded(first, second, third)


def the_first_is_not_recorded_where_it_is_abandoned(talk):
    talk.begin(LISBON)
    second = talk.begin(PORT)
    assert talk.commit(second) == "recorded"
    talk.check_recorded(second)


def an_abandoned_one_happened_if_its_message_comes_back(talk):
    first = talk.begin(LISBON)
    second = talk.begin(PORT, said(LISBON))
    assert talk.commit(second) == "recorded"
    talk.check_recorded(first, second)
    assert talk.commit(first) == "over"


def a_message_that_is_sent_again_is_recorded_once(talk):
    first = talk.begin(LISBON)
    assert talk.commit(first) == "recorded"
    talk.begin(PORT, said(LISBON))
    again = talk.begin(PORT, said(LISBON))
    assert talk.commit(again) == "recorded"
    after = talk.begin(GARDEN, said(LISBON, PORT))
    assert talk.commit(after) == "recorded"
    talk.check_recorded(first, again, after)


def where_the_host_keeps_the_history_both_are_recorded(talk):
    first, second = talk.begin(LISBON, None), talk.begin(PORT, None)
    assert talk.commit(first) == "recorded"
    assert talk.commit(second) == "recorded"
    talk.check_recorded(first, second)


def a_second_commit_changes_nothing(talk):
    turn = talk.begin(LISBON)
    ends = [talk.commit(turn), talk.commit(turn), talk.commit(turn, node=1, sent_back=True)]
    assert ends == ["recorded", "over", "over"]
    talk.check_recorded(turn)


def a_commit_after_a_rollback_records_nothing(talk):
    turn = talk.begin(LISBON)
    assert talk.roll_back(turn, node=1)
    assert talk.commit(turn, node=1, sent_back=True) == "unknown"
    assert talk.commit(turn) != "recorded"
    talk.check_recorded()


def a_rollback_after_a_commit_changes_nothing(talk):
    turn = talk.begin(LISBON)
    assert talk.commit(turn) == "recorded"
    assert not talk.roll_back(turn)
    talk.check_recorded(turn)


def another_node_commits(talk):
    turn = talk.begin(LISBON)
    assert talk.commit(turn, node=1) == "recorded"
    assert talk.commit(turn) == "over"
    talk.check_recorded(turn)


def a_clear_abandons_all_that_are_open(talk):
    turns = [talk.begin(LISBON), talk.begin(PORT), talk.begin(GARDEN, late="writes")]
    talk.door.clear(talk.session)
    assert [talk.commit(turn) for turn in turns] == ["session_cleared"] * 3
    talk.check_recorded()


def a_late_one_is_recorded_by_the_background(talk):
    turn = talk.begin(LISBON, late="writes")
    assert not turn.is_stored
    talk.door.flush()
    assert talk.commit(turn, node=1) == "recorded"
    talk.check_recorded(turn)
    assert LEFT_TO_COMMIT in talk.notes()[turn.id]


def one_that_could_not_even_read_its_session_is_recorded(talk):
    turn = talk.begin(LISBON, late="reads")
    assert "session: late" in turn.degraded
    assert talk.commit(turn) == "recorded"
    talk.check_recorded(turn)
    assert LEFT_TO_COMMIT in talk.notes()[turn.id]


def a_late_one_is_recorded_by_its_commit_if_the_background_fails(talk):
    turn = talk.begin(LISBON, late="writes", loses_background=True)
    assert [talk.commit(turn), talk.commit(turn)] == ["recorded", "over"]
    talk.check_recorded(turn)
    assert LEFT_TO_COMMIT in talk.notes()[turn.id]


def a_late_one_is_recorded_on_another_node_from_what_is_sent_back(talk):
    turn = talk.begin(LISBON, late="writes", loses_background=True)
    assert talk.commit(turn, node=1) == "unknown"
    assert talk.commit(turn, node=1, sent_back=True) == "recorded"
    assert talk.commit(turn) == "over"
    talk.check_recorded(turn)
    assert STORED_BY_COMMIT in talk.notes()[turn.id]


def a_late_one_overlaps_with_another(talk):
    first = talk.begin(LISBON, late="reads")
    second = talk.begin(PORT)
    assert (talk.commit(second), talk.commit(first)) == ("recorded", "recorded")
    talk.check_recorded(first, second)


def a_late_one_that_is_rolled_back_leaves_nothing(talk):
    turn = talk.begin(LISBON, late="writes", loses_background=True)
    assert talk.roll_back(turn)
    talk.door.flush()
    assert talk.commit(turn) == "unknown"
    talk.check_recorded()


def a_late_one_whose_session_is_paused_is_not_recorded(talk):
    talk.door.pause(talk.session)
    turn = talk.begin(LISBON, late="reads")
    talk.door.flush()
    assert talk.commit(turn) == "paused"
    assert talk.commit(turn, node=1, sent_back=True) == "paused"
    talk.check_recorded()


def a_late_one_that_is_erased_is_not_recorded(talk):
    turn = talk.begin(LISBON, late="writes", loses_background=True)
    talk.door.erase(talk.session)
    assert talk.commit(turn) == "erased"
    talk.check_recorded()


SCENARIOS = (
    both_of_two_that_overlap_are_recorded,
    of_two_that_overlap_the_later_may_end_first,
    the_first_is_recorded_where_the_second_is_abandoned,
    the_first_is_not_recorded_where_it_is_abandoned,
    an_abandoned_one_happened_if_its_message_comes_back,
    a_message_that_is_sent_again_is_recorded_once,
    where_the_host_keeps_the_history_both_are_recorded,
    a_second_commit_changes_nothing,
    a_commit_after_a_rollback_records_nothing,
    a_rollback_after_a_commit_changes_nothing,
    another_node_commits,
    a_clear_abandons_all_that_are_open,
    a_late_one_is_recorded_by_the_background,
    one_that_could_not_even_read_its_session_is_recorded,
    a_late_one_is_recorded_by_its_commit_if_the_background_fails,
    a_late_one_is_recorded_on_another_node_from_what_is_sent_back,
    a_late_one_overlaps_with_another,
    a_late_one_that_is_rolled_back_leaves_nothing,
    a_late_one_whose_session_is_paused_is_not_recorded,
    a_late_one_that_is_erased_is_not_recorded,
)


@pytest.fixture(scope="module", params=BACKENDS)
def store(request, tmp_path_factory):
    opened = open_backend(request.param, tmp_path_factory.mktemp("store"))
    yield LateStore(opened)
    opened.close()


@pytest.fixture(scope="module")
def reader(store):
    return Tacit(store, "default", embedder=FakeEmbedder())


@pytest.fixture(scope="module", params=DOORS)
def door(request, store):
    with DOORS[request.param].opened(store) as door:
        yield door


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_of_turns(scenario, door, store, reader):
    store.recover()
    scenario(Talk(door, store, reader, f"{type(door).__name__} {scenario.__name__}"))


@pytest.mark.parametrize("name", ["library", "client"])
def test_a_late_grounded_prompt_is_recorded_on_another_node_and_logged(store, reader, name):
    store.recover()
    with DOORS[name].opened(store) as door:
        for node, place in ((0, f"here {name}"), (1, f"there {name}")):
            store.late_writes = store.loses_background = True
            asked = {"text": LISBON, "context": place, "user": "ann", "deadline_ms": LATE_MS}
            grounding = door.nodes[0].ground(**asked)
            door.flush()
            store.recover()
            assert not grounding.is_stored
            if node == 0:
                assert grounding.commit(REPLY).not_recorded is None
            else:
                with pytest.raises(NotFound):
                    door.nodes[1].grounding.end(grounding.receipt.id, REPLY)
                ended = door.nodes[1].grounding.end(grounding.receipt.id, REPLY, begun=asked)
                assert ended.was_open
            talk = Talk(door, store, reader, to_file_name(place))
            assert list(talk.notes()) == [grounding.receipt.id]
            assert talk.words() == {LISBON}
            following = door.nodes[1].ground("As we discussed, where to?", context=place)
            assert following.user.count(f"User: {LISBON}\nAssistant: {REPLY}") == 1


@pytest.mark.parametrize("late", [None, "writes"])
def test_a_beginning_and_a_commit_that_are_sent_again_are_one_turn(store, reader, late):
    store.recover()
    with DOORS["rest"].opened(store) as door:
        talk = Talk(door, store, reader, f"sent again {late}")
        store.late_writes = late is not None
        begin, commit = {"Idempotency-Key": f"b {late}"}, {"Idempotency-Key": f"c {late}"}
        limit = {"deadline_ms": LATE_MS} if late else {}
        body = {"session": talk.session, "text": LISBON, "user": "ann", "settings": limit}
        told = [door.post(node, "/v1/turns", body, begin) for node in (0, 1)]
        store.recover()
        assert told[0] == told[1]
        assert told[0]["is_stored"] is (late is None)
        path, sent = f"/v1/turns/{told[0]['id']}/commit", {"begun": body}
        ended = [door.post(node, path, sent, commit) for node in (1, 0)]
        assert ended[0] == ended[1]
        assert ended[0]["was_open"]
        assert list(talk.notes()) == [told[0]["id"]]
        assert talk.words() == {LISBON}
