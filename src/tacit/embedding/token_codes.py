"""Token vectors as one bit per number, and texts scored by them against the tokens of a query.

A text is as many rows as it has tokens, each of `dims` signs packed into bytes. A query is not
rounded: the cosine of its token and a text's is taken with the signs at unit length.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import InvalidInput
from tacit.core.vectors import limit_blas_threads

Floats = NDArray[np.float32]

_SIGNS = 2 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32) - 1
"""The eight signs of every byte."""

_TOKENS_AT_ONCE = 4_096
"""Tokens that are unpacked together: four megabytes with 256 numbers."""


def pack_tokens(vectors: Floats) -> bytes:
    """The signs of token vectors (tokens, dims), eight in a byte; every token begins a byte."""
    return np.packbits(vectors > 0, axis=1).tobytes()


def unpack_tokens(codes: bytes, dims: int) -> Floats:
    """The unit vectors (tokens, dims) that packed signs stand for."""
    return _unpack_rows(_to_rows([codes], dims), dims) / np.float32(np.sqrt(dims))


def count_tokens(codes: bytes, dims: int) -> int:
    """How many tokens a text has."""
    return len(codes) // _row_bytes(dims)


def score_tokens(query: Floats, weights: Sequence[float], codes: Sequence[bytes]) -> Floats:
    """For each text the weighted mean, over the query's tokens, of the largest cosine.

    `query` has unit vectors (tokens, dims) and `weights` a number for each that is not negative; if
    all are zero they count equally. A text without tokens scores 0, and so does every text for a
    query without tokens.
    """
    dims = query.shape[1]
    shares = _to_shares(weights)
    used = np.flatnonzero(shares)
    scores = np.zeros(len(codes), np.float32)
    filled = [place for place, each in enumerate(codes) if each]
    if not filled or not used.size:
        return scores
    rows = _to_rows(codes, dims)
    lengths = [count_tokens(codes[place], dims) for place in filled]
    starts = np.cumsum([0, *lengths[:-1]])
    best = np.maximum.reduceat(_products(query[used], rows), starts, axis=1)
    scores[filled] = shares[used] @ best / np.float32(np.sqrt(dims))
    return scores


def _to_shares(weights: Sequence[float]) -> Floats:
    given = np.asarray(weights, np.float32)
    if not given.any():
        given = np.ones_like(given)
    shares: Floats = given / max(float(given.sum()), 1e-9)
    return shares


def _products(query: Floats, rows: NDArray[np.uint8]) -> Floats:
    """The product of every query token with the signs of every row."""
    products = np.empty((len(query), len(rows)), np.float32)
    with limit_blas_threads():
        for start in range(0, len(rows), _TOKENS_AT_ONCE):
            some = slice(start, start + _TOKENS_AT_ONCE)
            products[:, some] = query @ _unpack_rows(rows[some], query.shape[1]).T
    return products


def _to_rows(codes: Sequence[bytes], dims: int) -> NDArray[np.uint8]:
    width = _row_bytes(dims)
    if any(len(each) % width for each in codes):
        raise InvalidInput("codes", f"tokens of {dims} signs have {width} bytes each")
    return np.frombuffer(b"".join(codes), np.uint8).reshape(-1, width)


def _unpack_rows(rows: NDArray[np.uint8], dims: int) -> Floats:
    signs: Floats = _SIGNS.take(rows, axis=0).reshape(len(rows), 8 * rows.shape[1])[:, :dims]
    return signs


def _row_bytes(dims: int) -> int:
    return (dims + 7) // 8
