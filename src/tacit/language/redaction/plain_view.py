"""The plain view of a text, in which secrets are looked for.

Digits, letters, dashes and spaces of other widths and scripts look like those of ASCII; codes that
colour a terminal, real ones and written ones, and backslashes of Markdown are left out. Places in
the view lead back to places in the text.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_DIGIT_ZEROS = (
    *(0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66),
    *(0xE50, 0xED0, 0xF20, 0x1040, 0x17E0, 0x1810),
)
_SPACES = "\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63"
_ALIKE = {
    **{zero + digit: str(digit) for zero in _DIGIT_ZEROS for digit in range(10)},
    **{0xFF00 + code - 0x20: chr(code) for code in range(0x21, 0x7F)},
    **dict.fromkeys(map(ord, _SPACES), " "),
    **dict.fromkeys(map(ord, _DASHES), "-"),
}
_CODES = re.compile(
    r"\x1b(?:\[[0-9;:?]{0,40}[ -/]?[@-~]|\][^\x07\x1b\n]{0,200}(?:\x07|\x1b\\)|[@-Z\\^_])"
    r"|\x9b[0-9;:?]{0,40}[@-~]"
    r"|(?:\\(?:x1b|u001b|033|e)|\^\[|␛)\[[0-9;:?]{0,40}[A-Za-z]"
    r"|\[(?:\d{1,3}(?:;\d{1,3}){0,4})?[mK]"
    r"|\\(?=[_*~`\[\]().!#<>&-])",
    re.IGNORECASE,
)


class PlainView(NamedTuple):
    """A view of a text, and where each of its characters stands there; None: at the same place."""

    text: str
    places: Sequence[int] | None = None

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """Where the characters from `start` up to `end` stand in the text."""
        if self.places is None or start == end:
            return start, end
        return self.places[start], self.places[end - 1] + 1


def plain_views(text: str) -> Iterator[PlainView]:
    """The views of a text: without codes, they may join two words, so that both ways count."""
    plain = text if text.isascii() else text.translate(_ALIKE)
    if not _CODES.search(plain):
        yield PlainView(plain)
        return
    yield _without_codes(plain, "")
    if _has_codes_between_words(plain):
        yield _without_codes(plain, " ")


def _has_codes_between_words(text: str) -> bool:
    return any(
        not found[0].startswith("\\") or len(found[0]) > 1 for found in _CODES.finditer(text)
    )


def _without_codes(text: str, instead: str) -> PlainView:
    pieces: list[str] = []
    places: list[int] = []
    last = 0
    for found in _CODES.finditer(text):
        gap = "" if found[0] == "\\" else instead
        pieces += (text[last : found.start()], gap)
        places += (*range(last, found.start()), *([found.start()] * len(gap)))
        last = found.end()
    pieces.append(text[last:])
    places += range(last, len(text))
    return PlainView("".join(pieces), places)
