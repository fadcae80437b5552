"""Text as the numbers that the network reads."""

from pathlib import Path
from typing import Self

from tokenizers import Encoding, Tokenizer

from tacit.embedding.minilm.informative import informative
from tacit.embedding.surrogates import encodable

TEXT_TOKENS = 254
QUERY_TOKENS = 64

_START, _END = 101, 102

_CHARACTERS = 8_000
"""Enough for the tokens of any prose; what is longer would be tokenised only to be cut."""


class Tokens:
    """A tokenizer, set up once and never changed after, so that threads may share it."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the published tokenizer; cutting and padding are done here, not by it."""
        tokenizer = Tokenizer.from_file(str(path))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return cls(tokenizer)

    def of_text(self, text: str) -> list[int]:
        """The beginning of a text."""
        return [_START, *self._encoded(text).ids[:TEXT_TOKENS], _END]

    def of_query(self, text: str) -> list[int]:
        """The most informative words of a query."""
        encoded = self._encoded(text)
        return [_START, *informative(encoded.ids, encoded.word_ids, QUERY_TOKENS), _END]

    def _encoded(self, text: str) -> Encoding:
        # One by one: batches would start threads of their own, and nobody asked for those.
        return self._tokenizer.encode(encodable(text[:_CHARACTERS]), add_special_tokens=False)
