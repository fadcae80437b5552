"""A turn that has begun: everything that its end will write."""

import json
import zlib
from collections.abc import Mapping, Set
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from tacit.core.conversation.aftermath import Aftermath
from tacit.core.conversation.block import Block, BlockState
from tacit.core.conversation.entry import Entry
from tacit.core.conversation.heard import Heard
from tacit.core.conversation.participant import Participant
from tacit.core.conversation.placement import Placement
from tacit.core.receipt.receipt import Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """The message of a grounded prompt, and where its chat log is: of a context or a connector."""

    text: str
    context: str | None = None
    connector: str = "local"
    external_id: str = ""
    key: str = ""
    """The key of its context."""


class NotRecorded(StrEnum):
    """Why the end of a turn wrote nothing."""

    SESSION_CLEARED = "session_cleared"
    ERASED = "erased"
    PAUSED = "paused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTurn:
    """The block that was made, the memories in it, and the receipt; kept until it is settled.

    `anchor` tells the human message that it answers, and `repeats` how many in the history before
    it were the same; `counts` is false for turns nobody spoke in. `heard` is what is learned from,
    `chat` what goes into a chat log with the reply, and `aftermath` what its end does to what was
    before it. An `abandoned` one keeps no words; it is there so that its end, which may still come,
    knows why nothing is written.
    """

    receipt: Receipt
    anchor: str
    repeats: int = 0
    block: Block | None = None
    entries: tuple[Entry, ...] = ()
    counts: bool = True
    heard: Heard | None = None
    chat: ChatMessage | None = None
    aftermath: Aftermath = field(default_factory=Aftermath)
    clears: int | None = None
    """How often its session had been cleared when it began, where that could be read."""
    abandoned: NotRecorded | None = None

    @property
    def id(self) -> str:
        """The id of its receipt."""
        return self.receipt.id

    @property
    def session(self) -> str:
        """The session that it is a turn of."""
        return self.receipt.session

    def participants(self, *, took_turn: bool = False) -> list[Participant]:
        """Who takes part in its session by it, and in the context of its chat log."""
        names = [self.session, *([self.chat.key] if self.chat and self.chat.key else [])]
        agent, user = self.receipt.agent, self.receipt.user
        return [
            Participant(session=name, agent=agent, user=user, took_turn=took_turn)
            for name in dict.fromkeys(names)
        ]

    def shows(self, memories: Set[str]) -> bool:
        """Whether the words of any of these memories are in its block."""
        return self.block is not None and not memories.isdisjoint(self.block.memories)

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything that was said in it."""
        heard = () if self.heard is None else self.heard.texts
        chat = () if self.chat is None else (self.chat.text,)
        return (*heard, *self.receipt.texts, *chat)

    def abandon(self, reason: NotRecorded) -> Self:
        """The same turn without its words, never to be recorded."""
        receipt = Receipt(
            id=self.id,
            session=self.session,
            turn=self.receipt.turn,
            at=self.receipt.at,
            agent=self.receipt.agent,
            user=None if reason is NotRecorded.ERASED else self.receipt.user,
        )
        return type(self)(receipt=receipt, anchor="", abandoned=reason)

    def numbered(self, number: int) -> Self:
        """The same turn under the number that it has once it is over."""
        return replace(
            self,
            receipt=replace(self.receipt, turn=number),
            entries=tuple(replace(entry, turn=number) for entry in self.entries),
        )

    def in_session(self, session: str, id: str) -> Self:
        """The same turn, begun in a branch of its session."""
        block = self.block
        if block is not None:
            block = replace(block, session=session, made_in=block.maker)
        return replace(
            self,
            receipt=replace(self.receipt, id=id, session=session),
            block=block,
            entries=tuple(replace(entry, session=session) for entry in self.entries),
            heard=None,
            chat=None,
        )

    def packed(self) -> bytes:
        """As bytes, for a store to keep."""
        return pack(
            {
                "receipt": self.receipt.to_dict(),
                "block": None if self.block is None else asdict(self.block),
                "entries": [_entry(each) for each in self.entries],
                "anchor": self.anchor,
                "repeats": self.repeats,
                "counts": self.counts,
                "heard": None if self.heard is None else self.heard.to_dict(),
                "chat": None if self.chat is None else asdict(self.chat),
                "aftermath": self.aftermath.to_dict(),
                "clears": self.clears,
                "abandoned": self.abandoned,
            }
        )

    @classmethod
    def unpacked(cls, body: bytes) -> Self:
        """The reverse of `packed`."""
        values = unpack(body)
        return cls(
            receipt=Receipt.from_dict(values["receipt"]),
            block=_block(values["block"]),
            entries=tuple(
                Entry(**{**each, "content_hash": bytes.fromhex(each["content_hash"])})
                for each in values["entries"]
            ),
            anchor=values["anchor"],
            repeats=values["repeats"],
            counts=values["counts"],
            heard=_heard(values.get("heard")),
            chat=_chat(values.get("chat")),
            aftermath=Aftermath.from_dict(values["aftermath"]),
            clears=values.get("clears"),
            abandoned=_reason(values.get("abandoned")),
        )


def pack(values: Mapping[str, Any]) -> bytes:
    """JSON, compressed."""
    written = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(written.encode(), 1)


def unpack(body: bytes) -> dict[str, Any]:
    """The reverse of `pack`."""
    values: dict[str, Any] = json.loads(zlib.decompress(body))
    return values


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "session": entry.session,
        "turn": entry.turn,
        "memory": entry.memory,
        "content_hash": entry.content_hash.hex(),
        "block": entry.block,
    }


def _reason(value: str | None) -> NotRecorded | None:
    return None if value is None else NotRecorded(value)


def _heard(values: dict[str, Any] | None) -> Heard | None:
    return None if values is None else Heard.from_dict(values)


def _chat(values: dict[str, Any] | None) -> ChatMessage | None:
    return None if values is None else ChatMessage(**values)


def _block(values: dict[str, Any] | None) -> Block | None:
    if values is None:
        return None
    return Block(
        **{
            **values,
            "placement": Placement(**values["placement"]),
            "memories": tuple(values["memories"]),
            "state": BlockState(values["state"]),
        }
    )
