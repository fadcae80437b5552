"""What a text looks like in ASCII: the view in which structure is looked for.

Full-width and decorated letters, letters of other scripts that look like Latin ones, odd spaces and
line breaks become the plain ones; what cannot be seen and marks above and below letters are left
out. `lookalikes.toml`, made by `tools/lookalikes.py`, has what normalisation does not know.
"""

import tomllib
import unicodedata
from bisect import bisect_right
from collections.abc import Collection
from functools import cache
from importlib.resources import files
from itertools import accumulate

from tacit.language.structure.characters import UNSEEN

_BREAKS = frozenset("\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
_MARKS = ("Mn", "Me")
_UNSEEN = (*_MARKS, "Cc", "Cf", "Cs", "Co", "Cn")
"""By Unicode's categories nothing to be read; more is unseen than is shown by a code."""
_MOST_KEPT = 65_536


class _Folds(dict[int, str]):
    """What each character looks like, found when it is first met."""

    def __init__(self, known: dict[str, str]) -> None:
        super().__init__()
        self._known = known

    def __missing__(self, code: int) -> str:
        folded = self._folded(chr(code))
        if len(self) < _MOST_KEPT:
            self[code] = folded
        return folded

    def _folded(self, character: str) -> str:
        if character in _BREAKS:
            return "\n"
        if (character.isascii() and character.isprintable()) or character in "\t\n":
            return character
        if character in self._known:
            return self._known[character]
        if UNSEEN.match(character) or unicodedata.category(character) in _UNSEEN:
            return ""
        if character.isspace():
            return " "
        plain = [
            self._known.get(each, each)
            for each in unicodedata.normalize("NFKD", character)
            if unicodedata.category(each) not in _MARKS
        ]
        looks = "".join(plain)
        return looks if looks.isascii() else character


def view_of(text: str) -> str:
    """What a text looks like."""
    is_plain = text.isascii() and text.isprintable()
    return text if is_plain else text.translate(_folds())


def places_in(text: str, view: str, starts: Collection[int]) -> list[int]:
    """Where in a text those characters stand that begin at these places of its view, in order."""
    if text == view or (text.isascii() and len(text) == len(view)):  # ASCII folds to one or none
        return sorted(starts)
    ends = list(accumulate(map(len, map(_folds().__getitem__, map(ord, text)))))
    return [bisect_right(ends, start) for start in sorted(starts)]


@cache
def _folds() -> _Folds:
    table = tomllib.loads(
        (files("tacit.language.structure") / "lookalikes.toml").read_text("utf-8")
    )
    return _Folds({other: plain for plain, others in table.items() for other in others})
