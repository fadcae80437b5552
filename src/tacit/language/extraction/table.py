"""The rules of each language, read from their files."""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from tacit.core.kinds import MemoryType, Scope
from tacit.language.extraction.finding import Reason

LANGUAGES = ("en", "de", "fr", "es")
DEFAULT = LANGUAGES[0]

_PART = re.compile(r"\{([a-z_]+)\}")
_BREAK = re.compile(r"(?:^|\n) {4}")
_NOTHING = r"(?!)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How something worth knowing is said, at the beginning of a clause."""

    name: str
    pattern: re.Pattern[str]
    type: MemoryType
    confidence: float
    key: str | None
    scope: Scope | None
    is_plain: bool
    """Whether it is told by no openly marked wording, and so needs more care."""
    is_modal: bool
    """Whether `would` takes nothing back in it."""
    is_conditional: bool
    """Whether it may begin with a condition."""
    is_open: bool
    """Whether it takes any verb, and so must not tell of the moment."""
    unless: tuple[tuple[Reason, str], ...]
    """Patterns that take it back, put together when they are first needed."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What a list is about, which its items do not say again."""

    pattern: re.Pattern[str]
    type: MemoryType


@dataclass(frozen=True, slots=True)
class Table:
    """What is known of a language."""

    language: str
    hollow: frozenset[str]
    speech: Mapping[str, re.Pattern[str]]
    headings: tuple[Heading, ...]
    rules: tuple[Rule, ...]

    def __getitem__(self, name: str) -> re.Pattern[str]:
        """The pattern of a way of speaking."""
        return self.speech[name]


SPEECH = (
    "joints", "fronts", "leads", "explicit", "tasks_ahead", "tails",
    "asks", "inverts", "asks_inside", "wishes", "tags", "supposes", "supposes_on", "unreal",
    "reports", "doubts", "requests", "pleasantries", "idioms", "complaints", "memory", "hijacks",
    "plays", "fiction", "tasks", "reasons", "follows", "dangling", "pronouns", "subjects", "cues",
    "project", "here", "own", "home", "session", "hedges", "passing", "nods", "person", "clipped",
)  # fmt: skip
"""The ways of speaking that every language has a list of patterns for."""


@cache
def small_words() -> Mapping[str, frozenset[str]]:
    """The words that each language is known by."""
    return {name: frozenset(_written(name)["words"].split()) for name in LANGUAGES}


@cache
def table(language: str) -> Table:
    """What is known of a language, read when it is first needed."""
    return _table(language, _written(language))


def prepare(pause: Callable[[], object]) -> None:
    """Have the patterns of the first language ready, with a pause after each that was not."""
    written = _written(DEFAULT)
    parts = _parts(written)
    own = (*written["speech"].values(), *(each["pattern"] for each in written["rule"]))
    for pattern in own:
        known = ready.cache_info().misses
        _compiled(pattern, parts)
        if ready.cache_info().misses > known:
            pause()


@cache
def _written(language: str) -> dict[str, Any]:
    file = files(__package__) / "rules" / f"{language}.toml"
    return tomllib.loads(file.read_text("utf-8"))


def _table(language: str, written: Mapping[str, Any]) -> Table:
    parts = _parts(written)
    speech = written["speech"]
    return Table(
        language,
        frozenset(written["hollow"].split()),
        {name: _compiled(speech.get(name, _NOTHING), parts) for name in SPEECH},
        tuple(
            Heading(_compiled(each["pattern"], parts), MemoryType(each["type"]))
            for each in written.get("heading", ())
        ),
        tuple(_rule(language, each, parts) for each in written["rule"]),
    )


def _parts(written: Mapping[str, Any]) -> dict[str, str]:
    parts: dict[str, str] = {}
    for name, value in written["parts"].items():
        parts[name] = _filled(_joined(value), parts)
    return parts


def _rule(language: str, written: Mapping[str, Any], parts: Mapping[str, str]) -> Rule:
    scope = written.get("scope")
    return Rule(
        name=f"{language}.{written['name']}",
        pattern=_compiled(written["pattern"], parts),
        type=MemoryType(written["type"]),
        confidence=written["confidence"],
        key=written.get("key"),
        scope=None if scope is None else Scope(scope),
        is_plain=written.get("plain", False),
        is_modal=written.get("modal", False),
        is_conditional=written.get("conditional", False),
        is_open=written.get("open", False),
        unless=tuple(
            (Reason(reason), _filled(_joined(pattern), parts))
            for reason, pattern in written.get("unless", {}).items()
        ),
    )


def _compiled(pattern: str | Sequence[str], parts: Mapping[str, str]) -> re.Pattern[str]:
    return ready(_filled(_joined(pattern), parts))


@cache
def ready(pattern: str) -> re.Pattern[str]:
    """A pattern of the rules, ready to be searched with."""
    return re.compile(pattern, re.IGNORECASE)


def _joined(pattern: str | Sequence[str]) -> str:
    """One pattern, without the line breaks that it is written with."""
    choices = [pattern] if isinstance(pattern, str) else pattern
    return "|".join(_BREAK.sub("", each) for each in choices)


def _filled(pattern: str, parts: Mapping[str, str]) -> str:
    return _PART.sub(lambda found: f"(?:{parts[found[1]]})", pattern)
