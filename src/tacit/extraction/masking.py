"""Words that are quoted, hidden from the rules without moving the others."""

import re
from collections.abc import Iterator

VEIL = "ꝏ"
"""Stands for each hidden character: a letter, so that what is hidden reads as one word."""

_SPACES = re.compile(r"[^\S\n]+")
_EMPHASIS = re.compile(r"(?<!\S)(\*\*|__)(?=\S)([^*_\n]{1,300})\1")
_CURLY = str.maketrans({"’": "'", "‘": "'", "´": "'"})
_QUOTED = re.compile(
    r"`[^`\n]{1,300}`"
    r"|(?<![\w'])'[^'\n]{2,300}(?:'[^\W\d_][^'\n]{0,300}){0,4}'(?!\w)"
    r"|(?P<opening>(?<![\w\"])\"|[“„«‹])"
)
_CLOSINGS = {'"': '"', "“": "”", "„": '“”"', "«": "»", "‹": "›"}
_LONGEST = 4_000
"""So long a quotation may be."""
_LINE = re.compile(r"[^\n]+")
_NOT_CLOSED = re.compile(r"(?:(?<=[:,] )|(?<=^))[\"“„«][^\"”»\n]{12,}$", re.MULTILINE)
_HIDDEN = re.compile(r"[^\n]")


def tidied(text: str) -> str:
    """A text with single spaces and without signs of emphasis."""
    return _EMPHASIS.sub(r"\2", _SPACES.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n")))


def masked(text: str) -> str:
    """The same text, as long, with quotations hidden and straight apostrophes."""
    plain = text.translate(_CURLY)
    hidden = _with_hidden(plain, _quotations(plain))
    return _with_hidden(hidden, _unclosed(hidden))


def _with_hidden(text: str, quotations: Iterator[tuple[int, int]]) -> str:
    """The text with all but the marks of some quotations hidden."""
    pieces: list[str] = []
    place = 0
    for start, end in quotations:
        pieces += (text[place : start + 1], _HIDDEN.sub(VEIL, text[start + 1 : end - 1]))
        place = end - 1
    return "".join((*pieces, text[place:]))


def _quotations(text: str) -> Iterator[tuple[int, int]]:
    """Where each quotation begins and ends."""
    found = _QUOTED.search(text)
    while found is not None:
        start, end = found.span()
        closed = end if found["opening"] is None else _closed(text, start)
        if closed is not None:
            yield start, closed
        found = _QUOTED.search(text, closed or end)


def _closed(text: str, start: int) -> int | None:
    """Where the quotation that is opened here ends; None where it is empty or too long."""
    mark = text[start]
    places = (text.find(each, start + 1, start + _LONGEST + 2) for each in _CLOSINGS[mark])
    end = min((place for place in places if place > 0), default=0) + 1
    if end <= start + 2 or (mark == '"' and _is_in_a_word(text, end)):
        return None
    return end


def _is_in_a_word(text: str, place: int) -> bool:
    return text[place : place + 1].isalnum() or text.startswith("_", place)


def _unclosed(hidden: str) -> Iterator[tuple[int, int]]:
    """Where a quotation begins that goes on to the end of its line."""
    if not any(mark in hidden for mark in _CLOSINGS):
        return
    for line in _LINE.finditer(hidden):
        start, end = line.span()
        closing = max(hidden.rfind(mark, start, end) for mark in '"”»')
        if found := _NOT_CLOSED.search(hidden, max(start, closing), end):
            yield found.span()
