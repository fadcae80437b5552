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
_BARE = re.compile(
    r"""
    (?:
      [^\s"'`\\;&,)\]}<]++
    | (?!
        \\[nrt"']                     # a written line break or quote
      | ;(?:\s|\Z|[\w ]{1,30}=)       # Server=db;Password=…;Timeout=5
      | &(?:amp;)?[\w.-]{1,40}=       # ?token=…&page=2
      | ,(?:\s|\Z|["']|[\w.-]{1,40}[=:])
      | [)\]}]{1,3}(?:[\s,;.]|\Z)
      | </
      )
      [\\;&,)\]}<]
    )++
    """,
    re.VERBOSE,
)
_LONGEST = 2_000

LOOK = 256
"""So many characters tell what a value is."""

_ENDS = ".,;:)]}>"


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


def value_at(text: str, at: int) -> Value | None:
    """The value that begins here, without the punctuation of the sentence around it."""
    quoted = _QUOTED.match(text, at)
    if quoted is not None:
        group = str(quoted.lastgroup)
        return Value(quoted[group], quoted.start(group), is_quoted=True)
    bare = _BARE.match(text, at, at + _LONGEST)
    told = bare[0].rstrip(_ENDS) if bare else ""
    return Value(told, at) if told else None
