"""Terms as numbers: what an index keeps, since words of an erased text must not outlive it."""

import sys
from array import array
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b


@lru_cache(maxsize=262_144)
def code(term: str) -> int:
    """A term as 64 bits, the same on every machine; two terms do not meet in practice."""
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "little")


def signed_code(term: str) -> int:
    """A term as a signed 64-bit number, for databases that have no others."""
    number = code(term)
    return number - (1 << 64) if number >= 1 << 63 else number


def packed(terms: Iterable[str]) -> bytes:
    """The codes of terms, in order, as little-endian 64-bit numbers."""
    numbers = array("Q", map(code, terms))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()
