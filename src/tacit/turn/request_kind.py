"""What kind of request a message is, and which types of facts suit it."""

import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from tacit.core.memory.kinds import MemoryType


class RequestKind(StrEnum):
    """What a person wants done."""

    CODING = "coding"
    OUTPUT_FORMAT = "output_format"
    ARCHITECTURE = "architecture"
    FRAMEWORK = "framework"
    DEBUGGING = "debugging"
    GENERAL = "general"


ADMITTED: Mapping[RequestKind, frozenset[MemoryType]] = MappingProxyType(
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


def _pattern(cues: str) -> re.Pattern[str]:
    """All cues of a kind as whole words, the longest first."""
    found = [cue.replace("\\ ", " ") for cue in _WORD_OF_CUE.findall(cues)]
    longest_first = sorted(found, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


_PATTERNS = {kind: _pattern(cues) for kind, cues in _CUES.items()}


def _total(pattern: re.Pattern[str], said: str) -> float:
    """How much speaks for a kind; several words tell more than one, and repeats tell nothing."""
    return sum(_LONG_CUE if " " in cue else 1.0 for cue in set(pattern.findall(said)))


def kind_of(text: str) -> RequestKind:
    """The kind that most cues speak for; general where none does or two are level."""
    said = text.casefold()
    totals = {kind: _total(pattern, said) for kind, pattern in _PATTERNS.items()}
    best = max(totals.values())
    leaders = [kind for kind, total in totals.items() if total == best]
    return leaders[0] if best > 0 and len(leaders) == 1 else _between(leaders, best)


def _between(leaders: list[RequestKind], best: float) -> RequestKind:
    """Level kinds: what went wrong comes before what is built; otherwise general."""
    if best > 0 and RequestKind.DEBUGGING in leaders:
        return RequestKind.DEBUGGING
    if best > 0 and RequestKind.CODING in leaders and len(leaders) == 2:
        return next(kind for kind in leaders if kind is not RequestKind.CODING)
    return RequestKind.GENERAL
