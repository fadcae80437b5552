"""Differences of two texts."""

import pytest

from tacit.ui.text_diff import diff_texts


def own(side):
    return [piece.text for piece in side if piece.is_unique]


@pytest.mark.parametrize(
    ("one", "other", "gone", "come"),
    [
        ("Billing runs on MySQL", "Billing runs on PostgreSQL", ["MySQL"], ["PostgreSQL"]),
        ("on MySQL 5.7 in May", "on SQLite 3 in May", ["MySQL 5.7"], ["SQLite 3"]),
        ("port 8080 and 8081", "port 9090, and 8082", ["8080", "8081"], ["9090,", "8082"]),
        ("We deploy", "We deploy on Fridays", [], [" on Fridays"]),
        ("The same", "The same", [], []),
        ("Tea at four", "Coffee, noon", [], []),
        ("", "Something", [], []),
    ],
)
def test_words_of_one_text_are_told_apart(one, other, gone, come):
    before, after = diff_texts(one, other)
    assert (own(before), own(after)) == (gone, come)


def test_a_word_in_a_long_text_is_found_too():
    around = " ".join(f"number {number} and so on" for number in range(300))
    before, after = diff_texts(f"In Berlin. {around}", f"In Paris. {around} the end")
    assert own(before) == ["Berlin"]
    assert own(after) == ["Paris", " the end"]


@pytest.mark.parametrize("size", [3, 5_000])
def test_no_letter_is_lost_however_long_the_texts_are(size):
    one = "start " + "a  b\n" * size + "end"
    other = "start " + "c d\t" * size + "end"
    before, after = diff_texts(one, other)
    assert "".join(piece.text for piece in before) == one
    assert "".join(piece.text for piece in after) == other
    assert before[0].text.startswith("start")
    assert not before[0].is_unique
    assert before[-1].text.endswith("end")
    assert not before[-1].is_unique
