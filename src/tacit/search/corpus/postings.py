"""Which memories hold a term, and how often."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tacit.ranking.arrays import Integers

Codes = npt.NDArray[np.uint64]

_DOC_BITS = 32
_LARGEST_TAIL = 100_000


class Postings:
    """A sorted base that is built at once, and a tail of what came since, which is scanned."""

    def __init__(self) -> None:
        self._terms: Codes = np.zeros(0, np.uint64)
        self._starts: Integers = np.zeros(1, np.int64)
        self._docs: Integers = np.zeros(0, np.int32)
        self._counts: Integers = np.zeros(0, np.int32)
        self._is_fresh = np.zeros(0, bool)
        self._tail_docs: list[int] = []
        self._tail_codes: list[Codes] = []
        self._tail: tuple[Codes, Integers] | None = None
        self._tail_size = 0

    @property
    def nbytes(self) -> int:
        """Memory that is taken."""
        return self._docs.nbytes + self._counts.nbytes + self._terms.nbytes + 8 * self._tail_size

    @property
    def wants_rebuilding(self) -> bool:
        """Whether the tail has grown so long that scanning it costs more than sorting it in."""
        return self._tail_size > max(_LARGEST_TAIL, len(self._docs) // 8)

    def build(self, texts: Sequence[Codes]) -> None:
        """Sort the terms of all texts, whose positions are their numbers."""
        self.__init__()  # type: ignore[misc]
        lengths = np.fromiter((len(text) for text in texts), np.int64, len(texts))
        codes = np.concatenate(texts) if texts else self._terms
        docs = np.repeat(np.arange(len(texts), dtype=np.uint64), lengths)
        order = np.argsort(codes)
        codes, docs = codes[order], docs[order]
        is_new = np.append(True, codes[1:] != codes[:-1]) if len(codes) else np.zeros(0, bool)
        self._terms = codes[is_new]
        term = np.cumsum(is_new, dtype=np.uint64)
        keys = np.sort((term << np.uint64(_DOC_BITS)) | docs)
        self._group(keys)
        self._is_fresh = np.ones(len(texts), bool)

    def _group(self, keys: Codes) -> None:
        """Count equal pairs of term and text, and note where each term's texts start."""
        firsts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])) if len(keys) else keys[:0]
        firsts = firsts.astype(np.int64)
        pairs = keys[firsts]
        self._counts = np.diff(np.append(firsts, len(keys))).astype(np.int32)
        self._docs = (pairs & np.uint64((1 << _DOC_BITS) - 1)).astype(np.int32)
        terms = (pairs >> np.uint64(_DOC_BITS)).astype(np.int64) - 1
        self._starts = np.searchsorted(terms, np.arange(len(self._terms) + 1))

    def put(self, doc: int, codes: Codes) -> None:
        """Add a text, or replace the one with this number."""
        if doc < len(self._is_fresh):
            self._is_fresh[doc] = False
        if doc in self._tail_docs:
            place = self._tail_docs.index(doc)
            self._tail_size += len(codes) - len(self._tail_codes[place])
            self._tail_codes[place] = codes
        else:
            self._tail_docs.append(doc)
            self._tail_codes.append(codes)
            self._tail_size += len(codes)
        self._tail = None

    def find(self, code: int) -> tuple[Integers, Integers]:
        """The texts that hold a term, and how often each."""
        docs, counts = self._in_base(np.uint64(code))
        if not self._tail_docs:
            return docs, counts
        tail_docs, tail_counts = self._in_tail(np.uint64(code))
        return np.concatenate([docs, tail_docs]), np.concatenate([counts, tail_counts])

    def _in_base(self, code: np.uint64) -> tuple[Integers, Integers]:
        place = int(np.searchsorted(self._terms, code))
        if place == len(self._terms) or self._terms[place] != code:
            return self._docs[:0], self._counts[:0]
        span = slice(self._starts[place], self._starts[place + 1])
        docs, counts = self._docs[span], self._counts[span]
        if not self._tail_docs:
            return docs, counts
        fresh = self._is_fresh[docs]
        return docs[fresh], counts[fresh]

    def _in_tail(self, code: np.uint64) -> tuple[Integers, Integers]:
        if self._tail is None:
            lengths = [len(codes) for codes in self._tail_codes]
            numbers = np.repeat(np.array(self._tail_docs, np.int32), lengths)
            self._tail = (np.concatenate(self._tail_codes), numbers)
        codes, docs = self._tail
        return np.unique(docs[codes == code], return_counts=True)
