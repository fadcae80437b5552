"""The value that begins at a place in a text, in quotes or without."""

import re
from dataclasses import dataclass

_QUOTED = re.compile(
    r"""
    [bfruN@]{0,2}
    (?:
      \\{1,3}(?P<quote>["'])(?P<escaped>(?:(?!\\{1,3}(?P=quote))[^\n]){1,2000}?)\\{1,3}(?P=quote)
    | "(?P<double>(?:\\.|[^"\\\n]){1,2000})"
    | '(?P<single>(?:\\.|[^'\\\n]){1,2000})'
    | `(?P<ticked>[^`\n]{1,500})`
    | [“„](?P<curly>[^”“\n]{1,500})[”“]
    | «\s?(?P<angled>[^»\n]{1,500}?)\s?»
    | ‘(?P<low>[^’\n]{1,500})’
    )
    """,
    re.VERBOSE,
)
_BARE_END = re.compile(
    r"""
      [\s"'`]
    | (?=
        \\[nrt"']                     # a written line break or quote
      | ;(?:\s|\Z|[\w ]{1,30}=)       # Server=db;Password=…;Timeout=5
      | &(?:amp;)?[\w.-]{1,40}=       # ?token=…&page=2
      | ,(?:\s|\Z|["']|[\w.-]{1,40}[=:])
      | [)\]}]{1,3}(?:[\s,;.]|\Z)
      | </
      )
      [\\;&,)\]}<]
    """,
    re.VERBOSE,
)
_LONGEST = 2_000
_AHEAD = 64
"""What ends a value is not longer."""

LOOK = 256
"""So many characters tell what a value is."""

_ENDS = ".,;:)]}>"
_FREE, _TIMES, _EACH = 16_000, 8, 64
"""So many characters of values are read, and so many times those of the text; a value counts as
so many at least."""


@dataclass(frozen=True, slots=True)
class Value:
    """What was found, and where."""

    text: str
    start: int
    is_quoted: bool = False

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)

    @property
    def look(self) -> str:
        """So much of it as tells what it is."""
        return self.text[:LOOK]


class ValueReader:
    """Reads the values in a text, and bounds how much of it is read again and again."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._read = 0
        self._known = 0, -1
        self._values: dict[int, Value | None] = {}

    def may_read(self, until: int) -> bool:
        """Whether to look for a value after this place: not where too many were looked for.

        No text that people write has so many names of secrets so close together.
        """
        if self._read > _FREE + _TIMES * until:
            return False
        self._read += _EACH
        return True

    def at(self, at: int) -> Value | None:
        """The value that begins here, without the punctuation of the sentence around it."""
        if at not in self._values:
            self._values[at] = self._found(at)
        return self._values[at]

    def _found(self, at: int) -> Value | None:
        quoted = _QUOTED.match(self.text, at)
        if quoted is not None:
            group = str(quoted.lastgroup)
            return Value(quoted[group], quoted.start(group), is_quoted=True)
        told = self.text[at : min(self._end(at), at + _LONGEST)].rstrip(_ENDS)
        self._read += min(len(told), LOOK)
        return Value(told, at) if told else None

    def _end(self, at: int) -> int:
        """Where what stands here ends; what was looked for last is not looked for again."""
        first, end = self._known
        if not first <= at <= end:
            until = first + _AHEAD if at < first else len(self.text)
            found = _BARE_END.search(self.text, at, until)
            if found is not None and (at > end or found.start() < first):
                end = found.start()
            elif at > end:
                end = len(self.text)
            self._known = at, end
        return end
