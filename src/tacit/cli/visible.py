"""Stored text on a terminal: as text, never as commands to the terminal."""

import unicodedata

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def visible(text: str) -> str:
    """Show whatever could steer a terminal or hide in it as an escape."""
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) not in _INVISIBLE:
        return character
    return f"\\u{ord(character):04x}"
