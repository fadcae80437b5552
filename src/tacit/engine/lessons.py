"""What was learned, as far as an agent may know of it."""

from dataclasses import replace

from tacit.learning import Learned, Lesson, Verdict
from tacit.memory import Memory
from tacit.store import Unit


def told_to(unit: Unit, learned: Learned, agent: str | None) -> Learned:
    """What was learned, without what only another agent may know; without an agent, all of it.

    Words that became no memory may repeat one that was shown to another agent alone.
    """
    if agent is None:
        return learned
    known = unit.memories.get([each.memory for each in learned.lessons if each.memory is not None])
    seen = tuple(each for each in learned.lessons if _is_seen(each, known, agent))
    return replace(learned, lessons=seen)


def _is_seen(lesson: Lesson, known: dict[str, Memory], agent: str) -> bool:
    memory = known.get(lesson.memory or "")
    if memory is None:
        return lesson.verdict is Verdict.PROPOSED
    return memory.agent in (None, agent)
