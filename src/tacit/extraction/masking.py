"""Words that are quoted, hidden from the rules without moving the others."""

import re

VEIL = "ꝏ"
"""Stands for each hidden character: a letter, so that what is hidden reads as one word."""

_SPACES = re.compile(r"[^\S\n]+")
_EMPHASIS = re.compile(r"(?<!\S)(\*\*|__)(?=\S)([^*_\n]{1,300})\1")
_CURLY = str.maketrans({"’": "'", "‘": "'", "´": "'"})
_QUOTED = re.compile(
    r"`[^`\n]{1,300}`"
    r"|(?<![\w\"])\"[^\"]{1,4000}\"(?!\w)"
    r"|“[^”]{1,4000}”|„[^“”\"]{1,4000}[“”\"]|«[^»]{1,4000}»|‹[^›]{1,4000}›"
    r"|(?<![\w'])'[^'\n]{2,300}(?:'[^\W\d_][^'\n]{0,300}){0,4}'(?!\w)"
)
_NOT_CLOSED = re.compile(r"(?:(?<=[:,] )|(?<=^))[\"“„«][^\"”»\n]{12,}$", re.MULTILINE)
_HIDDEN = re.compile(r"[^\n]")


def tidied(text: str) -> str:
    """A text with single spaces and without signs of emphasis."""
    return _EMPHASIS.sub(r"\2", _SPACES.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n")))


def masked(text: str) -> str:
    """The same text, as long, with quotations hidden and straight apostrophes."""
    hidden = _QUOTED.sub(_hide, text.translate(_CURLY))
    return _NOT_CLOSED.sub(_hide, hidden)


def _hide(found: re.Match[str]) -> str:
    quoted = found[0]
    return quoted[0] + _HIDDEN.sub(VEIL, quoted[1:-1]) + quoted[-1]
