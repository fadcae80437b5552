"""The content of a finding: the speaker's words, trimmed, and whether they say enough."""

import re

from tacit.language.extraction.findings import RefusalReason
from tacit.language.extraction.rule_tables import RuleTable
from tacit.language.extraction.sentences import WORD

MAX_CONTENT_LENGTH = 400
_SHORTEST = 8
MAX_TAIL_LENGTH = 100
"""The most characters of thanks, fillers or marks that are trimmed in one step."""
_NOISE = re.compile(
    r"\b[0-9a-f]{12,}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d"
    r"|<[a-z_-]+>|\[(?:tool|system|assistant|image|file|redacted)\b",
    re.IGNORECASE,
)
_LONGEST_CONJUNCTION = 8
_CONJUNCTION = re.compile(r"(?<= )(?:and|or|und|oder|et|ou|y|o)\s*\Z")
"""What leaves a list cut if the item after it is trimmed."""
_CLOSERS = {"(": ")", "[": "]", "“": "”", "«": "»"}


def trim_statement(hidden: str, start: int, end: int, table: RuleTable) -> tuple[int, int]:
    """Return a statement's start and end without thanks, fillers and punctuation."""
    while start < end and hidden[start] in " ,;:.-–—":
        start += 1
    before = -1
    while before != end:
        before = end
        tail = table["tails"].search(hidden, max(start, end - MAX_TAIL_LENGTH), end)
        if tail is not None and not _breaks_list(hidden, start, tail.start()):
            end = tail.start()
        end = start + len(hidden[start:end].rstrip(" ,;:.!…-–—"))
    return start, end


def _breaks_list(hidden: str, start: int, end: int) -> bool:
    """Whether words that end here would end with "and", without what it joins."""
    return _CONJUNCTION.search(hidden, max(start, end - _LONGEST_CONJUNCTION), end) is not None


def capitalize(said: str) -> str:
    """Capitalise the first letter, unless the first word has a spelling of its own."""
    first = WORD.match(said)
    if first is None or not first[0].islower():
        return said
    follows = said[first.end() : first.end() + 2]
    if follows[:1] in "/_.(:" and follows[1:].strip():
        return said
    return said[0].upper() + said[1:]


def check_content(said: str, hidden: str, table: RuleTable) -> RefusalReason | None:
    """Return why a statement says too little or too much to be kept."""
    if len(said) > MAX_CONTENT_LENGTH:
        return RefusalReason.TOO_LONG
    if _NOISE.search(said):
        return RefusalReason.NOISE
    words = WORD.findall(hidden.casefold())
    is_short = len(said) < _SHORTEST and not any(word.isdigit() for word in words)
    if is_short or len(words) < 2:
        return RefusalReason.TOO_SHORT
    if all(word in table.hollow for word in words):
        return RefusalReason.NO_REFERENT
    return None


def include_closing_bracket(text: str, start: int, end: int) -> int:
    """Return the end of a statement, including the bracket that it opened."""
    for opening, closing in _CLOSERS.items():
        if text.count(opening, start, end) > text.count(closing, start, end):
            end += text.startswith(closing, end)
    return end
