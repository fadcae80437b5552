"""The start of a text without its secrets: redacted first, then cut."""

from tacit.redaction.marker import markers
from tacit.redaction.text import Redacted, redact

_MARGIN = 5_000
"""No secret is longer, but for what begins with a line that says so."""


def redact_start(text: str, characters: int) -> Redacted:
    """The first characters of a text without secrets, not cut within a marker.

    A secret across the cut is not recognised by its first half, so more is read than is kept. What
    ends where reading ended may be such a half; it is never kept, however short markers have made
    the text.
    """
    read = text[: characters + _MARGIN]
    redacted = redact(read)
    is_whole = len(read) == len(text)
    known = len(redacted.text) if is_whole else max(len(redacted.text) - _MARGIN, 0)
    return Redacted(clip(redacted.text, min(characters, known)), redacted.kinds)


def clip(redacted: str, characters: int) -> str:
    """The first characters of a text that was redacted, without a marker that would be cut."""
    for start, end in markers(redacted):
        if start < characters < end:
            return redacted[:start]
    return redacted[:characters]
