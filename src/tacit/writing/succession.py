"""A key has one current value: what a new statement does to older ones with its key."""

from tacit.authority import Succession, succession
from tacit.memory import Action, Memory, Review
from tacit.store import Query
from tacit.writing.author import Author

_MANY = 1_000


def succeed(author: Author, memory: Memory) -> tuple[tuple[str, ...], Review | None]:
    """Supersede what the memory replaces; what only a person may replace is queued."""
    superseded: list[str] = []
    review: Review | None = None
    for old in _rivals(author, memory):
        verdict = succession(old, memory, author.by)
        if verdict is Succession.SUPERSEDE:
            author.journal.supersede(old, memory)
            superseded.append(old.id)
        elif verdict is Succession.REVIEW:
            change = {"superseded_by": memory.id}
            review = author.journal.queue(Action.SUPERSEDE, old, change)
    return tuple(superseded), review


def _rivals(author: Author, memory: Memory) -> list[Memory]:
    """Live memories with the same key, scope, owner and agent."""
    if memory.key is None:
        return []
    query = Query(
        now=author.now,
        key=memory.key,
        scope=memory.scope,
        scope_id=memory.scope_id,
        limit=_MANY,
    )
    found = author.unit.memories.find(query)
    return [each for each in found if each.id != memory.id and each.agent == memory.agent]
