"""Lessons: what became of the statements that were found in conversations."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Self

from tacit.core.json_value import Example, JsonValue
from tacit.core.kinds import MemoryType


class Verdict(StrEnum):
    """What became of a statement."""

    LEARNED = "learned"
    KNOWN = "known"
    MERGED = "merged"
    PROPOSED = "proposed"
    RESTATED = "restated"
    UNSURE = "unsure"
    UNFOUNDED = "unfounded"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson(JsonValue):
    """One statement, who found it, and what became of it.

    `memory` holds it now or said it before; `superseded` are the memories that it replaced.
    """

    content: Annotated[str, Example("I always use tabs")]
    type: MemoryType
    rule: Annotated[str, "What found it: the name of a rule, or `llm`."]
    verdict: Verdict
    session: Annotated[str, Example("s1")]
    memory: Annotated[
        str | None, "The memory that holds it now or said it before; of a proposal, its review."
    ] = None
    superseded: Annotated[tuple[str, ...], "The memories that it replaced."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned(JsonValue):
    """The result of reading conversations: turns read, statements, and tokens of a model."""

    turns: Annotated[int, "So many turns were read."] = 0
    lessons: tuple[Lesson, ...] = ()
    tokens: Annotated[int, "So many tokens a language model took."] = 0

    @property
    def counts(self) -> Counter[Verdict]:
        """How many statements got each verdict."""
        return Counter(lesson.verdict for lesson in self.lessons)

    @classmethod
    def together(cls, parts: Iterable["Learned"]) -> Self:
        """Join several results."""
        all_parts = tuple(parts)
        return cls(
            turns=sum(part.turns for part in all_parts),
            lessons=tuple(lesson for part in all_parts for lesson in part.lessons),
            tokens=sum(part.tokens for part in all_parts),
        )
