"""Relations between memories: links, and conflicts that somebody resolves."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from tacit.core.changes import Review
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.kinds import PERSONS, Action, Relation, State, Subject
from tacit.core.memory import Association, Memory
from tacit.core.permissions import may_change
from tacit.language.redaction.redact import redact
from tacit.statements.conflict_list import find_conflict_place
from tacit.statements.precedence import IdPair, id_pair
from tacit.store.conflict_links import load_compatible_pairs, load_conflicting_pairs
from tacit.writing.author import Author
from tacit.writing.draft import Status, Written

# Links


def link_memories(author: Author, association: Association) -> Association:
    """Link two memories; a repeated call changes the weight."""
    if association.source == association.target:
        raise InvalidInput("target", "is the memory itself; name another one")
    ends = [author.visible(association.source), author.visible(association.target)]
    _refuse_undue_peace(author, association, ends)
    before = author.unit.associations.get(
        association.source, association.target, association.relation
    )
    if before not in (None, association):
        _refuse_change_of_persons_link(author, association)
    author.journal.link(association)
    if association.relation is Relation.CONTRADICTS:  # they are read beside each other
        for end in ends:
            author.unit.uncompared.add(end.id)
    return association


def _refuse_undue_peace(author: Author, edge: Association, ends: Iterable[Memory]) -> None:
    """Only a person may declare that a person's memory does not conflict with another."""
    may = all(may_change(end, author.by) for end in ends)
    if edge.relation is Relation.COMPATIBLE_WITH and not may:
        problem = f"the {author.by} cannot say this of a person's words; resolve asks a person"
        raise InvalidInput("relation", problem)


def unlink_memories(author: Author, source: str, target: str, relation: Relation) -> None:
    """Remove a link."""
    edge = author.unit.associations.get(source, target, relation)
    if edge is None:
        raise NotFound(f"memory {source} has no association {relation} to {target}")
    _refuse_undue_peace(author, edge, author.unit.memories.get([source, target]).values())
    _refuse_change_of_persons_link(author, edge)
    author.journal.unlink(edge)


def _refuse_change_of_persons_link(author: Author, edge: Association) -> None:
    """Only a person may remove or change a link that a person made or changed last."""
    if not author.is_person and is_persons_link(author, edge):
        problem = f"a person made this link; the {author.by} cannot remove or change it"
        raise InvalidInput("relation", problem)


def is_persons_link(author: Author, edge: Association) -> bool:
    """Whether a person made a link or changed it last."""
    key = edge.to_dict()
    del key["weight"]
    changes = [
        entry
        for entry in author.unit.audit.of(edge.source)
        if entry.subject is Subject.ASSOCIATION and key.items() <= dict(entry.new or {}).items()
    ]
    return bool(changes) and changes[-1].by in PERSONS


# Conflicts


def supersede_memories(
    author: Author, keep: str, losers: Sequence[str], reason: str
) -> list[Written]:
    """Let one memory replace others in conflict with it; a person's own are queued for review."""
    if not losers or keep in losers:
        raise InvalidInput("supersede", "name the memories to replace, and not the one to keep")
    kept = _load_live(author, "keep", keep)
    why = redact(reason).text
    return [_supersede_one(author, kept, id, why) for id in dict.fromkeys(losers)]


def reconcile_memories(author: Author, ids: Sequence[str], reason: str) -> list[Written]:
    """Declare that conflicting memories are all right, which ends their conflict."""
    unique = sorted(set(ids))
    if len(unique) < 2:
        raise InvalidInput("keep_both", "name the memories that are both right, two at least")
    memories = {id: _load_live(author, "keep_both", id) for id in unique}
    disputed = _find_conflicting_pairs(author, memories)
    why = redact(reason).text
    reviews = {
        pair: _reconcile_pair(author, memories[pair[0]], memories[pair[1]], why)
        for pair in disputed
    }
    return [_to_written(memories[id], reviews) for id in unique]


def _supersede_one(author: Author, kept: Memory, id: str, reason: str) -> Written:
    old = author.visible(id)
    if old.superseded_by == kept.id:
        return Written(memory=old, status=Status.UNCHANGED)
    _load_live(author, "supersede", id)
    noted = load_conflicting_pairs(author.unit, [id])
    settled = load_compatible_pairs(author.unit, [id])
    if find_conflict_place(old, kept, noted) is None or id_pair(old, kept) in settled:
        problem = f"memory {id} is in no conflict with {kept.id}; edit or forget it instead"
        raise InvalidInput("supersede", problem)
    if author.may_replace(old):
        replaced = author.journal.supersede(old, kept, reason)
        _drop_answered_wishes(author, old, kept)
        return Written(memory=replaced, status=Status.SUPERSEDED)
    change = {"superseded_by": kept.id} | _reason_field(reason)
    review = author.journal.queue(Action.SUPERSEDE, old, change)
    return Written(memory=old, status=Status.QUEUED, review=review)


def _find_conflicting_pairs(author: Author, memories: Mapping[str, Memory]) -> list[IdPair]:
    """The pairs in conflict; every memory must be in one, or have been."""
    settled = load_compatible_pairs(author.unit, memories)
    noted = load_conflicting_pairs(author.unit, memories)
    pairs = list(combinations(memories, 2))
    found = [
        (one, other)
        for one, other in pairs
        if (one, other) not in settled
        and find_conflict_place(memories[one], memories[other], noted) is not None
    ]
    named = {id for pair in (*found, *settled.intersection(pairs)) for id in pair}
    for id in memories:
        if id not in named:
            problem = f"memory {id} is in no conflict with the others; leave it out"
            raise InvalidInput("keep_both", problem)
    return found


def _reconcile_pair(author: Author, first: Memory, second: Memory, reason: str) -> Review | None:
    """Declare that both are right; returns the review if only a person may."""
    edge = Association(source=first.id, target=second.id, relation=Relation.COMPATIBLE_WITH)
    for memory in (first, second):
        if not may_change(memory, author.by):
            return author.journal.queue(
                Action.INSERT, memory, edge.to_dict() | _reason_field(reason)
            )
    author.journal.link(edge, reason)
    _drop_answered_wishes(author, first, second)
    return None


def _drop_answered_wishes(author: Author, first: Memory, second: Memory) -> None:
    """Drop the reviews that ask whether one of two memories replaces the other."""
    reviews = author.unit.reviews
    for old, new in ((first, second), (second, first)):
        for review in reviews.about(old.id):
            if review.action is Action.SUPERSEDE and review.change.get("superseded_by") == new.id:
                reviews.drop(review.id)


def _to_written(memory: Memory, reviews: Mapping[IdPair, Review | None]) -> Written:
    own = [review for pair, review in reviews.items() if memory.id in pair]
    waiting = next((review for review in own if review is not None), None)
    if waiting is not None:
        return Written(memory=memory, status=Status.QUEUED, review=waiting)
    return Written(memory=memory, status=Status.KEPT if own else Status.UNCHANGED)


def _load_live(author: Author, field: str, id: str) -> Memory:
    memory = author.visible(id)
    state = memory.state(author.now)
    if state is not State.LIVE:
        raise InvalidInput(field, f"memory {id} is {state}; only live ones are in conflict")
    return memory


def _reason_field(reason: str) -> dict[str, str]:
    return {"reason": reason} if reason else {}
