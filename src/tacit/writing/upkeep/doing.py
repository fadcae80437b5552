"""Carrying out what was thought of, as far as it still is right: all is read again first."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from tacit.core.kinds import Relation, State
from tacit.core.memory import Memory
from tacit.settings.upkeep import UpkeepSettings
from tacit.writing.author import Author
from tacit.writing.editing import forget
from tacit.writing.merging import may_merge, merge, ranked
from tacit.writing.outcome import Status
from tacit.writing.upkeep.linking import have_room, may_relate, relation
from tacit.writing.upkeep.pruning import may_go
from tacit.writing.upkeep.report import Kind
from tacit.writing.upkeep.step import Step


def carry_out(author: Author, steps: Sequence[Step], settings: UpkeepSettings) -> list[Step]:
    """Do what is still right, in this order; returns what was done."""
    return [step for step in steps if _DOING[step.kind](author, step, settings)]


def _prune(author: Author, step: Step, settings: UpkeepSettings) -> bool:
    memory = _unchanged(author, step.memory)
    if memory is None or not may_go(author.unit, memory, author.now, settings):
        return False
    return forget(author, memory.id).status is Status.FORGOTTEN


def _merge(author: Author, step: Step, _: UpkeepSettings) -> bool:
    memory, other = _both(author, step)
    if memory is None or other is None or not may_merge(memory, other):
        return False
    winner, loser = ranked(memory, other)
    result = merge(author, winner, loser)
    if result is None:
        return False
    is_as_thought = step.result is not None and result.content == step.result.content
    if step.vector is not None and is_as_thought:
        author.unit.vectors.put(result.id, *step.vector)
    return True


def _link(author: Author, step: Step, _: UpkeepSettings) -> bool:
    memory, other = _both(author, step)
    if memory is None or other is None or not may_relate(memory, other):
        return False
    edges = author.unit.associations.within([memory.id, other.id], 1, frozenset(Relation))
    if not have_room(memory, other, edges):
        return False
    author.journal.link(relation(memory, other, step.cosine))
    return True


def _both(author: Author, step: Step) -> tuple[Memory | None, Memory | None]:
    other = None if step.other is None else _unchanged(author, step.other)
    return _unchanged(author, step.memory), other


def _unchanged(author: Author, thought_of: Memory) -> Memory | None:
    """A memory as it is now, if it is live and says what it said."""
    memory = author.unit.memories.get([thought_of.id]).get(thought_of.id)
    if memory is None or memory.state(author.now) is not State.LIVE:
        return None
    return memory if memory.content == thought_of.content else None


_DOING: Mapping[Kind, Callable[[Author, Step, UpkeepSettings], bool]] = MappingProxyType(
    {Kind.PRUNE: _prune, Kind.MERGE: _merge, Kind.LINK: _link}
)
