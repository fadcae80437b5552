"""What stands in the place of a secret."""

import re
from collections.abc import Iterator

_MARKER = re.compile(r"\[redacted: [a-z0-9-]{1,40}\]")


def marker(kind: str) -> str:
    """The words in place of a secret of this kind."""
    return f"[redacted: {kind}]"


def markers(text: str) -> Iterator[tuple[int, int]]:
    """Where such words stand in a text."""
    return (found.span() for found in _MARKER.finditer(text))
