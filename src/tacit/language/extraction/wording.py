"""The words of a finding: the speaker's own, from the first that matters to the last."""

import re

from tacit.language.extraction.finding import Reason
from tacit.language.extraction.table import Table

LONGEST = 400
_SHORTEST = 8
TAIL = 100
"""So many characters of a statement may be thanks, fillers or marks; more are cut off in steps."""
_WORD = re.compile(r"[^\W_](?:[\w'’]*[^\W_])?")
_NOISE = re.compile(
    r"\b[0-9a-f]{12,}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d"
    r"|<[a-z_-]+>|\[(?:tool|system|assistant|image|file)\b",
    re.IGNORECASE,
)
_CLOSERS = {"(": ")", "[": "]", "“": "”", "«": "»"}


def trimmed(hidden: str, start: int, end: int, table: Table) -> tuple[int, int]:
    """Where a statement really ends: without thanks, fillers and the marks after it."""
    while start < end and hidden[start] in " ,;:.-–—":
        start += 1
    before = -1
    while before != end:
        before = end
        tail = table["tails"].search(hidden, max(start, end - TAIL), end)
        if tail is not None:
            end = tail.start()
        end = start + len(hidden[start:end].rstrip(" ,;:.!…-–—"))
    return start, end


def capitalised(said: str) -> str:
    """A statement that begins with a capital letter, unless its first word has its own way."""
    first = _WORD.match(said)
    if first is None or not first[0].islower():
        return said
    follows = said[first.end() : first.end() + 2]
    if follows[:1] in "/_.(:" and follows[1:].strip():
        return said
    return said[0].upper() + said[1:]


def unworthy(said: str, hidden: str, table: Table) -> Reason | None:
    """Why a statement says too little or too much to be kept."""
    if len(said) > LONGEST:
        return Reason.TOO_LONG
    if _NOISE.search(said):
        return Reason.NOISE
    words = _WORD.findall(hidden.casefold())
    if len(said) < _SHORTEST or len(words) < 2:
        return Reason.TOO_SHORT
    if all(word in table.hollow for word in words):
        return Reason.NO_REFERENT
    return None


def closed(text: str, start: int, end: int) -> int:
    """Where a statement ends, with the bracket that it opened."""
    for opening, closing in _CLOSERS.items():
        if text.count(opening, start, end) > text.count(closing, start, end):
            end += text.startswith(closing, end)
    return end
