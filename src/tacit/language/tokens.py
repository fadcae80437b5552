"""Estimate how many tokens a text takes, without the vocabulary of the model."""

from dataclasses import dataclass
from typing import Self

_BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class TextSize:
    """How long a text is; sizes add up where texts are joined by white space."""

    characters: int = 0
    bytes: int = 0
    words: int = 0

    @classmethod
    def of(cls, text: str) -> Self:
        """Measure a text; words are what white space separates."""
        return cls(len(text), len(text.encode(errors="surrogatepass")), len(text.split()))

    @property
    def tokens(self) -> int:
        """A careful estimate: a token holds at most four bytes and at most one word."""
        return max(-(-self.bytes // _BYTES_PER_TOKEN), self.words)

    def __add__(self, other: "TextSize") -> "TextSize":
        return TextSize(
            self.characters + other.characters, self.bytes + other.bytes, self.words + other.words
        )


def estimate_tokens(text: str) -> int:
    """The tokens of a text."""
    return TextSize.of(text).tokens
