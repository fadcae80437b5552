"""Resolving conflicts: one memory takes the place of others, or all of them are right."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from tacit.core.changes import Review
from tacit.core.errors import InvalidInput
from tacit.core.kinds import Action, Relation, State
from tacit.core.memory import Association, Memory
from tacit.core.permissions import may_change
from tacit.language.redaction.text import redact
from tacit.search.selection.conflicts import Pair
from tacit.search.selection.topic import topic_of
from tacit.store.agreement import agreed
from tacit.writing.author import Author
from tacit.writing.outcome import Status, Written


def supersede_memories(
    author: Author, keep: str, losers: Sequence[str], reason: str
) -> list[Written]:
    """Let one memory replace others that it contradicts; a person's own wait for a person."""
    if not losers or keep in losers:
        raise InvalidInput("supersede", "name the memories to replace, and not the one to keep")
    kept = _live(author, "keep", keep)
    settled = agreed(author.unit, [keep])
    why = redact(reason).text
    return [_replaced(author, kept, id, settled, why) for id in dict.fromkeys(losers)]


def keep_all(author: Author, ids: Sequence[str], reason: str) -> list[Written]:
    """Say of memories that contradict each other that all are right, and no conflict any more."""
    unique = sorted(set(ids))
    if len(unique) < 2:
        raise InvalidInput("keep_both", "name the memories that are both right, two at least")
    memories = {id: _live(author, "keep_both", id) for id in unique}
    disputed = _disputed(memories, agreed(author.unit, unique))
    why = redact(reason).text
    reviews = {
        pair: _reconciled(author, memories[pair[0]], memories[pair[1]], why) for pair in disputed
    }
    return [_kept(memories[id], reviews) for id in unique]


def _replaced(
    author: Author, kept: Memory, id: str, settled: frozenset[Pair], reason: str
) -> Written:
    old = author.visible(id)
    if old.superseded_by == kept.id:
        return Written(memory=old, status=Status.UNCHANGED)
    _live(author, "supersede", id)
    if topic_of(old, kept) is None or _pair(old, kept) in settled:
        problem = f"memory {id} is in no conflict with {kept.id}; edit or forget it instead"
        raise InvalidInput("supersede", problem)
    if may_change(old, author.by):
        replaced = author.journal.supersede(old, kept, reason)
        return Written(memory=replaced, status=Status.SUPERSEDED)
    change = {"superseded_by": kept.id} | _told(reason)
    review = author.journal.queue(Action.SUPERSEDE, old, change)
    return Written(memory=old, status=Status.QUEUED, review=review)


def _disputed(memories: Mapping[str, Memory], settled: frozenset[Pair]) -> list[Pair]:
    """The pairs that are in conflict; each memory must be in one, or have been."""
    pairs = list(combinations(memories, 2))
    found = [
        (one, other)
        for one, other in pairs
        if (one, other) not in settled and topic_of(memories[one], memories[other]) is not None
    ]
    named = {id for pair in (*found, *settled.intersection(pairs)) for id in pair}
    for id in memories:
        if id not in named:
            problem = f"memory {id} is in no conflict with the others; leave it out"
            raise InvalidInput("keep_both", problem)
    return found


def _reconciled(author: Author, first: Memory, second: Memory, reason: str) -> Review | None:
    """Say that both are right; the wish, where only a person can."""
    edge = Association(source=first.id, target=second.id, relation=Relation.COMPATIBLE_WITH)
    for memory in (first, second):
        if not may_change(memory, author.by):
            return author.journal.queue(Action.INSERT, memory, edge.to_dict() | _told(reason))
    author.journal.link(edge, reason)
    return None


def _kept(memory: Memory, reviews: Mapping[Pair, Review | None]) -> Written:
    own = [review for pair, review in reviews.items() if memory.id in pair]
    waiting = next((review for review in own if review is not None), None)
    if waiting is not None:
        return Written(memory=memory, status=Status.QUEUED, review=waiting)
    return Written(memory=memory, status=Status.KEPT if own else Status.UNCHANGED)


def _live(author: Author, field: str, id: str) -> Memory:
    memory = author.visible(id)
    state = memory.state(author.now)
    if state is not State.LIVE:
        raise InvalidInput(field, f"memory {id} is {state}; only live ones are in conflict")
    return memory


def _pair(first: Memory, second: Memory) -> Pair:
    return min(first.id, second.id), max(first.id, second.id)


def _told(reason: str) -> dict[str, str]:
    return {"reason": reason} if reason else {}
