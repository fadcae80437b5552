"""A wish as a person sees it: what is said now, what would be said, and what else would change."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from tacit.core.memory.kinds import Action, Relation, Subject
from tacit.core.memory.record import Memory
from tacit.core.memory.review import Review, ReviewReport
from tacit.ui.difference import Side, sides

_TITLES: Mapping[Action, str] = MappingProxyType(
    {
        Action.UPDATE: "Change a memory",
        Action.FORGET: "Forget a memory",
        Action.RESTORE: "Bring a memory back",
        Action.SUPERSEDE: "Replace a memory by another",
    }
)
_GONE = "It is not there any more."
_HIDDEN = "Forgotten: hidden from every turn and list."
_PAST = "Past: replaced, or its time is over."
_NEW = "Nothing; this would be new."
_UNSAID = frozenset(
    {"id", "workspace", "content", "trust", "confidence", "created_at", "updated_at"}
)
"""What is not told of a new memory: its words stand above, and accepting it says the rest anew."""

_EMPTY: tuple[Any, ...] = (None, "", [], {}, False, 0)
_WEIGHED = ("source", "confidence", "trust")
"""What speaks for one of two memories, besides what they say."""


@dataclass(frozen=True, slots=True)
class Half:
    """One of two things next to each other: words of a memory, or a note why there are none."""

    name: str
    text: Side = ()
    note: str = ""
    memory: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """A field, its value now and the one that is wished."""

    name: str
    now: str
    wished: str


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for, in words, with both halves and the other fields that it is about.

    `replaces` says that the second half would take the place of the first.
    """

    title: str
    now: Half
    wished: Half
    fields: tuple[Difference, ...] = ()
    reason: str = ""
    replaces: bool = True


def wish_of(report: ReviewReport) -> Wish:
    """What a review asks for."""
    review = report.review
    now, wished = _halves(report)
    reason = review.change.get("reason")
    return Wish(
        title=_title(review),
        now=now,
        wished=wished,
        fields=_fields(report),
        reason=reason if isinstance(reason, str) else "",
        replaces=review.subject is Subject.MEMORY,
    )


def _title(review: Review) -> str:
    if review.is_proposal:
        return "Remember something new"
    if review.subject is Subject.ASSOCIATION:
        relation = review.change.get("relation")
        is_peace = relation == Relation.COMPATIBLE_WITH
        return "Say that both are right" if is_peace else f"Relate two memories: {relation}"
    return _TITLES.get(review.action, str(review.action))


def _halves(report: ReviewReport) -> tuple[Half, Half]:
    """What is on the left and on the right."""
    review, memory, other = report.review, report.memory, report.other
    if review.is_proposal:
        text = _text(review.change.get("content"))
        return Half("Now", note=_NEW), Half("Wished", *_alone(text))
    if review.subject is Subject.ASSOCIATION or review.action is Action.SUPERSEDE:
        return _pair(review, memory, other)
    if review.action is Action.FORGET:
        return _known("Now", memory), Half("Wished", note=_HIDDEN)
    if review.action is Action.RESTORE:
        was = _HIDDEN if memory is None or memory.forgotten else _PAST
        return Half("Now", note=was), _known("Wished", memory)
    return _changed(report)


def _changed(report: ReviewReport) -> tuple[Half, Half]:
    memory, wished = report.memory, _text(report.review.change.get("content"))
    if memory is None:
        return Half("Now", note=_GONE), Half("Wished", *_alone(wished))
    if not wished or wished == memory.content:
        return _known("Now", memory), Half("Wished", note="The same words; see below.")
    before, after = sides(memory.content, wished)
    return Half("Now", before, memory=memory.id), Half("Wished", after)


def _pair(review: Review, memory: Memory | None, other: Memory | None) -> tuple[Half, Half]:
    is_edge = review.subject is Subject.ASSOCIATION
    names = ("This", "And this") if is_edge else ("Now", "Would take its place")
    if memory is None or other is None:
        return _known(names[0], memory), _known(names[1], other)
    before, after = sides(memory.content, other.content)
    return Half(names[0], before, memory=memory.id), Half(names[1], after, memory=other.id)


def _known(name: str, memory: Memory | None) -> Half:
    if memory is None:
        return Half(name, note=_GONE)
    return Half(name, *_alone(memory.content), memory=memory.id)


def _alone(text: str) -> tuple[Side]:
    """A text that is compared with nothing."""
    return (sides(text, text)[0],)


def _fields(report: ReviewReport) -> tuple[Difference, ...]:
    """The fields besides the content, as they are and as they would be."""
    review, memory, other = report.review, report.memory, report.other
    if review.is_proposal:
        said = {name: value for name, value in review.change.items() if name not in _UNSAID}
        return tuple(
            Difference(_named(name), "", told(value))
            for name, value in said.items()
            if value not in _EMPTY
        )
    if review.action is Action.UPDATE:
        present = {} if memory is None else memory.to_dict()
        return tuple(
            Difference(_named(name), told(present.get(name)), told(value))
            for name, value in review.fields.items()
            if name not in ("content", "reason") and value != present.get(name)
        )
    if memory is None or other is None:
        return ()
    mine, theirs = memory.to_dict(), other.to_dict()
    return tuple(
        Difference(_named(name), told(mine[name]), told(theirs[name])) for name in _WEIGHED
    )


def told(value: Any) -> str:
    """A value as people read it."""
    if value in (None, "", [], {}):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _named(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _text(value: Any) -> str:
    """A value of a change, which an archive may have brought."""
    return value if isinstance(value, str) else ""
