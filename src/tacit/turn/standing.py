"""Standing rules as candidates: constraints, preferences and identity, whatever a message says."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from tacit.core.kinds import (
    AGENTS,
    LEARNED_BY,
    RULE_CONFIDENCE,
    STANDS,
    Owner,
    Sort,
    Trust,
)
from tacit.core.memory import Memory
from tacit.core.receipt import NOTE_CHANGED, CandidateSource
from tacit.core.sessions import LedgerEntry
from tacit.search.duplicates import wording_hash
from tacit.settings.injection import InjectionSettings
from tacit.store.protocols.store import UnitOfWork
from tacit.turn.budget import take_shares
from tacit.turn.candidates import build_query
from tacit.turn.state import ScoredCandidate, TurnRequest

_MOST_READ = 200


def find_standing(
    unit: UnitOfWork,
    request: TurnRequest,
    settings: InjectionSettings,
    in_view: Iterable[LedgerEntry],
    now: datetime,
) -> list[ScoredCandidate]:
    """Find the rules that a turn may see: by scope, then by importance, then the newest first.

    Each owner has a share, so that many rules of one hide none of another. A rule that was shown in
    other words is marked as changed, and so is one that replaces another.
    """
    owners = _owners_by_priority(request, settings)
    rules = [_find_rules(unit, request, owner, _MOST_READ, now) for owner in owners]
    found = [each for own in take_shares(rules, _MOST_READ) for each in own]
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
    sure = (memory for memory in unit.memories.find(query) if may_stand(memory))
    return sorted(sure, key=lambda each: (each.importance, each.updated_at), reverse=True)


def may_stand(memory: Memory) -> bool:
    """Whether a memory may stand as a rule without being looked for.

    One that was learned stands if its message said nothing else, or if it was said twice; what an
    agent or a tool wrote waits for a person.
    """
    if memory.source in AGENTS and memory.trust is not Trust.TRUSTED:
        return False
    is_meant = LEARNED_BY not in memory.metadata or bool(memory.metadata.get(STANDS))
    is_sure = memory.confidence >= RULE_CONFIDENCE and memory.trust is Trust.TRUSTED
    return memory.explicit or (is_meant and is_sure)


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
