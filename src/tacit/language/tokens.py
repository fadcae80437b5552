"""Estimate how many tokens a text takes, without the vocabulary of the model."""

from dataclasses import dataclass
from typing import Self

_BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class TextSize:
    """The length of a text; sizes add up where texts are joined by white space."""

    characters: int = 0
    bytes: int = 0
    words: int = 0

    @classmethod
    def of(cls, text: str) -> Self:
        """Measure a text; words are separated by white space."""
        return cls(len(text), len(text.encode(errors="surrogatepass")), len(text.split()))

    @property
    def tokens(self) -> int:
        """A conservative estimate: a token holds at most four bytes and at most one word."""
        return max(-(-self.bytes // _BYTES_PER_TOKEN), self.words)

    def __add__(self, other: "TextSize") -> "TextSize":
        return TextSize(
            self.characters + other.characters, self.bytes + other.bytes, self.words + other.words
        )


def estimate_tokens(text: str) -> int:
    """Estimate the number of tokens in a text."""
    return TextSize.of(text).tokens
