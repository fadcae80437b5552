"""Doors through which turns begin and end, each on two nodes of one store that can be late."""

import asyncio
import threading
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from math import inf
from typing import Any

from tacit import FakeEmbedder, Tacit
from tacit.api.client.remote import RemoteTacit
from tacit.api.client.transport import Transport
from tacit.core.errors import NotFound
from tacit.integrations.mcp.caller import McpCaller
from tacit.integrations.mcp.server import create_server
from tacit.runtime.workers import seconds_left
from tests.serving import HOST, served

REPLY = "So it is."
LATE_MS = 30
_USER = "ann"


class LateStore:
    """A store that is late for the stages of a turn, and fails in the background, if told to."""

    def __init__(self, store):
        self._store = store
        self.recover()

    def recover(self) -> None:
        self.late_reads = self.late_writes = self.loses_background = False

    def __getattr__(self, name):
        return getattr(self._store, name)

    def read(self, workspace):
        if self.late_reads:
            _wait_for_the_deadline()
        return self._store.read(workspace)

    def write(self, workspace):
        if self.late_writes:
            _wait_for_the_deadline()
        if self.loses_background and threading.current_thread().name == "tacit-jobs":
            raise OSError("nobody answers")
        return self._store.write(workspace)


def _wait_for_the_deadline() -> None:
    if threading.current_thread().name == "tacit-turn":
        time.sleep(seconds_left(inf))
        raise TimeoutError


@dataclass
class Begun:
    """A turn that began: the arguments it began with, and what the door gave for it."""

    id: str
    text: str
    arguments: dict[str, Any]
    node: int
    is_stored: bool
    degraded: list[str] = field(default_factory=list)
    turn: Any = None


class Library:
    """`Tacit`: turns end by themselves where they began, and by their id elsewhere."""

    def __init__(self, nodes):
        self.nodes = nodes

    @classmethod
    @contextmanager
    def opened(cls, store):
        with ExitStack() as stack:
            nodes = [Tacit(store, "default", embedder=FakeEmbedder()) for _ in range(2)]
            for node in nodes:
                stack.callback(_stop_threads, node)
                node.warm()
            yield cls(nodes)

    def flush(self) -> None:
        """Wait until what the nodes do in the background is done."""
        for node in self.nodes:
            node._context.shared.worker.submit(lambda: None).result(60)

    def begin(self, node, arguments) -> Begun:
        turn = self.nodes[node].turn(**arguments)
        receipt = turn.receipt
        return Begun(
            receipt.id,
            arguments["text"],
            arguments,
            node,
            turn.is_stored,
            list(receipt.degraded),
            turn,
        )

    def look_at(self, begun: Begun) -> None:
        """What else looks at memory while a turn is open."""

    def commit(self, begun: Begun, node: int, *, sent_back: bool):
        if begun.turn is not None and node == begun.node:
            turn, begun.turn = begun.turn, None
            return turn.commit(REPLY).to_dict()
        again = begun.arguments if sent_back else None
        return self.nodes[node].commit_turn(begun.id, REPLY, begun=again).to_dict()

    def roll_back(self, begun: Begun, node: int) -> bool:
        if begun.turn is not None and node == begun.node:
            turn, begun.turn = begun.turn, None
            turn.roll_back()
            return True
        return self.nodes[node].turns.roll_back(begun.id)

    def clear(self, session: str) -> None:
        self.nodes[0].sessions.clear(session)

    def pause(self, session: str) -> None:
        self.nodes[0].sessions.pause(session=session)

    def erase(self, session: str) -> None:
        self.nodes[0].memories.erase_session(session)

    def receipts(self, session: str) -> dict[str, list[str]]:
        """The notes of the receipts of a session, by id, oldest first."""
        found = reversed(self.nodes[1].turns.list(session=session))
        return {each.id: list(each.notes) for each in found}


class Client(Library):
    """`RemoteTacit`, at two servers of one store."""

    @classmethod
    @contextmanager
    def opened(cls, store):
        with served(store) as one, served(store) as two:
            nodes = []
            for each in (one, two):
                each.service.tacit("default").warm()
                transport = Transport(HOST, None, 60.0)
                transport.close()
                transport._client = each.client
                nodes.append(RemoteTacit(transport))
            door = cls(nodes)
            door.behind = [one.tacit, two.tacit]
            yield door
            for node in door.behind:
                _stop_threads(node)

    def flush(self) -> None:
        for node in self.behind:
            node._context.shared.worker.submit(lambda: None).result(60)


class Rest(Client):
    """Plain requests to the same servers."""

    def post(self, node, path, body=None, headers=None):
        answer = self.nodes[node]._transport._client.post(path, json=body, headers=headers)
        if answer.status_code == 404:
            raise NotFound(answer.text)
        assert answer.is_success, answer.text
        return answer.json()

    def begin(self, node, arguments) -> Begun:
        body = to_body(arguments)
        told = self.post(node, "/v1/turns", body)
        degraded = told["receipt"]["degraded"]
        return Begun(told["id"], body["text"], body, node, told["is_stored"], degraded)

    def commit(self, begun, node, *, sent_back):
        body = {"reply": REPLY, **({"begun": begun.arguments} if sent_back else {})}
        return self.post(node, f"/v1/turns/{begun.id}/commit", body)

    def roll_back(self, begun, node):
        return self.post(node, f"/v1/turns/{begun.id}/rollback")["rolled_back"]

    def clear(self, session):
        self.post(0, f"/v1/sessions/{session}/clear")

    def pause(self, session):
        self.post(0, f"/v1/sessions/{session}/pause")

    def erase(self, session):
        self.post(0, f"/v1/sessions/{session}/erase")

    def receipts(self, session):
        client = self.nodes[1]._transport._client
        listed = client.get("/v1/receipts", params={"session": session}).json()["items"]
        return {each["id"]: each["notes"] for each in reversed(listed)}


class Mcp(Library):
    """The library, and an agent that looks at each turn over MCP: it begins and ends none."""

    def look_at(self, begun):
        asked = {"text": begun.text}
        self._talk(lambda client: client.call_tool("explain", asked))

    def receipts(self, session):
        own = super().receipts(session)

        async def read(client):
            listed = (await client.read_resource("tacit://receipts")).contents[0].text
            return {id: notes for id, notes in own.items() if id in listed}

        return self._talk(read)

    def _talk(self, say):
        from mcp import Client as McpClient

        async def talk():
            server = create_server(self.nodes[1], McpCaller(user=_USER), read_only=True)
            async with McpClient(server, read_timeout_seconds=60) as client:
                return await say(client)

        return asyncio.run(talk())


DOORS = {"library": Library, "client": Client, "rest": Rest, "mcp": Mcp}


def to_body(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `turn` as the body of a request."""
    named = {"session", "text", "history", "user", "project"}
    settings = {name: value for name, value in arguments.items() if name not in named}
    given = {name: value for name, value in arguments.items() if name in named}
    return {**given, "settings": settings}


class Talk:
    """One session behind a door, in which turns begin and end; `reader` sees what is kept of it."""

    def __init__(self, door, store: LateStore, reader: Tacit, session: str):
        self.door = door
        self.store = store
        self.reader = reader
        self.session = session

    def begin(self, text, history=(), *, late=None, loses_background=False, node=0) -> Begun:
        """Begin a turn; `late` is what the store is late with: "reads" or "writes"."""
        arguments = {
            "session": self.session,
            "text": text,
            "history": None if history is None else list(history),
            "user": _USER,
            "contextual_min_score": 0.0,
        }
        if late is not None:
            arguments["deadline_ms"] = LATE_MS
            setattr(self.store, f"late_{late}", True)
        self.store.loses_background = loses_background
        begun = self.door.begin(node, arguments)
        self.store.late_reads = self.store.late_writes = False
        if loses_background:
            self.door.flush()
            self.store.loses_background = False
        self.door.look_at(begun)
        return begun

    def commit(self, begun, *, node=0, sent_back=False) -> str:
        """Commit a turn; says what came of it."""
        try:
            ended = self.door.commit(begun, node, sent_back=sent_back)
        except NotFound:
            return "unknown"
        return ended["not_recorded"] or ("recorded" if ended["was_open"] else "over")

    def roll_back(self, begun, *, node=0) -> bool:
        return self.door.roll_back(begun, node)

    def check_recorded(self, *turns: Begun) -> None:
        """These turns were recorded and counted, and their words kept; no others were."""
        counted = {each.id: each.turns for each in self.reader.sessions.list(limit=500)}
        assert list(self.notes()) == sorted(turn.id for turn in turns)
        assert counted.get(self.session, 0) == len(turns)
        assert self.words() == {turn.text for turn in turns}

    def notes(self) -> dict[str, list[str]]:
        return self.door.receipts(self.session)

    def words(self) -> set[str]:
        """What was said in the session, as far as it is kept."""
        self.reader.learn()
        return {each.text for each in self.reader.episodes.list(user=_USER, session=self.session)}


def _stop_threads(tacit: Tacit) -> None:
    """End the threads of a node; the store is closed by who opened it."""
    tacit._context.shared.worker.close(60)
    tacit._context.shared.pool.close()
