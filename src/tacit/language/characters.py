"""Escape characters that cannot be seen, and find characters that look like ASCII.

A line feed is shown as " ⏎ ", and a ⏎ of the text's own gets a backslash before it. Any other
unseen character is shown by its code, like \\u202e. Backslashes directly before such a character,
or before letters that spell such a code, are doubled: an odd number of them makes an escape.

The ASCII view of a text is what structure is looked for in: full-width and decorated letters,
letters of other scripts that look like Latin ones, odd spaces and line breaks become the plain
ones; unseen characters and marks above and below letters are left out. `lookalikes.toml`, written
by `tools/lookalikes.py`, holds what normalisation does not know.
"""

import re
import tomllib
import unicodedata
from bisect import bisect_right
from collections.abc import Collection
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate

_UNSEEN_CLASS = (
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad"  # controls other than tab and line feed
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0"  # blank letters, marks
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffc"  # zero width, breaks, bidi
    "\ufe00-\ufe0f\U000e0000-\U000e0fff"  # variation selectors and tags
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # formats of notations
    "\ud800-\udfff"
)
UNSEEN = re.compile(f"[{_UNSEEN_CLASS}]")

_EMOJI = "\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff"
_JOINING = "\u0600-\u0dff\u1000-\u109f\u1780-\u17ff"
_JOINER_IN_PLACE = (
    f"(?<=[#*0-9{_EMOJI}])[\ufe0e\ufe0f]"
    f"|(?<=[\ufe0f{_EMOJI}])\u200d(?=[{_EMOJI}])"
    f"|(?<=[{_JOINING}])[\u200c\u200d](?=[{_JOINING}])"
    "|(?<=[\u2801-\u28ff])\u2800(?=[\u2801-\u28ff])"
)

_JOINER = re.compile(_JOINER_IN_PLACE)
_BACKSLASHES = re.compile(rf"(?<!\\)\\++(?=[{_UNSEEN_CLASS}])")
_CODE = re.compile(r"(?<!\\)(\\++)(u[0-9a-f]{4}|U[0-9a-f]{8})")
_NEEDS_ESCAPING = re.compile(f"[\\\\{_UNSEEN_CLASS}]")
_MAX_CACHED_CODES = 65_536
_NEEDS_FOLDING = re.compile("[\n⏎]")


def escape_line(text: str) -> str:
    """Put a text on one line and escape unseen characters, except joiners of emoji and scripts."""
    text = escape_unseen(text)
    return text.replace("⏎", "\\⏎").replace("\n", " ⏎ ") if _NEEDS_FOLDING.search(text) else text


def unescape_line(text: str) -> str:
    """Undo `escape_line`."""
    return unescape_unseen(text.replace(" ⏎ ", "\n").replace("\\⏎", "⏎"))


def escape_unseen(text: str) -> str:
    """Escape unseen characters and keep the lines."""
    if not _NEEDS_ESCAPING.search(text):
        return text
    text = _CODE.sub(_double_backslashes, text)
    return show_unseen(_BACKSLASHES.sub(lambda found: found[0] * 2, text))


def unescape_unseen(text: str) -> str:
    """Undo `escape_unseen`."""
    return _CODE.sub(_read_code, text) if "\\" in text else text


def show_unseen(text: str) -> str:
    """Replace unseen characters by their codes; this cannot be undone."""
    if not UNSEEN.search(text):
        return text
    pieces, start = [], 0
    for joint in _JOINER.finditer(text):
        pieces += [text[start : joint.start()].translate(_CODES), joint[0]]
        start = joint.end()
    return "".join([*pieces, text[start:].translate(_CODES)])


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


@lru_cache(maxsize=1_024)
def _character_of_code(code: str) -> str | None:
    """The unseen character that a code spells, if any."""
    number = int(code[1:], 16)
    character = chr(number) if number <= 0x10FFFF else ""
    is_named = UNSEEN.match(character) and _escape(character) == f"\\{code}"
    return character if is_named else None


def _double_backslashes(found: re.Match[str]) -> str:
    backslashes, code = found.groups()
    return found[0] if _character_of_code(code) is None else backslashes * 2 + code


def _read_code(found: re.Match[str]) -> str:
    backslashes, code = found.groups()
    character = _character_of_code(code)
    if character is None:
        return found[0]
    half, is_escape = divmod(len(backslashes), 2)
    return "\\" * half + (character if is_escape else code)


class _CharacterCodes(dict[int, str]):
    """How each character is shown, computed on first use."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        shown = _escape(character) if UNSEEN.match(character) else character
        if len(self) < _MAX_CACHED_CODES:
            self[code] = shown
        return shown


_CODES = _CharacterCodes()


# The ASCII view.


_LINE_BREAKS = frozenset("\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
_MARK_CATEGORIES = ("Mn", "Me")
_UNSEEN_CATEGORIES = (*_MARK_CATEGORIES, "Cc", "Cf", "Cs", "Co", "Cn")
"""Unicode categories without anything to read; more than what is shown by a code."""
_MAX_CACHED_FOLDS = 65_536


class _AsciiFolds(dict[int, str]):
    """What each character looks like in ASCII, computed on first use."""

    def __init__(self, known: dict[str, str]) -> None:
        super().__init__()
        self._known = known

    def __missing__(self, code: int) -> str:
        folded = self._folded(chr(code))
        if len(self) < _MAX_CACHED_FOLDS:
            self[code] = folded
        return folded

    def _folded(self, character: str) -> str:
        if character in _LINE_BREAKS:
            return "\n"
        if (character.isascii() and character.isprintable()) or character in "\t\n":
            return character
        if character in self._known:
            return self._known[character]
        if UNSEEN.match(character) or unicodedata.category(character) in _UNSEEN_CATEGORIES:
            return ""
        if character.isspace():
            return " "
        plain = [
            self._known.get(each, each)
            for each in unicodedata.normalize("NFKD", character)
            if unicodedata.category(each) not in _MARK_CATEGORIES
        ]
        looks = "".join(plain)
        return looks if looks.isascii() else character


def to_ascii_view(text: str) -> str:
    """Convert a text to what it looks like in ASCII."""
    is_plain = text.isascii() and text.isprintable()
    return text if is_plain else text.translate(_ascii_folds())


def locate_in_text(text: str, view: str, starts: Collection[int]) -> list[int]:
    """Map places in the ASCII view to places in the text, in order."""
    if text == view or (text.isascii() and len(text) == len(view)):  # ASCII folds to one or none
        return sorted(starts)
    ends = list(accumulate(map(len, map(_ascii_folds().__getitem__, map(ord, text)))))
    return [bisect_right(ends, start) for start in sorted(starts)]


@cache
def _ascii_folds() -> _AsciiFolds:
    table = tomllib.loads((files(__package__) / "lookalikes.toml").read_text("utf-8"))
    return _AsciiFolds({other: plain for plain, others in table.items() for other in others})
