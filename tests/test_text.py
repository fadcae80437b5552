"""Text analysis: one way to terms, for every language."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.language.languages import guess_language
from tacit.language.terms import (
    extract_index_terms,
    extract_query_terms,
    extract_terms,
    pack_term_codes,
    term_code,
)


def find_words_held(query, text):
    """The words of a query, without small ones, and whether a stored text is found by each."""
    held = set(extract_index_terms(text))
    asked = [term for term in extract_query_terms(query) if not term.is_stop_word]
    return [bool(held & set(term.alternatives)) for term in asked]


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
        ("i cavalli sono nelle case", ["i", "cavall", "son", "nell", "cas"]),
        (
            "os cavalos estão nas casas e não saem",
            ["os", "caval", "esta", "nas", "cas", "e", "na", "saem"],
        ),
        ("de paarden zijn niet in het huis", ["de", "paar", "zijn", "niet", "in", "het", "huis"]),
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
    assert all(find_words_held(query, memory))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zürich", "zurich"),
        ("niño", "nino"),
        ("hôpital", "hopital"),
        ("città", "citta"),
        ("coração", "coracao"),
        ("één", "een"),
        ("Kündigung", "Kundigung"),
        ("Kündigung", "Kuendigung"),
        ("самолёт", "самолет"),
    ],
)
@pytest.mark.parametrize("around", ["{}", "this is the {} of ours", "das ist nicht die {}"])
def test_a_word_is_found_whether_its_accents_are_written_or_not(one, other, around):
    for asked, written in ((one, other), (other, one)):
        held = set(extract_index_terms(around.format(written)))
        (term,) = extract_query_terms(asked)
        assert not held.isdisjoint(term.alternatives)


def test_letters_of_other_scripts_keep_what_is_written_above_them():
    assert extract_terms("йод") == ["йод"]


@pytest.mark.parametrize(
    ("query", "memory"),
    [
        ("Katze", "Zwei Katzen daheim"),
        ("Rechnung", "Neue Rechnungen offen"),
        ("cheval", "Deux chevaux blancs"),
        ("cavallo", "Cavalli bianchi"),
        ("casa", "Casas novas"),
        ("server", "Servers restarted"),
    ],
)
def test_a_text_too_short_to_tell_its_language_is_found_in_each(query, memory):
    assert find_words_held(query, memory) == [True]


def test_a_text_in_two_languages_that_are_as_likely_is_found_in_both():
    memory = "Na primavera passada mudámo-nos para Viena, para a Neubaugasse"
    assert all(find_words_held("passado", memory))


def test_a_long_list_of_words_has_one_term_for_each():
    listed = " ".join(f"katzen{number}en" for number in range(40))
    assert extract_index_terms(listed) == extract_terms(listed)


def test_an_english_text_has_one_term_for_each_word():
    text = "The documentation of our configuration is on the internationalization server"
    assert extract_index_terms(text) == extract_terms(text)


@pytest.mark.parametrize(
    ("query", "memory"),
    [
        ("Kündigung", "Die Kündigungsfrist ist nicht lang"),
        ("Kuendigung", "Die Kündigungsfrist ist nicht lang"),
        ("Kündigungen", "Die Kündigungsfrist ist nicht lang"),
        ("Zahnarzt", "Zahnarzttermin Montag"),
        ("Zahnarzt", "Der Zahnarzttermin ist am Montag"),
        ("Haus", "Der Hausschlüssel ist bei der Nachbarin"),
    ],
)
def test_a_long_german_word_is_found_by_the_word_it_begins_with(query, memory):
    assert find_words_held(query, memory) == [True]


@pytest.mark.parametrize(
    ("query", "memory"),
    [
        ("Kunde", "Die Kündigungsfrist ist nicht lang"),
        ("carp", "The carpenters are in the house"),
        ("carpet", "The carpenters are in the house"),
        ("trans", "The transportation is on us"),
        ("Arzt", "Der Zahnarzttermin ist am Montag"),
    ],
)
def test_other_words_are_not_found_by_a_part(query, memory):
    assert find_words_held(query, memory) == [False]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Il nostro cane si chiama Bruno e ha sette anni", "italian"),
        ("La riunione è con la signora Weber", "italian"),
        ("O nosso cão chama-se Bruno e acabou de fazer sete anos", "portuguese"),
        ("Não quero reuniões antes das dez", "portuguese"),
        ("Onze hond heet Bruno en is net zeven geworden", "dutch"),
        ("Wij gaan morgen niet naar school", "dutch"),
        ("Nuestro perro se llama Bruno y acaba de cumplir siete años", "spanish"),
        ("Notre chien s'appelle Bruno et il a sept ans", "french"),
        ("Unser Hund heißt Bruno und ist gerade sieben geworden", "german"),
        ("Our dog is called Bruno and has just turned seven", "english"),
        ("Come over to our door, the van met us there", "english"),
        ("docker compose restart", "english"),
    ],
)
def test_the_language_of_a_text_shows_in_its_small_words(text, language):
    assert guess_language(text.casefold().split()) == language


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


@given(st.text())
def test_every_word_of_a_stored_text_finds_it(text):
    held = set(extract_index_terms(text))
    assert set(extract_terms(text)) <= held
    assert not any(held.isdisjoint(term.alternatives) for term in extract_query_terms(text))


def test_codes_are_the_same_everywhere():
    assert term_code("jwt") == 1_854_069_482_865_042_666
    assert pack_term_codes(["jwt", "jwt"]) == pack_term_codes(["jwt"]) * 2
    assert len(pack_term_codes(["日本", "x"])) == 16
