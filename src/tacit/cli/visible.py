"""Stored text on a terminal: as text, never as commands to the terminal."""

import unicodedata

_STEERING = frozenset({"Cc", "Cs", "Zl", "Zp"})
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    """Show whatever could steer a terminal or turn the order of its text as an escape.

    Joiners, marks and soft hyphens stay: scripts and emoji are made with them.
    """
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    category = unicodedata.category(character)
    if character in _BIDI or (category in _STEERING and character not in "\n\t"):
        return f"\\u{ord(character):04x}"
    return character
