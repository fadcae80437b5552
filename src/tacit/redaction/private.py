"""Elements that somebody marked as private: they are left out with all that is in them."""

import re

_TAG = re.compile(r"<(/?)private(?:\s[^<>]{0,200})?>", re.IGNORECASE)
_ROUNDS = 8

PRIVATE = "private"
"""The kind of what was marked as private."""


def without_private(text: str, *, keeps_lines: bool = False) -> str:
    """The text outside of private elements; one that is not closed hides the rest.

    Where lines are kept, those of an element are left empty.
    """
    if "<" not in text:
        return text
    for _ in range(_ROUNDS):
        bare = _outside(text, keeps_lines)
        if bare == text:
            return text
        text = bare
    first = next((tag.start() for tag in _TAG.finditer(text) if not tag[1]), len(text))
    return text[:first] + "\n" * (text.count("\n", first) if keeps_lines else 0)


def _outside(text: str, keeps_lines: bool) -> str:
    """What stands outside of elements; what was apart may form another tag where it meets."""
    kept: list[str] = []
    depth, last = 0, 0
    for tag in _TAG.finditer(text):
        if not tag[1]:
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
