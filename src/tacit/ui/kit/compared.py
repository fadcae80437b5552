"""Two texts side by side, with the words marked that only one of them has."""

from nicegui.element import Element

from tacit.ui.difference import Side
from tacit.ui.kit.element import box, say

GONE, COME, APART = "del", "ins", "mark"
"""How words are marked that only one text has: the older, the newer, or one of two."""

_LONG = 1_000


def compared(side: Side, mark: str = COME) -> Element:
    """A text in pieces; a long one scrolls, by keyboard too."""
    is_long = sum(len(piece.text) for piece in side) > _LONG
    made = box("compared", "p", tabindex="0" if is_long else None)
    with made:
        for piece in side:
            say(piece.text, tag=mark if piece.is_own else "span")
    return made
