"""Vectors and terms as PostgreSQL sends them: many are turned into our own bytes at once."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np

_VECTOR_HEADER = 2
"""The number of dimensions and a spare number, each as wide as a half-precision float."""

_ARRAY_HEADER = 20
_ELEMENT = np.dtype([("size", ">i4"), ("code", ">i8")])
_CODE_BYTES = 8


def to_halves(sent: Sequence[bytes | None]) -> list[bytes | None]:
    """What `halfvec_send` made of vectors of one model, as little-endian half-precision floats."""
    known = [each for each in sent if each is not None]
    if not known:
        return list(sent)
    rows = np.frombuffer(b"".join(known), ">f2").reshape(len(known), -1)
    swapped = rows[:, _VECTOR_HEADER:].astype("<f2")
    found = iter(map(bytes, swapped))
    return [None if each is None else next(found) for each in sent]


def to_packed(sent: Sequence[bytes]) -> list[bytes]:
    """What `array_send` made of arrays of codes, as packed little-endian codes.

    An empty array is sent as a shorter header; one that has elements holds no null.
    """
    bodies = [each[_ARRAY_HEADER:] for each in sent]
    elements = np.frombuffer(b"".join(bodies), _ELEMENT)
    codes = elements["code"].astype("<i8").tobytes()
    sizes = (len(body) // _ELEMENT.itemsize * _CODE_BYTES for body in bodies)
    return [codes[start:end] for start, end in pairwise(accumulate(sizes, initial=0))]
