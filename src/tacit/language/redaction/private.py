"""Remove elements that somebody marked as private, with everything in them.

Whatever looks like the tag counts as the tag, because leaving out too much is better than too
little: spaces within it, unseen characters, letters and brackets of other scripts, and brackets as
HTML, JSON and URLs encode them.
"""

import re
import unicodedata

_LOOKALIKES = {
    "<": "≺＜﹤‹«❮❰〈⟨⟪〈《˂ᐸ",
    ">": "≻＞﹥›»❯❱〉⟩⟫〉》˃ᐳ",
    "p": "рρРΡᴩ",
    "r": "гᴦ",
    "i": "іıιІΙɩ",
    "v": "ѵνᴠ",
    "a": "аαАΑɑ",
    "t": "тτТΤᴛ",
    "e": "еεЕΕє",
}
"""Lookalikes that normalisation does not know."""
_UNSEEN = "\0"
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")
_MOST_KEPT = 65_536

_LESS = r"(?:\\?<|&(?:amp;){0,4}(?:lt|#0{0,6}60|#x0{0,6}3c);?|\\u003c|\\x3c|%3c)"
_MORE = r"(?:\\?>|&(?:amp;){0,4}(?:gt|#0{0,6}62|#x0{0,6}3e);?|\\u003e|\\x3e|%3e)"
_BRACKET = re.compile(rf"[{_LOOKALIKES['<']}]|{_LESS}", re.IGNORECASE)
_GAP = r"[\s\0]{0,20}"
_NAME = _GAP.join(("p", "r", "[i1l|]", "v", "a", "t", "e"))
_TAG = re.compile(
    rf"{_LESS}{_GAP}(?P<end>(?:[/\\]|%2f)?){_GAP}{_NAME}{_GAP}(?:\s[^<>]{{0,200}})?/?{_GAP}{_MORE}",
    re.IGNORECASE,
)
_ROUNDS = 8

PRIVATE = "private"
"""The kind of secret that was marked as private."""


def remove_private(text: str, *, keeps_lines: bool = False) -> str:
    """Remove private elements; one that is not closed hides the rest of the text.

    With `keeps_lines`, the lines of an element are left empty.
    """
    if not _BRACKET.search(text):
        return text
    for _ in range(_ROUNDS):
        bare = _remove_elements(text, keeps_lines)
        if bare == text:
            return text
        text = bare
    first = next((tag.start() for tag in _find_tags(text) if not tag["end"]), len(text))
    return text[:first] + "\n" * (text.count("\n", first) if keeps_lines else 0)


def _remove_elements(text: str, keeps_lines: bool) -> str:
    """Remove elements once; the remaining parts may form another tag where they meet."""
    kept: list[str] = []
    depth, last = 0, 0
    for tag in _find_tags(text):
        if not tag["end"]:
            if depth == 0:
                kept.append(text[last : tag.start()])
                last = tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                kept.append("\n" * (text.count("\n", last, tag.end()) if keeps_lines else 0))
                last = tag.end()
    if depth:
        return "".join(kept) + "\n" * (text.count("\n", last) if keeps_lines else 0)
    return "".join([*kept, text[last:]])


def _find_tags(text: str) -> list[re.Match[str]]:
    """Find the tags in a text."""
    is_plain = text.isascii() and "\0" not in text
    return list(_TAG.finditer(text if is_plain else text.translate(_LOOKS)))


class _Looks(dict[int, str]):
    """What each character looks like, as one character, computed on first use."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        looks = self._looks(character)
        if len(self) < _MOST_KEPT:
            self[code] = looks
        return looks

    @staticmethod
    def _looks(character: str) -> str:
        if character.isascii():
            is_seen = character.isprintable() or character.isspace()
            return character if is_seen else _UNSEEN
        kind = unicodedata.category(character)
        if kind in ("Cf", "Cc", "Mn", "Me") or character in _FILLERS:
            return _UNSEEN
        for plain, others in _LOOKALIKES.items():
            if character in others:
                return plain
        first = unicodedata.normalize("NFKD", character)[:1]
        return first if first.isascii() and first.isprintable() else character


_LOOKS = _Looks()
