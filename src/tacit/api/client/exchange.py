"""Turns at a server: what is asked, what came back, and how they end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tacit.api.client.connection import Connection
from tacit.api.client.messages import plain, returned
from tacit.core.fields import check_field
from tacit.core.kinds import check_choice
from tacit.core.messages import check_history, to_messages
from tacit.core.open_turn import NotRecorded
from tacit.core.receipt import Receipt
from tacit.turn.commit import CommitResult
from tacit.turn.request import Trigger
from tacit.turn.turn import Prepared

TURN_SECONDS = 5.0
TURN_TRIES = 3
"""A turn waits no longer for memory: what it knows is not worth more."""

_WHO = ("agent", "user", "project", "org")
_CHECKED = ("by", "scopes", "types")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A turn to begin: what the server is told, and the caller's own messages."""

    body: Mapping[str, Any]
    history: tuple[Any, ...]
    incoming: tuple[Any, ...]

    @classmethod
    def of(cls, session: str, text: Any, named: Mapping[str, Any], settings: Any) -> "Asked":
        """What a caller asks; the server checks what is not looked at here."""
        history = named.get("history", ())
        known = None if history is None else tuple(check_history(history))
        incoming = tuple(to_messages(text, "user", known or ()))
        trigger = check_choice("trigger", Trigger, named.get("trigger", Trigger.USER))
        body = {
            "session": session,
            "text": plain(incoming),
            "history": plain(known),
            "context": plain(tuple(check_history(named.get("context") or ()))),
            "shown": list(named.get("shown") or ()),
            "trigger": str(trigger),
            "settings": plain(settings),
        }
        who = {name: named[name] for name in _WHO if named.get(name) is not None}
        more = {
            name: plain(check_field(name, named[name]))
            for name in _CHECKED
            if named.get(name) is not None
        }
        return cls(body={**body, **who, **more}, history=known or (), incoming=incoming)

    @property
    def sent(self) -> tuple[Any, ...]:
        """The caller's messages, in their order."""
        return (*self.history, *self.incoming)

    def begun(self, answer: Mapping[str, Any]) -> Prepared:
        """The turn that began."""
        return self._prepared(answer, leaves_trace=bool(answer["is_open"]))

    def previewed(self, answer: Mapping[str, Any]) -> Prepared:
        """The turn that would be."""
        return self._prepared(answer, leaves_trace=False)

    def without_memory(self, id: str, now: datetime, why: str) -> Prepared:
        """The turn as it goes on where there is no memory to ask."""
        who: dict[str, Any] = {name: self.body.get(name) for name in _WHO}
        receipt = Receipt(
            id=id,
            session=self.body["session"],
            turn=0,
            at=now,
            degraded=(f"server: failed ({why})",),
            **who,
        )
        return Prepared(
            history=self.history, messages=self.sent, receipt=receipt, leaves_trace=False
        )

    def _prepared(self, answer: Mapping[str, Any], *, leaves_trace: bool) -> Prepared:
        block = answer["block"]
        return Prepared(
            history=self.history,
            messages=returned(answer["messages"], self.sent),
            receipt=Receipt.from_dict(answer["receipt"]),
            block=None if block is None else block["text"],
            leaves_trace=leaves_trace,
        )


@dataclass(frozen=True, slots=True)
class RemoteEnding:
    """The end of a turn that is open at a server."""

    connection: Connection
    id: str

    def commit(self, reply: str) -> CommitResult:
        """Write what the turn showed and decided, and what was said in it."""
        path, body = f"/v1/turns/{self.id}/commit", {"reply": reply}
        return self.connection.write(path, body, read=ended, at_most=TURN_SECONDS, tries=TURN_TRIES)

    def roll_back(self) -> bool:
        """Leave no trace of it; tells whether there was one."""
        path = f"/v1/turns/{self.id}/rollback"
        return self.connection.write(path, read=was_open, at_most=TURN_SECONDS, tries=TURN_TRIES)


def ended(answer: Mapping[str, Any]) -> CommitResult:
    """How a turn ended."""
    told = {name: answer[name] for name in ("session", "turn", "block_stays", "was_open")}
    reason = answer["not_recorded"]
    return CommitResult(**told, not_recorded=None if reason is None else NotRecorded(reason))


def was_open(answer: Mapping[str, Any]) -> bool:
    """Whether there was a turn to roll back."""
    return bool(answer["rolled_back"])


def kept_part(history: Sequence[Any], answer: Mapping[str, Any]) -> tuple[Any, ...]:
    """The messages of a history that was made shorter."""
    return returned(answer["messages"], history)
