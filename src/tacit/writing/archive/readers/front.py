"""Front matter: what a Markdown file says about itself before its text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from yaml import BaseLoader, Node


_MARK = "---"
_LONGEST = 5_000
"""Each memory of the file carries it along, and the parser is slow."""
_MOST_BRACKETS = 200
"""More of them are no list, and take the parser a time that grows with their square."""
_FIELD = re.compile(r"[\w-]+:(?:\s|$)")
_GOES_ON = (" ", "\t", "-", "#")
_BELOW = "; the text below it came in all the same"
_TOO_LONG = f"is longer than {_LONGEST:,} characters; shorten it or, if it is text, remove the ---"
_ENDLESS = "has no end; write --- on a line below it or, if it is text, remove the --- above"
_NESTED = "is nested too deeply; write it flatter"
_NO_FIELDS = "has no fields; write them as name: value"


@dataclass(frozen=True, slots=True)
class Front:
    """The fields of the front matter, how many lines it takes, and what is wrong with it.

    One without fields that can be read has its words instead.
    """

    said: dict[str, Any] | str
    lines: int
    problem: str = ""

    @property
    def fields(self) -> dict[str, Any]:
        """What can be looked up."""
        return self.said if isinstance(self.said, dict) else {}


def front_of(lines: Sequence[str]) -> Front:
    """The front matter of a file; without one it is empty and takes no lines."""
    if not lines or lines[0].rstrip() != _MARK:
        return Front({}, 0)
    ends = (place for place, line in enumerate(lines) if place and line.rstrip() == _MARK)
    end = next(ends, None)
    if end is None:
        return _endless(lines)
    text = "\n".join(lines[1:end])
    return _wrong("", end + 1, _TOO_LONG) if len(text) > _LONGEST else _read(text, end + 1)


def _endless(lines: Sequence[str]) -> Front:
    """It goes on to the first blank line, if all of that could be fields; else it is a rule."""
    said = list(takewhile(str.strip, lines[1:]))
    others = [line for line in said if not _FIELD.match(line)]
    is_front = said[:1] != others[:1] and all(line.startswith(_GOES_ON) for line in others)
    return _wrong("", len(said) + 1, _ENDLESS) if is_front else Front({}, 0)


def _read(text: str, lines: int) -> Front:
    """The fields, every value as it is written; YAML with aliases is kept as text."""
    if text.count("[") + text.count("{") > _MOST_BRACKETS:
        return _wrong(text, lines, _NESTED)
    import yaml  # most programs that use Tacit never import a file

    try:
        fields = yaml.load(text, Loader=_loader())
    except RecursionError:
        return _wrong(text, lines, _NESTED)
    except yaml.YAMLError as error:
        return _wrong(text, lines, f"is not plain YAML ({_reason(error)}); correct it")
    if isinstance(fields, dict):
        return Front(fields, lines)
    return _wrong(text, lines, _NO_FIELDS) if text.strip() else Front({}, lines)


def _wrong(text: str, lines: int, problem: str) -> Front:
    return Front(text, lines, problem + _BELOW)


def _reason(error: Exception) -> str:
    """What is wrong with YAML, and in which line of the file."""
    mark = getattr(error, "problem_mark", None)
    told = getattr(error, "problem", None) or getattr(error, "reason", error)
    return f"line {mark.line + 2}: {told}" if mark else f"{told}"


@cache
def _loader() -> "type[BaseLoader]":
    """Reads text without aliases, by which few words may stand for very many."""
    import yaml

    class Plain(yaml.BaseLoader):
        def compose_node(self, parent: "Node | None", index: int) -> "Node | None":
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("it has aliases")
            return super().compose_node(parent, index)

    return Plain
