"""Stored text on a terminal: as text, never as commands to the terminal."""

import re

from tacit.structure.characters import UNSEEN

_WRITTEN = frozenset(
    "\u00ad\u061c\u200c\u200d\u200e\u200f" + "".join(map(chr, range(0xFE00, 0xFE10)))
)
"""Joiners, marks, soft hyphens and styles: words and emoji are written with them."""


def visible(text: str) -> str:
    """Show as an escape whatever could steer a terminal, turn its text around, or hide in it."""
    return UNSEEN.sub(_shown, text)


def escape_json(document: str) -> str:
    """The same JSON with escapes for all that cannot be seen, except line ends and tabs.

    Such characters stand in strings only, where an escape means the same.
    """
    return UNSEEN.sub(_escape_utf16, document)


def _shown(found: re.Match[str]) -> str:
    character, code = found[0], ord(found[0])
    if character in _WRITTEN:
        return character
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _escape_utf16(found: re.Match[str]) -> str:
    """As JSON writes it: a character beyond the first plane in two halves."""
    units = found[0].encode("utf-16-be", errors="surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
