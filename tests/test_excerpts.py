"""Excerpts: cut around what a question matches, at sentence ends, and never longer than asked."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.language.excerpts import (
    extract_matching_sentences,
    find_longest_excerpt,
    find_matching_passages,
)
from tacit.language.sentences import find_sentence_ends
from tacit.language.terms import extract_query_terms
from tests.properties import examples

ROOM = (
    "ok so I talked to the rental people about the room. it is the one above the bakery with the"
    " big windows and the piano. two hours cost 40 euros on weekdays. on weekends it is a bit more"
    " because of the caretaker who has to come in. three hours are 55, which is fine. they want"
    " the money in cash and the key back by ten."
)
LIST = (
    "Tom drives because his car is bigger than ours and has a tow bar. Here is the packing list:\n"
    "- tent pegs\n- the blue tarp\n- headlamps\n- gas cooker\nWe leave at nine from the pool. Bring"
    " some money for the toll road please, and your own breakfast."
)


def _cut(text, question, characters):
    return extract_matching_sentences(text, extract_query_terms(question), characters)


def test_a_text_that_fits_is_whole():
    assert _cut(ROOM, "three hours", len(ROOM)) == ROOM


def test_what_matches_is_shown_with_what_stands_around_it_and_marks_on_both_sides():
    shown = _cut(ROOM, "how much is it for three hours?", 120)
    assert shown == (
        "… three hours are 55, which is fine. they want the money in cash and the key back by ten."
    )
    middle = _cut(ROOM, "is it more on weekends?", 110)
    assert middle.startswith("… on weekends it is a bit more")
    assert middle.endswith("come in. …")


@pytest.mark.parametrize(
    ("question", "characters", "items"),
    [
        ("what is on the packing list?", 90, ["tent pegs", "blue tarp", "headlamps", "gas cooker"]),
        ("what is on the packing list?", 60, ["tent pegs", "blue tarp"]),
        ("is there a tarp?", 60, ["blue tarp"]),
        ("do we have headlamps?", 50, ["headlamps"]),
    ],
)
def test_a_list_stays_with_the_line_that_introduces_it(question, characters, items):
    shown = _cut(LIST, question, characters)
    assert "Here is the packing list:" in shown
    assert [each for each in items if each not in shown] == []


def test_a_long_enumeration_is_cut_at_commas_after_its_introduction():
    said = "here is the list: " + ", ".join(f"number {n} of the things" for n in range(40))
    shown = _cut(said, "what is on the list?", 200)
    assert shown.startswith("here is the list: number 0 of the things, number 1 of")
    assert shown.endswith(" of the things, …")
    late = _cut(said, "the list: number 31?", 120)
    assert late.startswith("here is the list: … ")
    assert "number 31 of the things," in late


WORDS = st.sampled_from(
    ["boat", "harbour", "two", "tea", "Dr.", "Ek", "list", "7,", "11", "über", "茶碗", "😀"]
)
SENTENCE = st.lists(WORDS, min_size=1, max_size=14).map(" ".join)
ENDS = st.sampled_from([". ", "? ", "! ", ":\n- ", "\n- ", "\n", "。"])
TEXTS = st.lists(st.tuples(SENTENCE, ENDS), min_size=1, max_size=12).map(
    lambda parts: "".join(sentence + end for sentence, end in parts).strip()
)


@settings(max_examples=examples(150, 1_000))
@given(TEXTS, SENTENCE, st.integers(20, 300))
def test_any_cut_is_short_enough_and_whole_in_its_sentences(text, question, characters):
    terms = extract_query_terms(question)
    passages = find_matching_passages(text, terms, characters)
    shown = extract_matching_sentences(text, terms, characters)
    assert len(shown) <= find_longest_excerpt(max(characters, 0))
    assert passages == sorted(passages)
    assert all(start < end for start, end in passages)
    kept = "".join(text[start:end] for start, end in passages)
    assert "".join(shown.replace("…", "").split()) == "".join(kept.split())
    _check_ends(text, passages, characters)


def _check_ends(text, passages, characters):
    """A passage begins and ends with a sentence, unless that is longer than the cut."""
    ends = [*find_sentence_ends(text), len(text)]
    starts = [0, *ends[:-1]]
    sentences = [(start, end) for start, end in zip(starts, ends, strict=True)]
    for start, end in passages:
        first = next(each for each in sentences if each[0] <= start < each[1])
        last = next(each for each in sentences if each[0] < end <= each[1])
        is_long = [len(text[a:b].strip()) > characters - 4 for a, b in (first, last)]
        assert is_long[0] or not text[first[0] : start].strip()
        assert is_long[1] or not text[end : last[1]].strip()


@settings(max_examples=examples(100, 500))
@given(st.lists(SENTENCE, min_size=2, max_size=8), st.integers(0, 7))
def test_the_sentence_that_alone_has_the_words_of_the_question_is_always_shown(said, place):
    place %= len(said)
    said[place] = "The quokka sleeps until noon"
    text = " ".join(f"{each} there." for each in said)
    for characters in (40, 80, 160):
        assert "The quokka sleeps until noon there." in _cut(text, "quokka noon", characters)


def test_a_long_sentence_that_matches_leaves_room_for_the_list_that_answers():
    said = (
        "We're going to Lisbon in the second week of October with Marta and her two kids, who have "
        "been there before and said that the weather was lovely, so I asked Marta what she'd do "
        "again in three days. here is the list: the tile museum, the number 28 tram, the aquarium. "
        "We fly on Friday and come back on the Tuesday after. The flat is in the old town, on the "
        "fourth floor, near the castle."
    )
    shown = _cut(said, "what was on Marta's list for Lisbon?", 240)
    assert "the tile museum, the number 28 tram, the aquarium." in shown
    assert "castle" not in shown


def test_of_white_space_nothing_is_shown():
    assert _cut(" \n" * 300, "what about Lisbon?", 240) == ""
