"""Fulfilling wishes: what waited for a person is done in a person's name, if it still makes sense.

What happened to the memory meanwhile is looked at first: nobody's later words are lost.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import NoReturn

from tacit.core.changes import Review
from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field, nested_field
from tacit.core.kinds import Action, Scope, State, Subject
from tacit.core.memory import IDENTITY_FIELDS, Association, Memory
from tacit.writing.assignment import assign
from tacit.writing.author import Author
from tacit.writing.draft import DRAFT_FIELDS, Draft
from tacit.writing.editing import edit, forget, restore
from tacit.writing.linking import link
from tacit.writing.outcome import Status, Written
from tacit.writing.remembering import identity, remember
from tacit.writing.succession import take_place

_PROPOSED = DRAFT_FIELDS - {"trust", "confidence"}
"""What is taken over of a new memory; how sure it is follows from the word of who accepts it."""


def fulfil(author: Author, review: Review) -> Written:
    """Do what a review asks for, as a person; says what became of the memory."""
    if review.action not in _ACTS:
        _refuse(f"to {review.action} is nothing that can be asked of a person")
    return _ACTS[review.action](author, review)


def proposed(review: Review) -> Draft:
    """The statement that a review of a new memory asks for."""
    with nested_field("change"):
        values = {name: review.change.get(name) for name in _PROPOSED}
        return replace(Draft.of(values), given=frozenset())


def _update(author: Author, review: Review) -> Written:
    memory = _visible(author, review.memory)
    present = memory.to_dict()
    wished = {name for name, value in review.fields.items() if present.get(name) != value}
    later = _changed_since(author, review)
    if wished & later:
        _refuse_changed(memory, wished & later)
    if wished and memory.superseded_by and "superseded_by" in later:
        _refuse(_fate(memory.id, memory, author.now))
    if review.fields.keys() == {"scope_id"} and memory.scope is Scope.USER:
        return assign(author, memory, check_field("scope_id", review.fields["scope_id"]))
    with nested_field("change"):
        return edit(author, memory.id, review.fields)


def _forget(author: Author, review: Review) -> Written:
    memory = _existing(author, review.memory)
    if not memory.forgotten and "content" in _changed_since(author, review):
        _refuse_changed(memory, {"content"})
    return forget(author, memory.id)


def _restore(author: Author, review: Review) -> Written:
    """Bring back what was forgotten, as it was, or what has ended, as if it were said again."""
    memory = _existing(author, review.memory)
    if memory.forgotten or memory.state(author.now) is not State.PAST:
        return restore(author, memory.id)
    if memory.superseded_by is not None:
        _refuse(_fate(memory.id, memory, author.now))
    return remember(author, Draft(**{name: getattr(memory, name) for name in IDENTITY_FIELDS}))


def _supersede(author: Author, review: Review) -> Written:
    memory = _visible(author, review.memory)
    if review.other is None:
        _refuse(f"it does not say what would replace memory {memory.id}")
    if memory.superseded_by == review.other:
        return Written(memory=memory, status=Status.UNCHANGED)
    if "content" in _changed_since(author, review):
        _refuse_changed(memory, {"content"})
    old, successor = (_live(author, id) for id in (memory.id, review.other))
    replaced = author.journal.supersede(old, successor)
    return Written(memory=replaced, status=Status.SUPERSEDED)


def _insert(author: Author, review: Review) -> Written:
    if review.subject is Subject.ASSOCIATION:
        return _relate(author, review)
    draft = proposed(review)
    if draft.expires_at is not None and draft.expires_at <= author.now:
        _refuse(f"it was to last until {draft.expires_at:%Y-%m-%d %H:%M} UTC, which is past")
    if author.unit.memories.same(identity(draft)) is not None:
        return remember(author, draft)
    with nested_field("change"):
        source = check_field("source", review.change.get("source"))
    id, workspace = author.new_id(), author.unit.workspace
    memory = draft.memory(id=id, workspace=workspace, by=author.by, now=author.now)
    memory = replace(memory, source=source)
    author.journal.insert(memory)
    return take_place(author, memory, Status.CREATED)


def _relate(author: Author, review: Review) -> Written:
    with nested_field("change"):
        parts = {name: review.change.get(name) for name in ("source", "target", "relation")}
        edge = Association.from_dict({"weight": review.change.get("weight"), **parts})
    memory = _visible(author, review.memory)
    for end in (edge.source, edge.target):
        _visible(author, end)
    if author.unit.associations.get(edge.source, edge.target, edge.relation) == edge:
        return Written(memory=memory, status=Status.UNCHANGED)
    link(author, edge)
    return Written(memory=memory, status=Status.KEPT)


_ACTS: Mapping[Action, Callable[[Author, Review], Written]] = MappingProxyType(
    {
        Action.UPDATE: _update,
        Action.FORGET: _forget,
        Action.RESTORE: _restore,
        Action.SUPERSEDE: _supersede,
        Action.INSERT: _insert,
    }
)


def _existing(author: Author, id: str) -> Memory:
    """A memory, forgotten or not."""
    memory = author.unit.memories.get([id]).get(id)
    return memory or _refuse(_fate(id, memory, author.now))


def _visible(author: Author, id: str) -> Memory:
    """A memory that was not forgotten."""
    memory = _existing(author, id)
    return _refuse(_fate(id, memory, author.now)) if memory.forgotten else memory


def _live(author: Author, id: str) -> Memory:
    """A memory that is current."""
    memory = _existing(author, id)
    is_live = memory.state(author.now) is State.LIVE
    return memory if is_live else _refuse(_fate(id, memory, author.now))


def _changed_since(author: Author, review: Review) -> set[str]:
    """The fields of the memory that somebody changed after the wish came up."""
    rows = author.unit.audit.of(review.memory)
    later = [row for row in rows if row.id > review.id and row.subject is Subject.MEMORY]
    return {name for row in later for name in row.new or ()}


def _fate(id: str, memory: Memory | None, now: datetime) -> str:
    """What became of a memory that is not current."""
    if memory is None:
        return f"memory {id} is gone"
    if memory.forgotten:
        return f"memory {id} was forgotten (restore brings it back)"
    if memory.superseded_by is not None:
        return f"memory {id} was replaced by {memory.superseded_by}"
    ended = memory.state(now) is State.PAST
    return f"memory {id} has ended" if ended else f"memory {id} is not true yet"


def _refuse_changed(memory: Memory, fields: Collection[str]) -> NoReturn:
    """Keep what somebody said later than the wish came up."""
    named = ", ".join(sorted(fields))
    _refuse(f"memory {memory.id} was changed ({named}) after this was asked")


def _refuse(problem: str) -> NoReturn:
    """Say why a wish cannot be carried out any more."""
    raise InvalidInput("review", f"{problem}; reject it, and do yourself what is left to do")
