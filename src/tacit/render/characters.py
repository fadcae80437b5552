"""Characters that cannot be seen, shown as escapes; line breaks, shown as a sign.

A line feed is shown as " ⏎ ", and a ⏎ of the text's own has a backslash before it. Any other
unseen character is shown by its code, like \\u202e. Backslashes directly before such a character,
or before letters that spell such a code, are doubled: an odd number of them makes an escape.
"""

import re

_CLASS = (
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad"  # controls other than tab and line feed
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # fillers, joiners, marks
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"  # zero width, breaks, bidi
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
)

_OUT_OF_PLACE = re.compile(f"(?!{_IN_PLACE})[{_CLASS}]")
_BACKSLASHES = re.compile(rf"(?<!\\)\\++(?=[{_CLASS}])")
_CODE = re.compile(r"(?<!\\)(\\++)(u[0-9a-f]{4}|U[0-9a-f]{8})")
_SPECIAL = re.compile(f"[\\\\\n⏎{_CLASS}]")


def revealed(text: str) -> str:
    """The text on one line, with nothing unseen in it but the joiners of emoji and of scripts."""
    if not _SPECIAL.search(text):
        return text
    text = _CODE.sub(_doubled_code, text)
    text = _BACKSLASHES.sub(lambda found: found[0] * 2, text)
    text = _OUT_OF_PLACE.sub(lambda found: _escape(found[0]), text)
    return text.replace("⏎", "\\⏎").replace("\n", " ⏎ ")


def hidden(text: str) -> str:
    """The reverse of `revealed`."""
    text = text.replace(" ⏎ ", "\n").replace("\\⏎", "⏎")
    return _CODE.sub(_read_code, text)


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


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
