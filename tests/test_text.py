"""Text analysis: one way to terms, for every language."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.text import terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The tokens were rotated", ["the", "token", "were", "rotat"]),
        ("src/auth_module.py", ["src", "auth", "modul", "py"]),
        ("ＪＷＴ", ["jwt"]),
        ("Straße", ["strass"]),
        ("東京都", ["東京", "京都"]),
        ("東", ["東"]),
        ("API東京v2", ["api", "東京", "v2"]),
        ("한국어", ["한국", "국어"]),
        ("книги", ["книг"]),
        ("  \t…!? ", []),
    ],
)
def test_text_becomes_terms(text, expected):
    assert terms(text) == expected


def test_thai_is_split_into_bigrams():
    assert terms("ภาษา")[0] == "ภา"


@given(st.text())
def test_terms_of_any_text_are_short_lower_case_and_free_of_separators(text):
    for term in terms(text):
        assert 0 < len(term) <= 64
        assert not any(character.isspace() or character in '"_.' for character in term)


def test_threads_do_not_disturb_each_other():
    words = ["running", "houses", "книгами", "tokens"] * 50
    expected = terms(" ".join(words))
    results = []

    def work():
        results.append(terms(" ".join(words)))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8
