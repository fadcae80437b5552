"""Find what a corrected value replaces: a date a date, a number a number, a name a name."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tacit.language.calendar import MONTHS, NUMBERS, WEEKDAYS, any_of
from tacit.language.extraction.quoted_text import MASK
from tacit.language.extraction.rule_tables import RuleTable
from tacit.language.languages import DETERMINERS, FUNCTION_WORDS, POINTERS
from tacit.language.vocabulary import (
    ARTICLES,
    DENIALS,
    MILD,
    NUMBER_WORDS,
    PLURAL_SPEAKERS,
)

_MONTH = any_of(MONTHS)
_WEEKDAY = any_of(WEEKDAYS)
_MORE_NUMBERS = """
sechs sieben acht neun zehn elf zwölf zwanzig dreißig six sept huit neuf dix onze douze vingt trente
seis siete ocho nueve diez once doce veinte treinta
"""
_COUNT = any_of(
    {*NUMBER_WORDS, *_MORE_NUMBERS.split(), *(name for name, n in NUMBERS.items() if n > 1)}
)
_DAY = r"\d{1,2}(?:st|nd|rd|th|er|º|\.)?"
_CAPITAL = rf"(?:[A-ZÀ-ÖØ-Þ][\w'+#-]*(?:[./][\w+#-]+)*|[`\"']?{MASK}+[`\"']?)"
_TITLE = r"(?i:dr|prof|mr|mrs|ms|mme|mlle|sra|sr)\b\.?"
_PATTERNS = {
    "date": re.compile(
        rf"\b(?:\d{{4}}-\d\d-\d\d|{_DAY} ?(?:of |de )?(?:{_MONTH})\b|(?:{_MONTH}) \d{{1,2}}"
        r"(?:st|nd|rd|th)?\b(?!:))(?:,? (?:19|20)\d\d\b)?",
        re.IGNORECASE,
    ),
    "clock": re.compile(
        r"\b\d{1,2}(?:(?:[:.]\d\d)? ?(?:[ap]\.?m\b\.?|uhr\b|h\b|o'clock\b)|[:h]\d\d\b)",
        re.IGNORECASE,
    ),
    "ordinal": re.compile(r"\b\d{1,2}(?:(?:st|nd|rd|th|er|º)\b|\.(?= ))", re.IGNORECASE),
    "weekday": re.compile(rf"\b(?:{_WEEKDAY})s?\b", re.IGNORECASE),
    "month": re.compile(rf"\b(?:{_MONTH})\b", re.IGNORECASE),
    "number": re.compile(
        rf"(?<![\w.])[$€£]?\d+(?:[.,:]\d+)*(?: ?[%€$£])?|\b(?:{_COUNT})\b(?:[ -](?:{_COUNT})\b)*",
        re.IGNORECASE,
    ),
    "name": re.compile(
        rf"\b{_TITLE} (?:{_TITLE} )?[\w'-]+(?: {_CAPITAL})*|(?<![\w'`]){_CAPITAL}(?: {_CAPITAL})*"
    ),
}
"""The kinds of values, the more specific one first."""

_REPLACES = {
    "date": ("date", "ordinal", "weekday", "month"),
    "clock": ("clock", "number"),
    "ordinal": ("ordinal", "date", "number"),
    "weekday": ("weekday", "date", "ordinal"),
    "month": ("month",),
    "number": ("number",),
    "name": ("name",),
}
"""What a value of each kind may replace, the likelier one first."""

_MEASURED = ("clock", "number")
_DAYS_BY_NAME = ("weekday", "month", "date")
_MOST_LEADS = 2
_MOST_WORDS = 4
"""The most words of a replacement that is no value of a known kind."""

_MOST_PHRASE_WORDS = 3
"""The same where it does not begin like the words that it replaces."""

_LEAST_CLAUSE_WORDS = 2
_LONGEST_PHRASE = 120
_WORD = re.compile(r"[^\s,;:!?()…\"]+")
_SPEAKERS = (PLURAL_SPEAKERS | POINTERS) - ARTICLES
_ADVERBS = ("ly", "ment", "mente")
_INFINITIVES = ("to", "zu", "à", "a", "de")


class Alignment(NamedTuple):
    """What a replacement takes the place of: the words from `start` to `end`."""

    start: int
    end: int


class Fragment(NamedTuple):
    """Words between two places, in the text that they stand in."""

    hidden: str
    start: int
    end: int
    table: RuleTable

    @property
    def words(self) -> list[re.Match[str]]:
        """Its words, without punctuation around them."""
        return list(_WORD.finditer(self.hidden, self.start, self.end))

    @property
    def is_clause(self) -> bool:
        """Whether it has a subject and a verb, and so states something by itself."""
        words = [_fold(word) for word in self.words]
        if len(words) < _LEAST_CLAUSE_WORDS:
            return False
        is_pronoun = words[0].partition("'")[0] in _SPEAKERS or _SHORT_VERB.search(words[0])
        if is_pronoun and not self.table["linkers"].fullmatch(words[0]):
            return True
        is_long = len(words) > _MOST_WORDS
        return bool(self.table["subjects"].match(self.hidden, self.start, self.end)) and (
            is_long or any(self._is_copula(word) for word in words[1:])
        )

    def _is_copula(self, word: str) -> bool:
        return self.table["copulas"].fullmatch(word) is not None


_SHORT_VERB = re.compile(r"'(?:s|m|re|ve|ll|d)$")


class _Value(NamedTuple):
    """A value in a text, and where its prepositions and articles begin."""

    kind: str
    start: int
    end: int
    lead: int


def is_value(fragment: Fragment) -> bool:
    """Whether a fragment is a value of a known kind and hardly anything else."""
    value = _find_first_value(fragment)
    if value is None:
        return False
    end = _skip_unit(fragment._replace(start=value.end), value.kind)
    rest = _WORD.search(fragment.hidden, end, fragment.end)
    return rest is None or bool(_fold(rest) not in ARTICLES and _is_linker(rest, fragment.table))


def align_value(before: Fragment, fragment: Fragment) -> Alignment | None:
    """What a value replaces before it: the last of its kind, after the same preposition if any."""
    value = _find_first_value(fragment)
    if value is None:
        return None
    leads = [_fold(word) for word in fragment._replace(end=value.start).words]
    for kind in _REPLACES[value.kind]:
        found = list(_find_values(before, kind))
        alike = [each for each in found if leads and leads[0] in _leads_of(before, each)]
        for chosen in (alike or found)[-1:]:
            start = _skip_owned_noun(before, chosen, fragment.hidden[value.start : value.end])
            if leads and start == chosen.start:
                start = _start_of_leads(before, chosen.lead, chosen.start, leads[0])
            return Alignment(start, _end_of_replaced(before, chosen, fragment, value))
    return None


def may_replace(before: Fragment, fragment: Fragment) -> bool:
    """Whether a fragment is likely a replacement where its marker may mean something else.

    That is one word that says something, or a few that begin like the words before them.
    """
    words = fragment.words
    if not words or len(words) > _MOST_PHRASE_WORDS or _is_function_word(words[0], fragment.table):
        return False
    folded = _fold(words[0])
    if len(words) > 1:
        return _find_same_beginning(before, words) is not None
    return folded not in MILD | DENIALS and not folded.endswith(_ADVERBS)


def align_words(before: Fragment, fragment: Fragment, *, is_apart: bool) -> Alignment | None:
    """What words of no known kind replace: what begins alike, or the last words of its shape."""
    words = fragment.words
    is_talk = any(
        fragment.table[name].match(fragment.hidden, fragment.start, fragment.end)
        for name in ("requests", "asks", "pleasantries")
    )
    if is_talk or not words or len(words) > _MOST_WORDS:
        return None
    start = _find_same_beginning(before, words)
    value = _find_first_value(fragment)
    may_be_any = value is None or value.kind == "name"
    if start is None and may_be_any and len(words) <= _MOST_PHRASE_WORDS:
        start = _start_of_last_words(before, fragment, is_apart=is_apart)
        if start is not None and _is_linker(words[0], fragment.table):
            begun = _start_of_linkers(before, start)
            start = _start_of_leads(before, begun, start, _fold(words[0]))
    return None if start is None else Alignment(start, before.end)


def _find_first_value(fragment: Fragment) -> _Value | None:
    """The value that a fragment begins with, after prepositions, articles and the like."""
    values = [next(_find_values(fragment, kind), None) for kind in _PATTERNS]
    found = [value for value in values if value is not None]
    if not found:
        return None
    first = min(found, key=lambda value: value.start)
    leads = fragment._replace(end=first.start).words
    is_led = all(_is_function_word(word, fragment.table) for word in leads)
    return first if is_led and len(leads) <= _MOST_LEADS else None


def _find_values(fragment: Fragment, kind: str) -> Iterator[_Value]:
    for found in _PATTERNS[kind].finditer(fragment.hidden, fragment.start, fragment.end):
        start = found.start() if kind != "name" else _start_of_name(found, fragment)
        if start is None:
            continue
        yield _Value(kind, start, found.end(), _start_of_linkers(fragment, start))


def _start_of_name(found: re.Match[str], fragment: Fragment) -> int | None:
    """Where a name begins in capitals; None if they are a day or only begin a sentence."""
    if any(_PATTERNS[kind].fullmatch(found[0]) for kind in _DAYS_BY_NAME):
        return None
    words = fragment._replace(start=found.start(), end=found.end()).words
    named = [word for word in words if _fold(word) not in FUNCTION_WORDS]
    is_first = bool(named) and not fragment.hidden[: named[0].start()].strip()
    return None if not named or (is_first and fragment.start == 0) else named[0].start()


def _start_of_linkers(fragment: Fragment, start: int) -> int:
    """Where the prepositions and articles begin that stand before a place."""
    for word in reversed(_words_before(fragment.hidden, fragment.start, start)):
        if not _is_linker(word, fragment.table):
            break
        start = word.start()
    return start


def _words_before(hidden: str, start: int, end: int) -> list[re.Match[str]]:
    return list(_WORD.finditer(hidden, max(start, end - _LONGEST_PHRASE // 3), end))


def _leads_of(before: Fragment, value: _Value) -> list[str]:
    return [_fold(word) for word in before._replace(start=value.lead, end=value.start).words]


def _start_of_leads(before: Fragment, start: int, end: int, lead: str) -> int:
    """Where the words before a value begin that a replacement says again in its own way."""
    words = before._replace(start=start, end=end).words
    same = [word.start() for word in words if _fold(word) == lead]
    if same:
        return same[-1]
    if lead in ARTICLES:
        articles = [word.start() for word in words if _fold(word) in ARTICLES]
        return articles[0] if articles else end
    return start


def _skip_owned_noun(before: Fragment, value: _Value, said: str) -> int:
    """Skip what a named person is: "Julia" alone is replaced in "meine Schwester Julia"."""
    words = before._replace(start=value.start, end=value.end).words
    owner = _words_before(before.hidden, before.start, value.start)[-1:]
    is_owned = bool(owner) and (_fold(owner[0]) in DETERMINERS or _is_possessive(owner[0]))
    says_again = said.casefold().split()[0].strip(".") == _fold(words[0])
    if value.kind == "name" and len(words) > 1 and is_owned and not says_again:
        return words[1].start()
    return value.start


_POSSESSIVE = re.compile(
    r"my|our|his|her|their|(?:mein|unser|sein|ihr)\w{0,2}|[mts](?:on|a|es)|nos|notre|mis?|sus?"
    r"|nuestr[oa]s?",
    re.IGNORECASE,
)


def _is_possessive(word: re.Match[str]) -> bool:
    return _POSSESSIVE.fullmatch(word[0]) is not None


def _end_of_replaced(before: Fragment, old: _Value, fragment: Fragment, new: _Value) -> int:
    """Where the replaced words end: after the unit, and after what the replacement says too."""
    new_end = _skip_unit(fragment._replace(start=new.end), new.kind)
    end = old.end
    if new_end > new.end or new.kind == "clock":
        end = _skip_unit(before._replace(start=old.end), old.kind)
    added = _WORD.search(fragment.hidden, new_end, fragment.end)
    follows = _WORD.search(before.hidden, end, before.end)
    if added is not None and follows is not None and _fold(added) == _fold(follows):
        return before.end
    return end


def _skip_unit(after: Fragment, kind: str) -> int:
    """The end of the unit after a number: "euros" in "4000 euros"."""
    unit = re.compile(r" ([^\W\d]+)").match(after.hidden, after.start, after.end)
    if kind not in _MEASURED or unit is None:
        return after.start
    word = unit[1].casefold()
    is_unit = word not in FUNCTION_WORDS and not after.table["linkers"].fullmatch(word)
    return unit.end() if is_unit else after.start


def _find_same_beginning(before: Fragment, words: Sequence[re.Match[str]]) -> int | None:
    """Where words begin as a replacement does: "a poodle, no wait, a beagle"."""
    first = _fold(words[0])
    earlier = before.words
    if len(words) < _LEAST_CLAUSE_WORDS:
        return None
    same = [word.start() for word in earlier[1:-1] if _fold(word) == first]
    if first in ARTICLES and not same:
        same = [word.start() for word in earlier[1:-1] if _fold(word) in ARTICLES]
    return same[-1] if same else None


def _start_of_last_words(before: Fragment, fragment: Fragment, *, is_apart: bool) -> int | None:
    """Where the last words of a text begin that have the shape of a replacement."""
    hidden, table = before.hidden, before.table
    phrase_start = max(before.start, before.end - _LONGEST_PHRASE)
    cut = max(hidden.rfind(mark, phrase_start, before.end) for mark in ",;:")
    words = list(_WORD.finditer(hidden, max(phrase_start, cut + 1), before.end))
    run: list[re.Match[str]] = []
    bound = ""
    for word in reversed(words):
        if _is_function_word(word, table):
            bound = _fold(word)
            break
        run.insert(0, word)
    count = len(fragment.words)
    if not run:
        return None
    if bound and table["copulas"].fullmatch(bound):
        return run[0].start()
    is_same_shape = run[-1][0][0].isupper() == fragment.words[0][0][0].isupper()
    if not is_apart or not is_same_shape or run[-1][0][0].isdigit():
        return None
    is_whole = bool(bound) and bool(table["linkers"].fullmatch(bound))
    if len(run) == count or (is_whole and bound not in _INFINITIVES):
        return run[0].start()
    if bound in PLURAL_SPEAKERS and len(run) > 1:
        return run[1].start()
    is_alike = _fold(run[-1])[-1] == _fold(fragment.words[-1])[-1]
    return run[-1].start() if count == 1 and is_alike else None


def _is_function_word(word: re.Match[str], table: RuleTable) -> bool:
    folded = _fold(word)
    return folded in FUNCTION_WORDS or any(
        table[name].fullmatch(folded) for name in ("linkers", "copulas")
    )


def _is_linker(word: re.Match[str], table: RuleTable) -> bool:
    return table["linkers"].fullmatch(_fold(word)) is not None


def _fold(word: re.Match[str]) -> str:
    return word[0].casefold().strip("`'.")
