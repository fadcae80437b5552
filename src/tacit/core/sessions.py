"""Sessions: the conversations that memory serves, the blocks they were shown, and their ledger."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.times import to_rfc3339

# An injected block: its text, its place in the history, and the memories that it showed.


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
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
class Block:
    """A block that was injected into a session; `speaker` is set if it shows private memories.

    `memories` are all memories whose words are in it, shown or quoted, so that an erasure finds
    it. `made_in` is the session that made it, if this session is a branch of that one.
    """

    session: str
    turn: int
    made_in: str = ""
    placement: Placement
    memories: tuple[str, ...] = ()
    speaker: str | None = None
    state: BlockState = BlockState.LIVE

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

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "id": self.id,
            "turn": self.turn,
            "state": str(self.state),
            "text": self.placement.text,
            "anchor": self.placement.anchor,
            "ordinal": self.placement.ordinal,
            "memories": list(self.memories),
            "speaker": self.speaker,
            "made_in": self.made_in,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], session: str) -> Self:
        """Read what `to_dict` wrote of a block of a session."""
        return cls(
            session=session,
            turn=values["turn"],
            made_in=values["made_in"],
            placement=Placement(
                id=values["id"],
                text=values["text"],
                anchor=values["anchor"],
                ordinal=values["ordinal"],
            ),
            memories=tuple(values["memories"]),
            speaker=values["speaker"],
            state=BlockState(values["state"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """A memory that was injected: at which turn, in which block.

    `pruned_at` is set once the memory may be injected again.
    """

    session: str
    turn: int
    memory: str
    content_hash: bytes
    block: str
    pruned_at: datetime | None = None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "turn": self.turn,
            "memory": self.memory,
            "block": self.block,
            "content_hash": self.content_hash.hex(),
            "pruned_at": None if self.pruned_at is None else to_rfc3339(self.pruned_at),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], session: str) -> Self:
        """Read what `to_dict` wrote of an entry of a session."""
        pruned_at = values["pruned_at"]
        return cls(
            session=session,
            turn=values["turn"],
            memory=values["memory"],
            content_hash=bytes.fromhex(values["content_hash"]),
            block=values["block"],
            pruned_at=None if pruned_at is None else check_field("at", pruned_at),
        )


# A session: one conversation that memory serves, its participants and its variables.


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session: how many turns were committed in it, and who spoke."""

    id: str
    turns: int = 0
    speakers: tuple[str, ...] = ()
    created_at: datetime
    updated_at: datetime
    cleared_at: datetime | None = None
    """When its history last started over: cleared, reset, or compacted by its host."""
    clears: int = 0
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

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "id": self.id,
            "turns": self.turns,
            "speakers": list(self.speakers),
            "created_at": to_rfc3339(self.created_at),
            "updated_at": to_rfc3339(self.updated_at),
            "cleared_at": None if self.cleared_at is None else to_rfc3339(self.cleared_at),
            "clears": self.clears,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        cleared = values.get("cleared_at")
        return cls(
            id=values["id"],
            turns=values["turns"],
            speakers=tuple(values["speakers"]),
            created_at=check_field("created_at", values["created_at"]),
            updated_at=check_field("updated_at", values["updated_at"]),
            cleared_at=None if cleared is None else check_field("at", cleared),
            clears=values["clears"],
        )


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

    is_paused: bool

    @classmethod
    def of(cls, session: Session, *, is_paused: bool) -> Self:
        """A session with its pause state."""
        kept = {each.name: getattr(session, each.name) for each in fields(Session)}
        return cls(**kept, is_paused=is_paused)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {**Session.to_dict(self), "paused": self.is_paused}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls.of(Session.from_dict(values), is_paused=values["paused"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """An agent and a user, as far as they are known, that take part in a session.

    `took_turn` is false as long as they only claimed its name: a turn of theirs has begun, or they
    set a variable. A context of grounded prompts has participants too, under its key.
    """

    session: str
    agent: str | None = None
    user: str | None = None
    took_turn: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "session": self.session,
            "agent": self.agent,
            "user": self.user,
            "took_turn": self.took_turn,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionVariable:
    """A variable that a workflow set in a session; its value is plain JSON."""

    session: str
    name: str
    value: Any
    at: datetime

    @property
    def texts(self) -> list[str]:
        """All texts in its value, however deep."""
        return _texts(self.value)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "session": self.session,
            "name": self.name,
            "value": self.value,
            "at": to_rfc3339(self.at),
        }

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
