"""A preview of a requested change: what a memory says now, and what it would say."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from tacit.core.changes import Review, ReviewReport
from tacit.core.kinds import Action, Relation, Subject
from tacit.core.memory import Memory
from tacit.core.review_reasons import ASKERS, ReviewExplanation, explain_review
from tacit.ui.text_diff import MarkedText, diff_texts

_TITLES: Mapping[Action, str] = MappingProxyType(
    {
        Action.UPDATE: "Change a memory",
        Action.FORGET: "Forget a memory",
        Action.RESTORE: "Bring a memory back",
        Action.SUPERSEDE: "Replace a memory by another",
    }
)
_DELETED = "It is not there any more."
_HIDDEN = "Forgotten: hidden from every turn and list."
_PAST = "Past: replaced, or its time is over."
_NEW = "Nothing; this would be new."
_NOT_SHOWN = frozenset(
    {"id", "workspace", "content", "trust", "confidence", "created_at", "updated_at"}
)
"""Not shown for a new memory: the content has its own place, accepting sets the rest."""

_EMPTY_VALUES: tuple[Any, ...] = (None, "", [], {}, False, 0)
_COMPARED_FIELDS = ("source", "confidence", "trust")
"""Fields that help to choose between two memories."""


@dataclass(frozen=True, slots=True)
class PreviewSide:
    """One of two texts side by side: the content of a memory, or a note in its place."""

    name: str
    text: MarkedText = ()
    note: str = ""
    memory: Memory | None = None


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field with its current and its requested value."""

    name: str
    now: str
    requested: str


@dataclass(frozen=True, slots=True)
class ChangePreview:
    """A requested change: its title, why it waits, both sides, and the other fields.

    `replaces` if the second side would replace the first.
    """

    title: str
    asked_by: str
    explanation: ReviewExplanation
    now: PreviewSide
    requested: PreviewSide
    fields: tuple[FieldChange, ...] = ()
    reason: str = ""
    replaces: bool = True


def to_change_preview(report: ReviewReport, at: datetime) -> ChangePreview:
    """The preview of the change that a review asks for, as things are at a moment."""
    review = report.review
    now, requested = _sides(report)
    reason = review.change.get("reason")
    return ChangePreview(
        title=_title_of(review),
        asked_by=f"Asked by {ASKERS[review.by]}",
        explanation=explain_review(report, at),
        now=now,
        requested=requested,
        fields=_field_changes(report),
        reason=reason if isinstance(reason, str) else "",
        replaces=review.subject is Subject.MEMORY,
    )


def _title_of(review: Review) -> str:
    if review.is_proposal:
        return "Remember something new"
    if review.subject is Subject.ASSOCIATION:
        relation = review.change.get("relation")
        is_peace = relation == Relation.COMPATIBLE_WITH
        return "Both are right" if is_peace else f"Relate two memories: {relation}"
    return _TITLES.get(review.action, str(review.action))


def _sides(report: ReviewReport) -> tuple[PreviewSide, PreviewSide]:
    """The left and the right side."""
    review, memory, other = report.review, report.memory, report.other
    if review.is_proposal:
        text = _as_text(review.change.get("content"))
        return PreviewSide("Now", note=_NEW), PreviewSide("Proposed", *_unmarked_text(text))
    if review.subject is Subject.ASSOCIATION or review.action is Action.SUPERSEDE:
        return _pair_sides(review, memory, other)
    if review.action is Action.FORGET:
        return _memory_side("Now", memory), PreviewSide("Proposed", note=_HIDDEN)
    if review.action is Action.RESTORE:
        was = _HIDDEN if memory is None or memory.forgotten else _PAST
        return PreviewSide("Now", note=was), _memory_side("Proposed", memory)
    return _update_sides(report)


def _update_sides(report: ReviewReport) -> tuple[PreviewSide, PreviewSide]:
    memory, wished = report.memory, _as_text(report.review.change.get("content"))
    if memory is None:
        return PreviewSide("Now", note=_DELETED), PreviewSide("Proposed", *_unmarked_text(wished))
    if not wished or wished == memory.content:
        return _memory_side("Now", memory), PreviewSide(
            "Proposed", note="The same words; see below."
        )
    before, after = diff_texts(memory.content, wished)
    return PreviewSide("Now", before, memory=memory), PreviewSide("Proposed", after)


def _pair_sides(
    review: Review, memory: Memory | None, other: Memory | None
) -> tuple[PreviewSide, PreviewSide]:
    is_edge = review.subject is Subject.ASSOCIATION
    names = ("This", "And this") if is_edge else ("Now", "Would take its place")
    if memory is None or other is None:
        return _memory_side(names[0], memory), _memory_side(names[1], other)
    before, after = diff_texts(memory.content, other.content)
    return PreviewSide(names[0], before, memory=memory), PreviewSide(names[1], after, memory=other)


def _memory_side(name: str, memory: Memory | None) -> PreviewSide:
    if memory is None:
        return PreviewSide(name, note=_DELETED)
    return PreviewSide(name, *_unmarked_text(memory.content), memory=memory)


def _unmarked_text(text: str) -> tuple[MarkedText]:
    """A text without marks."""
    return (diff_texts(text, text)[0],)


def _field_changes(report: ReviewReport) -> tuple[FieldChange, ...]:
    """The other fields, with their current and requested values."""
    review, memory, other = report.review, report.memory, report.other
    if review.is_proposal:
        fields = {name: value for name, value in review.change.items() if name not in _NOT_SHOWN}
        return tuple(
            FieldChange(_field_label(name), "", format_field(value))
            for name, value in fields.items()
            if value not in _EMPTY_VALUES
        )
    if review.action is Action.UPDATE:
        present = {} if memory is None else memory.to_dict()
        return tuple(
            FieldChange(_field_label(name), format_field(present.get(name)), format_field(value))
            for name, value in review.fields.items()
            if name not in ("content", "reason") and value != present.get(name)
        )
    if memory is None or other is None:
        return ()
    mine, theirs = memory.to_dict(), other.to_dict()
    return tuple(
        FieldChange(_field_label(name), format_field(mine[name]), format_field(theirs[name]))
        for name in _COMPARED_FIELDS
    )


def format_field(value: Any) -> str:
    """A value in words."""
    if value in (None, "", [], {}):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_to_text(part)}" for name, part in value.items())
    return _to_text(value)


def _to_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _field_label(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _as_text(value: Any) -> str:
    """A value as text; an imported review may hold other types."""
    return value if isinstance(value, str) else ""
