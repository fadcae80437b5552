"""Episodes in a store: rows of a workspace of their own, beside the memories.

They are searched, embedded and encoded as memories are. In such a row the agent that a memory is
limited to is the project that an episode is limited to, and the key tells one message from another,
so that nothing is kept twice.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Annotated, Any, Self

from tacit.core.episodes import ONLY_ASKS, Episode, EpisodeRole, only_asks
from tacit.core.errors import AlreadyKnown
from tacit.core.fields import Origin
from tacit.core.json_value import INLINE, JsonValue
from tacit.core.kinds import TURN, Actor, MemoryType, Owner, Scope, Sort, Trust
from tacit.core.memory import Memory
from tacit.store.journal import discard_stale_codes, insert_memory
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.query import Query, to_regex
from tacit.store.workspaces import episodes_workspace

NO_PROJECT = ""
"""Looks at the episodes of no project only."""

_ROLE, _AGENT, _PLACE, _LEARNED = "role", "agent", "place", "learned"
_REPLACED_BY, _CORRECTED_BY = "replaced_by", "corrected_by"
_IMPORTANCE = 0.5
_EVER = datetime(1970, 1, 1, tzinfo=UTC)
_PAGE = 500


@dataclass(frozen=True, slots=True)
class LearnedMemory:
    """A memory that was learned from an episode, and a digest of its words at the time."""

    id: str
    wording: str


def owner_of(episode: Episode) -> Owner:
    """Whose an episode is: its user's, or its session's."""
    if episode.scope is Scope.SESSION:
        return Scope.SESSION, episode.session
    return Scope.USER, episode.user or ""


def to_row(episode: Episode, workspace: str, message_key: str) -> Memory:
    """The row of an episode; `message_key` tells it from another with the same words.

    What an assistant said has no place among what is read as context of the person's words.
    """
    scope, scope_id = owner_of(episode)
    is_person = episode.role is EpisodeRole.USER
    metadata: dict[str, Any] = {
        _ROLE: str(episode.role),
        _PLACE: episode.place,
        TURN: episode.turn,
        **({_AGENT: episode.agent} if episode.agent is not None else {}),
        **({ONLY_ASKS: True} if episode.only_asks else {}),
    }
    return Memory(
        id=episode.id,
        workspace=workspace,
        content=episode.text,
        type=MemoryType.FACT,
        key=message_key,
        importance=_IMPORTANCE,
        confidence=1.0,
        scope=scope,
        scope_id=scope_id,
        agent=episode.project,
        source=Actor.USER if is_person else Actor.AGENT,
        origin=Origin(
            session=episode.session, ordinal=episode.place if is_person else None, time=episode.at
        ),
        trust=episode.trust,
        explicit=False,
        metadata=metadata,
        created_at=episode.at,
        updated_at=episode.at,
        forgotten=episode.forgotten,
    )


def from_row(row: Memory) -> Episode:
    """The episode of a row."""
    is_of_session = row.scope is Scope.SESSION
    return Episode(
        id=row.id,
        session=row.origin.session or "",
        place=int(row.metadata.get(_PLACE, 0)),
        role=EpisodeRole(row.metadata.get(_ROLE, EpisodeRole.USER)),
        at=row.created_at,
        text=row.content,
        user=None if is_of_session else row.scope_id or None,
        project=row.agent,
        agent=row.metadata.get(_AGENT),
        scope=row.scope,
        trust=row.trust,
        only_asks=only_asks(row),
        turn=turn_of(row),
        forgotten=row.forgotten,
    )


def role_of(row: Memory) -> EpisodeRole:
    """Who said what a row holds."""
    return EpisodeRole(row.metadata.get(_ROLE, EpisodeRole.USER))


def says(row: Memory, words: str) -> bool:
    """Whether a row has these words, ignoring case; a query also looks into its key."""
    return re.search(to_regex(words), row.content) is not None


def turn_of(row: Memory) -> str:
    """The receipt of the turn in which it was said."""
    return str(row.metadata.get(TURN, ""))


def learned_from(row: Memory) -> list[LearnedMemory]:
    """The memories that were learned from the episode of a row."""
    held: Mapping[str, str] = row.metadata.get(_LEARNED, {})
    return [LearnedMemory(id, wording) for id, wording in held.items()]


def replaced_by(row: Memory) -> list[str]:
    """The later episodes, as far as they still exist, whose words replace those of a row."""
    return list(row.metadata.get(_REPLACED_BY, ()))


def corrected_by(row: Memory) -> list[str]:
    """The later episodes that replace one thing of several that a row says."""
    return list(row.metadata.get(_CORRECTED_BY, ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRecord(JsonValue):
    """All that is kept of an episode: also its key, what was learned of it, what replaces it."""

    episode: Annotated[Episode, INLINE]
    message_key: str
    learned: Mapping[str, str] = field(default_factory=dict)
    replaced_by: tuple[str, ...] = ()
    corrected_by: tuple[str, ...] = ()

    @classmethod
    def of(cls, row: Memory) -> Self:
        """The record of a row."""
        return cls(
            episode=from_row(row),
            message_key=row.key or "",
            learned={each.id: each.wording for each in learned_from(row)},
            replaced_by=tuple(replaced_by(row)),
            corrected_by=tuple(corrected_by(row)),
        )

    def to_row(self, workspace: str) -> Memory:
        """The row of the record."""
        row = to_row(self.episode, workspace, self.message_key)
        metadata = {
            **row.metadata,
            **({_LEARNED: dict(self.learned)} if self.learned else {}),
            **({_REPLACED_BY: list(self.replaced_by)} if self.replaced_by else {}),
            **({_CORRECTED_BY: list(self.corrected_by)} if self.corrected_by else {}),
        }
        return replace(row, metadata=metadata)


@dataclass(frozen=True, slots=True)
class EpisodeTable:
    """The episodes of a workspace, in a unit of work on the workspace that holds them."""

    unit: UnitOfWork

    def add(self, episode: Episode, message_key: str) -> bool:
        """Add an episode, unless this message is kept already; returns whether it was added."""
        return self.put(EpisodeRecord(episode=episode, message_key=message_key))

    def put(self, record: EpisodeRecord) -> bool:
        """Add all that is kept of an episode; returns False if its message is kept already."""
        if self._has_message(owner_of(record.episode), record.message_key):
            return False
        try:
            insert_memory(self.unit, record.to_row(self.unit.workspace))
        except AlreadyKnown:  # another process keeps what it heard too
            return False
        return True

    def get(self, ids: Sequence[str]) -> dict[str, Episode]:
        """Those of the ids that exist, in any state."""
        return {id: from_row(row) for id, row in self.unit.memories.get(ids).items()}

    def scan(self, after: str | None, limit: int) -> list[Memory]:
        """A page of the rows of all episodes, by id."""
        query = Query(now=_EVER, state=None, sort=Sort.CREATED, limit=limit, after=after)
        return self.unit.memories.find(query)

    def has_session(self, session: str) -> bool:
        """Whether anything that was said in a session is kept."""
        return self.unit.memories.total(Query(now=_EVER, state=None, session=session)) > 0

    def last_place(self, session: str, owner: Owner, now: datetime) -> int:
        """The highest number of an owner's episodes in a session; 0 if there is none."""
        query = Query(now=now, state=None, owners=(owner,), session=session, limit=1)
        newest = self.unit.memories.find(replace(query, sort=Sort.RECENT))
        return max((int(row.metadata.get(_PLACE, 0)) for row in newest), default=0)

    def of_turn(self, turn: str, session: str, owner: Owner, now: datetime) -> list[Episode]:
        """What was kept of a recent turn."""
        query = Query(now=now, state=None, owners=(owner,), session=session, limit=_PAGE)
        rows = self.unit.memories.find(replace(query, sort=Sort.RECENT))
        return [from_row(row) for row in rows if row.metadata.get(TURN) == turn]

    def note_learned(self, ids: Iterable[str], memory: str, wording: str) -> None:
        """Note that a memory was learned from episodes."""
        for row in self.unit.memories.get(list(ids)).values():
            held: dict[str, Any] = {**row.metadata.get(_LEARNED, {}), memory: wording}
            self.unit.memories.update(replace(row, metadata={**row.metadata, _LEARNED: held}))

    def doubt(self, ids: Iterable[str]) -> dict[str, datetime]:
        """Mark that others may have written episodes.

        Returns the memories that were learned from them, and when the words were said.
        """
        learned: dict[str, datetime] = {}
        for row in self.unit.memories.get(list(ids)).values():
            learned |= dict.fromkeys(row.metadata.get(_LEARNED, {}), row.created_at)
            self._change(row, trust=Trust.UNVERIFIED)
        return learned

    def note_replaced(self, old: str, new: str, *, in_part: bool = False) -> None:
        """Note that a later episode replaces what an earlier one says, or one thing of it."""
        name = _CORRECTED_BY if in_part else _REPLACED_BY
        for row in self.unit.memories.get([old]).values():
            later = list(dict.fromkeys([*row.metadata.get(name, ()), new]))
            self.unit.memories.update(replace(row, metadata={**row.metadata, name: later}))

    def set_forgotten(self, id: str, *, forgotten: bool) -> None:
        """Hide an episode, or bring it back."""
        for row in self.unit.memories.get([id]).values():
            self._change(row, forgotten=forgotten)

    def assign(self, old: Owner, new: Owner, limit: int) -> int:
        """Give at most so many episodes of an owner to another one; returns how many.

        A message that the other has already is not kept twice.
        """
        query = Query(now=_EVER, state=None, owners=(old,), sort=Sort.CREATED, limit=limit)
        found = self.unit.memories.find(query)
        for row in found:
            if self._has_message(new, row.key or ""):
                self.unit.memories.delete(row.id)
            else:
                self._change(row, scope=new[0], scope_id=new[1])
        return len(found)

    def count(self, owner: Owner) -> int:
        """How many episodes an owner has, in any state."""
        return self.unit.memories.total(Query(now=_EVER, state=None, owners=(owner,)))

    def move_project(self, old: str, new: str, after: str | None, limit: int) -> str | None:
        """Limit what was said in one project to another, a page of rows; returns the last id.

        None once there are no more.
        """
        page = self.scan(after, limit)
        for row in page:
            if row.agent == old:
                self._change(row, agent=new)
        return page[-1].id if page else None

    def _change(self, row: Memory, **changes: Any) -> None:
        """Change who sees an episode; what is derived from that follows."""
        changed = replace(row, **changes)
        self.unit.memories.update(changed)
        self.unit.uncompared.add(row.id)
        discard_stale_codes(self.unit, row, changed)

    def remove(self, ids: Iterable[str]) -> int:
        """Remove episodes with all that was derived from them; returns how many."""
        known = self.unit.memories.known(list(ids))
        for id in known:
            self.unit.memories.delete(id)
        return len(known)

    def _has_message(self, owner: Owner, message_key: str) -> bool:
        query = Query(now=_EVER, state=None, owners=(owner,), key=message_key, limit=1)
        return bool(self.unit.memories.find(query))

    def prune_before(self, before: datetime, now: datetime) -> int:
        """Remove everybody's episodes from before a moment; returns how many."""
        old = Query(now=now, state=None, created_to=before, sort=Sort.CREATED, limit=_PAGE)
        return self._remove_found(old)

    def _remove_found(self, query: Query) -> int:
        gone = 0
        while found := self.unit.memories.find(query):
            gone += self.remove(row.id for row in found)
        return gone

    def prune(self, owner: Owner, before: datetime | None, keep: int, now: datetime) -> int:
        """Remove an owner's episodes from before a moment, and the oldest beyond a number."""
        own = Query(now=now, state=None, owners=(owner,), sort=Sort.CREATED, limit=_PAGE)
        gone = 0 if before is None else self._remove_found(replace(own, created_to=before))
        surplus = self.unit.memories.total(own) - keep
        while surplus > 0:
            gone += self.remove(
                row.id for row in self.unit.memories.find(replace(own, limit=min(surplus, _PAGE)))
            )
            surplus -= _PAGE
        return gone


def has_episodes(store: Store, workspace: str, session: str) -> bool:
    """Whether a workspace keeps anything that was said in a session."""
    with store.read(episodes_workspace(workspace)) as unit:
        return EpisodeTable(unit).has_session(session)
