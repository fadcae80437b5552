"""Statements about two things of a kind, and about one thing whose number changed."""

import pytest

from tacit import Tacit
from tacit.statements.decision import OTHER_THINGS, Outcome
from tacit.statements.judge import StatementJudge
from tacit.statements.subjects import differ_in_numbers_only, have_different_subjects
from tests.support import FixedPairReader, HandClock

SIBLINGS = [
    ("Room 101 is painted red.", "Room 102 is painted blue."),
    ("Machine 3 stands in rack 3", "Machine 4 stands in rack 4"),
    ("fyi web-01 is in Frankfurt", "web-02 is in Dublin"),
    ("Building A closes at 8", "Building B closes at 9"),
    ("Python 3.11 support ends in 2027", "Python 3.12 support ends in 2028"),
    ("release/2.3 is frozen", "release/2.4 is open"),
    ("The June invoice was 420 euros", "The July invoice was 510 euros"),
    ("Anna Berg works at Siemens", "Anna Lund coaches the juniors"),
    ("The Berlin office closes at six", "The Lisbon office closes at seven"),
    ("My work phone is 0161 4960", "My private phone is 0161 4977"),
    ("The dollar account has 800", "The euro account has 1,200"),
    ("The upstairs bathroom is green", "The downstairs bathroom is white"),
    ("Am 3. Mai habe ich Spätschicht", "Am 4. Mai habe ich Frühschicht"),
    ("Das obere Regal ist für Gewürze", "Das untere Regal ist für Töpfe"),
    ("Le séminaire de janvier a lieu à Lille", "Le séminaire de février a lieu à Nantes"),
    ("Mi hija mayor estudia Derecho", "Mi hija pequeña estudia Medicina"),
]

ONE_THING = [
    ("Room 101 seats 12 people", "Room 101 seats 14 people"),
    ("The standup is at 9:30", "The standup is at 10:00 now"),
    ("We run Postgres 15 in production", "We run Postgres 16 in production"),
    ("The crate weighs 300 kilos", "The crate weighs 320 kilos"),
    ("The gate code is 4471", "The new gate code is 9920"),
    ("Der Türcode lautet 3317", "Der neue Türcode lautet 8042"),
    ("La clave es 1764", "La nueva clave es 9205"),
    ("My rent is 950", "Since May my rent is 1020"),
    ("Lotte owns the search indexer", "Rasheed owns the search indexer"),
    ("Dr. Ek is my dentist", "Dr. Falk is my dentist"),
    ("Always rebase before merging", "Never rebase before merging"),
    ("Usamos MySQL en el blog", "Usamos Postgres en el blog"),
]


@pytest.mark.parametrize(("first", "second"), SIBLINGS)
def test_two_things_of_a_kind_are_told_apart_in_either_order(first, second):
    assert have_different_subjects(first, second)
    assert have_different_subjects(second, first)


@pytest.mark.parametrize(("first", "second"), ONE_THING)
def test_statements_about_one_thing_are_not_told_apart(first, second):
    assert not have_different_subjects(first, second)


@pytest.mark.parametrize(("first", "second"), SIBLINGS)
def test_no_reader_makes_one_of_two_things_replace_the_other(first, second):
    (verdict,) = StatementJudge(FixedPairReader(0.97)).compare([(first, second)])
    assert verdict.outcome is Outcome.NOTHING
    assert verdict.reason == OTHER_THINGS


@pytest.mark.parametrize(("old", "new"), ONE_THING[:7])
def test_another_number_for_the_same_thing_replaces_the_old_one(old, new):
    assert differ_in_numbers_only(old, new)
    (verdict,) = StatementJudge(FixedPairReader(0.5)).compare([(old, new)])
    assert verdict.is_replaced


def test_a_number_that_is_called_new_replaces_the_old_one_whatever_a_reader_makes_of_it():
    (verdict,) = StatementJudge(FixedPairReader(0.1)).compare([ONE_THING[4]])
    assert verdict.is_replaced


def test_a_number_of_nothing_named_replaces_nothing():
    pair = ("My new work phone is 412 99 300", "It's 950k, now I have 820k")
    (verdict,) = StatementJudge(FixedPairReader(0.97)).compare([pair])
    assert verdict.outcome is Outcome.NOTHING


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I use Vim", "I use a Mac now"),
        ("Ich nutze Vim", "Ich nutze jetzt einen Mac"),
        ("J'utilise Vim", "J'utilise un Mac"),
        ("Uso Vim", "Uso un Mac"),
        ("I play the cello", "I play chess"),
    ],
)
def test_another_thing_that_one_uses_puts_the_first_in_doubt_and_does_not_replace_it(old, new):
    (verdict,) = StatementJudge(FixedPairReader(0.95)).compare([(old, new)])
    assert not verdict.is_replaced
    (same,) = StatementJudge(FixedPairReader(0.95)).compare([(old, f"{old} no more, sold it")])
    assert same.is_replaced


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def tacit(clock):
    with Tacit.open(":memory:", clock=clock, embedder="minilm") as opened:
        opened.warm()
        yield opened


@pytest.mark.encodes
def test_of_two_things_both_stay_in_the_store_and_none_is_listed(tacit, clock):
    for first, second in SIBLINGS:
        for said in (first, second):
            with tacit.turn(session=said, text=said, history=[], user="ana") as turn:
                turn.commit("Noted.")
            clock.advance(days=1)
            tacit.learn()
            tacit.remember(said, scope_id="ben")
    tacit.learn()
    assert tacit.count(state=None) == tacit.count()
    assert not [[side.content for side in each.memories] for each in tacit.conflicts.list()]


@pytest.mark.encodes
def test_ten_numbered_machines_conflict_with_none(tacit, clock):
    for number in range(1, 11):
        tacit.remember(f"Machine {number} stands in rack {number}")
        clock.advance(days=1)
    tacit.learn()
    assert tacit.count() == 10
    assert not tacit.conflicts.list()


@pytest.mark.encodes
def test_a_learned_number_is_replaced_by_the_new_one_of_the_same_thing(tacit, clock):
    for said in ("My rent in flat 12 is 950 euros.", "My rent in flat 12 is 1020 euros."):
        with tacit.turn(session=said, text=said, history=[], user="ana") as turn:
            turn.commit("Noted.")
        clock.advance(days=1)
        tacit.learn()
    assert [each.content for each in tacit.list()] == ["My rent in flat 12 is 1020 euros"]
