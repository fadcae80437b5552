"""Third-party text: messages in which a person passes on what somebody else wrote.

"Summarise this article", "what does the above mean?", "^ got this from support", "which version is
better?": a message holds third-party text if a sentence asks for work on a text or says where one
is from, and more is said than that, however the text is marked off. Which of the other sentences
are the person's own cannot be told then.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from tacit.language.languages import INTERROGATIVES, SPEAKERS
from tacit.language.sentences import is_question, split_sentences
from tacit.language.topics import speaks_of_own, states_of_self
from tacit.language.word_lists import split_words

_LONGEST_REQUEST = 260
"""So many characters of a sentence are read: a request stands at its beginning, or is short."""

_FEWEST_WORDS = 4
"""So many words beside a request may be a text."""

_LONGEST_ASKED = 14
_FEWEST_OF_TEXT = 6
"""Words of a line that asks, at most; and of a text beside it, at least."""

_LONGEST_ANNOUNCEMENT = 300
_FEWEST_ANNOUNCED = 3
"""Characters of a message that announces a text, at most; and words of the text, at least."""

_ITEM = re.compile(r"\s*(?:[-*•☐\[]|\d{1,2}[.)] |[\w -]{1,24}: )")
_WORD = re.compile(r"\w+")
_BREAK = re.compile(r"\n| -{1,2} | [–—] | -> ")
_PLACEHOLDER = re.compile(r"<(\w+)>")
_QUOTED = re.compile(r"[\"“”„«»][^\"“”„«»\n]{1,200}[\"“”„«»]|(?<!\w)['‘][^'’\n]{3,80}['’](?!\w)")


class _Patterns(NamedTuple):
    """The patterns of `third_party_text.toml`, each for all languages."""

    anywhere: re.Pattern[str]
    """Asks for work on a text that it names or points at, or says where a text is from."""
    apart: re.Pattern[str]
    """Asks about something that stands on other lines: "is that legit?", "thoughts?"."""
    adopts: re.Pattern[str]
    """Asks to keep or to follow a text."""
    announces: re.Pattern[str]
    """Says that a text comes with the next message."""
    disowns: re.Pattern[str]
    """Says that what was sent before was somebody else's."""
    self_quote: re.Pattern[str]
    """Says that the person's own words are quoted."""
    own: re.Pattern[str]
    """Names the person's own plans, words or code as what is to be worked on."""


@cache
def _load_patterns() -> _Patterns:
    table = tomllib.loads((files(__package__) / "third_party_text.toml").read_text("utf-8"))
    parts: Mapping[str, str] = {
        name: "(?:" + "|".join(_to_lines(written)) + ")"
        for name, written in table.pop("parts").items()
    }

    def fill(line: str) -> str:
        return _PLACEHOLDER.sub(lambda found: parts[found[1]], line)

    return _Patterns(
        **{
            name: re.compile("|".join(map(fill, _to_lines(written))), re.IGNORECASE)
            for name, written in table.items()
        }
    )


def _to_lines(written: str) -> list[str]:
    return [line.strip() for line in written.splitlines() if line.strip()]


def has_third_party_text(text: str) -> bool:
    """Whether a message asks for something to be done with a text in it, or points at one."""
    if find_adopted_text(text):
        return True
    words = len(_WORD.findall(text))
    parts = [part.strip() for part in _BREAK.split(text) if part.strip()]
    sentences = [sentence for part in parts for sentence in split_sentences(part)]
    if any(_introduces_text(each, words, is_apart=len(parts) > 1) for each in sentences):
        return True
    return _has_text_beside_question([line for line in text.split("\n") if line.strip()])


def _has_text_beside_question(lines: Sequence[str]) -> bool:
    """Whether the first or the last line asks something, and nobody speaks of themselves beside it.

    A list may be the person's own, and one line is too little to tell.
    """
    if len(lines) < 2:
        return False
    for asked, rest in ((lines[0], lines[1:]), (lines[-1], lines[:-1])):
        first = split_words(asked)[:1]
        is_asked = is_question(asked) or not INTERROGATIVES.isdisjoint(first)
        is_short = len(asked.split()) <= _LONGEST_ASKED
        if not (is_asked and is_short) or any(map(_ITEM.match, rest)):
            continue
        beside = " ".join(rest)
        of_self = speaks_of_own(beside) or any(map(states_of_self, split_sentences(beside)))
        is_long = len(_WORD.findall(beside)) >= _FEWEST_OF_TEXT
        if is_long and not of_self and SPEAKERS.isdisjoint(split_words(beside)):
            return True
    return False


def find_adopted_text(text: str) -> str:
    """The text that a message asks to keep or follow, and that is not the person's own; or none."""
    start = 0
    for line in text.split("\n"):
        read = _QUOTED.sub(lambda found: "…" * len(found[0]), line)[:_LONGEST_REQUEST]
        found = _load_patterns().adopts.search(read)
        if found is not None and not shows_own_text(read):
            rest = text[start + found.end() :]
            return rest.strip() if len(_WORD.findall(rest)) >= _FEWEST_WORDS else ""
        start += len(line) + 1
    return ""


def announces_text(text: str) -> bool:
    """Whether a message says that its speaker hands over a text with the next one.

    It has room for no more than that: a long one probably holds the text itself.
    """
    if len(text) > _LONGEST_ANNOUNCEMENT:
        return False
    sentences = split_sentences(text)
    return any(
        _load_patterns().announces.search(each) is not None and not shows_own_text(each)
        for each in sentences
    )


def disowns_text(text: str) -> bool:
    """Whether a message says that the one before it held somebody else's text."""
    if len(text) > _LONGEST_ANNOUNCEMENT:
        return False
    return any(map(_load_patterns().disowns.search, split_sentences(text)))


def may_be_announced(text: str) -> bool:
    """Whether a message may be the text that the message before it announced.

    A short question, an order of a few words and "ok" are not: the text is still to come.
    """
    words = len(_WORD.findall(text))
    return words >= _FEWEST_ANNOUNCED and not (words <= _LONGEST_ASKED and is_question(text))


def shows_own_text(sentence: str) -> bool:
    """Whether a sentence presents the person's own text, or asks about their own plans."""
    return _load_patterns().own.search(sentence[:_LONGEST_REQUEST]) is not None


def quotes_self(text: str) -> bool:
    """Whether somebody quotes their own words: "as I said, …"."""
    return _load_patterns().self_quote.search(text[:_LONGEST_REQUEST]) is not None


def _introduces_text(sentence: str, words: int, *, is_apart: bool) -> bool:
    """Whether a sentence asks for work on a text, and more is said in its message than that."""
    known, read = _load_patterns(), _QUOTED.sub("…", sentence)[:_LONGEST_REQUEST]
    found = known.anywhere.search(read) or (known.apart.search(read) if is_apart else None)
    request, _, _ = read.partition(":")
    if found is None or known.own.search(read[: max(found.end() + 1, len(request))]):
        return False
    asked = len(_WORD.findall(read[: found.end()])) if found.end() < len(read) else 0
    return words - max(asked, len(_WORD.findall(found[0]))) >= _FEWEST_WORDS
