"""Orders to ignore, override or forget memory, facts or rules: they are never learned.

Such an order is recognised by its structure, in whatever wording: a verb of not heeding (or one of
heeding beside a negation, or a word for what no longer counts) and, in the same sentence and in any
order, what is remembered. The headings of an injected block are names of that. So is the order to
act as if nothing were remembered. The words of each language stand in `rules/memory_orders.toml`.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import takewhile
from typing import Any

from tacit.language.characters import to_ascii_view
from tacit.language.extraction.quoted_text import MASK

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
_NAME = re.compile(rf"{MASK}{{4,60}}(?!{MASK})")
"""What is quoted and short enough for the name of something."""
_SECTION = "memorysection"
"""Stands for the heading of a block wherever it is quoted or in brackets."""


def is_memory_order(sentence: str) -> bool:
    """Whether a sentence tells an agent to ignore, override or forget memory, facts or rules."""
    text = _normalize(sentence)
    return any(_is_order(text, words) or _is_pretence(text, words) for words in _load_words())


def show_headings(said: str, hidden: str) -> str:
    """A sentence with its quotes masked, but for the headings of a block that it quotes."""
    pieces: list[str] = []
    start = 0
    for found in _NAME.finditer(hidden):
        name = said[found.start() : found.end()]
        if _compile_headings().fullmatch(f"[{to_ascii_view(name).casefold().strip()}]"):
            pieces += (hidden[start : found.start()], name)
            start = found.end()
    return "".join((*pieces, hidden[start:]))


def _normalize(sentence: str) -> str:
    """The words in lower case and without accents, each between spaces."""
    plain = to_ascii_view(_CONTRACTION.sub(" not", sentence)).casefold()
    named = _compile_headings().sub(f" {_SECTION} ", plain)
    return f" {' '.join(_TOKEN.findall(named))} "


@dataclass(frozen=True, slots=True)
class _OrderWords:
    """The words of one language, as patterns, and what its grammar needs."""

    against: re.Pattern[str]
    remove: re.Pattern[str]
    heed: re.Pattern[str]
    negation: re.Pattern[str]
    concord: re.Pattern[str]
    void: re.Pattern[str]
    hold: re.Pattern[str]
    over: re.Pattern[str]
    deem: re.Pattern[str]
    act: re.Pattern[str]
    manner: re.Pattern[str]
    lasting: re.Pattern[str]
    stored: re.Pattern[str]
    known: re.Pattern[str]
    bare: re.Pattern[str]
    blank: re.Pattern[str]
    unknowing: re.Pattern[str]
    feign: re.Pattern[str]
    shown: re.Pattern[str]
    glue: frozenset[str]
    people: frozenset[str]
    lead: frozenset[str]
    joins: frozenset[str]
    relative: frozenset[str]
    negates_after: bool
    """Whether a verb is negated by what follows it."""


def _is_order(text: str, words: _OrderWords) -> bool:
    return (
        any(_is_against_memory(text, found, words) for found in words.stored.finditer(text))
        or any(_is_opposed(text, found, words) for found in words.known.finditer(text))
        or any(_is_bare_order(text, found, words) for found in words.bare.finditer(text))
        or any(_is_against_shown(text, found, words) for found in words.shown.finditer(text))
    )


def _is_against_memory(text: str, found: re.Match[str], words: _OrderWords) -> bool:
    """Whether a text speaks against memory, whoever is to do it, or of removing it."""
    verbs = (*_near(text, found, words.against), *_near(text, found, words.remove))
    return any(not _is_negated(text, verb, words) for verb in verbs) or _is_unheeded(
        text, found, words
    )


def _is_against_shown(text: str, found: re.Match[str], words: _OrderWords) -> bool:
    """Whether a sentence speaks against what stands in the prompt, and names nothing else."""
    before, after = (text[max(0, found.start() - _REACH) : found.start()], text[found.end() :])
    start = max(map(before.rfind, _ENDS)) + 1
    rest = before[start:] + " " + _sentence_after(after[:_REACH])
    if not words.people.isdisjoint(rest.split()):
        return False
    orders = (words.against, words.heed, words.hold, words.deem, words.lasting)
    if not any(said.search(rest) for said in orders):
        return False
    for said in (*orders, words.void):
        rest = said.sub(" ", rest)
    is_bare = all(_is_lead(word, words) or word in words.glue for word in rest.split())
    return is_bare and _is_against_memory(text, found, words)


def _sentence_after(after: str) -> str:
    """What follows a place, up to the end of the sentence."""
    return _spaced(list(takewhile(lambda word: word not in _ENDS, after.split())))


def _is_opposed(text: str, found: re.Match[str], words: _OrderWords) -> bool:
    """Whether a text speaks against what the listener knows; people may forget it themselves."""
    return any(
        not (_is_negated(text, verb, words) or _has_person(text, verb, words))
        for verb in _near(text, found, words.against)
    ) or _is_unheeded(text, found, words)


def _is_unheeded(text: str, found: re.Match[str], words: _OrderWords) -> bool:
    """Whether something is not to be heeded, does not count, or comes after something else."""
    if any(
        _is_negated(text, verb, words, heeds=True, about=found)
        for verb in _near(text, found, words.heed)
    ):
        return True
    to = _words_to(text, found, words)
    reach = _MAX_BETWEEN + _MAX_NEGATION if _is_none_of(to, words) else _MAX_NEGATION
    before = _spaced(to[-reach:])
    after = _spaced(_words_of(text, found, words)[:_MAX_BETWEEN])
    is_denied = words.negation.search(before + after) is not None
    if words.hold.search(before + after) if is_denied else words.void.search(after):
        return True
    return words.over.search(before) is not None or _is_deemed_void(text, found, words)


def _words_to(text: str, found: re.Match[str], words: _OrderWords) -> list[str]:
    """The words before something; of what stands in a relative clause, those before that."""
    before = _words_before(text, found.start())
    clause = _clause_before(text, found.start())
    is_inside = len(clause) < len(before) and not words.relative.isdisjoint(clause[:1])
    return before[: -len(clause) - 1] if is_inside and not _is_none_of(clause, words) else before


def _is_none_of(before: Sequence[str], words: _OrderWords) -> bool:
    """Whether something is said of none of it: "nothing of what is under …"."""
    near = before[-_MAX_BETWEEN - _MAX_NEGATION :]
    return any(
        words.negation.search(_spaced([word])) is not None
        and not words.relative.isdisjoint(near[place + 1 : place + _MAX_NEGATION])
        for place, word in enumerate(near)
    )


def _words_of(text: str, found: re.Match[str], words: _OrderWords) -> list[str]:
    """What is said of something; of what stands in a relative clause, it follows the comma."""
    said = _clause_after(text, found.end(), words)
    start = len(" ".join(said)) + found.end() + 1
    within = (*_clause_before(text, found.start()), *found[0].split())
    if not words.relative.isdisjoint(within) and text.startswith(" , ", start):
        said += _clause_after(text, start + 2, words)
    return said


def _is_deemed_void(text: str, found: re.Match[str], words: _OrderWords) -> bool:
    """Whether something is to be taken for void, and that is said first."""
    return any(
        words.void.search(f"{text[verb.end() : found.start()]} ") is not None
        for verb in _near(text, found, words.deem)
        if verb.end() <= found.start() and not _is_negated(text, verb, words)
    )


def _is_pretence(text: str, words: _OrderWords) -> bool:
    """Whether a text is an order to act as if nothing were remembered, or to remember nothing."""
    if any(_is_unknowing_from_now(text, found, words) for found in words.unknowing.finditer(text)):
        return True
    for feigned in words.feign.finditer(text):
        said = _phrase_after(text, feigned)
        if _is_feigned(text, feigned, words) and words.unknowing.search(said):
            return True
        if _is_told(text, feigned, words) and _is_blank(said, words):
            return True
    return any(
        _is_told(text, found, words) and _is_without(text, found, words)
        for found in words.manner.finditer(text)
    )


def _is_without(text: str, found: re.Match[str], words: _OrderWords) -> bool:
    """Whether nothing is remembered in this manner, or it does without what is."""
    said = _phrase_after(text, found)
    if words.blank.search(said):
        return True
    lacks = words.negation.search(_spaced([found[0]])) is not None
    return lacks and any(
        (about := pattern.search(said)) is not None
        and len(said[: about.start()].split()) <= _MAX_NEGATION
        for pattern in (words.stored, words.known)
    )


def _is_unknowing_from_now(text: str, found: re.Match[str], words: _OrderWords) -> bool:
    """Whether a listener that knows nothing is so from now on."""
    before = _clause_before(text, found.start())
    clause = [*before, *found[0].split(), *_clause_after(text, found.end(), words)]
    return _is_plain(before, words) and words.lasting.search(_spaced(clause)) is not None


def _is_feigned(text: str, manner: re.Match[str], words: _OrderWords) -> bool:
    """Whether nobody asks not to act so."""
    return not any(_is_forbidden(text, verb, manner, words) for verb in _acts(text, manner, words))


def _is_told(text: str, manner: re.Match[str], words: _OrderWords) -> bool:
    """Whether somebody is told to act so."""
    return any(
        _is_plain(_clause_before(text, verb.start()), words)
        and not _is_forbidden(text, verb, manner, words)
        for verb in _acts(text, manner, words)
    )


def _acts(text: str, manner: re.Match[str], words: _OrderWords) -> Iterator[re.Match[str]]:
    """The verbs of acting that stand before a manner, or begin it."""
    return (verb for verb in _near(text, manner, words.act) if verb.start() <= manner.start())


def _is_forbidden(
    text: str, verb: re.Match[str], manner: re.Match[str], words: _OrderWords
) -> bool:
    """Whether a negation stands before the verb of a manner, or between the two."""
    before = _clause_before(text, verb.start())[-_MAX_NEGATION:]
    between = text[verb.end() : manner.start()].split() if words.negates_after else []
    return _count_negations([*before, *between], words) % 2 == 1


def _is_blank(said: str, words: _OrderWords) -> bool:
    """Whether a clause says that nothing is remembered, or that what is, is not there."""
    if words.blank.search(said):
        return True
    is_denied = words.negation.search(said) or words.void.search(said)
    return bool(is_denied and (words.stored.search(said) or words.known.search(said)))


def _is_plain(before: Sequence[str], words: _OrderWords) -> bool:
    """Whether the words before a verb leave it an order."""
    return all(_is_lead(word, words) for word in before)


def _is_bare_order(text: str, found: re.Match[str], words: _OrderWords) -> bool:
    """Whether a text is an order about rules or facts, and says nothing else of them."""
    for verb in (*_near(text, found, words.against), *_near(text, found, words.heed)):
        heeds = verb.re is words.heed
        if _has_person(text, verb, words) or heeds is not _is_negated(
            text, verb, words, heeds=heeds
        ):
            continue
        first, last = sorted((verb.span(), found.span()))
        if first[1] > last[0]:
            continue
        others = _clause_before(text, first[0]) + text[first[1] : last[0]].split()
        if _is_plain(others, words):
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


def _is_negated(
    text: str,
    verb: re.Match[str],
    words: _OrderWords,
    *,
    heeds: bool = False,
    about: re.Match[str] | None = None,
) -> bool:
    """Whether a negation belongs to a verb; two of them before it are none.

    What the verb is `about` is not counted among the words between.
    """
    before = _clause_before(text, verb.start())
    if about is not None and about.end() <= verb.start():
        between = text[about.end() : verb.start()].split()
        if "," not in between:
            before = _clause_before(text, about.start()) + between
    if _count_negations(before[-_MAX_NEGATION:], words) % 2:
        return True
    after = _spaced(_clause_after(text, verb.end(), words)[:_MAX_NEGATION])
    return (heeds or words.negates_after) and words.negation.search(after) is not None


def _count_negations(before: Sequence[str], words: _OrderWords) -> int:
    """How many negations there are; of those that only repeat each other one counts."""
    said = _spaced(before)
    repeated = len(words.concord.findall(said))
    return len(words.negation.findall(said)) - max(0, repeated - 1)


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


def _phrase_after(text: str, found: re.Match[str]) -> str:
    """What follows a place, up to the next mark."""
    after = text[found.end() : found.end() + _REACH].split()
    return _spaced(list(takewhile(lambda word: word not in _MARKS, after)))


def _words_before(text: str, end: int) -> list[str]:
    return text[max(0, end - _REACH) : end].split()


def _spaced(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


@cache
def _load_tables() -> Mapping[str, Mapping[str, Any]]:
    written = (files(__package__) / "rules" / "memory_orders.toml").read_text("utf-8")
    return tomllib.loads(written)


@cache
def _compile_headings() -> re.Pattern[str]:
    """The headings of a block, in any language, where they are quoted or in brackets."""
    named = "|".join(_list_titles(_load_tables().values(), "titles", "phrases"))
    return re.compile(rf"[^\w\s.;:!?]\s?(?:{named})(?: ?\(?read.?only\)?)?\s?[^\w\s.,;:!?]")


def _list_titles(tables: Iterable[Mapping[str, Any]], *names: str) -> Iterator[str]:
    """Patterns of titles, whatever is between their words."""
    for table in tables:
        for name in names:
            yield from (title.replace(" ", r"[\s_-]{0,2}") for title in table[name])


@cache
def _load_words() -> tuple[_OrderWords, ...]:
    tables = _load_tables()
    return tuple(_build_words(each, (each, tables["en"])) for each in tables.values())


def _build_words(written: Mapping[str, Any], titled: Sequence[Mapping[str, Any]]) -> _OrderWords:
    followers = " ".join(written[name] for name in ("after", "against", "heed"))
    parts = {
        "void": _to_choices(written["void"]),
        "end": rf"(?= (?:[.,;:!?] |(?:{_to_choices(followers)}) |$))",
        "about": written["about"],
        "hardware": written.get("hardware", ""),
        "titles": "|".join(_list_titles(titled, "titles")),
        "phrases": "|".join(_list_titles(titled, "phrases")),
    }
    parts["else"] = "".join(_fill(each["else"], parts) for each in titled)

    def compile_objects(patterns: Sequence[str]) -> re.Pattern[str]:
        return re.compile(rf"(?<= )(?:{_fill('|'.join(patterns), parts)})\b")

    plain = "against remove heed void hold over deem concord act manner lasting"
    return _OrderWords(
        **{name: _compile_words(written[name]) for name in plain.split()},
        negation=_compile_words(written["not"]),
        stored=compile_objects((_SECTION + "{else}", *written["stored"])),
        known=compile_objects(written["known"]),
        bare=re.compile(rf"(?<= )(?:{_to_choices(written['bare'])}){parts['end']}"),
        blank=compile_objects(written["blank"]),
        unknowing=compile_objects(written["unknowing"]),
        feign=compile_objects(written["feign"]),
        shown=compile_objects(written["shown"]),
        glue=frozenset(written["glue"].split()),
        people=frozenset(written["people"].split()),
        lead=frozenset(written["lead"].split()),
        joins=frozenset(written["joins"].split()),
        relative=frozenset(written["relative"].split()),
        negates_after=written["negates_after"],
    )


def _fill(pattern: str, parts: Mapping[str, str]) -> str:
    return _PART.sub(lambda part: parts[part[1]], pattern)


def _compile_words(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<= )(?:{_to_choices(words)})(?= )")


def _to_choices(words: str) -> str:
    """A pattern of any of these words; those of a phrase may have others between them."""
    choices = "|".join(words.split())
    return choices.replace("_", " ").replace("*", r"\w*").replace("~", r" (?:\w+ ){0,5}?")
