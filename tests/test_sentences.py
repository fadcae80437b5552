"""Sentences end where a reader would say so, in the languages of the rules."""

import pytest

from tacit.language.extraction.sentences import find_clauses
from tacit.language.sentences import (
    ends_sentence,
    find_sentence_ends,
    is_question,
    split_sentences,
)


@pytest.mark.parametrize(
    "sentences",
    [
        ["Dr. Smith moved to St. Louis.", "He works for Acme Inc. in the city."],
        ["We use e.g. Redis, i.e. one store.", "Nothing else."],
        ["The meeting is on Jan. 5 at 10 a.m. sharp.", "Bring Prof. Lee."],
        ["Version 3.11 is out.", "Upgrade from 3.10.4 now!", "Really?!", "Yes."],
        ["The U.S. economy grew.", "J. R. R. Tolkien wrote."],
        ["I live at No. 5.", "Do you?", "no.", "it is far."],
        ["Dr. Meier wohnt in der Hauptstr. 5.", "Er kommt z. B. am 3. Oktober."],
        ["Am 9. hab ich frei.", "Die Feier ist am 12.", "Bitte komm!"],
        ["Sie geht in die 5. Klasse.", "Tee usw. ist da, d.h. in der Küche."],
        ["Mme. Durand vit av. Foch.", "C'est rapide !", "Et toi ?", "J'ai p. ex. Redis."],
        ["¿Dónde vives?", "¡Vivo en Quito!", "La Sra. López es de EE. UU. y paga aprox. 20 euros."],
        ["(This is a note.)", "**Rule.**", "use tabs."],
    ],
)
def test_abbreviations_numbers_and_ordinals_end_no_sentence(sentences: list[str]) -> None:
    assert split_sentences(" ".join(sentences)) == sentences


def test_small_letters_may_begin_a_sentence() -> None:
    assert split_sentences("i moved to köln. my cat is momo! she is 3.") == [
        "i moved to köln.",
        "my cat is momo!",
        "she is 3.",
    ]


def test_a_quoted_sentence_does_not_end_the_one_around_it() -> None:
    assert split_sentences('He said "I quit." and left. "Why?" she asked.') == [
        'He said "I quit." and left.',
        '"Why?" she asked.',
    ]


def test_line_breaks_smileys_emoji_and_other_full_stops_end_sentences() -> None:
    assert split_sentences("first\n\nsecond :) third 🎉 fourth\n") == [
        "first",
        "second :)",
        "third 🎉",
        "fourth",
    ]
    assert split_sentences("我住在柏林。我喜欢茶！你呢？") == [
        "我住在柏林。",
        "我喜欢茶！",
        "你呢？",
    ]


def test_ends_lie_between_the_given_places() -> None:
    text = "One. Two. Three. Four."
    assert list(find_sentence_ends(text)) == [4, 9, 16]
    assert list(find_sentence_ends(text, 5, 16)) == [9]


def test_closing_marks_hide_neither_an_end_nor_a_question() -> None:
    assert ends_sentence('He said "yes."  ')
    assert not ends_sentence("He said yes,")
    assert is_question('Did he say "yes?"')
    assert not is_question("He said yes.")


def test_a_text_is_cut_into_the_clauses_that_state_something() -> None:
    said = "I ditched Notion last week, and now I'm all in on Obsidian. Did you know?"
    assert find_clauses(said) == ["I ditched Notion last week", "I'm all in on Obsidian"]


def test_only_the_beginning_of_a_long_text_is_cut_into_clauses() -> None:
    said = "The office is in Porto. " * 100
    assert 30 < len(find_clauses(said)) < 50
