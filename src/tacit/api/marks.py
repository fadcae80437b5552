"""What somebody says is of no use: marks on memories, which can be taken back."""

from tacit.api.visibility import hidden_from
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.fields import check_field
from tacit.core.marks import Mark, MarkAuthor, Marked
from tacit.core.permissions import Viewer
from tacit.core.receipt import Receipt
from tacit.language.query.cleaning import cleaned
from tacit.language.query.question import Question
from tacit.language.redaction.text import redact
from tacit.turn.candidates import pack_distinctive_terms
from tacit.turn.state import TurnDependencies


def mark_in(means: TurnDependencies, account: Receipt, memory: str, author: MarkAuthor) -> str:
    """Count a line of a turn against its memory for similar questions; the mark's id."""
    id = check_field("id", memory)
    if id not in {each.memory for each in account.candidates}:
        raise InvalidInput("memory", f"{id} is no candidate of receipt {account.id}")
    return _mark(means, "receipt", account.query, id, author)


def mark_for(means: TurnDependencies, text: str, memory: str, author: MarkAuthor) -> str:
    """Count a memory less for questions that are similar to a text; the mark's id."""
    asked = cleaned(redact(check_field("text", text)).text)
    return _mark(means, "text", asked, check_field("id", memory), author)


def unmark(means: TurnDependencies, id: str, viewer: Viewer) -> None:
    """Take back a mark of somebody's own on a memory that they may know of."""
    checked_id = check_field("id", id)
    with means.store.write(means.workspace) as unit:
        mark = unit.marks.get(checked_id)
        is_own = mark is not None and mark.author.is_of(viewer)
        if mark is None or not is_own or hidden_from(viewer, unit, [mark.memory]):
            raise NotFound(f"there is no mark {checked_id}: it was taken back, or never made")
        unit.marks.remove(mark)


def marks_on(means: TurnDependencies, memory: str, viewer: Viewer) -> list[Marked]:
    """The marks on a memory that somebody is told of, oldest first."""
    id = check_field("id", memory)
    with means.store.read(means.workspace) as unit:
        if not unit.memories.known([id]):
            raise NotFound(f"there is no memory {id} in workspace {means.workspace!r}")
        found = [mark for mark in unit.marks.of([id]) if mark.author.is_known_to(viewer)]
    return [Marked.of(mark) for mark in sorted(found, key=lambda mark: (mark.at, mark.id))]


def _mark(means: TurnDependencies, field: str, asked: str, memory: str, author: MarkAuthor) -> str:
    terms = pack_distinctive_terms(Question.of(asked))
    if not terms:
        raise InvalidInput(field, "has no word that a similar question could be told by")
    mark = Mark(id=means.new_id(), memory=memory, terms=terms, at=means.clock(), author=author)
    with means.store.write(means.workspace) as unit:
        if not unit.memories.get([memory]):
            raise NotFound(f"there is no memory {memory} in workspace {means.workspace!r}")
        unit.marks.add(mark)
    return mark.id
