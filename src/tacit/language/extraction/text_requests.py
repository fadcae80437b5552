"""Text requests: messages whose first or last line only asks for work on a text.

"Translate this", "can you proofread", "what do you make of this", "I ran it and got this": if such
a line says nothing else, the other lines are the text that it means, however they are marked off.
The words of each language stand in `text_requests.toml`.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from tacit.language.characters import to_ascii_view
from tacit.language.extraction.lines import LINE_MARKER, normalize_line_ends

_LONGEST = 160
"""The maximum length of such a line."""
_MOST_WORDS = 24
"""The most words of a clause that is read."""
_MOST_IN_TAIL = 8
"""The most words of a phrase behind the request: "for the customer in Lisbon"."""
_MOST_BETWEEN = 4
"""The most words between the two parts of a verb: "fass das zusammen"."""

_CLAUSE = re.compile(r"[.,;:!?…。！？：]+|\s[-–—]+(?:>|\s|$)|\s*[→⬇↓^]+")
_WORD = re.compile(r"[^\W_]+")
_PLACEHOLDER = re.compile(r"<(\w+)>")


class _RequestWords(NamedTuple):
    """The clauses of one language, as patterns."""

    requests: re.Pattern[str]
    asks_first: re.Pattern[str]
    polite: re.Pattern[str]


def has_text_request(text: str) -> bool:
    """Whether the first or the last line only asks for work on a text; lines of courtesy aside."""
    lines = [line.strip() for line in normalize_line_ends(text).split("\n")]
    said = [line for line in lines if line and not _is_polite(line)]
    if len(said) < 2:
        return False
    return _is_request(said[0], is_first=True) or _is_request(said[-1], is_first=False)


def _is_request(line: str, *, is_first: bool) -> bool:
    """Whether each clause of a line asks for work on a text or is polite, and one asks."""
    if len(line) > _LONGEST or LINE_MARKER.match(line):
        return False
    clauses = _split_clauses(line)
    if any(each.count(" ") >= _MOST_WORDS for each in clauses):
        return False
    return any(_asks_throughout(clauses, words, is_first=is_first) for words in _load_words())


def _asks_throughout(clauses: Sequence[str], words: _RequestWords, *, is_first: bool) -> bool:
    asked = [
        words.requests.fullmatch(each) is not None
        or (is_first and words.asks_first.fullmatch(each) is not None)
        for each in clauses
    ]
    rest = (each for each, asks in zip(clauses, asked, strict=True) if not asks)
    return any(asked) and all(map(words.polite.fullmatch, rest))


def _is_polite(line: str) -> bool:
    """Whether a line is a greeting, thanks or the like alone."""
    if len(line) > _LONGEST:
        return False
    clauses = _split_clauses(line)
    return any(all(map(words.polite.fullmatch, clauses)) for words in _load_words())


def _split_clauses(line: str) -> list[str]:
    """The clauses of a line, in plain words between single spaces."""
    plain = to_ascii_view(line.replace("’", "'")).casefold()
    clauses = (" ".join(_WORD.findall(each)) for each in _CLAUSE.split(plain))
    return [each for each in clauses if each]


@cache
def _load_words() -> tuple[_RequestWords, ...]:
    written = (files(__package__) / "text_requests.toml").read_text("utf-8")
    return tuple(map(_build_words, tomllib.loads(written).values()))


def _build_words(written: Mapping[str, Any]) -> _RequestWords:
    parts = {
        name: _to_choices(each) for name, each in written.items() if not isinstance(each, list)
    }
    others = _one_of(parts, "fill", "points", "texts", "please")
    named = _one_of(parts, "points", "texts")
    tail = rf"(?: (?:{parts['tail']})(?: \w+){{1,{_MOST_IN_TAIL}}})?"
    works, handles = (f"(?:{parts[name]})" for name in ("works", "handles"))
    handling = rf"(?:{others} )*?(?:{works}|{handles})"
    more = rf"(?: (?>(?:{works}|{handles}|{others})(?= |$)))"
    requests = (
        rf"(?:{others} )*?{works}{more}*",
        rf"{handling}(?=(?: \w+)* {named}){more}*?{tail}",
        rf"(?:{others} )*?{named} {handling}{more}*?{tail}",
        *(_fill(each, parts) for each in written["asks"]),
    )
    asks_first = (
        rf"(?:{others} )*?{handles} (?:{parts['please']})",
        rf"(?:{parts['please']}) (?:{others} )*?{handles}",
        *(_fill(each, parts) for each in written["asks_first"]),
    )
    return _RequestWords(
        requests=re.compile("|".join(requests)),
        asks_first=re.compile("|".join(asks_first)),
        polite=re.compile(rf"(?:{parts['please']})(?: (?:{parts['please']}))*"),
    )


def _one_of(parts: Mapping[str, str], *names: str) -> str:
    """A pattern of one word or phrase of these lists, the longest, which is never read again."""
    choices = "|".join(parts[name] for name in names)
    longest = "|".join(sorted(choices.split("|"), key=len, reverse=True))
    return f"(?>(?:{longest})(?= |$))"


def _fill(pattern: str, parts: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda found: f"(?:{parts[found[1]]})", pattern)


def _to_choices(words: str) -> str:
    """A pattern of any of these words, the longest first."""
    between = rf" (?:\\w+ ){{0,{_MOST_BETWEEN}}}?"
    choices = "|".join(sorted(words.split(), key=len, reverse=True))
    return re.sub("~", between, choices.replace("_", " ").replace("*", r"\w*"))
