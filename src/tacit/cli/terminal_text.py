"""Escapes stored text for a terminal, so that it cannot act as commands to the terminal."""

import re

from tacit.language.characters import UNSEEN

_ALLOWED = frozenset(
    "\u00ad\u061c\u200c\u200d\u200e\u200f" + "".join(map(chr, range(0xFE00, 0xFE10)))
)
"""Joiners, marks, soft hyphens and styles: words and emoji are written with them."""

_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0]"
_PILED_MARKS = re.compile(f"(?<={_MARK}{_MARK}){_MARK}+")


def escape_unseen(text: str) -> str:
    """Escape characters that control a terminal, reverse text or are invisible."""
    return UNSEEN.sub(_escape_match, text)


def spell_out(text: str) -> str:
    """A text that looks the same to everyone, for content that users agree to.

    Invisible characters are spelled out, including joiners in words and emoji, and marks that are
    piled on one letter. Line ends stay.
    """
    return _PILED_MARKS.sub(_escape_all, "".join(map(_escape_unprintable, text)))


def escape_json(document: str) -> str:
    """The same JSON with escapes for all that cannot be seen, except line ends and tabs.

    Such characters stand in strings only, where an escape means the same.
    """
    return UNSEEN.sub(_escape_utf16, document)


def _escape_match(found: re.Match[str]) -> str:
    return found[0] if found[0] in _ALLOWED else _escape_character(found[0])


def _escape_unprintable(character: str) -> str:
    is_seen = character.isprintable() and not UNSEEN.match(character) and character != "\u2800"
    return character if is_seen or character == "\n" else _escape_character(character)


def _escape_all(found: re.Match[str]) -> str:
    return "".join(map(_escape_character, found[0]))


def _escape_character(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _escape_utf16(found: re.Match[str]) -> str:
    """As JSON writes it: a character beyond the first plane in two halves."""
    units = found[0].encode("utf-16-be", errors="surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
