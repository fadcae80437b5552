"""A file of another program in memory: its lines, front matter, passages and entries."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Self

from tacit.core.errors import ArchiveError, InvalidInput
from tacit.language.redaction.redact import redact_lines

if TYPE_CHECKING:
    from yaml import BaseLoader, Node


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """The position of a statement, and the fields of its memory or why there is none.

    The number is that of the line or, in a JSON file, of the entry.
    """

    number: int
    values: dict[str, Any] | None
    problem: InvalidInput | None = None

    @classmethod
    def left_out(cls, number: int, field: str, problem: str) -> Self:
        """An entry that does not become a memory, with the reason."""
        return cls(number, None, InvalidInput(field, problem))


_STARTS_A_LINE = ("```", "~~~", "    ", "<", "|")


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text with its first line, from 1 on, and the headings above it.

    A passage with an objection is no statement.
    """

    number: int
    headings: tuple[str, ...]
    text: str
    objection: str = ""

    @property
    def content(self) -> str:
        """The text after its headings, so that it can be understood alone."""
        path = " > ".join(title for title in self.headings if title)
        if not path:
            return self.text
        gap = "\n" if self.text.startswith(_STARTS_A_LINE) else " "
        return f"{path}:{gap}{self.text}"


# Front matter


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
class FrontMatter:
    """The fields of the front matter, its number of lines, and its problem if any.

    Front matter whose fields cannot be read is kept as text.
    """

    said: dict[str, Any] | str
    lines: int
    problem: str = ""

    @property
    def fields(self) -> dict[str, Any]:
        """The fields as a mapping."""
        return self.said if isinstance(self.said, dict) else {}


def parse_front_matter(lines: Sequence[str]) -> FrontMatter:
    """Parse the front matter of a file; without one it is empty and takes no lines."""
    if not lines or lines[0].rstrip() != _MARK:
        return FrontMatter({}, 0)
    ends = (place for place, line in enumerate(lines) if place and line.rstrip() == _MARK)
    end = next(ends, None)
    if end is None:
        return _find_unclosed(lines)
    text = "\n".join(lines[1:end])
    return (
        _with_problem("", end + 1, _TOO_LONG)
        if len(text) > _LONGEST
        else _parse_fields(text, end + 1)
    )


def _find_unclosed(lines: Sequence[str]) -> FrontMatter:
    """The end of unclosed front matter: the first blank line, if all lines could be fields."""
    said = list(takewhile(str.strip, lines[1:]))
    others = [line for line in said if not _FIELD.match(line)]
    is_front = said[:1] != others[:1] and all(line.startswith(_GOES_ON) for line in others)
    return _with_problem("", len(said) + 1, _ENDLESS) if is_front else FrontMatter({}, 0)


def _parse_fields(text: str, lines: int) -> FrontMatter:
    """Parse the fields, every value as text; YAML with aliases is kept as text."""
    if text.count("[") + text.count("{") > _MOST_BRACKETS:
        return _with_problem(text, lines, _NESTED)
    import yaml  # most programs that use Tacit never import a file

    try:
        fields = yaml.load(text, Loader=_yaml_loader())
    except RecursionError:
        return _with_problem(text, lines, _NESTED)
    except yaml.YAMLError as error:
        return _with_problem(
            text, lines, f"is not plain YAML ({_describe_yaml_error(error)}); correct it"
        )
    if isinstance(fields, dict):
        return FrontMatter(fields, lines)
    return _with_problem(text, lines, _NO_FIELDS) if text.strip() else FrontMatter({}, lines)


def _with_problem(text: str, lines: int, problem: str) -> FrontMatter:
    return FrontMatter(text, lines, problem + _BELOW)


def _describe_yaml_error(error: Exception) -> str:
    """Describe a YAML error with its line in the file."""
    mark = getattr(error, "problem_mark", None)
    told = getattr(error, "problem", None) or getattr(error, "reason", error)
    return f"line {mark.line + 2}: {told}" if mark else f"{told}"


@cache
def _yaml_loader() -> "type[BaseLoader]":
    """A YAML loader without aliases, which could expand a few words to very many."""
    import yaml

    class Plain(yaml.BaseLoader):
        def compose_node(self, parent: "Node | None", index: int) -> "Node | None":
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("it has aliases")
            return super().compose_node(parent, index)

    return Plain


# The file


_MOST_LINES = 100_000
_MOST_CELLS = 300_000
_CELL = "|"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The lines of a file, its front matter, its name if known, and its data if it is JSON."""

    lines: list[str]
    front: FrontMatter
    name: str | None = None
    data: Any = None

    @classmethod
    def of(cls, raw: bytes, name: str | None) -> Self:
        """Read the bytes of a file."""
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            place = f"byte {error.start + 1} is not UTF-8"
            raise ArchiveError(f"{place}; save the file as UTF-8 and import it again") from None
        lines = split_lines(text)
        return cls(lines, parse_front_matter(lines), name, parse_json(text))

    @property
    def body(self) -> list[str]:
        """The lines below the front matter, without secrets, which may span several lines."""
        return redact_lines(self.lines[self.front.lines :])

    def origin(self, **parts: Any) -> dict[str, Any]:
        """The origin of a statement in this file, as far as it is known."""
        known = {"file": self.name, **parts}
        return {name: part for name, part in known.items() if part is not None}

    def entry(self, passage: Passage, **metadata: Any) -> SourceEntry:
        """The entry of a passage; `metadata` is about the whole file."""
        if passage.objection:
            return SourceEntry.left_out(passage.number, "text", passage.objection)
        return SourceEntry(
            passage.number,
            {
                "content": passage.content,
                "origin": self.origin(),
                "metadata": {**metadata, "line": passage.number},
            },
        )


def split_lines(text: str) -> list[str]:
    """The lines of a text, as editors count them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def refuse_large_text(lines: Sequence[str]) -> None:
    """Refuse a text that would take too long to read."""
    if len(lines) > _MOST_LINES:
        raise ArchiveError(
            f"this text has more than {_MOST_LINES:,} lines; split it or, with a memory on each"
            ' line, import it with the format "lines"'
        )
    if sum(line.count(_CELL) for line in lines) > _MOST_CELLS:
        raise ArchiveError(f"this text has tables of more than {_MOST_CELLS:,} cells; split it")


def parse_json(text: str | bytes) -> Any:
    """Parse JSON; None if it is invalid, or neither an object nor a list."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict | list) else None
