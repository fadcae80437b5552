"""Lives: invented people who talk to an assistant for months, and what they ask it later.

`tools/people` has some, and docs/measurements.md describes a file of them.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Any

from tacit.core.errors import ArchiveError, InvalidInput
from tacit.core.times import parse_time
from tacit.evals.corpus import read_benchmark

FORMAT = "life 1"

TOGETHER = "together"
"""What figures of all people are called, which is therefore no name of a person."""


class QuestionKind(StrEnum):
    """What a question needs: something that was said, or nothing."""

    FACT = "fact"
    CORRECTION = "correction"
    PREFERENCE = "preference"
    DATE = "date"
    LIST = "list"
    IMPLICIT = "implicit"
    NONE = "none"


ANSWERABLE_KINDS = tuple(kind for kind in QuestionKind if kind is not QuestionKind.NONE)
"""The kinds of questions that need a memory."""

Patterns = tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message of the person, and the reply to it."""

    said: str
    reply: str


@dataclass(frozen=True, slots=True)
class LifeSession:
    """A conversation that began at some time, in a project or in none."""

    id: str
    begins: datetime
    project: str | None
    exchanges: tuple[Exchange, ...]


@dataclass(frozen=True, slots=True)
class LifeQuestion:
    """What is asked in the end, where, after which exchanges, and what it needs.

    Of each group of `needs` one pattern has to be met by a line of what is shown. `stale` are
    patterns of outdated values. `gold` and `also` are the words that were said and answer it.
    """

    id: str
    kind: QuestionKind
    text: str
    project: str | None
    context: tuple[Exchange, ...]
    needs: tuple[Patterns, ...]
    stale: Patterns
    gold: tuple[str, ...]
    also: tuple[str, ...]

    @property
    def needs_memory(self) -> bool:
        """Whether something that was said answers it."""
        return self.kind is not QuestionKind.NONE


@dataclass(frozen=True, slots=True)
class Life:
    """A person: what was said in which session, and what is `asked` when.

    `never` are patterns of secrets, which nothing that is shown may meet.
    """

    id: str
    asked: datetime
    never: Patterns
    sessions: tuple[LifeSession, ...]
    questions: tuple[LifeQuestion, ...]

    @property
    def message_count(self) -> int:
        """How many messages the person wrote in all sessions."""
        return sum(len(session.exchanges) for session in self.sessions)


def read_lives(paths: Iterable[Path], people: Sequence[str] = ()) -> list[Life]:
    """The people of some files, or those among them that are named."""
    lives = [life for path in paths for life in _read_file(path)]
    _check_distinct("people", "person", [life.id for life in lives])
    known = {life.id for life in lives}
    for name in people:
        if name not in known:
            told = ", ".join(sorted(known))
            raise InvalidInput("person", f"nobody is called {name!r} there; there are {told}")
    return [life for life in lives if life.id in people] if people else lives


def _read_file(path: Path) -> list[Life]:
    try:
        document = json.loads(read_benchmark(path))
    except ValueError as error:
        raise ArchiveError(f"{path}: is no file of lives: it is no JSON ({error})") from None
    root = _Entry(str(path), document)
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise root.problem(f'is no file of lives: expected an object with "format": "{FORMAT}"')
    return [_to_life(each) for each in root.at("personas").items(at_least=1)]


# Reading values, and saying where one is wrong


@dataclass(frozen=True, slots=True)
class _Entry:
    """A value of a file, and the place where it stands."""

    place: str
    value: Any

    def problem(self, text: str) -> ArchiveError:
        """What is wrong here, and what would be right."""
        return ArchiveError(f"{self.place}: {text}")

    def at(self, name: str) -> "_Entry":
        """A field of an object."""
        if not isinstance(self.value, Mapping):
            raise self.problem(f"expected an object, not {_kind_of(self.value)}")
        if name not in self.value:
            raise self.problem(f"has no {name!r}; it may not be left out")
        return _Entry(f"{self.place}, {name}", self.value[name])

    def items(self, at_least: int = 0) -> list["_Entry"]:
        """The entries of a list, by their number, or their id where they have one."""
        if not isinstance(self.value, list):
            raise self.problem(f"expected a list, not {_kind_of(self.value)}")
        if len(self.value) < at_least:
            raise self.problem("is empty; expected at least one entry")
        return [
            _Entry(f"{self.place} {_name_of(each, number)}", each)
            for number, each in enumerate(self.value, start=1)
        ]

    def text(self) -> str:
        """A text that says something."""
        if not isinstance(self.value, str) or not self.value.strip():
            told = "an empty one" if isinstance(self.value, str) else _kind_of(self.value)
            raise self.problem(f"expected a text, not {told}")
        return self.value

    def text_or_none(self) -> str | None:
        """A text, or null."""
        return None if self.value is None else self.text()

    def time(self) -> datetime:
        """A day or a time, in UTC."""
        try:
            return parse_time("time", self.text())
        except InvalidInput as error:
            raise self.problem(error.problem) from None

    def patterns(self, at_least: int = 0) -> Patterns:
        """A list of regular expressions, in which letters are in either case."""
        return tuple(each.pattern() for each in self.items(at_least))

    def pattern(self) -> re.Pattern[str]:
        """A regular expression."""
        try:
            return re.compile(self.text(), re.IGNORECASE)
        except re.error as error:
            problem = f"expected a regular expression, not {self.value!r} ({error})"
            raise self.problem(problem) from None

    def texts(self) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(each.text() for each in self.items())


def _kind_of(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", type(None): "null"}
    return kinds.get(type(value), repr(value))


def _name_of(value: Any, number: int) -> str:
    id = value.get("id") if isinstance(value, Mapping) else None
    return id if isinstance(id, str) and id else f"number {number}"


def _check_distinct(place: str, thing: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ArchiveError(f"{place}: a {thing} {name!r} is there twice; give it another id")
        seen.add(name)


def _to_life(entry: _Entry) -> Life:
    life = Life(
        entry.at("id").text(),
        entry.at("asked").time(),
        entry.at("never").patterns(),
        tuple(map(_to_session, entry.at("sessions").items(at_least=1))),
        tuple(map(_to_question, entry.at("questions").items(at_least=1))),
    )
    if life.id == TOGETHER:
        raise entry.at("id").problem(f"{TOGETHER!r} names the figures of all; choose another id")
    _check_distinct(entry.at("sessions").place, "session", [each.id for each in life.sessions])
    _check_distinct(entry.at("questions").place, "question", [each.id for each in life.questions])
    times = [*((each.id, each.begins) for each in life.sessions), ("asked", life.asked)]
    for (_, before), (name, time) in pairwise(times):
        if time < before:
            problem = f"{name} is before what stands ahead of it; expected the order of the dates"
            raise entry.problem(problem)
    return life


def _to_session(entry: _Entry) -> LifeSession:
    return LifeSession(
        entry.at("id").text(),
        entry.at("date").time(),
        entry.at("project").text_or_none(),
        tuple(map(_to_exchange, entry.at("messages").items(at_least=1))),
    )


def _to_exchange(entry: _Entry) -> Exchange:
    return Exchange(entry.at("user").text(), entry.at("assistant").text())


def _to_question(entry: _Entry) -> LifeQuestion:
    question = LifeQuestion(
        entry.at("id").text(),
        _to_kind(entry.at("kind")),
        entry.at("text").text(),
        entry.at("project").text_or_none(),
        tuple(map(_to_exchange, entry.at("session_context").items())),
        tuple(each.patterns(at_least=1) for each in entry.at("needs").items()),
        entry.at("stale").patterns(),
        entry.at("gold").texts(),
        entry.at("also").texts(),
    )
    if question.needs_memory and not question.needs:
        problem = f"is empty; only a question of kind {QuestionKind.NONE} needs nothing"
        raise entry.at("needs").problem(problem)
    if not question.needs_memory and (question.needs or question.stale):
        problem = f"a question of kind {QuestionKind.NONE} has neither 'needs' nor 'stale'"
        raise entry.problem(problem)
    return question


def _to_kind(entry: _Entry) -> QuestionKind:
    try:
        return QuestionKind(entry.text())
    except ValueError:
        problem = f"no kind is called {entry.value!r}; expected {', '.join(QuestionKind)}"
        raise entry.problem(problem) from None
