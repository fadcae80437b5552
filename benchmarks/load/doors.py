"""How a server is asked: Tacit's own way, and that of mem0 behind the same framework."""

import asyncio
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

import httpx2

from benchmarks.load.log import Log, Refused
from benchmarks.load.statements import question

TACIT, MEM0 = "tacit", "mem0"
_REPLY = {"role": "assistant", "content": "I looked at it, and this is how it stands."}
_LONGEST = 24
_ROLLED_BACK = 0.1
_COMPACTED = 0.5


@dataclass(slots=True)
class Conversation:
    """A session and the history that its host keeps."""

    session: str
    history: list[Any] = field(default_factory=list)


class Door(Protocol):
    """One kind of server, as its clients see it."""

    def __init__(self, http: httpx2.AsyncClient, log: Log) -> None: ...

    async def turn(self, conversation: Conversation, dice: Random) -> None:
        """Ask for memory, get a reply, and tell of it."""

    async def remember(self, text: str) -> None:
        """Keep a statement."""

    async def lost(self) -> int:
        """How much of what was acknowledged is not there."""


class TacitDoor:
    """Turns begin, and are committed or rolled back."""

    def __init__(self, http: httpx2.AsyncClient, log: Log) -> None:
        self._http = http
        self._log = log
        self._renewals = itertools.count()

    async def turn(self, conversation: Conversation, dice: Random) -> None:
        """Begin it and end it; a history that has grown long is compacted, or begun anew."""
        asked = {"session": conversation.session, "history": conversation.history}
        with self._log.call("begin"):
            begun = await self._post("/v1/turns", {**asked, "text": question(dice)})
        self._log.turn_begun(begun["receipt"]["count"], begun["receipt"]["degraded"])
        if not begun["is_open"]:
            conversation.history = [*begun["messages"], _REPLY]
        elif dice.random() < _ROLLED_BACK:
            with self._log.call("roll back"):
                await self._post(f"/v1/turns/{begun['id']}/rollback")
        else:
            await self._commit(conversation, begun)
        self._log.turn_over()
        if len(conversation.history) >= _LONGEST:
            await self._shorten(conversation, dice)

    async def remember(self, text: str) -> None:
        """Keep a statement."""
        with self._log.call("remember"):
            written = await self._post("/v1/memories", {"content": text})
        self._log.remembered[written["memory"]["id"]] = text

    async def lost(self) -> int:
        """Every memory is read, and every turn is asked for."""
        found = [
            *(self._holds(f"/v1/memories/{id}", "content", text) for id, text in self._memories()),
            *(self._holds(f"/v1/turns/{id}", "state", "committed") for id in self._log.committed),
        ]
        return sum(not each for each in await asyncio.gather(*found))

    async def _commit(self, conversation: Conversation, begun: Mapping[str, Any]) -> None:
        with self._log.call("commit"):
            ended = await self._post(f"/v1/turns/{begun['id']}/commit", {"reply": _REPLY})
        self._log.committed.append(begun["id"])
        messages = begun["messages"]
        if begun["block"] and not ended["block_stays"]:
            messages = [each for each in messages if each["content"] != begun["block"]["text"]]
        conversation.history = [*messages, _REPLY]

    async def _shorten(self, conversation: Conversation, dice: Random) -> None:
        if dice.random() >= _COMPACTED:
            conversation.session = f"{conversation.session}-{next(self._renewals)}"
            conversation.history = []
            return
        path = f"/v1/sessions/{conversation.session}/compact"
        with self._log.call("compact"):
            compacted = await self._post(path, {"history": conversation.history})
        conversation.history = compacted["messages"]

    def _memories(self) -> list[tuple[str, str]]:
        return list(self._log.remembered.items())

    async def _holds(self, path: str, name: str, value: str) -> bool:
        answer = await self._http.get(path)
        return answer.is_success and answer.json()[name] == value

    async def _post(self, path: str, body: Any = None) -> Any:
        return _told(await self._http.post(path, json=body))


class Mem0Door:
    """A turn is a search; there is nothing to commit."""

    def __init__(self, http: httpx2.AsyncClient, log: Log) -> None:
        self._http = http
        self._log = log

    async def turn(self, _: Conversation, dice: Random) -> None:
        """Search."""
        with self._log.call("begin"):
            found = _told(await self._http.post("/turn", json={"text": question(dice)}))
        self._log.turn_begun(len(found["memories"]), [])
        self._log.turn_over()

    async def remember(self, text: str) -> None:
        """Keep a statement."""
        with self._log.call("remember"):
            written = _told(await self._http.post("/remember", json={"text": text}))
        self._log.remembered[written["id"]] = text

    async def lost(self) -> int:
        """Every memory is read."""
        found = [self._holds(id, text) for id, text in self._log.remembered.items()]
        return sum(not each for each in await asyncio.gather(*found))

    async def _holds(self, id: str, text: str) -> bool:
        answer = await self._http.get(f"/memories/{id}")
        return answer.is_success and answer.json()["text"] == text


def _told(answer: httpx2.Response) -> Any:
    if not answer.is_success:
        raise Refused(f"{answer.status_code} {answer.reason_phrase}")
    return answer.json()


DOORS: Mapping[str, type[Door]] = {TACIT: TacitDoor, MEM0: Mem0Door}
