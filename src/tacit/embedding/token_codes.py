"""Token vectors as one bit per number, and texts scored by them against the tokens of a query.

A text is as many rows as it has tokens, each of `dims` signs packed into bytes. A query is not
rounded: the cosine of its token and a text's is taken with the signs at unit length.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from tacit.core.errors import InvalidInput
from tacit.core.matrix_products import matrix_products

Floats = NDArray[np.float32]

_SIGNS = 2 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32) - 1
"""The eight signs of every byte."""

_TOKENS_AT_ONCE = 256
"""Tokens that are unpacked together: a quarter megabyte with 256 numbers, all in the cache."""


def pack_tokens(vectors: Floats) -> bytes:
    """The signs of token vectors (tokens, dims), eight in a byte; every token begins a byte."""
    return np.packbits(vectors > 0, axis=1).tobytes()


def unpack_tokens(codes: bytes, dims: int) -> Floats:
    """The unit vectors (tokens, dims) that packed signs stand for."""
    rows, _ = _to_rows([codes], dims)
    return _unpack_rows(rows, dims, np.empty((*rows.shape, 8), np.float32)) / np.float32(
        np.sqrt(dims)
    )


def count_tokens(codes: bytes, dims: int) -> int:
    """How many tokens a text has."""
    return len(codes) // _row_bytes(dims)


def score_tokens(query: Floats, weights: npt.ArrayLike, codes: Sequence[bytes]) -> Floats:
    """For each text the weighted mean, over the query's tokens, of the largest cosine.

    `query` has unit vectors (tokens, dims) and `weights` a number for each that is not negative; if
    all are zero they count equally. A text without tokens scores 0, and so does every text for a
    query without tokens.
    """
    dims = query.shape[1]
    shares = _to_shares(weights)
    used = np.flatnonzero(shares)
    rows, lengths = _to_rows(codes, dims)
    scores = np.zeros(len(codes), np.float32)
    if not len(rows) or not len(used):
        return scores
    filled = np.flatnonzero(lengths)
    starts = np.cumsum(lengths[filled]) - lengths[filled]
    with matrix_products():
        best = np.maximum.reduceat(_products(query[used], rows), starts, axis=0)
        scores[filled] = best @ shares[used] / np.float32(np.sqrt(dims))
    return scores


def _to_shares(weights: npt.ArrayLike) -> Floats:
    given = np.asarray(weights, np.float32)
    if not given.any():
        given = np.ones_like(given)
    shares: Floats = given / max(float(given.sum()), 1e-9)
    return shares


def _products(query: Floats, rows: NDArray[np.uint8]) -> Floats:
    """The product of every row's signs with every query token."""
    products = np.empty((len(rows), len(query)), np.float32)
    columns = np.ascontiguousarray(query.T)
    # One small buffer for all: new memory costs page faults, up to half of the whole.
    buffer = np.empty((min(len(rows), _TOKENS_AT_ONCE), rows.shape[1], 8), np.float32)
    for start in range(0, len(rows), _TOKENS_AT_ONCE):
        some = rows[start : start + _TOKENS_AT_ONCE]
        signs = _unpack_rows(some, len(columns), buffer[: len(some)])
        np.matmul(signs, columns, out=products[start : start + len(some)])
    return products


def _to_rows(codes: Sequence[bytes], dims: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The bytes of all tokens, one row for each, and how many tokens each text has."""
    width = _row_bytes(dims)
    lengths = np.fromiter(map(len, codes), np.int64, len(codes))
    if (lengths % width).any():
        raise InvalidInput("codes", f"tokens of {dims} signs have {width} bytes each")
    return np.frombuffer(b"".join(codes), np.uint8).reshape(-1, width), lengths // width


def _unpack_rows(rows: NDArray[np.uint8], dims: int, buffer: Floats) -> Floats:
    """The signs of each row, in a buffer (rows, bytes, 8)."""
    _SIGNS.take(rows, axis=0, out=buffer, mode="clip")  # a checked `out` would be copied
    signs: Floats = buffer.reshape(len(rows), 8 * rows.shape[1])[:, :dims]
    return signs


def _row_bytes(dims: int) -> int:
    return (dims + 7) // 8
