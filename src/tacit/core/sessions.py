"""Sessions: the conversations that memory serves, the blocks they were shown, and their ledger."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Self

from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.json_value import INLINE, UNWRITTEN, Example, JsonValue, Named
from tacit.core.times import to_rfc3339

# An injected block: its text, its place in the history, and the memories that it showed.


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement(JsonValue):
    """The text of a block, and the human message that it precedes in the history.

    `anchor` is the digest of that message, `ordinal` its place among the human messages of the
    history, counted from 0; blocks are not counted.
    """

    id: str
    text: str
    anchor: str
    ordinal: int


def prune_placements(
    placements: Sequence[Placement], keep: int
) -> tuple[tuple[Placement, ...], tuple[Placement, ...]]:
    """Split placements into the newest `keep`, and those to remove; both oldest first."""
    surplus = max(len(placements) - keep, 0)
    return tuple(placements[surplus:]), tuple(placements[:surplus])


class BlockState(StrEnum):
    """The state of a block: in the history, pruned by Tacit, or gone with the message after it."""

    LIVE = "live"
    PRUNED = "pruned"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block(JsonValue):
    """A block that was injected into a session; `speaker` is set if it shows private memories.

    `memories` are all memories whose words are in it, shown or quoted, so that an erasure finds
    it. `made_in` is the session that made it, if this session is a branch of that one. A block of
    standing rules is not counted by the limit of blocks in a history.
    """

    session: Annotated[str, UNWRITTEN]
    turn: int
    made_in: str = ""
    placement: Annotated[Placement, INLINE]
    memories: tuple[str, ...] = ()
    speaker: str | None = None
    state: BlockState = BlockState.LIVE
    has_standing_rules: Annotated[
        bool, Named("standing_rules"), "Whether it holds standing rules."
    ] = False

    @property
    def id(self) -> str:
        """The id that its first line carries."""
        return self.placement.id

    @property
    def maker(self) -> str:
        """The session that made it."""
        return self.made_in or self.session

    def without_text(self) -> Self:
        """A copy without the text."""
        return replace(self, placement=replace(self.placement, text=""))

    def to_dropped(self) -> Self:
        """A copy without the text and no longer in the history."""
        return replace(self.without_text(), memories=(), state=BlockState.DROPPED)


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry(JsonValue):
    """A memory that was injected: at which turn, in which block.

    `pruned_at` is set once the memory may be injected again.
    """

    session: Annotated[str, UNWRITTEN]
    turn: int
    memory: str
    content_hash: bytes
    block: str
    pruned_at: datetime | None = None


# A session: one conversation that memory serves, its participants and its variables.


@dataclass(frozen=True, slots=True, kw_only=True)
class Session(JsonValue):
    """A session: how many turns were committed in it, and who spoke."""

    id: Annotated[str, Example("s1")]
    turns: int = 0
    speakers: tuple[str, ...] = ()
    created_at: datetime
    updated_at: datetime
    cleared_at: Annotated[datetime | None, "When its history last began anew."] = None
    """When its history last started over: cleared, reset, or compacted by its host."""
    clears: Annotated[int, "How often it was cleared."] = 0
    """How often it was cleared; a turn that began before a clearing is not recorded after it."""

    @property
    def cursor(self) -> str:
        """Its position in the list by last activity, for the next page."""
        return f"{to_rfc3339(self.updated_at)} {self.id}"

    @property
    def is_shared(self) -> bool:
        """Whether several people speak in it."""
        return len(self.speakers) > 1

    def after(self, speaker: str | None, now: datetime) -> Self:
        """The session once a turn of this speaker is committed."""
        spoken = dict.fromkeys(self.speakers)
        if speaker is not None:
            spoken[speaker] = None
        return replace(self, turns=self.turns + 1, speakers=tuple(spoken), updated_at=now)


def parse_session_cursor(cursor: str) -> tuple[datetime, str]:
    """The time and the id in a cursor of a session."""
    at, space, id = cursor.partition(" ")
    try:
        if space:
            return check_field("at", at), check_field("workspace", id)
    except InvalidInput:
        pass
    raise InvalidInput("after", f"{cursor!r} is no cursor of a session; start from the top")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedSession(Session):
    """A session, and whether it is paused."""

    is_paused: Annotated[bool, Named("paused"), "Whether it is left alone."]

    @classmethod
    def of(cls, session: Session, *, is_paused: bool) -> Self:
        """A session with its pause state."""
        kept = {each.name: getattr(session, each.name) for each in fields(Session)}
        return cls(**kept, is_paused=is_paused)


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant(JsonValue):
    """An agent and a user, as far as they are known, that take part in a session.

    `took_turn` is false as long as they only claimed its name: a turn of theirs has begun, or they
    set a variable. A context of grounded prompts has participants too, under its key.
    """

    session: str
    agent: str | None = None
    user: str | None = None
    took_turn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionVariable(JsonValue):
    """A variable that a workflow set in a session; its value is plain JSON."""

    session: str
    name: str
    value: Any
    at: datetime

    @property
    def texts(self) -> list[str]:
        """All texts in its value, however deep."""
        return _texts(self.value)

    @property
    def value_json(self) -> str:
        """The value as JSON, as a column stores it."""
        return json.dumps(self.value, ensure_ascii=True, allow_nan=False)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for each in pair for text in _texts(each)]
    if isinstance(value, list | tuple):
        return [text for each in value for text in _texts(each)]
    return []
