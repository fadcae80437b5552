"""Token vectors as packed signs, and texts scored by them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.errors import InvalidInput
from tacit.embedding.token_codes import count_tokens, pack_tokens, score_tokens, unpack_tokens

_SEEDS = st.integers(0, 2**32 - 1)
_DIMS = st.sampled_from([8, 13, 32, 256])
_LENGTHS = st.lists(st.integers(0, 40), max_size=12)
_WEIGHTS = st.lists(st.sampled_from([0.0, 0.25, 1.0, 7.5]), max_size=9)


def _units(seed, count, dims):
    rows = np.random.default_rng(seed).standard_normal((count, dims)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _made(seed, lengths, dims):
    return [pack_tokens(_units([seed, place], n, dims)) for place, n in enumerate(lengths)]


def _naive(query, weights, codes):
    scores = []
    for each in codes:
        rows = unpack_tokens(each, query.shape[1])
        best = [max((float(row @ token) for row in rows), default=0.0) for token in query]
        shares = weights if any(weights) else [1.0] * len(weights)
        total = sum(share * cosine for share, cosine in zip(shares, best, strict=True))
        scores.append(total / sum(shares) if shares else 0.0)
    return scores


@given(_SEEDS, _DIMS, _LENGTHS, _WEIGHTS)
def test_a_text_scores_the_weighted_mean_of_the_best_cosines(seed, dims, lengths, weights):
    query, codes = _units([seed, 99], len(weights), dims), _made(seed, lengths, dims)
    found = score_tokens(query, weights, codes)
    assert found.dtype == np.float32
    assert found.tolist() == pytest.approx(_naive(query, weights, codes), abs=1e-5)


@given(_SEEDS, _LENGTHS, _WEIGHTS, st.randoms(use_true_random=False))
def test_the_order_of_texts_does_not_matter(seed, lengths, weights, random):
    query, codes = _units([seed, 99], len(weights), 32), _made(seed, lengths, 32)
    places = list(range(len(codes)))
    random.shuffle(places)
    found = score_tokens(query, weights, codes)
    shuffled = score_tokens(query, weights, [codes[place] for place in places])
    np.testing.assert_allclose(shuffled, found[places], atol=1e-6)


def test_more_tokens_than_are_unpacked_at_once_score_alike():
    query, codes = _units(5, 6, 256), _made(6, [254] * 40, 256)
    alone = [score_tokens(query, [1.0] * 6, [each])[0] for each in codes]
    np.testing.assert_allclose(score_tokens(query, [1.0] * 6, codes), alone, atol=1e-6)


@given(_SEEDS, st.integers(0, 40), _DIMS)
def test_what_is_packed_has_the_signs_and_unit_length(seed, count, dims):
    vectors = _units(seed, count, dims)
    codes = pack_tokens(vectors)
    assert len(codes) == count * -(-dims // 8)
    assert count_tokens(codes, dims) == count
    unpacked = unpack_tokens(codes, dims)
    assert unpacked.shape == (count, dims)
    np.testing.assert_array_equal(unpacked > 0, vectors > 0)
    np.testing.assert_allclose(np.linalg.norm(unpacked, axis=1), 1, atol=1e-5)
    assert pack_tokens(unpacked) == codes


def test_a_text_without_tokens_scores_nothing():
    query, full = _units(1, 3, 32), pack_tokens(_units(2, 4, 32))
    scores = score_tokens(query, [1, 1, 1], [b"", full, b""])
    assert scores[0] == scores[2] == 0
    assert scores[1] == pytest.approx(score_tokens(query, [1, 1, 1], [full])[0])
    assert score_tokens(query, [1, 1, 1], []).shape == (0,)


def test_a_query_without_tokens_finds_nothing():
    codes = [pack_tokens(_units(2, 4, 32))]
    assert score_tokens(np.empty((0, 32), np.float32), [], codes).tolist() == [0]


def test_codes_of_another_width_are_refused():
    with pytest.raises(InvalidInput, match="tokens of 256 signs have 32 bytes each"):
        score_tokens(_units(1, 2, 256), [1, 1], [b"x" * 33])
