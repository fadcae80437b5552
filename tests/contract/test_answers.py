"""The contract of a store for answers: a request is worked on once, and answered alike."""

import threading
from datetime import timedelta

from tacit.store.protocols.service import IdempotencyRecord
from tests.support import START

MINUTE = timedelta(minutes=1)
NEVER = START - timedelta(days=365)
BODY = bytes(range(256)) * 20


def _claim(store, key="k", fingerprint=b"\x00f", at=START, abandoned_before=NEVER, workspace="w"):
    with store.write(workspace) as unit:
        return unit.answers.claim(key, fingerprint, at, abandoned_before)


def _finish(store, key="k", status=201, body=BODY):
    with store.write("w") as unit:
        unit.answers.finish(key, status, body)


def test_who_comes_first_works_on_a_request_and_others_see_that(store):
    assert _claim(store) is None
    known = _claim(store, fingerprint=b"other", at=START + MINUTE)
    assert known == IdempotencyRecord(
        key="k", fingerprint=b"\x00f", at=START, status=None, body=b""
    )


def test_a_finished_answer_is_given_to_who_asks_again(store):
    _claim(store)
    _finish(store)
    known = _claim(store, at=START + MINUTE)
    assert known == IdempotencyRecord(
        key="k", fingerprint=b"\x00f", at=START, status=201, body=BODY
    )


def test_the_first_answer_stays(store):
    _claim(store)
    _finish(store)
    _finish(store, status=500, body=b"late")
    assert _claim(store).status == 201


def test_bodies_can_be_removed_and_what_is_worked_on_goes_on(store):
    _claim(store)
    _finish(store)
    _claim(store, key="begun")
    _claim(store, workspace="other")
    with store.write("other") as unit:
        unit.answers.finish("k", 201, BODY)
    with store.write("w") as unit:
        unit.answers.blank()
    _finish(store, key="begun")
    with store.read("w") as unit:
        assert (unit.answers.get("k").status, unit.answers.get("k").body) == (201, b"")
        assert unit.answers.get("begun").body == BODY
    with store.read("other") as unit:
        assert unit.answers.get("k").body == BODY


def test_nothing_is_kept_of_an_answer_that_nobody_claimed(store):
    _finish(store)
    assert _claim(store) is None


def test_keys_and_workspaces_do_not_meet(store):
    assert _claim(store) is None
    assert _claim(store, key="K") is None
    assert _claim(store, workspace="other") is None


def test_what_was_abandoned_is_taken_over(store):
    _claim(store)
    assert _claim(store, at=START + MINUTE, abandoned_before=START) is not None
    later = START + MINUTE
    assert _claim(store, fingerprint=b"other", at=later, abandoned_before=later) is not None
    assert _claim(store, at=later, abandoned_before=later) is None
    assert _claim(store) == IdempotencyRecord(key="k", fingerprint=b"\x00f", at=later)


def test_what_is_finished_is_never_taken_over(store):
    _claim(store)
    _finish(store)
    assert _claim(store, abandoned_before=START + MINUTE).status == 201


def test_a_released_request_can_be_begun_anew(store):
    _claim(store)
    with store.write("w") as unit:
        unit.answers.release("k")
        unit.answers.release("unknown")
    assert _claim(store) is None


def test_a_finished_answer_is_not_released(store):
    _claim(store)
    _finish(store)
    with store.write("w") as unit:
        unit.answers.release("k")
    assert _claim(store).status == 201


def test_old_answers_are_pruned_finished_or_not(store):
    for number, key in enumerate("abc"):
        _claim(store, key=key, at=START + number * MINUTE)
    _finish(store, key="a")
    _claim(store, key="a", workspace="other")
    with store.write("w") as unit:
        assert unit.answers.prune(START) == 0
        assert unit.answers.prune(START + 2 * MINUTE) == 2
        assert unit.answers.prune(START + 2 * MINUTE) == 0
    assert _claim(store, key="a") is None
    assert _claim(store, key="c") is not None
    assert _claim(store, key="a", workspace="other") is not None


def test_a_claim_is_given_to_one_of_two(store):
    start = threading.Barrier(2)
    given = []

    def claim():
        start.wait()
        given.extend((n, _claim(store, key=f"k{n}")) for n in range(10))

    threads = [threading.Thread(target=claim) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(n for n, known in given if known is None) == list(range(10))
    assert sorted(n for n, known in given if known is not None) == list(range(10))


def test_a_body_is_not_kept_in_plain(tmp_path):
    from tacit.store.sqlite.store import SqliteStore

    store = SqliteStore.open(tmp_path / "memory.db")
    _claim(store)
    _finish(store, body=b"the same words again, " * 100)
    store.close()
    assert b"the same words again, the same" not in (tmp_path / "memory.db").read_bytes()
