"""Clipping: as much of a text as there is room for, ended where a reader would end it."""

from tacit.language.neutralization import missing_closing_fence
from tacit.language.tokens import TextSize


def clipped(text: str, *, tokens: int | None = None, bytes: int | None = None) -> str:  # noqa: A002
    """The beginning of a text that fits; it ends at white space, and with every code fence closed.

    A first word that is too long by itself is not cut: then nothing is left.
    """
    if _fits(text, tokens, bytes):
        return text
    low, high = 0, len(text)
    while low < high:  # the longest beginning that fits, closing fence and all
        middle = (low + high + 1) // 2
        if _fits(_ended(text, middle), tokens, bytes):
            low = middle
        else:
            high = middle - 1
    return _ended(text, low)


def _fits(text: str, tokens: int | None, bytes: int | None) -> bool:  # noqa: A002
    size = TextSize.of(text)
    return (tokens is None or size.tokens <= tokens) and (bytes is None or size.bytes <= bytes)


def _ended(text: str, length: int) -> str:
    """The first so many characters without a broken word at the end, and with fences closed."""
    if length >= len(text):
        return text
    start = text[:length]
    if start and not start[-1].isspace() and not text[length].isspace():
        start = start[: -len(start.rsplit(None, 1)[-1])]
    return _closed(start.rstrip())


def _closed(text: str) -> str:
    """The text with its open code fence closed, if it has one."""
    closing = missing_closing_fence(text.splitlines())
    return text if closing is None else f"{text}\n{closing}"
