"""Tokens that are known by how they begin."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tacit.language.redaction.span import Span
from tacit.language.redaction.value import LOOK
from tacit.language.redaction.values import is_wordy

_KEY = 2
_START = re.compile(
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4})|(?<=%[0-9A-Fa-f]{2}))[A-Za-z0-9]"
)
_ENDS = ".-%\\"
_ENCODED = re.compile(r"%(2[dDeE]|3[0-9]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aA])")
"""A letter, a digit, a hyphen, a dot or an underscore."""


@dataclass(frozen=True, slots=True)
class Token:
    """A kind of token: how it begins, and what follows."""

    name: str
    begins: str
    pattern: str

    def match(self, text: str, at: int) -> re.Match[str] | None:
        """What follows the beginning of a token of this kind that stands here."""
        if not text.startswith(self.begins, at):
            return None
        return _compiled(self.pattern).match(text, at + len(self.begins))


def tokens(text: str, start: int, end: int) -> Iterator[Span]:
    """The tokens in a stretch without spaces."""
    last, kinds = start, _kinds()
    for place in _START.finditer(text, start, end):
        at = place.start()
        for token in kinds.get(text[at : at + _KEY], ()) if at >= last else ():
            body = token.match(text, at)
            if body is not None:
                last = body.end()
                if not is_wordy(body[0][:LOOK]):
                    yield Span(at, body.start() + len(body[0].rstrip(_ENDS)), token.name, at)
                break


def encoded_tokens(text: str, start: int, end: int) -> Iterator[Span]:
    """The tokens in a stretch that has letters of them written as in a URL (`%67` for `g`)."""
    if not _ENCODED.search(text, start, end):
        return
    pieces: list[str] = []
    places: list[int] = []
    last = start
    for found in _ENCODED.finditer(text, start, end):
        pieces += (text[last : found.start()], chr(int(found[1], 16)))
        places += (*range(last, found.start()), found.start())
        last = found.end()
    decoded = "".join([*pieces, text[last:end]])
    places += range(last, end + 1)
    for span in tokens(decoded, 0, len(decoded)):
        first, after = places[span.start], places[span.end]
        if _ENCODED.search(text, first, after):
            yield Span(first, after, span.name, first)


@cache
def _kinds() -> Mapping[str, tuple[Token, ...]]:
    """The kinds by their first characters."""
    rows = tomllib.loads((files(__package__) / "tokens.toml").read_text("utf-8"))
    found: dict[str, tuple[Token, ...]] = defaultdict(tuple)
    for name, row in rows.items():
        body = row.get("shape") or f"[A-Za-z0-9{row.get('also', '')}]{{{row['least']},}}"
        for begins in row["begins"]:
            found[begins[:_KEY]] += (Token(name, begins, body),)
    return dict(found)


_compiled = cache(re.compile)
