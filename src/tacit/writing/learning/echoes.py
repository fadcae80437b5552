"""Echoes: words that only repeat what Tacit itself showed, in a pasted block or rephrased."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from tacit.core.kinds import MemoryType, Scope
from tacit.core.open_turn import CapturedTurn
from tacit.language.extraction.authorship import WeighAuthorship
from tacit.language.extraction.expiry import remove_stated_day
from tacit.language.extraction.extract import extract_findings
from tacit.language.prompt_templates import (
    FRAME_RULES,
    FRAME_TITLE,
    INJECTION_BLOCK_PREFIX,
    KNOWN_FACTS,
    PINNED,
    PREFACE,
    RELEVANT,
    SAID_EARLIER,
    STANDING_RULES,
    TEMPLATES,
    DayLabel,
    Remark,
)
from tacit.language.terms import extract_query_terms, extract_terms
from tacit.statements.common_words import has_own_words
from tacit.statements.comparison import Comparison, compare_texts, is_addition
from tacit.statements.parser import parse_text

# Cues: how a statement is meant


_EDGES = " \t\r\n,;:.!?-–—()"


def is_stated_as_known(sentence: str) -> bool:
    """Whether the speaker takes the statement for known."""
    return _load_cues("known").search(sentence) is not None


def is_stated_as_change(sentence: str) -> bool:
    """Whether the speaker says that something has changed."""
    return _load_cues("changed").search(sentence) is not None


def is_remark(sentence: str) -> bool:
    """Whether a text means nothing without the rest of the conversation."""
    said = sentence.strip(" \t\r\n\"'“‘>*")
    is_answer = _load_cues("remarks").match(said) is not None
    return is_answer or said.endswith(":") or _load_cues("about_talk").search(said) is not None


def remove_reminders(sentence: str) -> str:
    """Remove the words that mark a statement as known, unless nothing else is left."""
    return _load_cues("known").sub(" ", sentence).strip(_EDGES) or sentence


def remove_continuing(sentence: str) -> str:
    """Remove the words that say that something goes on as it is."""
    return _load_cues("continuing").sub(" ", sentence)


@cache
def _load_cues(name: str) -> re.Pattern[str]:
    """The cues of a name as one pattern."""
    written = (files("tacit.writing.learning") / "cues.toml").read_text("utf-8")
    patterns = "|".join(tomllib.loads(written)[name])
    return re.compile(rf"(?<!\w)(?:{patterns})(?!\w)", re.IGNORECASE)


# Statements that repeat what a session was shown


_SAME = 0.8
"""So alike by meaning, two texts that differ in no number and no date say the same."""

_TOGETHER = 1.05
"""So much they are alike in meaning and in words, taken together."""

_COVERED = 0.6
_ALL_COVERED = 0.85
_ABOUT = 0.4
"""So alike, a statement that is told as known is about what was shown."""

_SHARED = 0.25
_COVERED_AS_KNOWN = 0.5
_LEAST_WORDS = 2
"""With fewer words of its own, what is told as known says nothing besides."""

_ORDINALS = {
    "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "twentieth": 20, "thirtieth": 30,
    "fortieth": 40, "fiftieth": 50, "sixtieth": 60,
}  # fmt: skip
_ORDINAL_WORDS = re.compile(rf"\b(?:{'|'.join(_ORDINALS)})\b", re.IGNORECASE)
_THOUSANDS = re.compile(r"\b(\d{1,3})k\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class InjectedMemory:
    """A memory that was injected, and its similarity to a statement if known."""

    memory: str
    content: str
    likeness: float | None = None


def find_echo(
    content: str, sentence: str, shown: Iterable[InjectedMemory], *, is_unmarked: bool = False
) -> str | None:
    """The memory that a statement repeats, if any; a change of a memory is no echo.

    The words of `sentence` tell whether it is meant as known or as a change. One that is unmarked,
    as no rule reads it, is taken for known.
    """
    as_change = is_stated_as_change(content) or is_addition(content)
    as_known = is_stated_as_known(content) or (
        not as_change and (is_unmarked or is_stated_as_known(sentence))
    )
    manner = _StatementManner(as_known, as_change)
    found: str | None = None
    for each in shown:
        bare = remove_reminders(_drop_day_for(each.content, content))
        if _is_news_about(each.content, bare):
            return None
        if found is None and _is_echo(bare, each, manner):
            found = each.memory
    return found


def says_more(content: str, old: str) -> bool:
    """Whether a statement has a word, a number, a date or a denial that a memory has not.

    Words that say that it is known, or that it goes on as it is, do not count.
    """
    bare = remove_continuing(remove_reminders(_drop_day_for(old, content)))
    denies = parse_text(bare).is_negated and not parse_text(old).is_negated
    return denies or has_own_numbers(bare, old) or has_own_words(old, bare)


def _drop_day_for(old: str, new: str) -> str:
    """A statement without the day that learning gave it, where a memory was given none."""
    return new if remove_stated_day(old) != old else remove_stated_day(new)


class _StatementManner(NamedTuple):
    """How a statement is put: as known, or as a change."""

    as_known: bool
    as_change: bool


def _is_news_about(old: str, new: str) -> bool:
    """Whether a statement conflicts with a memory; one without words of its own says less."""
    if _coverage(new, old) == 1.0 and parse_text(new).is_negated == parse_text(old).is_negated:
        return False
    return compare_texts(old, new) is Comparison.CONFLICTS


def _is_echo(content: str, shown: InjectedMemory, manner: _StatementManner) -> bool:
    if compare_texts(content, shown.content) is Comparison.REPEATS:
        return True
    covered, likeness = _coverage(content, shown.content), shown.likeness
    if manner.as_known and (
        covered >= _COVERED_AS_KNOWN or len(_telling_words(content)) < _LEAST_WORDS
    ):
        return True
    if has_own_numbers(content, shown.content):
        return False
    if manner.as_known:
        return covered >= _SHARED or (likeness is not None and likeness >= _ABOUT)
    if manner.as_change:
        return covered == 1.0
    if covered >= _ALL_COVERED:
        return True
    if likeness is None:
        return covered >= _COVERED
    return likeness >= _SAME or likeness + covered >= _TOGETHER


def has_own_numbers(content: str, old: str) -> bool:
    """Whether a statement has a number or date that the other has not."""
    ours, theirs = parse_text(_to_digits(content)), parse_text(_to_digits(old))
    return not ours.numbers <= theirs.numbers or not ours.dates <= theirs.dates


def _to_digits(text: str) -> str:
    """Write ordinals and thousands, "the third" and "12k", in digits; the parser reads the rest."""
    spelled = _ORDINAL_WORDS.sub(lambda found: str(_ORDINALS[found[0].casefold()]), text)
    return _THOUSANDS.sub(r"\g<1>000", spelled)


def _coverage(content: str, old: str) -> float:
    """The share of a statement's distinctive words that the other has too."""
    theirs = _terms(old)
    ours = _telling_words(content)
    return sum(not theirs.isdisjoint(each) for each in ours) / len(ours) if ours else 1.0


@lru_cache(maxsize=4_096)
def _terms(text: str) -> frozenset[str]:
    return frozenset(extract_terms(text))


@lru_cache(maxsize=4_096)
def _telling_words(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of a text without stop words, each in all its stems."""
    return tuple(term.alternatives for term in extract_query_terms(text) if not term.is_stop_word)


# Pasted blocks, recognised by their layout


_TYPES = "|".join(MemoryType)
_LABEL = rf"\[(?:{'|'.join(type.capitalize() for type in MemoryType)})\]"
_REMARKED = "|".join(re.escape(each) for each in TEMPLATES if isinstance(each, Remark))
_FIXED_LINES = (PREFACE, *FRAME_RULES)
_HEADINGS = (FRAME_TITLE, KNOWN_FACTS, STANDING_RULES, PINNED, RELEVANT, SAID_EARLIER)

_HEADER = re.compile(rf"{re.escape(INJECTION_BLOCK_PREFIX)}(?: ?#[0-9a-f]{{8}})?")
_WHOLE = "|".join((*(re.escape(words) for words in _FIXED_LINES), "═{8,}"))
_TITLED = "|".join(map(re.escape, _HEADINGS))
_OPENINGS = re.compile(
    rf"(?P<whole>{_WHOLE})|(?P<heading>{_TITLED})|(?P<label>{_LABEL})|(?P<item>- )"
)
"""What stands alone, and what a line of a memory begins with."""
_ENDINGS = {
    "label": re.compile(r"\(importance: \d(?:\.\d+)?\)"),
    "item": re.compile(rf" \((?:{_TYPES}), (?:{'|'.join(Scope)}), confidence \d\.\d\d\)"),
}
"""What such a line ends with, by what it begins with."""
_DAYS = rf"(?:{'|'.join(DayLabel)}) \d{{4}}-\d\d-\d\d"
_REMARKS = re.compile(
    rf"(?: \((?:{_REMARKED}|{_DAYS}(?:, {_DAYS})*|(?:conflict|replaces): [^\n]*?)\))*"
)
_LABELLED = re.compile(rf"^[ \t>*-]*{_LABEL} [^\n]*$", re.MULTILINE)
_WITHIN = re.compile(r"\w,? [\"'“„«‚‘(]? ?$")
"""Before a heading that somebody names within a sentence."""
_BELOW = re.compile(r"[ \t]*(?:\n|- |\[|═|\d{4}-)")
"""After a heading that stands above something."""
_SAID = re.compile(
    rf"{re.escape(SAID_EARLIER)}(?:\s*\n[ \t>*-]*\d{{4}}-\d\d-\d\d(?:, \w+)?: [^\n]*)+"
)
"""The section of what was said earlier: its heading, and the lines that begin with a day."""


def remove_pasted_blocks(text: str) -> str:
    """Remove the lines of a text that only an injected block has."""
    text = _SAID.sub(" ", text)
    header = next((each for each in _HEADER.finditer(text) if not _is_named(text, each)), None)
    if header is not None:
        before, after = text[: header.start()], _HEADER.sub(" ", text[header.start() :])
        text = before + _LABELLED.sub(" ", after)
    return " ".join(_split_around_blocks(text))


def _split_around_blocks(text: str) -> Iterator[str]:
    """The text before, between and after the parts of blocks."""
    start = 0
    endings: dict[str, _Endings] = {}
    opening = _OPENINGS.search(text)
    while opening is not None:
        name, end = opening.lastgroup or "", opening.end()
        if name in _ENDINGS and name not in endings:
            endings[name] = _Endings(_ENDINGS[name], text)
        after = endings[name].after(end) if name in _ENDINGS else end
        if name == "heading" and _is_named(text, opening):
            after = None
        if after is not None:
            yield text[start : opening.start()]
            start = end = after
        opening = _OPENINGS.search(text, end)
    yield text[start:]


def _is_named(text: str, heading: re.Match[str]) -> bool:
    """Whether a sentence speaks of a heading: "never read the [Known facts] again"."""
    start, end = heading.span()
    return (
        _WITHIN.search(text[max(0, start - 4) : start]) is not None
        and _BELOW.match(text, end) is None
    )


class _Endings:
    """The endings of one kind, found from the front to the back of a text.

    A line may have many openings and no ending, so nothing is searched twice.
    """

    def __init__(self, ending: re.Pattern[str], text: str) -> None:
        self._text = text
        self._found = ending.finditer(text)
        self._start, self._end, self._line = 0, 0, 0
        self._step()

    def after(self, place: int) -> int | None:
        """The end of the first ending after a position, with remarks, if it is in the same line."""
        while self._start < place:
            self._step()
        if self._end < 0 or place < self._line:
            return None
        remarks = _REMARKS.match(self._text, self._end)
        return self._end if remarks is None else remarks.end()

    def _step(self) -> None:
        """Go to the next ending, and to the start of its line."""
        found = next(self._found, None)
        before = self._end
        self._start, self._end = found.span() if found else (len(self._text), -1)
        self._line = max(self._line, self._text.rfind("\n", before, self._start) + 1)


def has_quotes(turn: CapturedTurn, weigh_authorship: WeighAuthorship | None = None) -> bool:
    """Whether anything in the messages of a turn, taken together, looks quoted or pasted."""
    said = remove_pasted_blocks("\n".join(turn.said))
    return extract_findings(said, turn.at, weigh_authorship=weigh_authorship).has_quotes
