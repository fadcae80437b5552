"""Standing rules as candidates: constraints, preferences and identity, whatever a message says."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from tacit.core.kinds import Owner, Sort
from tacit.core.memory import Memory
from tacit.core.receipt import NOTE_CHANGED, CandidateSource
from tacit.core.sessions import LedgerEntry
from tacit.search.duplicates import wording_hash
from tacit.settings.injection import InjectionSettings
from tacit.store.protocols.store import UnitOfWork
from tacit.turn.candidates import build_query
from tacit.turn.state import ScoredCandidate, TurnRequest

LEARNED_CONFIDENCE = 0.9
"""A rule that no person wrote explicitly must have been learned with this confidence."""

_MOST_READ = 200


def find_standing(
    unit: UnitOfWork,
    request: TurnRequest,
    settings: InjectionSettings,
    in_view: Iterable[LedgerEntry],
    now: datetime,
) -> list[ScoredCandidate]:
    """Find the rules that a turn may see: by scope, then by importance, then the newest first.

    A rule that was shown in other words is marked as changed, and so is one that replaces another.
    """
    found: list[Memory] = []
    for owner in _owners_by_priority(request, settings):
        left = _MOST_READ - len(found)
        found += _find_rules(unit, request, owner, left, now) if left else []
    changed = _find_changed(unit, found, list(in_view))
    return [
        ScoredCandidate(
            memory=memory,
            found=CandidateSource.STANDING,
            note=NOTE_CHANGED if memory.id in changed else "",
        )
        for memory in found
    ]


def _owners_by_priority(request: TurnRequest, settings: InjectionSettings) -> list[Owner]:
    """The owners whose rules are read; a scope without a priority is not read."""
    owners = dict(request.owners)
    return [(scope, owners[scope]) for scope in settings.memory_scope_priority if scope in owners]


def _find_rules(
    unit: UnitOfWork, request: TurnRequest, owner: Owner, limit: int, now: datetime
) -> list[Memory]:
    """The rules of one owner, the most important first, and of those the newest."""
    scope, scope_id = owner
    query = build_query(
        request,
        now,
        standing=True,
        scope=scope,
        scope_id=scope_id,
        sort=Sort.IMPORTANCE,
        limit=limit,
    )
    sure = (memory for memory in unit.memories.find(query) if _is_sure(memory))
    return sorted(sure, key=lambda each: (each.importance, each.updated_at), reverse=True)


def _is_sure(memory: Memory) -> bool:
    return memory.explicit or memory.confidence >= LEARNED_CONFIDENCE


def _find_changed(
    unit: UnitOfWork, rules: Sequence[Memory], in_view: Sequence[LedgerEntry]
) -> set[str]:
    """The rules of which other words are in view, or one that they replace."""
    shown: dict[str, set[bytes]] = {}
    for entry in in_view:
        shown.setdefault(entry.memory, set()).add(entry.content_hash)
    reworded = {
        memory.id
        for memory in rules
        if memory.id in shown and wording_hash(memory.content) not in shown[memory.id]
    }
    earlier = unit.memories.get(sorted(shown.keys() - {memory.id for memory in rules}))
    replacing = {memory.superseded_by for memory in earlier.values()}
    return reworded | {memory.id for memory in rules if memory.id in replacing}
