"""What was learned, as far as an agent and a user may know of it."""

from dataclasses import replace

from tacit.api.visibility import is_visible
from tacit.core.memory import Memory
from tacit.core.permissions import Viewer
from tacit.store.protocols.unit import Unit
from tacit.writing.learning.lesson import Learned, Lesson, Verdict


def told_to(unit: Unit, learned: Learned, viewer: Viewer) -> Learned:
    """What was learned, as far as somebody may know of it.

    Words that became no memory may repeat one that was shown to another agent or user alone.
    """
    if not viewer.is_bound:
        return learned
    known = unit.memories.get([each.memory for each in learned.lessons if each.memory is not None])
    seen = tuple(each for each in learned.lessons if _is_seen(unit, each, known, viewer))
    return replace(learned, lessons=seen)


def _is_seen(unit: Unit, lesson: Lesson, known: dict[str, Memory], viewer: Viewer) -> bool:
    memory = known.get(lesson.memory or "")
    if memory is None:
        return lesson.verdict is Verdict.PROPOSED and viewer.user is None
    return is_visible(viewer, unit, memory)
