"""Pure choices: what of a query is embedded, and which texts are run together."""

from hypothesis import given
from hypothesis import strategies as st

from tacit.embedding.minilm.embedder import BATCH_TOKENS, make_batches
from tacit.embedding.minilm.tokenizer import choose_informative

_LENGTHS = st.lists(st.integers(2, 256), max_size=200)
_WORDS = st.lists(st.lists(st.integers(0, 30_521), min_size=1, max_size=5), max_size=60)


def _flat(words):
    pairs = [(id, place) for place, word in enumerate(words) for id in word]
    return [id for id, _ in pairs], [place for _, place in pairs]


def _kept(ids, words, limit):
    return [ids[place] for place in choose_informative(ids, words, limit)]


def test_a_short_query_stays_whole():
    assert _kept([1996, 5, 1996], [0, 1, 2], 3) == [1996, 5, 1996]


def test_the_rarest_words_are_kept_in_their_order():
    assert _kept([2000, 9000, 1996, 8000], [0, 1, 2, 3], 2) == [9000, 8000]


def test_a_word_is_as_rare_as_its_rarest_piece_and_is_kept_whole():
    ids, words = [1996, 2100, 29000, 8000, 9000], [0, 1, 1, 2, 3]
    assert _kept(ids, words, 3) == [2100, 29000, 9000]


def test_a_word_that_does_not_fit_leaves_room_for_those_that_do():
    ids, words = [5000, 29000, 29001, 29002, 6000], [0, 1, 1, 1, 2]
    assert _kept(ids, words, 2) == [5000, 6000]


def test_no_word_is_kept_twice_before_every_other_is_kept_once():
    ids, words = [9000, 9000, 9000, 2000, 3000], [0, 1, 2, 3, 4]
    assert _kept(ids, words, 3) == [9000, 2000, 3000]
    assert _kept(ids, words, 4) == [9000, 9000, 2000, 3000]


@given(_WORDS, st.integers(1, 80))
def test_what_is_kept_fits_and_is_made_of_whole_words_in_order(words, limit):
    ids, places = _flat(words)
    kept = choose_informative(ids, places, limit)
    assert len(kept) <= limit
    assert kept == sorted(set(kept))
    kept_words = {places[place] for place in kept}
    assert kept == [place for place, word in enumerate(places) if word in kept_words]
    if len(ids) > limit and any(len(word) <= limit for word in words):
        assert kept


@given(_LENGTHS)
def test_every_text_is_in_one_batch_and_no_batch_is_too_large(lengths):
    made = list(make_batches(lengths))
    assert sorted(place for batch in made for place in batch) == list(range(len(lengths)))
    assert all(len(batch) * max(lengths[i] for i in batch) <= BATCH_TOKENS for batch in made)


@given(_LENGTHS)
def test_texts_of_like_length_are_run_together(lengths):
    ordered = [lengths[place] for batch in make_batches(lengths) for place in batch]
    assert ordered == sorted(lengths)
