"""Erasure: memories, sessions and owners with every trace of their words, and the receipt of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

from tacit.core.changes import Review
from tacit.core.errors import InvalidInput
from tacit.core.fields import Id
from tacit.core.items import StoredItem, is_owned_by, texts_of_item
from tacit.core.json_value import JsonValue
from tacit.core.kinds import PERSONS, Actor, Owner, Scope, Sort, State
from tacit.core.memory import Memory
from tacit.core.open_turn import CapturedTurn
from tacit.core.permissions import UNBOUND, Viewer
from tacit.core.receipt import Receipt
from tacit.core.sessions import Session
from tacit.store.episodes import says
from tacit.store.journal import collect_texts
from tacit.store.query import Query, has_words
from tacit.writing.author import Author
from tacit.writing.key_values import release_values

# Receipts


ERASED_KINDS = (
    "memories",
    "episodes",
    "items",
    "associations",
    "comparisons",
    "audit_values",
    "reviews",
    "blocks",
    "ledger",
    "heard",
    "waiting_prompts",
    "variables",
    "chat_entries",
    "turns",
    "receipts",
    "sessions",
)
"""What is counted, in the order in which it is told.

`waiting_prompts` are prompts that hooks could not record yet; `turns` are those that had not ended;
`receipts` also those that lost only terms of their context.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep(JsonValue):
    """How much of each kind was erased, or would be in a dry run, and what could not be reached.

    A dry run counts no associations, comparisons, history values and chat entries, and only those
    blocks and ledger entries that belong to the erased sessions.
    """

    removed: Mapping[str, int]
    not_reached: tuple[str, ...] = ()
    dry_run: bool = False


@dataclass(slots=True)
class EraseTally:
    """Counts what an erasure has done so far."""

    counts: Counter[str] = field(default_factory=Counter)
    not_reached: dict[str, None] = field(default_factory=dict)

    def add(self, kind: str, count: int) -> None:
        """Count what was erased of one kind."""
        self.counts[kind] += count

    def miss(self, *places: str) -> None:
        """Note what could not be reached, each once."""
        self.not_reached |= dict.fromkeys(places)

    def sweep(self, *, dry_run: bool) -> Sweep:
        """Return the receipt."""
        removed = {kind: self.counts[kind] for kind in ERASED_KINDS}
        return Sweep(removed=removed, not_reached=tuple(self.not_reached), dry_run=dry_run)


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure(JsonValue):
    """The receipt of a memory or an episode: what was erased, and what could not be reached."""

    memory: Id
    removed: Mapping[str, int]
    not_reached: tuple[str, ...] = ()

    @classmethod
    def of(cls, memory: str, sweep: Sweep) -> Self:
        """The receipt of an erasure of one memory or episode."""
        return cls(memory=memory, removed=sweep.removed, not_reached=sweep.not_reached)


def erase_memories(author: Author, memories: Sequence[Memory], reach: Viewer) -> dict[str, int]:
    """Erase memories, everything kept about them, and all texts within reach that quote them.

    Returns how much of each kind was erased.
    """
    require_person(author.by)
    texts = {text for memory in memories for text in collect_texts(author.unit, memory)}
    gone = author.journal.erase(memories, texts, reach)
    release_values(author, memories)
    return gone


def require_person(by: Actor) -> None:
    """Refuse an actor that is no person."""
    if by not in PERSONS:
        raise InvalidInput("by", f"only a person can erase; the {by} can forget instead")


# Targets


_EPISODE_FILTERS = frozenset(
    ("state", "contains", "session", "scope", "scope_id", "created_from", "created_to")
)
"""The filters of memories that episodes have too."""


@dataclass(frozen=True, slots=True)
class EpisodeSelection:
    """Episodes that a query finds; of one project only, if that is named."""

    query: Query
    project: str | None = None

    def has(self, row: Memory) -> bool:
        """Whether a row that the query found is meant; its key is no text of the episode."""
        words = self.query.contains
        if words is not None and not says(row, words):
            return False
        return self.project in (None, row.agent)


_ITEM_FILTERS = frozenset(
    ("state", "contains", "scope", "scope_id", "created_from", "created_to", "updated_from")
)
"""The filters of memories that items have too; their owner is that of the namespace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemSelection:
    """Items that belong to one of some owners, or that meet all conditions."""

    owners: tuple[Owner, ...] | None = None
    words: str | None = None
    created_from: datetime | None = None
    created_to: datetime | None = None
    updated_from: datetime | None = None

    @classmethod
    def matching(cls, filters: Mapping[str, Any]) -> Self | None:
        """The items that meet filters of memories, if these are filters of items too."""
        owner = filters.get("scope"), filters.get("scope_id")
        is_for_items = filters.keys() <= _ITEM_FILTERS and owner.count(None) != 1
        if not is_for_items or filters.get("state") not in (None, State.LIVE):
            return None
        return cls(
            owners=None if owner[0] is None else ((owner[0], owner[1] or ""),),
            words=filters.get("contains"),
            created_from=filters.get("created_from"),
            created_to=filters.get("created_to"),
            updated_from=filters.get("updated_from"),
        )

    def has(self, item: StoredItem) -> bool:
        """Whether an item is meant."""
        return (
            (self.owners is None or any(is_owned_by(item.namespace, each) for each in self.owners))
            and (self.words is None or has_words(texts_of_item(item), self.words))
            and (self.created_from is None or item.created_at >= self.created_from)
            and (self.created_to is None or item.created_at < self.created_to)
            and (self.updated_from is None or item.updated_at >= self.updated_from)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseTarget:
    """What to erase: memories and episodes by ids or filters, turns of an owner, whole sessions.

    Only what is within `reach` is erased.
    """

    memories: tuple[Query, ...] = ()
    episodes: tuple[EpisodeSelection, ...] = ()
    items: ItemSelection | None = None
    ids: tuple[str, ...] = ()
    owner: Owner | None = None
    sessions: frozenset[str] = frozenset()
    reach: Viewer = UNBOUND

    @classmethod
    def of_id(cls, id: str, reach: Viewer) -> Self:
        """One memory or episode, in any state."""
        return cls(ids=(id,), reach=reach)

    @classmethod
    def matching(cls, filters: Mapping[str, Any], now: datetime, reach: Viewer) -> Self:
        """Memories, episodes and items that match filters, and nothing else.

        No episode and no item has what only memories have, such as a type or a tag.
        """
        query = Query(**filters, now=now, sort=Sort.CREATED)
        said = (EpisodeSelection(query),) if filters.keys() <= _EPISODE_FILTERS else ()
        items = ItemSelection.matching(filters)
        return cls(memories=(query,), episodes=said, items=items, reach=reach)

    @classmethod
    def of_session(cls, session: str, now: datetime, reach: Viewer) -> Self:
        """A session: everything said in it, by whomever, and what belongs to it."""
        said = _said_in(session, now)
        own = _owned(((Scope.SESSION, session),), now)
        return cls(
            memories=(said, own),
            episodes=(EpisodeSelection(said),),
            items=ItemSelection(owners=((Scope.SESSION, session),)),
            sessions=frozenset([session]),
            reach=reach,
        )

    @classmethod
    def of_owner(cls, owner: Owner, sessions: frozenset[str], now: datetime, reach: Viewer) -> Self:
        """An owner: their memories, turns asked as the owner, and sessions of their own."""
        own = ((Scope.SESSION, session) for session in sorted(sessions))
        owners = tuple(dict.fromkeys((owner, *own)))
        return cls(
            memories=(_owned(owners, now),),
            episodes=_episodes_of(owner, owners, sessions, now),
            items=ItemSelection(owners=owners),
            owner=owner,
            sessions=sessions,
            reach=reach,
        )

    @property
    def now(self) -> datetime:
        """When it began."""
        return self.memories[0].now

    @property
    def user(self) -> str | None:
        """The user who is the owner; empty for the unnamed user."""
        return self.owner[1] if self.owner is not None and self.owner[0] is Scope.USER else None

    @property
    def includes_turns(self) -> bool:
        """Whether more than memories is erased."""
        return self.owner is not None or bool(self.sessions)

    def with_sessions(self, sessions: frozenset[str]) -> Self:
        """The same owner with other sessions."""
        if self.owner is None:
            return self
        return type(self).of_owner(self.owner, sessions, self.now, self.reach)

    def reaches(self, turn: CapturedTurn | Receipt) -> bool:
        """Whether a turn is within reach."""
        return self.reach.sees_turn(turn.agent, turn.user)

    def takes(self, turn: CapturedTurn | Receipt) -> bool:
        """Whether a turn is erased; in a user's sessions, not the turns of another named user."""
        if not self.reaches(turn):
            return False
        if self.owner is not None and _is_asked_as(self.owner, turn):
            return True
        return turn.session in self.sessions and (self.user is None or not turn.user)

    def spares(self, session: Session | None) -> bool:
        """Whether a session is no longer the user's alone."""
        if self.user is None or session is None:
            return False
        return not is_session_of_user(self.user, session)

    def takes_wish(self, review: Review) -> bool:
        """Whether a proposed memory that waits for review is erased too."""
        if not review.is_proposal:
            return False
        change = review.change
        owner = (change.get("scope") or Scope.USER, change.get("scope_id") or "")
        said_in = (change.get("origin") or {}).get("session")
        is_of_session = self.owner is None and said_in in self.sessions
        is_sessions = owner[0] == Scope.SESSION and owner[1] in self.sessions
        return is_of_session or is_sessions or owner == self.owner


def _episodes_of(
    owner: Owner, owners: tuple[Owner, ...], sessions: frozenset[str], now: datetime
) -> tuple[EpisodeSelection, ...]:
    """What an owner said, in any project; of a project and of a session, what was said in it.

    In the sessions of a user, what nobody is named for is theirs too.
    """
    scope, name = owner
    match scope:
        case Scope.USER:
            unnamed = [_said_in(each, now, ((Scope.USER, ""),)) for each in sorted(sessions)]
            queries = (_owned(owners, now), *(unnamed if name else ()))
            return tuple(map(EpisodeSelection, queries))
        case Scope.PROJECT:
            everything = Query(now=now, state=None, sort=Sort.CREATED)
            return (EpisodeSelection(everything, project=name),) if name else ()
        case Scope.SESSION:
            return tuple(EpisodeSelection(_said_in(each, now)) for each in sorted(sessions))
    return ()


def is_session_of_user(user: str, session: Session) -> bool:
    """Whether only this user, and no other named one, spoke in a session."""
    return session.speakers == ((user,) if user else ())


def _said_in(session: str, now: datetime, owners: tuple[Owner, ...] | None = None) -> Query:
    return Query(now=now, state=None, owners=owners, session=session, sort=Sort.CREATED)


def _owned(owners: tuple[Owner, ...], now: datetime) -> Query:
    return Query(now=now, state=None, owners=owners, sort=Sort.CREATED)


def _is_asked_as(owner: Owner, turn: CapturedTurn | Receipt) -> bool:
    """Whether a turn was asked as an owner; a turn without a user belongs to the unnamed user."""
    scope, name = owner
    named = getattr(turn, scope)
    return named == name if name else scope is Scope.USER and named is None
