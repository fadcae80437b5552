"""Characters that cannot be seen, shown as escapes; line breaks, shown as a sign.

A line feed is shown as " ⏎ ", and a ⏎ of the text's own has a backslash before it. Any other
unseen character is shown by its code, like \\u202e. Backslashes directly before such a character,
or before letters that spell such a code, are doubled: an odd number of them makes an escape.
"""

import re
from functools import lru_cache

_CLASS = (
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad"  # controls other than tab and line feed
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0"  # blank letters, marks
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffc"  # zero width, breaks, bidi
    "\ufe00-\ufe0f\U000e0000-\U000e0fff"  # variation selectors and tags
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # formats of notations
    "\ud800-\udfff"
)
UNSEEN = re.compile(f"[{_CLASS}]")

_EMOJI = "\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff"
_JOINING = "\u0600-\u0dff\u1000-\u109f\u1780-\u17ff"
_IN_PLACE = (
    f"(?<=[#*0-9{_EMOJI}])[\ufe0e\ufe0f]"
    f"|(?<=[\ufe0f{_EMOJI}])\u200d(?=[{_EMOJI}])"
    f"|(?<=[{_JOINING}])[\u200c\u200d](?=[{_JOINING}])"
    "|(?<=[\u2801-\u28ff])\u2800(?=[\u2801-\u28ff])"
)

_JOINED = re.compile(_IN_PLACE)
_BACKSLASHES = re.compile(rf"(?<!\\)\\++(?=[{_CLASS}])")
_CODE = re.compile(r"(?<!\\)(\\++)(u[0-9a-f]{4}|U[0-9a-f]{8})")
_ESCAPING = re.compile(f"[\\\\{_CLASS}]")
_MOST_KEPT = 65_536
_FOLDING = re.compile("[\n⏎]")


def revealed(text: str) -> str:
    """The text on one line, with nothing unseen in it but joiners of emoji and of scripts."""
    text = escaped(text)
    return text.replace("⏎", "\\⏎").replace("\n", " ⏎ ") if _FOLDING.search(text) else text


def hidden(text: str) -> str:
    """The reverse of `revealed`."""
    return unescaped(text.replace(" ⏎ ", "\n").replace("\\⏎", "⏎"))


def escaped(text: str) -> str:
    """The text on its lines, with nothing unseen in it but those joiners."""
    if not _ESCAPING.search(text):
        return text
    text = _CODE.sub(_doubled_code, text)
    return shown(_BACKSLASHES.sub(lambda found: found[0] * 2, text))


def unescaped(text: str) -> str:
    """The reverse of `escaped`."""
    return _CODE.sub(_read_code, text) if "\\" in text else text


def shown(text: str) -> str:
    """The text with a code for what cannot be seen, which may have stood there before."""
    if not UNSEEN.search(text):
        return text
    pieces, start = [], 0
    for joint in _JOINED.finditer(text):
        pieces += [text[start : joint.start()].translate(_CODES), joint[0]]
        start = joint.end()
    return "".join([*pieces, text[start:].translate(_CODES)])


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


@lru_cache(maxsize=1_024)
def _named(code: str) -> str | None:
    """The unseen character that a code spells."""
    number = int(code[1:], 16)
    character = chr(number) if number <= 0x10FFFF else ""
    is_named = UNSEEN.match(character) and _escape(character) == f"\\{code}"
    return character if is_named else None


def _doubled_code(found: re.Match[str]) -> str:
    backslashes, code = found.groups()
    return found[0] if _named(code) is None else backslashes * 2 + code


def _read_code(found: re.Match[str]) -> str:
    backslashes, code = found.groups()
    character = _named(code)
    if character is None:
        return found[0]
    half, is_escape = divmod(len(backslashes), 2)
    return "\\" * half + (character if is_escape else code)


class _Codes(dict[int, str]):
    """How each character is shown, found when it is first met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        shown = _escape(character) if UNSEEN.match(character) else character
        if len(self) < _MOST_KEPT:
            self[code] = shown
        return shown


_CODES = _Codes()
