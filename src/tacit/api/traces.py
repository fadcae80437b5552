"""The traces that erased texts leave in receipts: whole texts, and terms of a context."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from tacit.core.receipt import Receipt
from tacit.language.text.analysis import query_terms
from tacit.language.text.matching import Words


@dataclass(frozen=True, slots=True)
class Traces:
    """Some texts, as receipts may hold them."""

    words: Words
    terms: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """The traces of these texts; stop words tell nothing."""
        kept = tuple(texts)
        found = (term for text in kept for term in query_terms(text) if not term.is_stop_word)
        return cls(Words.of(kept), frozenset(term.alternatives[0] for term in found))

    def are_said_in(self, receipt: Receipt) -> bool:
        """Whether a text stands in what a receipt keeps of what was said."""
        return self.words.stand_in(receipt.texts)

    def are_in(self, receipt: Receipt) -> bool:
        """Whether a receipt holds a text, or a term of one in its context."""
        return self.are_said_in(receipt) or not self.terms.isdisjoint(receipt.context)

    def removed_from(self, receipt: Receipt) -> Receipt:
        """A receipt without their terms in its context."""
        kept = tuple(term for term in receipt.context if term not in self.terms)
        return replace(receipt, context=kept)
