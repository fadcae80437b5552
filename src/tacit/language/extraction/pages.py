"""Pages: messages that are a document as a whole, pasted without a word of the speaker's own."""

import re
from collections.abc import Sequence
from itertools import pairwise

_HEADING = re.compile(r" ?#{1,6} \S")
_TITLE = re.compile(r"(?-i:[A-ZÀ-Þ\[])(?!.*\b(?:I|i|my|we|our|me|you|please|thanks)\b).{2,70}")
_SENTENCE_END = tuple(".,:;!?…")
_TAGGED = re.compile(r"\s*<([a-z][\w-]*+)[^>]*>.*</\1>\s*", re.DOTALL)
_STAMPED = re.compile(
    r" ?[^\W\d].{0,30} \[?\d{1,2}:\d\d(?: ?[ap]m)?\]?$|\d\d:\d\d:\d\d,\d{3} -->", re.IGNORECASE
)
_FURNITURE = re.compile(
    r"^(?:diff --git |caveat: |automatic reply\b|out of office\b|abstract[.:] |what's new in )"
    r"|^opinion \| "
    r"|^\[(?:verse|chorus|hook|bridge|intro|outro)\b|^(?:co-authored-by|signed-off-by):"
    r"|\bintended (?:solely for|recipient)|\bwithout warranty\b|\ball rights reserved\b"
    r"|\b(?:by clicking|we value your privacy|our \d+ partners|continued use shall)\b"
    r"|\[(?:accept|reject|manage|read more|log ?in|sign ?up)\b[^\[\]]*\]"
    r"|\b(?:subscribe to continue|already a subscriber|jump to recipe|add to (?:cart|basket)"
    r"|verified purchase|found this helpful|\d+ (?:ratings|reviews)|size guide|free returns)\b",
    re.IGNORECASE | re.MULTILINE,
)
_LETTER = re.compile(
    r"(?:dear|sehr geehrte[rs]?|madame|monsieur|estimad[oa]s?)\b[^.!?\n]{0,50}[,:]?$", re.IGNORECASE
)
_LEAST_LINES = 3
_VERSE = 70
"""So long a line of verse may be."""


def is_page(text: str) -> bool:
    """Whether a message is a page, a letter, a log of a chat or the like from end to end."""
    if _TAGGED.fullmatch(text) or _FURNITURE.search(text):
        return True
    written = [line.strip() for line in text.strip().split("\n")]
    stamped = sum(bool(_STAMPED.match(line)) for line in written)
    return stamped > 1 or _is_titled(written) or _is_verse(written)


def _is_titled(written: Sequence[str]) -> bool:
    """Whether it has headings, or begins with a title or a formal address above its text."""
    if sum(bool(_HEADING.match(line)) for line in written) > 1:
        return True
    if len(written) < _LEAST_LINES or written[1]:
        return False
    first = written[0]
    if _HEADING.match(first) or _LETTER.fullmatch(first):
        return True
    return not first.endswith(_SENTENCE_END) and _TITLE.fullmatch(first) is not None


def _is_verse(written: Sequence[str]) -> bool:
    """Whether sentences break at the ends of its lines, which begin with capitals all the same."""
    pairs = pairwise(written)
    broken = sum(line.endswith(",") and below[:1].isupper() for line, below in pairs)
    return broken > 1 and max(map(len, written)) < _VERSE
