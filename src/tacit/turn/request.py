"""The request that starts a turn, and the kind of request that its text is."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from tacit.core.kinds import Actor, MemoryType, Owner, Scope
from tacit.core.messages import is_human, text_of
from tacit.core.open_turn import ChatMessage
from tacit.language.query import clean_message


class Trigger(StrEnum):
    """Who triggered a turn."""

    USER = "user"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRequest:
    """Who speaks where, the earlier messages, and the new ones.

    `history` is None if the host keeps it; `context` then has the last messages that are known, and
    `shown` the statements that the host shows by itself. `scopes` and `types` restrict which
    memories are considered; None means any. `visible` are the messages that the model will see, if
    not the whole history. `chat` goes into the chat log with the commit. `by` is the actor whose
    words the new messages are.
    """

    session: str
    history: tuple[object, ...] | None
    incoming: tuple[object, ...]
    context: tuple[object, ...] = ()
    shown: tuple[str, ...] = ()
    agent: str | None = None
    user: str | None = None
    project: str | None = None
    org: str | None = None
    trigger: Trigger = Trigger.USER
    by: Actor = Actor.USER
    scopes: tuple[Scope, ...] | None = None
    types: tuple[MemoryType, ...] | None = None
    visible: tuple[object, ...] | None = None
    chat: ChatMessage | None = None
    text: str = field(init=False)

    def __post_init__(self) -> None:
        """Join messages that arrived together into one text."""
        said = "\n".join(text_of(message) for message in self.incoming)
        object.__setattr__(self, "text", clean_message(said))

    @property
    def owners(self) -> tuple[Owner, ...]:
        """The owners whose memories are visible; an unnamed user sees those of no named user."""
        return tuple(each for each in self._places if self.scopes is None or each[0] in self.scopes)

    @property
    def _places(self) -> tuple[Owner, ...]:
        return (
            (Scope.SESSION, self.session),
            (Scope.PROJECT, self.project or ""),
            (Scope.USER, self.user or ""),
            (Scope.ORG, self.org or ""),
        )

    def admits(self, type: MemoryType) -> bool:
        """Whether memories of a type are considered."""
        return self.types is None or type in self.types

    @property
    def speaker(self) -> str:
        """The user who speaks; empty if unnamed."""
        return self.user or ""

    @property
    def is_spoken(self) -> bool:
        """Whether a person triggered it and said something."""
        return self.trigger is Trigger.USER and any(map(is_human, self.incoming))

    def is_paused(self, paused: set[Owner]) -> bool:
        """Whether its session or project is paused."""
        return not paused.isdisjoint(self._places)

    def like(self) -> Sequence[object]:
        """Messages whose format new ones take."""
        return self.history or self.incoming


# Kinds of requests


class RequestKind(StrEnum):
    """What a person asks for."""

    CODING = "coding"
    OUTPUT_FORMAT = "output_format"
    ARCHITECTURE = "architecture"
    FRAMEWORK = "framework"
    DEBUGGING = "debugging"
    GENERAL = "general"


ADMITTED_TYPES: Mapping[RequestKind, frozenset[MemoryType]] = MappingProxyType(
    {
        RequestKind.CODING: frozenset(
            {
                MemoryType.DECISION,
                MemoryType.CONSTRAINT,
                MemoryType.FACT,
                MemoryType.PREFERENCE,
            }
        ),
        RequestKind.OUTPUT_FORMAT: frozenset({MemoryType.PREFERENCE, MemoryType.CONSTRAINT}),
        RequestKind.ARCHITECTURE: frozenset(
            {MemoryType.DECISION, MemoryType.FACT, MemoryType.CONSTRAINT}
        ),
        RequestKind.FRAMEWORK: frozenset(
            {MemoryType.DECISION, MemoryType.FACT, MemoryType.CONSTRAINT}
        ),
        RequestKind.DEBUGGING: frozenset(
            {
                MemoryType.PREFERENCE,
                MemoryType.CONSTRAINT,
                MemoryType.FACT,
                MemoryType.EVENT,
            }
        ),
        RequestKind.GENERAL: frozenset(MemoryType),
    }
)

_CUES = {
    RequestKind.CODING: """
        code coding implement implementation function functions method class classes refactor
        refactoring variable script snippet python javascript typescript rust golang java kotlin sql
        query endpoint unit\\ test unit\\ tests test tests write\\ a\\ function add\\ a\\ function
        type\\ hints docstring loop algorithm compile regex commit pull\\ request merge
    """,
    RequestKind.OUTPUT_FORMAT: """
        format formatted formatting output\\ format markdown json yaml csv table tables bullet
        bullets bullet\\ points headings tone concise shorter longer summarize summarise summary
        style indent indentation tabs spaces quotes line\\ length emoji answer\\ in reply\\ in
        respond\\ in as\\ a\\ list as\\ a\\ table in\\ one\\ sentence
    """,
    RequestKind.ARCHITECTURE: """
        architecture architectural api\\ design system\\ design design data\\ model schema service
        services microservice microservices monolith component components module modules boundary
        boundaries scale scaling scalability diagram structure layers pattern trade-offs tradeoffs
        event-driven queue message\\ broker
    """,
    RequestKind.FRAMEWORK: """
        framework frameworks library libraries dependency dependencies package packages upgrade
        migrate migration version versions fastapi django flask rails react vue svelte angular
        spring express nextjs tailwind pytorch tensorflow pandas numpy sqlalchemy orm plugin sdk
    """,
    RequestKind.DEBUGGING: """
        debug debugging error errors exception exceptions traceback stack\\ trace crash crashes
        crashing bug bugs fail fails failing failed failure broken break breaks fix hang hangs
        leak timeout timeouts not\\ working doesn't\\ work does\\ not\\ work reproduce regression
        segfault flaky why\\ is\\ it\\ failing
    """,
}

_WORD_OF_CUE = re.compile(r"(?:\\ |\S)+")
_LONG_CUE = 2.0


def _compile_cues(cues: str) -> re.Pattern[str]:
    """Compile the cues of a kind into a pattern of whole words, the longest first."""
    found = [cue.replace("\\ ", " ") for cue in _WORD_OF_CUE.findall(cues)]
    longest_first = sorted(found, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


_PATTERNS = {kind: _compile_cues(cues) for kind, cues in _CUES.items()}


def _score_kind(pattern: re.Pattern[str], said: str) -> float:
    """Score a kind: cues of several words count more, repeats do not count."""
    return sum(_LONG_CUE if " " in cue else 1.0 for cue in set(pattern.findall(said)))


def classify_request(text: str) -> RequestKind:
    """The kind with the highest score; general if none has a score or two are equal."""
    said = text.casefold()
    totals = {kind: _score_kind(pattern, said) for kind, pattern in _PATTERNS.items()}
    best = max(totals.values())
    leaders = [kind for kind, total in totals.items() if total == best]
    return leaders[0] if best > 0 and len(leaders) == 1 else _break_tie(leaders, best)


def _break_tie(leaders: list[RequestKind], best: float) -> RequestKind:
    """Choose between kinds of equal score: debugging first; otherwise usually general."""
    if best > 0 and RequestKind.DEBUGGING in leaders:
        return RequestKind.DEBUGGING
    if best > 0 and RequestKind.CODING in leaders and len(leaders) == 2:
        return next(kind for kind in leaders if kind is not RequestKind.CODING)
    return RequestKind.GENERAL
