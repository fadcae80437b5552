"""Hostile texts made of a pattern itself: what it repeats, repeated, with an end that fails."""

import re
from collections.abc import Iterator, Sequence
from random import Random
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Nodes = Sequence[tuple[Any, Any]]

_MANY = 8
"""What may be repeated more often than this can be repeated for long."""
_ENDS = ("\x00", " zz", "!", "?")
_OUTSIDE = "axAZ05 ,.-_'é:/"
_OF_CATEGORY = {
    codes.CATEGORY_WORD: "aZ9_é",
    codes.CATEGORY_NOT_WORD: " .,-",
    codes.CATEGORY_DIGIT: "059",
    codes.CATEGORY_NOT_DIGIT: "a .",
    codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_NOT_SPACE: "a.A9",
}
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)


def repetitions_in(pattern: re.Pattern[str], draw: Random) -> Iterator[tuple[str, str, str]]:
    """What leads to each thing that a pattern repeats, the thing itself, and an end.

    Of a choice that is repeated each alternative comes once, as do two things in a row: where they
    can be read in two ways, a match that fails is tried in all combinations of these.
    """
    tree = list(parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE))
    for before, unit in dict.fromkeys(_repeated(tree, draw)):
        yield before, unit, draw.choice(_ENDS)
    yield "", f"{_written(tree, draw)} ", draw.choice(_ENDS)


def _repeated(nodes: Nodes, draw: Random) -> Iterator[tuple[str, str]]:
    for place, (code, value) in enumerate(nodes):
        before = _written(nodes[:place], draw)
        if code in _REPEATS and value[1] > _MANY:
            yield from ((before, unit) for unit in _units(list(value[2]), draw) if unit)
        for inner in _inside(code, value):
            yield from ((before + more, unit) for more, unit in _repeated(inner, draw))


def _units(nodes: Nodes, draw: Random) -> Iterator[str]:
    """The ways in which a thing can be written, one for each alternative in it."""
    for place, (code, value) in enumerate(nodes):
        around = (nodes[:place], nodes[place + 1 :])
        choices = _inside(code, value) if code is codes.BRANCH else []
        if code is codes.SUBPATTERN and len(value[3]) == 1 and value[3][0][0] is codes.BRANCH:
            choices = _inside(*value[3][0])
        for choice in choices:
            yield "".join(_written(part, draw) for part in (around[0], choice, around[1]))
    yield _written(nodes, draw)
    yield _written(nodes, draw) + _written(nodes, draw)


def _inside(code: Any, value: Any) -> list[Nodes]:
    """The parts of a node, without what must not follow or precede."""
    if code is codes.BRANCH:
        return [list(each) for each in value[1]]
    if code is codes.SUBPATTERN:
        return [list(value[3])]
    if code in _REPEATS:
        return [list(value[2])]
    if code is codes.ATOMIC_GROUP:
        return [list(value)]
    is_ahead = code in (codes.ASSERT, codes.ASSERT_NOT) and value[0] > 0
    return [list(value[1])] if is_ahead else []


def _written(nodes: Nodes, draw: Random) -> str:
    """A short text that matches, as far as can be told without looking around."""
    return "".join(_one(code, value, draw) for code, value in nodes)


def _one(code: Any, value: Any, draw: Random) -> str:
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.IN:
        return _of_set(value, draw)
    if code in (codes.ANY, codes.NOT_LITERAL):
        return "a" if value != ord("a") else "b"
    if code in _REPEATS:
        return "".join(_written(value[2], draw) for _ in range(value[0]))
    inner = [] if code in (codes.ASSERT, codes.ASSERT_NOT) else _inside(code, value)
    return _written(draw.choice(inner), draw) if inner else ""


def _of_set(items: Nodes, draw: Random) -> str:
    """A character of a set, or one outside of it where it is denied."""
    listed = "".join(_characters(code, value) for code, value in items)
    if items[0][0] is codes.NEGATE:
        denied = frozenset(listed)
        listed = "".join(each for each in _OUTSIDE if each not in denied) or "x"
    return draw.choice(listed)


def _characters(code: Any, value: Any) -> str:
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.RANGE:
        return "".join(map(chr, {value[0], sum(value) // 2, value[1]}))
    return _OF_CATEGORY.get(value, "")
