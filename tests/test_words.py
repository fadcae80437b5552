"""Where the words of a text stand in another one."""

import pytest

from tacit.language.terms import WordMatcher


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("tea", "Some TEA, please"),
        ("Ann lives in Bonn.", "since May\nann  lives in bonn, by the river"),
        ("Straße 5", "STRASSE 5"),
        ("café", "the cafe\u0301 is open"),
        ("東京", "私は東京に住む"),
        ("iPhone東京", "新しいiPhone 東京駅"),
        ("🎉 !!!", "we won 🎉  !!!"),
    ],
)
def test_the_same_words_in_a_row_are_found(said, text):
    assert WordMatcher.of(["said by nobody", said]).match_any(["", text])


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("tea", "the team eats steak instead"),
        ("Ann lives in Bonn", "Joann lives in Bonn"),
        ("Ann lives in Bonn", "Ann lives, in part, in Bonn"),
        ("東京", "東と京"),
        ("Phone東京", "iPhone東京"),
        ("!", "No! Never!"),
        (" \n", "anything  at all"),
    ],
)
def test_parts_of_words_and_words_apart_are_not(said, text):
    assert not WordMatcher.of([said]).match_any([text])


def test_nothing_is_looked_for_in_the_words_of_nothing():
    assert not WordMatcher.of(["", " \n"])
    assert WordMatcher.of(["🎉"])
    assert WordMatcher.of(["tea"])
