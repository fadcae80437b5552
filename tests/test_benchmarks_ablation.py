"""The ablation: every weight that it changes exists, and numbers are scored as signs are."""

import numpy as np
import pytest
from benchmarks.ablation import parts, tokens
from benchmarks.ablation.__main__ import main

from tacit.embedding.token_codes import pack_tokens, score_tokens, unpack_tokens
from tacit.search import ranking, searcher
from tacit.settings.config import make_search_settings

DIMS = 32


@pytest.mark.parametrize("name", parts._VARIANTS)
def test_every_variant_changes_weights_and_settings_that_exist(name):
    weights, settings = parts._VARIANTS[name]
    before = searcher.score_parts, ranking.BOOST
    with parts._weighted(weights):
        score, boost = searcher.score_parts, ranking.BOOST
        kept = _score(score) == _score(before[0]) and boost == before[1]
    assert kept == (not weights)
    assert (searcher.score_parts, ranking.BOOST) == before
    make_search_settings(settings)


def _score(score):
    """The score of a candidate that has every signal, and a neighbour on either side."""
    one = np.ones(1)
    around = np.zeros((1, 4), int)
    signals = ranking.Signals(
        *(one,) * 4, np.ones(1, bool), *(one,) * 4, around, importance=one, recency=one
    )
    return sum(part[0] for part in score(signals, ranking.FOR_CONVERSATIONS).values())


def test_numbers_are_scored_by_the_formula_of_the_product():
    random = np.random.default_rng(1)
    query = random.standard_normal((3, DIMS), np.float32)
    codes = [pack_tokens(random.standard_normal((size, DIMS), np.float32)) for size in (4, 0, 7)]
    numbers = [tokens._pack_numbers(unpack_tokens(each, DIMS)) for each in codes]
    for weights in ([1.0, 0.0, 2.0], [0.0, 0.0, 0.0]):
        expected = score_tokens(query, weights, codes)
        assert tokens._score_numbers(query, weights, numbers) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["token", "--locomo", "x"], "choose from tokens, parts"),
        (["tokens", "--locomo", "x"], "needs --longmemeval"),
    ],
)
def test_a_wrong_argument_is_an_error_that_says_what_would_be_right(capsys, words, told):
    with pytest.raises(SystemExit):
        main(words)
    assert told in " ".join(capsys.readouterr().err.split())
