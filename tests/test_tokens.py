"""Tokens: a careful estimate, and sizes that add up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.language.tokens import TextSize, estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("a b c d", 4),
        ("four words are four tokens here", 8),
        ("東京", 2),
        ("🦓", 1),
        (" \n\t", 1),
    ],
)
def test_the_larger_of_bytes_by_four_and_words_counts(text, tokens):
    assert estimate_tokens(text) == tokens


def test_half_of_a_surrogate_pair_is_counted_like_any_character():
    assert estimate_tokens("\ud83d") == 1


@given(st.text())
def test_no_text_has_fewer_tokens_than_words_or_than_a_quarter_of_its_bytes(text):
    assert estimate_tokens(text) >= len(text.split())
    assert estimate_tokens(text) * 4 >= len(text.encode())


@given(st.lists(st.text()))
def test_the_sizes_of_lines_add_up_to_the_size_of_their_text(lines):
    total = sum((TextSize.of(f"{line}\n") for line in lines), TextSize())
    assert total == TextSize.of("".join(f"{line}\n" for line in lines))
