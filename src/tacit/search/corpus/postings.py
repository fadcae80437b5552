"""Which memories hold a term, and how often."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tacit.search.ranking.arrays import Integers

Codes = npt.NDArray[np.uint64]

_DOC_BITS = np.uint64(24)
_DOC_MASK = np.uint64((1 << 24) - 1)
"""Texts are told apart by 24 bits, so a workspace holds up to 16 million; terms by the other 40."""
_LARGEST_TAIL = 100_000


class Postings:
    """A sorted base that is built at once, and a tail of what came since, which is scanned."""

    def __init__(self) -> None:
        self._terms: Codes = np.zeros(0, np.uint64)
        self._starts: Integers = np.zeros(1, np.int64)
        self._docs: Integers = np.zeros(0, np.int32)
        self._counts: Integers = np.zeros(0, np.int32)
        self._is_fresh = np.zeros(0, bool)
        self._tail_texts: dict[int, Codes] = {}
        self._tail: tuple[Codes, Integers] | None = None
        self._tail_size = 0

    @property
    def nbytes(self) -> int:
        """Memory that is taken."""
        return self._docs.nbytes + self._counts.nbytes + self._terms.nbytes + 8 * self._tail_size

    @property
    def wants_rebuilding(self) -> bool:
        """Whether the tail has grown so long that scanning it costs more than sorting it in."""
        if not len(self._docs):
            return self._tail_size > 0
        return self._tail_size > max(_LARGEST_TAIL, len(self._docs) // 8)

    def build(self, texts: Sequence[Codes]) -> None:
        """Sort the terms of all texts, whose positions are their numbers.

        A term and the text that holds it share one number, so that one sort brings both in order.
        """
        self.__init__()  # type: ignore[misc]
        lengths = np.fromiter((len(text) for text in texts), np.int64, len(texts))
        codes = np.concatenate(texts) if texts else self._terms
        docs = np.repeat(np.arange(len(texts), dtype=np.uint64), lengths)
        keys = np.sort((codes >> _DOC_BITS << _DOC_BITS) | docs)
        firsts = _firsts(keys)
        pairs = keys[firsts]
        self._counts = np.diff(np.append(firsts, len(keys))).astype(np.int32)
        self._docs = (pairs & _DOC_MASK).astype(np.int32)
        terms = pairs >> _DOC_BITS
        starts = _firsts(terms)
        self._terms = terms[starts]
        self._starts = np.append(starts, len(terms))
        self._is_fresh = np.ones(len(texts), bool)

    def append(self, first: int, texts: Sequence[Codes]) -> None:
        """Add texts with numbers from `first` on; sorting waits until the next time it pays."""
        for place, codes in enumerate(texts, start=first):
            self._add_to_tail(place, codes)
        self._tail = None

    def put(self, doc: int, codes: Codes) -> None:
        """Add a text, or replace the one with this number."""
        if doc < len(self._is_fresh):
            self._is_fresh[doc] = False
        self._add_to_tail(doc, codes)
        self._tail = None

    def _add_to_tail(self, doc: int, codes: Codes) -> None:
        self._tail_size += len(codes) - len(self._tail_texts.get(doc, ()))
        self._tail_texts[doc] = codes

    def find(self, code: int) -> tuple[Integers, Integers]:
        """The texts that hold a term, in order, and how often each."""
        wanted = np.uint64(code) >> _DOC_BITS
        docs, counts = self._in_base(wanted)
        if not self._tail_texts:
            return docs, counts
        tail_docs, tail_counts = self._in_tail(wanted)
        docs, counts = np.append(docs, tail_docs), np.append(counts, tail_counts)
        order = np.argsort(docs, kind="stable")
        return docs[order], counts[order]

    def _in_base(self, code: np.uint64) -> tuple[Integers, Integers]:
        place = int(np.searchsorted(self._terms, code))
        if place == len(self._terms) or self._terms[place] != code:
            return self._docs[:0], self._counts[:0]
        span = slice(self._starts[place], self._starts[place + 1])
        docs, counts = self._docs[span], self._counts[span]
        if not self._tail_texts:
            return docs, counts
        fresh = self._is_fresh[docs]
        return docs[fresh], counts[fresh]

    def _in_tail(self, code: np.uint64) -> tuple[Integers, Integers]:
        if self._tail is None:
            texts = list(self._tail_texts.values())
            lengths = [len(codes) for codes in texts]
            numbers = np.repeat(np.array(list(self._tail_texts), np.int32), lengths)
            self._tail = (np.concatenate(texts) >> _DOC_BITS, numbers)
        codes, docs = self._tail
        return np.unique(docs[codes == code], return_counts=True)


def _firsts(values: Codes) -> Integers:
    """Where each run of equal values begins."""
    if not len(values):
        return np.zeros(0, np.int64)
    return np.flatnonzero(np.append(True, values[1:] != values[:-1]))
