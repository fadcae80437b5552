"""Contradictions: a person's statements that may not both hold, noted as links `contradicts`.

The weight of a link is how likely the later statement replaces the earlier; the list of conflicts
shows the pair until somebody decides.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import ROUND_DOWN, Decimal

from tacit.core.kinds import Relation
from tacit.core.memory import Association, Memory
from tacit.search.agreement import Agreement
from tacit.search.conflict_rules import load_compatible_pairs, pair_of
from tacit.search.conflicts import find_conflict_place
from tacit.search.later_words import StatementPair
from tacit.store.protocols.store import UnitOfWork
from tacit.writing.author import Author
from tacit.writing.relations import is_persons_link

_WEIGHT_STEP = Decimal("0.01")


def find_noted(unit: UnitOfWork, ids: Sequence[str]) -> dict[str, set[str]]:
    """For each of some memories those of which it was noted that they contradict it."""
    found: dict[str, set[str]] = defaultdict(set)
    for edge in _load_noted(unit, ids):
        found[edge.source].add(edge.target)
        found[edge.target].add(edge.source)
    return found


def note_contradictions(author: Author, compared: Mapping[StatementPair, Agreement]) -> None:
    """Link what disagrees, and unlink what no longer does, unless a person linked it."""
    unit = author.unit
    told = {pair: each.score for pair, each in compared.items() if each.is_told}
    settled = load_compatible_pairs(unit, {each.id for pair in told for each in pair})
    links = {}
    for (old, new), score in told.items():
        edge = to_contradiction(old, new, score)
        if edge is not None and pair_of(edge) not in settled:
            links[pair_of(edge)] = edge
    read = {(min(old.id, new.id), max(old.id, new.id)) for old, new in compared}
    for edge in _load_noted(unit, sorted({id for pair in read for id in pair})):
        link = links.get(pair_of(edge))
        is_over = pair_of(edge) in read and (link is None or link.source != edge.source)
        if is_over and not is_persons_link(author, edge):
            author.journal.unlink(edge)
    for edge in links.values():
        if not is_persons_link(author, edge):
            author.journal.link(edge)


def to_contradiction(old: Memory, new: Memory, score: float) -> Association | None:
    """The link that notes a contradiction; none if their key or what they claim is a conflict."""
    if find_conflict_place(old, new) is not None:
        return None
    return Association(
        source=new.id, target=old.id, relation=Relation.CONTRADICTS, weight=_to_weight(score)
    )


def _to_weight(score: float) -> float:
    """A likelihood in hundredths, rounded down: what is not clear is not stored as clear."""
    return float(Decimal(str(score)).quantize(_WEIGHT_STEP, ROUND_DOWN))


def _load_noted(unit: UnitOfWork, ids: Sequence[str]) -> list[Association]:
    if not ids:
        return []
    edges = unit.associations.within(sorted(ids), 1, (Relation.CONTRADICTS,))
    return [edge for edge in edges if edge.relation is Relation.CONTRADICTS]
