"""Cuts: shortens a text at white space, and leaves no code fence open."""

from collections.abc import Sequence

from tacit.language.code_fences import fence_after, missing_closing_fence
from tacit.language.tokens import TextSize

_LONGEST_TOKEN = 100
"""No more characters of a text are measured for each token that it may have."""


def clip_text(text: str, *, tokens: int | None = None, bytes: int | None = None) -> str:  # noqa: A002
    """Clip a text to a size; it ends at white space, with every code fence closed.

    A first word that is too long is not cut: then nothing is left.
    """
    most = len(text) if tokens is None else min(len(text), tokens * _LONGEST_TOKEN)
    if most == len(text) and _fits(text, tokens, bytes):
        return text
    low, high = 0, most
    while low < high:  # the longest beginning that fits, closing fence and all
        middle = (low + high + 1) // 2
        if _fits(_cut_at_word(text, middle), tokens, bytes):
            low = middle
        else:
            high = middle - 1
    return _cut_at_word(text, low)


def _fits(text: str, tokens: int | None, bytes: int | None) -> bool:  # noqa: A002
    size = TextSize.of(text)
    return (tokens is None or size.tokens <= tokens) and (bytes is None or size.bytes <= bytes)


def _cut_at_word(text: str, length: int) -> str:
    """The first characters without a broken word at the end, and with fences closed."""
    if length >= len(text):
        return text
    start = text[:length]
    if start and not start[-1].isspace() and not text[length].isspace():
        start = start[: -len(start.rsplit(None, 1)[-1])]
    return _close_fence(start.rstrip())


def _close_fence(text: str) -> str:
    """Close the open code fence of a text, if it has one."""
    closing = missing_closing_fence(text.splitlines())
    return text if closing is None else f"{text}\n{closing}"


def find_last_end(lines: Sequence[str], most: int) -> int:
    """The number of lines, up to a limit, after which a text can end outside of code and gaps."""
    fence, end = None, 0
    for number, line in enumerate(lines[:most], start=1):
        fence = fence_after(fence, line)
        if fence is None and line.strip():
            end = number
    return end
