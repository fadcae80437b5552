"""Statements written in one transaction, and what came of them."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from tacit.core.episodes import Episode
from tacit.search.duplicates import wording_hash
from tacit.settings.writing import WritingSettings
from tacit.statements.judge import PreparedJudge
from tacit.writing.author import Author
from tacit.writing.learning.episodes import LearnedStatement
from tacit.writing.learning.found_statement import FoundStatement
from tacit.writing.learning.lesson import Learned, Lesson
from tacit.writing.learning.statements import StatementWriter

_log = logging.getLogger("tacit.learning")


@dataclass(frozen=True, slots=True)
class WrittenStatements:
    """The lessons of one transaction, what they were learned from, and what was erased before."""

    lessons: tuple[Lesson, ...]
    learned: tuple[LearnedStatement, ...] = ()
    erased: tuple[Episode, ...] = ()


def write_statements(
    author: Author,
    settings: WritingSettings,
    judge: PreparedJudge,
    found: Sequence[FoundStatement],
) -> WrittenStatements:
    """Write statements in one transaction, and say which memories were learned from them."""
    writer = StatementWriter(author, settings, judge)
    lessons = tuple(writer.write(each) for each in found)
    known = author.unit.memories.get([each.memory for each in lessons if each.memory])
    learned = (
        LearnedStatement(
            each.heard, each.quote or each.finding.sentence, memory.id, _digest(memory.content)
        )
        for each, lesson in zip(found, lessons, strict=True)
        if (memory := known.get(lesson.memory or "")) is not None
    )
    return WrittenStatements(lessons, tuple(learned))


def _digest(content: str) -> str:
    return wording_hash(content).hex()


def log_outcome(learned: Learned) -> Learned:
    """Log the outcome, without the words."""
    if learned.lessons:
        counts = {str(verdict): count for verdict, count in learned.counts.items()}
        told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
        _log.info("learned from %d turns: %s", learned.turns, told, extra=counts)
    return learned
