"""Load the rules of each language from `rules/*.toml`, and detect which apply to a text."""

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from tacit.core.kinds import MemoryType, Scope
from tacit.language.extraction.findings import RefusalReason
from tacit.language.languages import RULED_LANGUAGES, find_ruled

LANGUAGES = tuple(RULED_LANGUAGES)
DEFAULT_LANGUAGE = LANGUAGES[0]

RULE_TYPES = frozenset((MemoryType.CONSTRAINT, MemoryType.DECISION, MemoryType.PREFERENCE))
"""Types of rules: they may hold for a day or a session only, and for the project at hand."""

_PART = re.compile(r"\{([a-z_]+)\}")
_BREAK = re.compile(r"(?:^|\n) {4}")
_NOTHING = r"(?!)"
_OPEN_CONFIDENCE = 0.75
"""The confidence of open rules, which are all plain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionRule:
    """How something worth remembering is said, at the beginning of a clause."""

    name: str
    pattern: re.Pattern[str]
    type: MemoryType
    confidence: float
    key: str | None
    scope: Scope | None
    is_plain: bool
    """Whether no explicit wording marks it, so that it needs more care."""
    is_modal: bool
    """Whether `would` does not take the statement back."""
    is_conditional: bool
    """Whether it may begin with a condition."""
    is_open: bool
    """Whether it takes any verb, so that it must not be about the moment."""
    unless: tuple[tuple[RefusalReason, str], ...]
    """Patterns that take it back, compiled on first use."""


@dataclass(frozen=True, slots=True)
class ListHeading:
    """What a list is about, which its items do not repeat."""

    pattern: re.Pattern[str]
    type: MemoryType


@dataclass(frozen=True, slots=True)
class RuleTable:
    """The rules and patterns of one language."""

    language: str
    hollow: frozenset[str]
    speech: Mapping[str, re.Pattern[str]]
    headings: tuple[ListHeading, ...]
    rules: tuple[ExtractionRule, ...]

    def __getitem__(self, name: str) -> re.Pattern[str]:
        """Return a pattern by its name."""
        return self.speech[name]


PATTERN_NAMES = (
    "joints", "fronts", "leads", "explicit", "tasks_ahead", "tails",
    "asks", "inverts", "asks_inside", "wishes", "tags", "supposes", "supposes_on", "unreal",
    "reports", "doubts", "requests", "pleasantries", "idioms", "complaints", "memory", "hijacks",
    "plays", "fiction", "forwards", "tasks", "reasons", "follows", "dangling", "pronouns",
    "subjects", "cues",
    "project", "here", "own", "personal", "home", "session", "hedges", "passing", "nods", "person",
    "clipped", "persons", "anaphors", "states", "orders", "points_back", "apposed", "turned",
    "takes_back", "sharing", "told_inside", "adds", "predicates", "fragments", "subjectless",
    "this_once", "brief", "laughs", "introduces", "repairs", "weak_repairs", "linkers", "copulas",
    "refers_back",
)  # fmt: skip
"""The names of the patterns that a language may have; one that it lacks matches nothing."""


_RULE_KEYS = (
    "name", "pattern", "type", "confidence", "key", "scope", "plain", "modal", "conditional",
    "open", "unless",
)  # fmt: skip


@cache
def load_rule_table(language: str) -> RuleTable:
    """Load the table of a language on first use."""
    return build_rule_table(language, _load_file(language))


def prepare_patterns(pause: Callable[[], object]) -> None:
    """Compile the patterns of the default language, with a pause after each new one."""
    written = _load_file(DEFAULT_LANGUAGE)
    parts = _expand_parts(written)
    own = (*written["speech"].values(), *(each["pattern"] for each in written["rule"]))
    for pattern in own:
        known = compile_cached.cache_info().misses
        _compile_pattern(pattern, parts)
        if compile_cached.cache_info().misses > known:
            pause()


@cache
def _load_file(language: str) -> dict[str, Any]:
    file = files(__package__) / "rules" / f"{language}.toml"
    return tomllib.loads(file.read_text("utf-8"))


def build_rule_table(language: str, written: Mapping[str, Any]) -> RuleTable:
    """Build the table of a language from its file."""
    parts = _expand_parts(written)
    speech = written["speech"]
    _reject_unknown(f"{language}.toml, [speech]", speech, PATTERN_NAMES)
    return RuleTable(
        language,
        frozenset(written["hollow"].split()),
        {name: _compile_pattern(speech.get(name, _NOTHING), parts) for name in PATTERN_NAMES},
        tuple(
            ListHeading(_compile_pattern(each["pattern"], parts), MemoryType(each["type"]))
            for each in written.get("heading", ())
        ),
        tuple(_build_rule(language, each, parts) for each in written["rule"]),
    )


def _reject_unknown(place: str, written: Iterable[str], known: Collection[str]) -> None:
    """Reject keys that nothing reads, which are mostly misspelt."""
    unknown = sorted(set(written) - set(known))
    if unknown:
        names = ", ".join(unknown)
        raise ValueError(f"{place}: unknown keys: {names}; use one of: {', '.join(sorted(known))}")


def _expand_parts(written: Mapping[str, Any]) -> dict[str, str]:
    parts: dict[str, str] = {}
    for name, value in written["parts"].items():
        parts[name] = _fill_parts(_join_choices(value), parts)
    return parts


def _build_rule(
    language: str, written: Mapping[str, Any], parts: Mapping[str, str]
) -> ExtractionRule:
    _reject_unknown(f"{language}.toml, rule {written['name']}", written, _RULE_KEYS)
    scope, is_open = written.get("scope"), written.get("open", False)
    return ExtractionRule(
        name=f"{language}.{written['name']}",
        pattern=_compile_pattern(written["pattern"], parts),
        type=MemoryType(written["type"]),
        confidence=written.get("confidence", _OPEN_CONFIDENCE),
        key=written.get("key"),
        scope=None if scope is None else Scope(scope),
        is_plain=written.get("plain", is_open),
        is_modal=written.get("modal", False),
        is_conditional=written.get("conditional", False),
        is_open=is_open,
        unless=tuple(
            (RefusalReason(reason), _fill_parts(_join_choices(pattern), parts))
            for reason, pattern in written.get("unless", {}).items()
        ),
    )


def _compile_pattern(pattern: str | Sequence[str], parts: Mapping[str, str]) -> re.Pattern[str]:
    return compile_cached(_fill_parts(_join_choices(pattern), parts))


@cache
def compile_cached(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of the rules, once."""
    return re.compile(pattern, re.IGNORECASE)


def _join_choices(pattern: str | Sequence[str]) -> str:
    """Join alternatives into one pattern without its line breaks."""
    choices = [pattern] if isinstance(pattern, str) else pattern
    return "|".join(_BREAK.sub("", each) for each in choices)


def _fill_parts(pattern: str, parts: Mapping[str, str]) -> str:
    return _PART.sub(lambda found: f"(?:{parts[found[1]]})", pattern)


def detect_rule_tables(said: str) -> Sequence[RuleTable]:
    """Return the tables whose small words occur most in a text; none if none occur."""
    return [load_rule_table(code) for code in find_ruled(said)]
