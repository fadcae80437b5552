"""Changes to memories: each writes the row, what derives from it, and exactly one audit entry."""

from collections.abc import Callable, Collection, Iterable, Mapping, Set
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from tacit.core.changes import AuditEntry, Review
from tacit.core.json_value import to_json_value
from tacit.core.kinds import LEARNED_BY, QUOTE, TURN, Action, Actor, Subject
from tacit.core.memory import Association, Memory
from tacit.core.open_turn import NotRecorded, OpenTurn
from tacit.core.permissions import UNBOUND, Viewer
from tacit.language.terms import WordMatcher, extract_index_terms
from tacit.statements.parser import find_claims
from tacit.store.ownership import EraseBounds
from tacit.store.protocols.store import UnitOfWork

_PAGE = 500
SUCCESSOR = "successor"
"""In the audit row of a planned end: the memory that begins then, or None if cancelled."""
LIKELIHOOD, MERGED = "likelihood", "merged"
"""In the audit row of what was superseded: how likely that is, and whether both said the same."""
_EMPTY_VALUES: tuple[Any, ...] = (None, "", [], {}, False)
"""Values that the audit row of an insert leaves out: else half of it would be empty fields."""


class Journal:
    """The changes of one author in one transaction."""

    def __init__(
        self,
        unit: UnitOfWork,
        *,
        by: Actor,
        now: datetime,
        new_id: Callable[[], str],
        noted: Callable[[AuditEntry], None] = lambda _: None,
        reason: str = "",
    ) -> None:
        self._unit = unit
        self._by = by
        self._now = now
        self._new_id = new_id
        self._noted = noted
        self._reason = reason

    def insert(self, memory: Memory) -> None:
        """Add a memory."""
        insert_memory(self._unit, memory)
        values = {
            name: value for name, value in memory.to_dict().items() if value not in _EMPTY_VALUES
        }
        del values["workspace"]
        self._record(Action.INSERT, memory.id, new=values)

    def update(self, old: Memory, **changes: Any) -> Memory:
        """Change fields of a memory; what derives from its text follows a change of it."""
        new = replace(old, **changes, updated_at=self._now)
        self._unit.memories.update(new)
        self._unit.uncompared.add(new.id)
        if new.search_text != old.search_text:
            self._unit.claims.clear(new.id)
            index_derived_text(self._unit, new)
            self._unit.vectors.discard(new.id)
            self._unit.comparisons.clear(new.id)
        discard_stale_codes(self._unit, old, new)
        before, after = _diff(old, new)
        self._record(Action.UPDATE, old.id, old=before, new=after)
        return new

    def forget(self, old: Memory, reason: str = "") -> Memory:
        """Hide a memory from every read path."""
        return self._change_state(Action.FORGET, old, _with_reason(reason), forgotten=True)

    def restore(self, old: Memory, **changes: Any) -> Memory:
        """Bring a forgotten or ended memory back."""
        return self._change_state(Action.RESTORE, old, forgotten=False, **changes)

    def assign(self, old: Memory, scope_id: str) -> Memory:
        """Give a memory another owner of its scope, without renewing its age."""
        return self._change_state(Action.UPDATE, old, scope_id=scope_id)

    def supersede(
        self,
        old: Memory,
        successor: Memory,
        reason: str = "",
        *,
        likelihood: float | None = None,
        is_merge: bool = False,
        **changes: Any,
    ) -> Memory:
        """Record what replaced a memory, since when, why and how likely; the old text stays.

        In a merge the successor says the same.
        """
        ended = max(self._now, old.valid_from or self._now)
        if old.valid_to is not None:
            ended = min(ended, old.valid_to)
        replaced = {"superseded_by": successor.id, "valid_to": ended}
        told: dict[str, Any] = {
            **_with_reason(reason),
            **({} if likelihood is None else {LIKELIHOOD: round(likelihood, 4)}),
            **({MERGED: True} if is_merge else {}),
        }
        return self._change_state(Action.SUPERSEDE, old, told, **replaced, **changes)

    def plan_end(self, old: Memory, end: datetime | None, successor: str | None) -> Memory:
        """Plan or cancel the end of a memory when another begins; its text does not change."""
        return self._change_state(Action.UPDATE, old, {SUCCESSOR: successor}, valid_to=end)

    def erase(
        self, memories: Collection[Memory], texts: Collection[str], reach: Viewer = UNBOUND
    ) -> dict[str, int]:
        """Remove memories and everything within reach that contains their texts; returns counts."""
        unit = self._unit
        named = frozenset(memory.id for memory in memories)
        own = {
            "memories": len(named),
            "associations": sum(map(unit.associations.clear, named)),
            "audit_values": sum(map(unit.audit.blank, named)),
        }
        reviews = sum(map(unit.reviews.remove, named))
        gone = self.erase_traces(named, texts, source_turns(memories), reach)
        for memory in memories:
            self.erase_row(memory.id)
        return {**own, **gone, "reviews": reviews + gone["reviews"]}

    def erase_row(self, id: str) -> None:
        """Remove a row with what is derived from it, and record that it was erased."""
        self._unit.memories.delete(id)
        self._record(Action.ERASE, id)

    def erase_traces(
        self, shown: Set[str], texts: Collection[str], turns: Collection[str], reach: Viewer
    ) -> dict[str, int]:
        """Remove what shows some memories or episodes, or contains texts within reach.

        The receipts of the turns in which they were said go too, and those of the turns that are
        no longer learned from, by which a learner that has read them knows. Returns counts.
        """
        unit, words, bounds = self._unit, WordMatcher.of(texts), EraseBounds(self._unit, reach)
        heard = unit.heard.drop_holding(words, lambda each: reach.sees_turn(each.agent, each.user))
        gone = {
            "comparisons": sum(map(unit.comparisons.clear, shown)),
            "reviews": self._drop_proposals(words, bounds),
            "blocks": unit.blocks.blank(shown),
            "ledger": sum(map(unit.ledger.remove, shown)),
            "heard": len(heard),
            "variables": unit.variables.drop_holding(
                words, lambda each: bounds.has_session(each.session)
            ),
            "turns": self._abandon_turns(shown, words, reach),
            "receipts": unit.receipts.drop([*self._turns_in_reach(turns, reach), *sorted(heard)]),
        }
        unit.answers.blank()
        return gone

    def link(self, edge: Association, reason: str = "") -> None:
        """Add an edge or change its weight, with an optional reason."""
        before = self._unit.associations.get(edge.source, edge.target, edge.relation)
        self._unit.associations.put(edge)
        if before is None:
            new = edge.to_dict() | _with_reason(reason)
            self._record(Action.INSERT, edge.source, Subject.ASSOCIATION, new=new)
        elif before != edge:
            old, new = before.to_dict(), edge.to_dict() | _with_reason(reason)
            self._record(Action.UPDATE, edge.source, Subject.ASSOCIATION, old=old, new=new)

    def unlink(self, edge: Association) -> None:
        """Remove an edge."""
        self._unit.associations.remove(edge)
        self._record(Action.DELETE, edge.source, Subject.ASSOCIATION, old=edge.to_dict())

    def queue(self, action: Action, memory: Memory, change: Mapping[str, Any]) -> Review:
        """Queue a change for a person to review; the same change is queued only once.

        If the memory changed since it was queued, it is queued again.
        """
        review = Review(
            id=self._new_id(),
            memory=memory.id,
            action=action,
            change={name: to_json_value(value) for name, value in change.items()},
            by=self._by,
            created_at=self._now,
        )
        waiting = self._unit.reviews.same(review)
        if waiting is not None and waiting.created_at >= memory.updated_at:
            return waiting
        if waiting is not None:
            self._unit.reviews.drop(waiting.id)
        self._unit.reviews.add(review)
        return review

    def _turns_in_reach(self, turns: Collection[str], reach: Viewer) -> list[str]:
        """Those of some turns that are within reach."""
        if not reach.is_bound:
            return list(turns)
        known = [each for each in map(self._unit.receipts.get, turns) if each is not None]
        return [each.id for each in known if reach.sees_turn(each.agent, each.user)]

    def _drop_proposals(self, words: WordMatcher, bounds: EraseBounds) -> int:
        """Drop proposed memories that contain these words; returns how many."""
        last, gone = None, 0
        while page := self._unit.reviews.pending(last, _PAGE):
            last = page[-1].id
            for review in page:
                if is_proposal_with(review, words) and bounds.has_proposal(review):
                    gone += self._unit.reviews.drop(review.id)
        return gone

    def _abandon_turns(self, memories: Set[str], words: WordMatcher, reach: Viewer) -> int:
        """Abandon open turns that show these memories, or contain these words and are in reach."""
        last: OpenTurn | None = None
        gone = 0
        while page := self._unit.receipts.scan_open_turns(last, _PAGE):
            last = page[-1]
            for turn in page:
                is_reached = reach.sees_turn(turn.receipt.agent, turn.receipt.user)
                if turn.shows(memories) or (is_reached and words.match_any(turn.texts)):
                    gone += self._unit.receipts.abandon_turn(turn, NotRecorded.ERASED)
        return gone

    def _change_state(
        self,
        action: Action,
        old: Memory,
        told: Mapping[str, Any] = MappingProxyType({}),
        **changes: Any,
    ) -> Memory:
        new = replace(old, **changes)
        self._unit.memories.update(new)
        self._unit.uncompared.add(new.id)
        discard_stale_codes(self._unit, old, new)
        before, after = _diff(old, new)
        self._record(action, old.id, old=before, new=after | dict(told))
        return new

    def _record(
        self,
        action: Action,
        memory: str,
        subject: Subject = Subject.MEMORY,
        *,
        old: Mapping[str, Any] | None = None,
        new: Mapping[str, Any] | None = None,
    ) -> None:
        if self._reason and new is not None:
            new = _with_reason(self._reason) | dict(new)
        entry = AuditEntry(
            id=self._new_id(),
            memory=memory,
            action=action,
            by=self._by,
            at=self._now,
            subject=subject,
            old=old,
            new=new,
        )
        self._unit.audit.record(entry)
        self._noted(entry)


def collect_texts(unit: UnitOfWork, memory: Memory) -> set[str]:
    """Every text that a memory had, as far as the audit log knows, and its sources."""
    rows = [row for row in unit.audit.of(memory.id) if row.subject is Subject.MEMORY]
    values = [value for row in rows for value in (row.old, row.new) if value]
    said = {memory.content, *(value["content"] for value in values if "content" in value)}
    for turn in source_turns([memory]):
        said.add(str(memory.metadata.get(QUOTE, "")))
        receipt = unit.receipts.get(turn)
        said.add(receipt.query if receipt is not None else "")
    return {text for text in said if text.strip()}


def source_turns(memories: Iterable[Memory]) -> list[str]:
    """The ids of the turns that memories were learned from."""
    learned = [memory.metadata for memory in memories if LEARNED_BY in memory.metadata]
    return [str(each[TURN]) for each in learned if TURN in each]


def is_proposal_with(review: Review, words: WordMatcher) -> bool:
    """Whether a review proposes a new memory that contains these words."""
    return review.is_proposal and words.match_any([str(review.change.get("content"))])


def insert_memory(unit: UnitOfWork, memory: Memory) -> None:
    """Store a memory with what is derived from its text; its audit row is the caller's."""
    unit.memories.insert(memory)
    unit.uncompared.add(memory.id)
    index_derived_text(unit, memory)
    discard_stale_codes(unit, None, memory)


def index_derived_text(unit: UnitOfWork, memory: Memory) -> None:
    """Store the terms and claims that are derived from the text of a memory."""
    unit.texts.put(memory.id, extract_index_terms(memory.search_text))
    unit.claims.put(memory.id, find_claims(memory.content))


# Token codes: a memory is encoded behind what was said before it.


_CONTEXT_SIZE = 2


def context_of(unit: UnitOfWork, memory: Memory) -> tuple[str, ...]:
    """The memories that a memory is encoded behind: the two before it in its session, oldest first.

    Only those count that all who see the memory may see: of its own owner, of a project or an
    organisation; never the words of another user. What was superseded or has ended was said all
    the same, and stays; what was forgotten does not. Without a session and an ordinal there is
    none. Whoever encodes outside a transaction compares it, and the texts, before `put`.
    """
    if memory.origin.session is None or memory.origin.ordinal is None:
        return ()
    return tuple(reversed(unit.memories.before(memory, _CONTEXT_SIZE)))


def discard_stale_codes(unit: UnitOfWork, old: Memory | None, new: Memory) -> None:
    """Drop the token codes that a new (without `old`) or changed memory makes stale.

    These are its own and those encoded behind it, if its text changed or it left its place, and
    those of the memories that directly follow it at a new place. Deleting it needs no such call.
    """
    is_moved = old is None or _place(old) != _place(new)
    if old is not None:
        is_reworded = old.search_text != new.search_text
        if is_moved or is_reworded:
            unit.token_codes.discard(new.id)
    if is_moved and _place(new) is not None:
        unit.token_codes.discard_after(new)


def _place(memory: Memory) -> tuple[Any, ...] | None:
    """Where a memory stands among what was said, and who may see it there; None if nowhere."""
    origin = memory.origin
    if memory.forgotten or origin.session is None or origin.ordinal is None:
        return None
    return origin.session, origin.ordinal, memory.owner, memory.agent


def _with_reason(reason: str) -> dict[str, str]:
    return {"reason": reason} if reason else {}


def _diff(old: Memory, new: Memory) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields that differ, before and after; `updated_at` is left out: the row has the time."""
    before, after = old.to_dict(), new.to_dict()
    changed = [name for name in before if before[name] != after[name] and name != "updated_at"]
    return {name: before[name] for name in changed}, {name: after[name] for name in changed}
