"""Lessons: what became of the statements that were found in conversations."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

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
class Lesson:
    """One statement, who found it, and what became of it.

    `memory` holds it now or said it before; `superseded` are the memories that it replaced.
    """

    content: str
    type: MemoryType
    rule: str
    verdict: Verdict
    session: str
    memory: str | None = None
    superseded: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "content": self.content,
            "type": str(self.type),
            "rule": self.rule,
            "verdict": str(self.verdict),
            "session": self.session,
            "memory": self.memory,
            "superseded": list(self.superseded),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            content=values["content"],
            type=MemoryType(values["type"]),
            rule=values["rule"],
            verdict=Verdict(values["verdict"]),
            session=values["session"],
            memory=values["memory"],
            superseded=tuple(values["superseded"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """The result of reading conversations: turns read, statements, and tokens of a model."""

    turns: int = 0
    lessons: tuple[Lesson, ...] = ()
    tokens: int = 0

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

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "turns": self.turns,
            "lessons": [lesson.to_dict() for lesson in self.lessons],
            "tokens": self.tokens,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            turns=values["turns"],
            lessons=tuple(Lesson.from_dict(each) for each in values["lessons"]),
            tokens=values["tokens"],
        )
