"""Private keys in PEM: everything from BEGIN to END, with real line breaks or written ones."""

import re
from collections.abc import Iterator

from tacit.language.redaction.span import Span
from tacit.language.redaction.values import is_random, is_well_mixed

_NAME = "private-key"
_MARK = "PRIVATE KEY"
_LABEL = (
    r"-{4,5} ?(BEGIN|END) [A-Z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}"
)
_EDGE = re.compile(_LABEL)
_LONE = re.compile(r"\s{0,8}([A-Za-z0-9+/]{60,76}={0,2})\s{0,8}\Z")
"""A text that is one line of a key, as a key is wrapped."""
_BODY = re.compile(r"[A-Za-z0-9+/]{16}")
_REST = re.compile(
    r"(?:(?:[\s\"',+>|#*]|\\+[nrt])*(?:[A-Za-z-]{2,20}: [^\n\\]{1,80}|[A-Za-z0-9+/=]{24,}+))++"
    r"(?:(?:\s|\\+[nrt])*[A-Za-z0-9+/]{2,}={1,2})?"
)


def private_keys(text: str) -> Iterator[Span]:
    """Whole blocks; of one whose end is missing, what belongs to it; or a line that is all."""
    lone = _LONE.match(text)
    if lone is not None and is_random(lone[1]) and is_well_mixed(lone[1]):
        yield Span(*lone.span(1), _NAME, lone.start(1))
    if _MARK not in text and "OpenVPN Static" not in text:
        return
    begun: int | None = None
    head = 0
    for edge in _EDGE.finditer(text):
        if edge[1] == "BEGIN":
            if begun is not None:
                yield from _open(text, begun, head)
            begun, head = edge.start(), edge.end()
        elif begun is not None:
            if _BODY.search(text, head, edge.start()):
                yield Span(begun, edge.end(), _NAME, begun)
            begun = None
    if begun is not None:
        yield from _open(text, begun, head)


def _open(text: str, start: int, head: int) -> Iterator[Span]:
    rest = _REST.match(text, head)
    if rest is not None:
        yield Span(start, rest.end(), _NAME, start)
