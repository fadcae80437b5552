"""Secrets that are known by where they stand."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tacit.language.redaction import values
from tacit.language.redaction.span import Span
from tacit.language.redaction.value import LOOK

_SECRET = "secret"
_WORD = r"(?:(?<![A-Za-z0-9\\])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
_CHECKS: Mapping[str, Callable[[str], bool]] = {
    "any": lambda _: True,
    "basic": values.is_basic,
    "password": values.is_password,
    "random": values.is_random,
    "strong": values.is_strong,
    "token": values.is_token,
}


@dataclass(frozen=True, slots=True)
class Place:
    """A kind of place: what it is recognised by, and what a secret must look like there."""

    name: str
    mark: str
    before: int
    pattern: str
    check: Callable[[str], bool]

    @property
    def regex(self) -> re.Pattern[str]:
        """What is looked for at the mark, compiled once it is needed."""
        return _compiled(self.pattern)

    def found(self, text: str, lowered: str) -> Iterator[Span]:
        """Where a secret stands; `lowered` is the text in lower case."""
        after = 0
        at = lowered.find(self.mark)
        while at >= 0:
            match = self._match(text, max(after, at - self.before), at)
            after = at + len(self.mark)
            if match is not None:
                group = _SECRET if _SECRET in self.regex.groupindex else 0
                after = max(after, match.start(group))
                if self.check(match[group][:LOOK]):
                    after = max(after, match.end(group))
                    yield Span(*match.span(group), self.name, match.start())
            at = lowered.find(self.mark, after)

    def _match(self, text: str, first: int, last: int) -> re.Match[str] | None:
        found = (self.regex.match(text, at) for at in range(first, last + 1))
        return next(filter(None, found), None)


def _from_word(regex: str) -> str:
    """The regex with what its first sign stands for; a written line break is no letter."""
    return _WORD + regex[1:] if regex.startswith("^") else regex


def _read(heading: str) -> tuple[Place, ...]:
    rows = tomllib.loads((files(__package__) / "places.toml").read_text("utf-8"))[heading]
    return tuple(
        Place(
            row["name"],
            mark,
            row.get("before", 0),
            _from_word(row["regex"]),
            _CHECKS[row.get("check", "any")],
        )
        for row in rows
        for mark in row["marks"]
    )


_compiled = cache(re.compile)


@cache
def solid_places() -> tuple[Place, ...]:
    """Places in a stretch without spaces."""
    return _read("solid")


@cache
def loose_places() -> tuple[Place, ...]:
    """Places in a line."""
    return _read("loose")
