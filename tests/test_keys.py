"""A key has one current value: what editing, validity, restoring and importing do to it."""

import io
import json
from dataclasses import replace
from datetime import timedelta

import pytest

from tacit import FakeEmbedder, Status, Tacit, Trust
from tacit.core.kinds import Action
from tacit.runtime.clock import new_id
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tacit.writing.archive import importer
from tacit.writing.archive.records import build_header
from tacit.writing.upkeep.rules import is_mergeable, rank_pair
from tests.support import START, make_memory

KEY = "user.name"
DAY = timedelta(days=1)


@pytest.fixture
def store():
    """The rules are above the store; the properties of keys are tested on every one."""
    return SqliteInMemoryStore.open()


def _current(tacit):
    return [memory.content for memory in tacit.list(key=KEY, sort="created")]


def _archive(tacit):
    file = io.BytesIO()
    tacit.archive.export_to(file)
    return file.getvalue()


def test_an_edit_of_a_past_value_replaces_nothing(tacit):
    past = tacit.remember("Ann", key=KEY)
    tacit.remember("Bob", key=KEY)
    written = tacit.edit(past.id, content="Anna")
    assert written.superseded == ()
    assert _current(tacit) == ["Bob"]


@pytest.mark.parametrize(
    "period", [{"valid_to": "2020-01-01"}, {"valid_from": "2019-01-01", "valid_to": "2020-01-01"}]
)
def test_a_value_of_the_past_replaces_nothing(tacit, period):
    tacit.remember("Bob", key=KEY)
    assert tacit.remember("Ann", key=KEY, **period).superseded == ()
    assert _current(tacit) == ["Bob"]


def test_a_value_to_come_takes_over_when_its_time_comes(tacit, clock):
    now = tacit.remember("Bob", key=KEY)
    later = tacit.remember("Ann", key=KEY, valid_from=START + DAY)
    assert later.superseded == ()
    assert _current(tacit) == ["Bob"]
    last = tacit.memories.history(now.id)[-1]
    assert (last.action, last.new["successor"]) == (Action.UPDATE, later.id)
    clock.advance(days=1)
    assert _current(tacit) == ["Ann"]


@pytest.mark.parametrize("call", ["forget", "erase"])
def test_a_value_goes_on_where_the_one_to_come_is_gone_before(tacit, clock, call):
    now = tacit.remember("Bob", key=KEY, valid_to=START + 9 * DAY).memory
    later = tacit.remember("Ann", key=KEY, valid_from=START + DAY)
    assert tacit.get(now.id).valid_to == START + DAY
    getattr(tacit, call)(later.id)
    clock.advance(days=2)
    assert tacit.get(now.id) == now
    assert _current(tacit) == ["Bob"]


def test_the_end_of_a_value_moves_with_the_beginning_of_the_next(tacit, clock):
    tacit.remember("Bob", key=KEY)
    later = tacit.remember("Ann", key=KEY, valid_from=START + DAY)
    tacit.edit(later.id, valid_from=START + 3 * DAY)
    clock.advance(days=2)
    assert _current(tacit) == ["Bob"]
    clock.advance(days=1)
    assert _current(tacit) == ["Ann"]


def test_a_value_that_is_said_before_one_to_come_holds_until_then(tacit, clock):
    tacit.remember("Ann", key=KEY, valid_from=START + DAY)
    assert tacit.remember("Bob", key=KEY).memory.valid_to == START + DAY
    assert _current(tacit) == ["Bob"]
    clock.advance(days=1)
    assert _current(tacit) == ["Ann"]


def test_a_value_to_come_that_is_less_sure_does_not_end_the_present_one(tacit, clock):
    tacit.remember("Bob", key=KEY)
    tacit.remember("Ann", key=KEY, by="agent", valid_from=START + DAY)
    clock.advance(days=1)
    assert _current(tacit) == ["Bob", "Ann"]
    assert len(tacit.conflicts.list()) == 1


def test_a_less_sure_value_is_a_conflict_and_no_question_to_a_person(tacit):
    tacit.remember("Ann", key=KEY)
    assert tacit.remember("Bob", key=KEY, confidence=0.7).review is None


def test_nobody_is_asked_whether_an_agents_value_replaces_one_to_come(tacit):
    coming = tacit.remember("Ann", key="deploy.day", valid_from=START + DAY)
    assert tacit.remember("Bob", key="deploy.day", by="agent").review is None
    tacit.edit(coming.id, valid_from=None)
    assert tacit.remember("Cleo", key="deploy.day", by="agent").review is not None


def test_what_is_true_already_does_not_wait_for_a_beginning_that_is_repeated(tacit):
    tacit.remember("Bob", key=KEY)
    assert tacit.remember("Bob", key=KEY, valid_from=START + DAY).status is Status.KNOWN
    assert _current(tacit) == ["Bob"]


def test_what_is_to_come_is_true_from_now_on_if_it_is_said_without_a_beginning(tacit):
    tacit.remember("Bob", key=KEY)
    tacit.remember("Ann", key=KEY, valid_from=START + DAY)
    tacit.remember("Ann", key=KEY)
    assert _current(tacit) == ["Ann"]


def test_what_is_restored_is_current_again_and_says_what_it_replaced(tacit):
    first = tacit.remember("Ann", key=KEY)
    tacit.forget(first.id)
    second = tacit.remember("Bob", key=KEY)
    assert tacit.restore(first.id).superseded == (second.id,)
    assert _current(tacit) == ["Ann"]


def test_of_several_values_that_are_restored_the_newest_is_current(tacit):
    first, second = tacit.remember("Ann", key=KEY), tacit.remember("Bob", key=KEY, by="agent")
    tacit.memories.forget_all([first.id, second.id])
    tacit.memories.restore_all([second.id, first.id])
    assert _current(tacit) == ["Ann", "Bob"]


def test_a_value_whose_time_is_given_back_is_current(tacit, clock):
    ended = tacit.remember("Ann", key=KEY, valid_to=START + DAY)
    clock.advance(days=2)
    tacit.remember("Bob", key=KEY)
    tacit.edit(ended.id, valid_to=None)
    assert _current(tacit) == ["Ann"]


def test_a_value_that_somebody_is_surer_of_replaces_the_other(tacit):
    tacit.remember("Ann", key=KEY, by="agent", confidence=0.9)
    doubtful = tacit.remember("Bob", key=KEY, by="agent", confidence=0.5)
    tacit.edit(doubtful.id, confidence=0.95, by="agent")
    assert _current(tacit) == ["Bob"]


def test_the_later_of_an_imported_and_a_present_value_is_current(house, tacit, clock):
    present = tacit.remember("Bob", key=KEY)
    clock.advance(days=1)
    elsewhere = house.another("elsewhere")
    imported = elsewhere.remember("Ann", key=KEY)
    archive = _archive(elsewhere)
    clock.advance(days=1)
    tacit.archive.import_from(io.BytesIO(archive), accept_rules=True)
    assert _current(tacit) == ["Ann"]
    assert tacit.get(present.id).superseded_by == imported.id
    tacit.remember("Cid", key=KEY)
    once = _archive(tacit)
    assert not tacit.archive.import_from(io.BytesIO(archive), accept_rules=True).rejected
    assert _archive(tacit) == once


def test_an_import_closes_no_circle_of_replacements(tacit):
    first = tacit.remember("Ann", key=KEY).memory
    second = tacit.remember("Bob", key=KEY)
    tacit.erase(second.id)
    assert tacit.list(key=KEY, state="past")[0].superseded_by == second.id
    values = {**second.memory.to_dict(), "kind": "memory", "superseded_by": first.id}
    (refused,) = _import_lines(tacit, [json.dumps(values)]).rejected
    assert "superseded_by" in refused.reason


def _import_lines(tacit, lines):
    """Import records as an archive, which begins with its header."""
    header = json.dumps(build_header("default", START))
    return tacit.archive.import_from(io.BytesIO("\n".join([header, *lines]).encode()))


def test_records_are_taken_from_an_archive_only(tacit):
    written = {**tacit.remember("Ann", key=KEY).memory.to_dict(), "kind": "memory"}
    forged = json.dumps({**written, "id": new_id(), "content": "Mallory", "explicit": True})
    (refused,) = tacit.archive.import_from(io.BytesIO(forged.encode())).rejected
    assert "header" in refused.reason
    assert [each.content for each in tacit.list(key=KEY)] == ["Ann"]


def _chain(tacit, length):
    """Lines of memories, each replaced by the one before it, with nothing here yet."""
    values = {**tacit.remember("The first").memory.to_dict(), "kind": "memory"}
    ids = [new_id() for _ in range(length)]
    return [
        json.dumps({**values, "id": id, "content": f"Value {id}", "superseded_by": successor})
        for id, successor in zip(ids, [None, *ids], strict=False)
    ]


def test_an_import_reads_a_chain_of_replacements_once(tacit, monkeypatch):
    read = []
    inner = importer.SuccessorChains._read
    monkeypatch.setattr(
        importer.SuccessorChains, "_read", lambda *given: read.append(1) or inner(*given)
    )
    lines = _chain(tacit, 500)
    assert not _import_lines(tacit, lines).rejected
    assert len(read) <= 3 * len(lines)


def test_an_import_reads_so_much_of_a_stored_chain(tacit, monkeypatch):
    lines = _chain(tacit, 50)
    _import_lines(tacit, lines[:-1])
    monkeypatch.setattr(importer, "MAX_SUCCESSORS_READ", 10)
    (refused,) = _import_lines(tacit, lines[-1:]).rejected
    assert "too long" in refused.reason


def test_a_value_to_come_that_another_owner_gets_ends_the_values_of_that_owner(tacit, clock):
    mine = tacit.remember("Bob", key=KEY).memory
    hers = tacit.remember("Eve", key=KEY, scope_id="ann")
    later = tacit.remember("Ann", key=KEY, valid_from=START + DAY)
    tacit.memories.assign("ann", ids=[later.id])
    assert tacit.get(mine.id) == mine
    assert tacit.get(hers.id).valid_to == START + DAY
    clock.advance(days=1)
    assert _current(tacit) == ["Bob", "Ann"]


def test_what_is_learned_again_is_the_one_value(house, clock):
    tacit = Tacit(house.store, "default", embedder=FakeEmbedder(), clock=clock)
    for text in ("My name is Ann.", "My name is Bob.", "My name is Ann."):
        with tacit.turn(session="s", text=text) as turn:
            turn.commit("I see.")
        tacit.learn()
        if text == "My name is Ann." and len(tacit.list(key=KEY, state=None)) == 1:
            tacit.forget(tacit.list(key=KEY)[0].id, by="agent")
    assert _current(tacit) == ["My name is Ann"]
    tacit.close()


def test_the_value_of_a_key_takes_no_words_that_are_less_trusted():
    """Or else a value that was too little trusted to replace it could do so unseen."""
    value = make_memory("the gate squeaks", by="agent", key=KEY)
    value = replace(value, trust=Trust.TRUSTED)
    same = make_memory("The gate squeaks!", by="agent")
    more = make_memory("the gate squeaks loudly", by="agent")
    assert is_mergeable(value, same)
    assert not is_mergeable(replace(value, key=None), more)
    doubted, trusted = replace(same, importance=1.0), replace(more, trust=Trust.TRUSTED)
    assert rank_pair(doubted, trusted) == (trusted, doubted)
    assert not is_mergeable(value, more)


def test_an_erased_value_that_is_imported_again_is_as_old_as_its_archive_says(tacit):
    learned = tacit.remember("My name is Ann", key=KEY, by="agent")
    archive = _archive(tacit)
    tacit.forget(learned.id)
    tacit.remember("User's name is Ann", key=KEY)
    tacit.restore(learned.id)
    tacit.erase(learned.id)
    tacit.archive.import_from(io.BytesIO(archive), accept_rules=True)
    assert _current(tacit) == ["User's name is Ann"]
