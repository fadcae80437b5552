"""A turn between its beginning and its commit, and what it captured to learn from.

The open turn holds everything that the commit will write. The captured turn then waits in the
learning queue.
"""

import json
import zlib
from collections.abc import Mapping, Set
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Self

from tacit.core.episodes import episode_owner
from tacit.core.json_value import INLINE, JsonValue, Named
from tacit.core.kinds import Actor, Owner
from tacit.core.receipt import Receipt
from tacit.core.sessions import Block, BlockState, LedgerEntry, Participant, Placement

_SHOWN_CHARACTERS = 300


class QueueStage(StrEnum):
    """Who has read the turn: nobody, or the rules, in which case it waits for the model.

    What could not be read is set aside, and waits for a person.
    """

    FRESH = "fresh"
    READ = "read"
    SET_ASIDE = "set_aside"


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedTurn(JsonValue):
    """What was said in a turn and what was replied, for whom, and where.

    Its id is that of the turn's receipt. `by` is whose words they are: an agent's are not a
    person's. `message_keys` tell each message from every other that was said, also from one with
    the same words, and are the same where a host sends a message again. A turn without a user is
    that of the one person who uses the store if it `is_personal`.
    """

    id: str
    session: str
    at: datetime
    said: tuple[str, ...]
    reply: str = ""
    agent: str | None = None
    user: str | None = None
    project: str | None = None
    org: str | None = None
    by: Actor = Actor.USER
    message_keys: tuple[str, ...] = ()
    is_personal: bool = True

    @property
    def episode_owner(self) -> Owner:
        """Whose what was said becomes: the user's, or the session's if nobody knows whose."""
        return episode_owner(self.user, self.session, is_personal=self.is_personal)

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts that were said in it."""
        return (*self.said, self.reply)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedTurn(JsonValue):
    """A captured turn in the learning queue; if `due`, the model should read it now.

    `tries` counts the readings that were begun and did not succeed; `problem` is why it was set
    aside.
    """

    turn: Annotated[CapturedTurn, INLINE]
    stage: QueueStage = QueueStage.FRESH
    due: bool = False
    tries: int = 0
    problem: str | None = None

    @property
    def id(self) -> str:
        """The id of the turn."""
        return self.turn.id


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadTurn(JsonValue):
    """A turn that nothing could be learned from: it was set aside, and waits for a person."""

    id: str
    session: str
    at: datetime
    said: Annotated[str, "The beginning of what was said."]
    problem: Annotated[str, "Why it could not be read."]
    user: str | None = None
    agent: str | None = None
    project: str | None = None

    @classmethod
    def of(cls, queued: QueuedTurn) -> Self:
        """How a turn that was set aside is shown."""
        turn = queued.turn
        return cls(
            id=turn.id,
            session=turn.session,
            at=turn.at,
            said="\n".join(turn.said)[:_SHOWN_CHARACTERS],
            problem=queued.problem or "",
            user=turn.user,
            agent=turn.agent,
            project=turn.project,
        )


_DAYS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementPlan(JsonValue):
    """What a commit does besides recording its turn: settle earlier turns, update blocks.

    `completed` are the ids of open turns that did happen, `abandoned` of those that did not. The
    plan is kept with the open turn, so that any process can commit what another began.
    """

    completed: Annotated[tuple[str, ...], Named("landed")] = ()
    abandoned: Annotated[tuple[str, ...], Named("lost")] = ()
    moved: Mapping[str, int] = field(default_factory=dict)
    left: Mapping[str, BlockState] = field(default_factory=dict)
    keeps_block: bool = True
    keeps_standing_block: bool = True
    releases: bool = True
    receipt_days: int = _DAYS


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """The message of a grounded prompt, and its chat log: of a context or a connector."""

    text: str
    context: str | None = None
    connector: str = "local"
    external_id: str = ""
    key: str = ""
    """The key of its context."""


class NotRecorded(StrEnum):
    """Why the commit of a turn recorded nothing."""

    SESSION_CLEARED = "session_cleared"
    ERASED = "erased"
    PAUSED = "paused"
    ROLLED_BACK = "rolled_back"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTurn:
    """The blocks that were made, the memories in them, and the receipt; kept until it is settled.

    `anchor` identifies the first human message that the turn answers, `spoken` is how many of them
    follow each other, `repeats` counts the same messages as the first before it in the history, and
    `counts` is false for turns in which nobody spoke. `captured` is what will be learned from,
    `chat` goes into a chat log with the reply, and `settlement` says what the commit does to
    earlier turns and blocks. An `abandoned` turn keeps no words; it stays so that a late commit
    finds the reason why nothing is written.
    """

    receipt: Receipt
    anchor: str
    spoken: int = 1
    repeats: int = 0
    blocks: tuple[Block, ...] = ()
    entries: tuple[LedgerEntry, ...] = ()
    counts: bool = True
    captured: CapturedTurn | None = None
    chat: ChatMessage | None = None
    settlement: SettlementPlan = field(default_factory=SettlementPlan)
    clears: int | None = None
    """How often its session had been cleared when it began; None if that could not be read."""
    abandoned: NotRecorded | None = None
    is_overtaken: bool = False
    """Whether a later turn began without its message in the history; its commit may still come."""

    @property
    def id(self) -> str:
        """The id of its receipt."""
        return self.receipt.id

    @property
    def session(self) -> str:
        """The session of the turn."""
        return self.receipt.session

    def participants(self, *, took_turn: bool = False) -> list[Participant]:
        """The participants that it adds to its session, and to the context of its chat log."""
        names = [self.session, *([self.chat.key] if self.chat and self.chat.key else [])]
        agent, user = self.receipt.agent, self.receipt.user
        return [
            Participant(session=name, agent=agent, user=user, took_turn=took_turn)
            for name in dict.fromkeys(names)
        ]

    def shows(self, memories: Set[str]) -> bool:
        """Whether the words of any of these memories are in its blocks."""
        return any(not memories.isdisjoint(block.memories) for block in self.blocks)

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts that were said in it."""
        said = () if self.captured is None else self.captured.texts
        chat = () if self.chat is None else (self.chat.text,)
        return (*said, *self.receipt.texts, *chat)

    def abandon(self, reason: NotRecorded) -> Self:
        """The same turn without its texts; it is never recorded.

        Of one that was rolled back only the id and the time are left.
        """
        if reason is NotRecorded.ROLLED_BACK:
            bare = Receipt(id=self.id, session="", turn=0, at=self.receipt.at)
            return type(self)(receipt=bare, anchor="", abandoned=reason)
        receipt = Receipt(
            id=self.id,
            session=self.session,
            turn=self.receipt.turn,
            at=self.receipt.at,
            agent=self.receipt.agent,
            user=None if reason is NotRecorded.ERASED else self.receipt.user,
        )
        return type(self)(receipt=receipt, anchor="", abandoned=reason)

    def is_outdated(self, before: datetime, overtaken_before: datetime | None = None) -> bool:
        """Whether it was abandoned before a moment, or overtaken and begun before another."""
        if self.abandoned is not None:
            return self.receipt.at < before
        last = overtaken_before if self.is_overtaken else None
        return last is not None and self.receipt.at < last

    def to_overtaken(self) -> Self:
        """The same turn, which only its commit can complete from now on."""
        return replace(self, is_overtaken=True)

    def with_number(self, number: int) -> Self:
        """The same turn with its final number."""
        return replace(
            self,
            receipt=replace(self.receipt, turn=number),
            entries=tuple(replace(entry, turn=number) for entry in self.entries),
        )

    def in_session(self, session: str, id: str) -> Self:
        """The same turn in a branch of its session."""
        return replace(
            self,
            receipt=replace(self.receipt, id=id, session=session),
            blocks=tuple(
                replace(block, session=session, made_in=block.maker) for block in self.blocks
            ),
            entries=tuple(replace(entry, session=session) for entry in self.entries),
            captured=None,
            chat=None,
        )

    def moved_to(self, session: str) -> Self:
        """The same turn in another session, with what was said in it."""
        said = self.captured
        return replace(
            self.in_session(session, self.id),
            captured=None if said is None else replace(said, session=session),
            chat=self.chat,
        )

    def to_bytes(self) -> bytes:
        """Compressed JSON for the store."""
        return compress_json(
            {
                "receipt": self.receipt.to_dict(),
                "blocks": [asdict(block) for block in self.blocks],
                "entries": [_entry_to_dict(each) for each in self.entries],
                "anchor": self.anchor,
                "spoken": self.spoken,
                "repeats": self.repeats,
                "counts": self.counts,
                "heard": None if self.captured is None else self.captured.to_dict(),
                "chat": None if self.chat is None else asdict(self.chat),
                "aftermath": self.settlement.to_dict(),
                "clears": self.clears,
                "abandoned": self.abandoned,
                "overtaken": self.is_overtaken,
            }
        )

    @classmethod
    def from_bytes(cls, body: bytes) -> Self:
        """The reverse of `to_bytes`."""
        values = decompress_json(body)
        return cls(
            receipt=Receipt.from_dict(values["receipt"]),
            blocks=tuple(map(_read_block, _blocks_in(values))),
            entries=tuple(
                LedgerEntry(**{**each, "content_hash": bytes.fromhex(each["content_hash"])})
                for each in values["entries"]
            ),
            anchor=values["anchor"],
            spoken=values.get("spoken", 1),
            repeats=values["repeats"],
            counts=values["counts"],
            captured=_read_captured(values.get("heard")),
            chat=_read_chat(values.get("chat")),
            settlement=SettlementPlan.from_dict(values["aftermath"]),
            clears=values.get("clears"),
            abandoned=_read_reason(values.get("abandoned")),
            is_overtaken=values.get("overtaken", False),
        )


def compress_json(values: Mapping[str, Any]) -> bytes:
    """Write values as compressed JSON."""
    written = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(written.encode(), 1)


def decompress_json(body: bytes) -> dict[str, Any]:
    """The reverse of `compress_json`."""
    values: dict[str, Any] = json.loads(zlib.decompress(body))
    return values


def _entry_to_dict(entry: LedgerEntry) -> dict[str, Any]:
    return {
        "session": entry.session,
        "turn": entry.turn,
        "memory": entry.memory,
        "content_hash": entry.content_hash.hex(),
        "block": entry.block,
    }


def _read_reason(value: str | None) -> NotRecorded | None:
    return None if value is None else NotRecorded(value)


def _read_captured(values: dict[str, Any] | None) -> CapturedTurn | None:
    return None if values is None else CapturedTurn.from_dict(values)


def _read_chat(values: dict[str, Any] | None) -> ChatMessage | None:
    return None if values is None else ChatMessage(**values)


def _blocks_in(values: dict[str, Any]) -> list[dict[str, Any]]:
    """The blocks of a turn; one that an earlier version left open has one at most."""
    if "blocks" in values:
        return list(values["blocks"])
    return [] if values["block"] is None else [values["block"]]


def _read_block(values: dict[str, Any]) -> Block:
    return Block(
        **{
            **values,
            "placement": Placement(**values["placement"]),
            "memories": tuple(values["memories"]),
            "state": BlockState(values["state"]),
        }
    )
