"""Orders to ignore, override or forget memory, facts or rules: they are never learned.

Such an order is recognised by its structure, in whatever wording: a verb of not heeding (or one of
heeding beside a negation, or a word for what no longer counts) and, in the same sentence and in any
order, what is remembered. The words of each language stand in `rules/memory_orders.toml`.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import takewhile
from typing import Any

from tacit.language.characters import to_ascii_view

_TOKEN = re.compile(r"[^\W_]+|[.,;:!?]")
_CONTRACTION = re.compile(r"n[’']t\b")
_ENDS = frozenset(".;:!?")
_MARKS = _ENDS | {","}
_MAX_BETWEEN = 6
"""The most words between a verb and what it is about."""
_MAX_NEGATION = 4
"""A negation stands among this many words before its verb, or after it."""
_REACH = 160
"""The most characters before and after a word that are looked at."""
_PART = re.compile(r"\{(\w+)\}")


def is_memory_order(sentence: str) -> bool:
    """Whether a sentence tells an agent to ignore, override or forget memory, facts or rules."""
    text = _normalize(sentence)
    return any(_is_order(text, words) for words in _load_words())


def _normalize(sentence: str) -> str:
    """The words in lower case and without accents, each between spaces."""
    plain = to_ascii_view(_CONTRACTION.sub(" not", sentence)).casefold()
    return f" {' '.join(_TOKEN.findall(plain))} "


@dataclass(frozen=True, slots=True)
class _OrderWords:
    """The words of one language, as patterns, and what its grammar needs."""

    against: re.Pattern[str]
    remove: re.Pattern[str]
    heed: re.Pattern[str]
    negation: re.Pattern[str]
    void: re.Pattern[str]
    hold: re.Pattern[str]
    over: re.Pattern[str]
    stored: re.Pattern[str]
    known: re.Pattern[str]
    bare: re.Pattern[str]
    people: frozenset[str]
    lead: frozenset[str]
    joins: frozenset[str]
    negates_after: bool
    """Whether a verb is negated by what follows it."""


def _is_order(text: str, words: _OrderWords) -> bool:
    return (
        any(_is_against_memory(text, found, words) for found in words.stored.finditer(text))
        or any(_is_opposed(text, found, words) for found in words.known.finditer(text))
        or any(_is_bare_order(text, found, words) for found in words.bare.finditer(text))
    )


def _is_against_memory(text: str, found: re.Match[str], words: _OrderWords) -> bool:
    """Whether a text speaks against memory, whoever is to do it, or of removing it."""
    verbs = (*_near(text, found, words.against), *_near(text, found, words.remove))
    return any(not _is_negated(text, verb, words) for verb in verbs) or _is_unheeded(
        text, found, words
    )


def _is_opposed(text: str, found: re.Match[str], words: _OrderWords) -> bool:
    """Whether a text speaks against what the listener knows; people may forget it themselves."""
    return any(
        not (_is_negated(text, verb, words) or _has_person(text, verb, words))
        for verb in _near(text, found, words.against)
    ) or _is_unheeded(text, found, words)


def _is_unheeded(text: str, found: re.Match[str], words: _OrderWords) -> bool:
    """Whether something is not to be heeded, does not count, or comes after something else."""
    if any(_is_negated(text, verb, words, heeds=True) for verb in _near(text, found, words.heed)):
        return True
    before = _spaced(_words_before(text, found.start())[-_MAX_NEGATION:])
    after = _spaced(_clause_after(text, found.end(), words)[:_MAX_BETWEEN])
    is_denied = words.negation.search(before + after) is not None
    if words.hold.search(before + after) if is_denied else words.void.search(after):
        return True
    return words.over.search(before) is not None


def _is_bare_order(text: str, found: re.Match[str], words: _OrderWords) -> bool:
    """Whether a text is an order about rules or facts, and says nothing else of them."""
    for verb in (*_near(text, found, words.against), *_near(text, found, words.heed)):
        heeds = verb.re is words.heed
        if _has_person(text, verb, words) or heeds is not _is_negated(
            text, verb, words, heeds=heeds
        ):
            continue
        first, last = sorted((verb.span(), found.span()))
        others = _clause_before(text, first[0]) + text[first[1] : last[0]].split()
        if all(_is_lead(word, words) for word in others):
            return True
    return False


def _is_lead(word: str, words: _OrderWords) -> bool:
    """Whether a word may stand in an order without saying what it is about."""
    return word == "," or word in words.lead or words.negation.search(_spaced([word])) is not None


def _near(text: str, found: re.Match[str], verbs: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """The verbs that stand near what was found, with no end of a sentence between."""
    start, end = max(0, found.start() - _REACH), found.end() + _REACH
    for verb in verbs.finditer(text, start, end):
        first, last = sorted((verb.span(), found.span()))
        between = text[first[1] : last[0]].split()
        if len(between) <= _MAX_BETWEEN and _ENDS.isdisjoint(between):
            yield verb


def _is_negated(text: str, verb: re.Match[str], words: _OrderWords, *, heeds: bool = False) -> bool:
    """Whether a negation belongs to a verb; two of them before it are none."""
    before = _spaced(_clause_before(text, verb.start())[-_MAX_NEGATION:])
    if len(words.negation.findall(before)) % 2:
        return True
    after = _spaced(_clause_after(text, verb.end(), words)[:_MAX_NEGATION])
    return (heeds or words.negates_after) and words.negation.search(after) is not None


def _has_person(text: str, verb: re.Match[str], words: _OrderWords) -> bool:
    """Whether a verb tells what people do."""
    return not words.people.isdisjoint(_words_before(text, verb.start())[-2:])


def _clause_before(text: str, end: int) -> list[str]:
    """The words before a place, back to the last mark."""
    before = _words_before(text, end)
    last = next((n for n in range(len(before), 0, -1) if before[n - 1] in _MARKS), 0)
    return before[last:]


def _clause_after(text: str, start: int, words: _OrderWords) -> list[str]:
    """The words after a place, up to a mark or a conjunction."""
    after = text[start : start + _REACH].split()
    return list(takewhile(lambda word: word not in _MARKS and word not in words.joins, after))


def _words_before(text: str, end: int) -> list[str]:
    return text[max(0, end - _REACH) : end].split()


def _spaced(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


@cache
def _load_words() -> tuple[_OrderWords, ...]:
    written = (files(__package__) / "rules" / "memory_orders.toml").read_text("utf-8")
    return tuple(_build_words(each) for each in tomllib.loads(written).values())


def _build_words(written: Mapping[str, Any]) -> _OrderWords:
    followers = " ".join(written[name] for name in ("after", "against", "heed"))
    end = rf"(?= (?:[.,;:!?] |(?:{_to_choices(followers)}) |$))"
    parts = {"end": end, "about": written["about"], "hardware": written.get("hardware", "")}

    def compile_objects(patterns: Sequence[str]) -> re.Pattern[str]:
        filled = _PART.sub(lambda part: parts[part[1]], "|".join(patterns))
        return re.compile(rf"(?<= )(?:{filled})\b")

    verbs = ("against", "remove", "heed", "void", "hold", "over")
    return _OrderWords(
        **{name: _compile_words(written[name]) for name in verbs},
        negation=_compile_words(written["not"]),
        stored=compile_objects(written["stored"]),
        known=compile_objects(written["known"]),
        bare=re.compile(rf"(?<= )(?:{_to_choices(written['bare'])}){end}"),
        people=frozenset(written["people"].split()),
        lead=frozenset(written["lead"].split()),
        joins=frozenset(written["joins"].split()),
        negates_after=written["negates_after"],
    )


def _compile_words(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<= )(?:{_to_choices(words)})(?= )")


def _to_choices(words: str) -> str:
    return "|".join(word.replace("_", " ").replace("*", r"\w*") for word in words.split())
