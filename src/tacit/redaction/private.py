"""Elements that somebody marked as private: they are left out with all that is in them."""

import re

_TAG = re.compile(r"<(/?)private(?:\s[^<>]{0,200})?>", re.IGNORECASE)
_ROUNDS = 8

PRIVATE = "private"
"""The kind of what was marked as private."""


def without_private(text: str) -> str:
    """The text outside of private elements; one that is not closed hides the rest."""
    for _ in range(_ROUNDS):
        bare = _outside(text)
        if bare == text:
            return text
        text = bare
    first = next((tag.start() for tag in _TAG.finditer(text) if not tag[1]), len(text))
    return text[:first]


def _outside(text: str) -> str:
    """What stands outside of elements; what was apart may form another tag where it meets."""
    kept: list[str] = []
    depth, last = 0, 0
    for tag in _TAG.finditer(text):
        if not tag[1]:
            if depth == 0:
                kept.append(text[last : tag.start()])
            depth += 1
        elif depth:
            depth -= 1
            last = tag.end()
    return "".join(kept) if depth else "".join([*kept, text[last:]])
