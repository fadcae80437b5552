"""Text analysis: one way to terms, for every language."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.language.terms import extract_query_terms, extract_terms, pack_term_codes, term_code


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
        (
            "Die Häuser sind nicht in der Straße",
            ["die", "haus", "sind", "nicht", "in", "der", "strass"],
        ),
        ("Donaudampfschifffahrtsgesellschaft", ["donaudampfschifffahrtsgesellschaft"]),
        ("les chevaux sont dans la cour", ["le", "cheval", "sont", "dan", "la", "cour"]),
        ("los caballos están en las casas", ["los", "caball", "estan", "en", "las", "cas"]),
        ("  \t…!? ", []),
    ],
)
def test_text_becomes_terms(text, expected):
    assert extract_terms(text) == expected


def test_thai_is_split_into_bigrams():
    assert extract_terms("ภาษา")[0] == "ภา"


@given(st.text())
def test_terms_of_any_text_are_short_lower_case_and_free_of_separators(text):
    for term in extract_terms(text):
        assert 0 < len(term) <= 64
        assert not any(character.isspace() or character in '"_.' for character in term)


def test_threads_do_not_disturb_each_other():
    words = ["running", "houses", "книгами", "tokens"] * 50
    expected = extract_terms(" ".join(words))
    results = []

    def work():
        results.append(extract_terms(" ".join(words)))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8


@pytest.mark.parametrize(
    ("memory", "query"),
    [
        ("The tokens were rotated", "rotating token"),
        ("Die Häuser sind nicht in der Straße", "haus"),
        ("les chevaux sont dans la cour", "cheval"),
        ("los caballos están en las casas", "caballo casa"),
        ("мы купили новые книги", "книга"),
        ("東京都に住んでいます", "東京"),
        ("저는 한국어를 공부합니다", "한국어"),
        ("ฉันชอบกินข้าวผัด", "ข้าวผัด"),
        ("我们选择了数据库", "数据库"),
    ],
)
def test_a_query_in_any_language_finds_texts_in_that_language(memory, query):
    held = set(extract_terms(memory))
    for term in extract_query_terms(query):
        assert held & set(term.alternatives), term


def test_small_words_of_every_language_are_told_apart():
    small = {
        term.alternatives[0]
        for term in extract_query_terms("the cat und die Maus")
        if term.is_stop_word
    }
    assert small == {"the", "und", "die"}


@given(st.text())
def test_every_term_of_a_text_is_among_the_alternatives_of_the_same_query(text):
    alternatives = {each for term in extract_query_terms(text) for each in term.alternatives}
    assert set(extract_terms(text)) <= alternatives


def test_codes_are_the_same_everywhere():
    assert term_code("jwt") == 1_854_069_482_865_042_666
    assert pack_term_codes(["jwt", "jwt"]) == pack_term_codes(["jwt"]) * 2
    assert len(pack_term_codes(["日本", "x"])) == 16
