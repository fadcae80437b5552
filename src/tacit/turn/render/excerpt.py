"""The beginning of a text, cut where a reader would cut it."""

import re
import unicodedata

_ELLIPSIS = "…"
_SENTENCES = re.compile(r"(?s:.*)(?:[.!?…][\"'”’)\]]*(?=\s)|[。！？؟।](?!\Z)|(?=\n))")
_WORDS = re.compile(r"(?s:.*)\S(?=\s)")
_JOINER = "\u200d"
_ATTACHED = re.compile(
    "[\u200c\u200d\u0e33\u0eb3\u1160-\u11ff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)
_FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))


def shortened(text: str, characters: int) -> str:
    """At most so many characters, with an ellipsis where something was left out.

    The cut is at the end of a sentence, else of a word, where half of the room or more is used so.
    """
    if len(text) <= characters:
        return text
    room = characters - len(f" {_ELLIPSIS}")
    start = text[: _cluster_start(text, _cut(text[: room + 1], room))].rstrip() if room > 0 else ""
    return f"{start} {_ELLIPSIS}" if start else _ELLIPSIS[: max(characters, 0)]


def _cut(text: str, room: int) -> int:
    """Where to cut a text that has one character more than there is room for."""
    found = _SENTENCES.match(text, room // 2) or _WORDS.match(text, room // 2)
    return found.end() if found else room


def _cluster_start(text: str, at: int) -> int:
    """The last place at or before `at` where no character is torn apart."""
    while at > 0 and _is_inside(text, at):
        at -= 1
    return at


def _is_inside(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if unicodedata.category(after).startswith("M") or _ATTACHED.match(after):
        return True
    return before == _JOINER or before + after == "\r\n" or _splits_flag(text, at)


def _splits_flag(text: str, at: int) -> bool:
    """A flag is two letters; an odd number of them before a third tears one apart."""
    before = text[:at]
    return text[at] in _FLAG_LETTERS and (at - len(before.rstrip(_FLAG_LETTERS))) % 2 == 1
