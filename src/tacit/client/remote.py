"""RemoteTacit: the memories of one workspace, at a server."""

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

from tacit import archive
from tacit.archive import Format, ImportReport, Place
from tacit.choice import choice
from tacit.client.connection import Connection, segment
from tacit.client.messages import plain
from tacit.client.transport import Transport
from tacit.client.turns import (
    TURN_SECONDS,
    TURN_TRIES,
    Asked,
    RemoteEnding,
    ended,
    kept_part,
    was_open,
)
from tacit.client.watching import newest, watched
from tacit.conversation import Event, EventPage, Session
from tacit.errors import InvalidInput, NotFound, TacitError
from tacit.history import Level
from tacit.memory import (
    DRAFT_FIELDS,
    Actor,
    Association,
    AuditEntry,
    Draft,
    Fields,
    Graph,
    Memory,
    MemoryType,
    Relation,
    Review,
    Scope,
    Sort,
    State,
    check,
    check_all,
)
from tacit.memory import plain as in_json
from tacit.messages import checked
from tacit.receipt import Receipt
from tacit.runtime.clock import system_clock
from tacit.runtime.ids import new_id
from tacit.search import Mode, SearchResult
from tacit.selection import Conflict
from tacit.store import Stats
from tacit.turn import Compaction, Ended, Prepared, Reset, SessionReport, Trigger, Turn
from tacit.writing import Erasure, Written

_log = logging.getLogger("tacit.turn")

Value = TypeVar("Value")

URL_VARIABLE = "TACIT_URL"
KEY_VARIABLE = "TACIT_KEY"

_LOCAL = "http://127.0.0.1:8377"
_EXPORT = "/v1/memories/export"
_NEWLINE = b"\n"
_LINES = "application/x-ndjson"
_EXPORT_SECONDS = 600.0
"""A large workspace is gathered at the server before the first line comes."""


class RemoteTacit:
    """The calls of `Tacit` for a memory that `tacit serve` offers; threads may share it.

    What was asked is checked here as the library does, and what goes wrong raises the same errors.
    A turn never fails because of the server: it goes on without memory, and its receipt says so.
    """

    def __init__(
        self, transport: Transport, workspace: str | None, *, is_view: bool = False
    ) -> None:
        self._transport = transport
        self._workspace: str | None = None if workspace is None else check("workspace", workspace)
        self._at = Connection(transport, self._workspace)
        self._is_view = is_view
        self._said: set[str] = set()

    @classmethod
    def connect(
        cls,
        url: str | None = None,
        key: str | None = None,
        *,
        workspace: str | None = None,
        timeout: float = 30.0,
    ) -> Self:
        """A memory behind an address; nothing is sent before the first call.

        Without them the environment variables TACIT_URL and TACIT_KEY count, and without those the
        server of this machine. A key for one workspace needs no `workspace`. A call, with all its
        tries, takes `timeout` seconds at most.
        """
        if not 0 < timeout < float("inf"):
            raise InvalidInput("timeout", "give the seconds that a call may take, more than 0")
        address = url or os.environ.get(URL_VARIABLE) or _LOCAL
        secret = key or os.environ.get(KEY_VARIABLE)
        return cls(Transport(address, secret, timeout), workspace)

    @property
    def workspace(self) -> str:
        """The tenant that every call reads and writes; asked for once where the key says it."""
        if self._workspace is None:
            self._workspace = self._at.get("/v1/status", _workspace)
        return self._workspace

    def in_workspace(self, name: str) -> "RemoteTacit":
        """The same server for another tenant, with the same connections.

        It costs next to nothing and need not be closed; it ends with the one it came from.
        """
        return RemoteTacit(self._transport, name, is_view=True)

    def remember(
        self, content: str, *, by: Actor | str = Actor.USER, **fields: Unpack[Fields]
    ) -> Written:
        """Keep a statement; said again, it is recognised."""
        draft = _draft({"content": content, **fields})
        return self._at.write("/v1/memories", {**draft, **_by(by)}, read=Written.from_dict)

    def remember_all(
        self, drafts: Iterable[str | Mapping[str, Any]], *, by: Actor | str = Actor.USER
    ) -> list[Written]:
        """Keep many statements in one transaction: all of them, or none."""
        if isinstance(drafts, str | Mapping):
            raise InvalidInput("drafts", "expected a list of texts or objects, not a single one")
        items = [_draft(_mapping(number, draft)) for number, draft in enumerate(drafts)]
        read = _items(Written.from_dict)
        return self._at.write("/v1/memories/bulk", {"items": items, **_by(by)}, read=read)

    def get(self, id: str) -> Memory:
        """One memory; a forgotten one is not found."""
        return self._at.get(_memory(id), Memory.from_dict)

    def list(
        self,
        *,
        state: State | str | None = State.LIVE,
        types: Iterable[MemoryType | str] | None = None,
        scope: Scope | str | None = None,
        scope_id: str | None = None,
        agent: str | None = None,
        key: str | None = None,
        tag: str | None = None,
        pinned: bool | None = None,
        sort: Sort | str = Sort.RECENT,
        limit: int = 50,
        after: str | None = None,
    ) -> list[Memory]:
        """A page of memories; `after` is the id of the last one of the page before.

        `state=None` lists every state; `agent` lists what that agent may see.
        """
        named = {
            "state": state,
            "types": types,
            "scope": scope,
            "scope_id": scope_id,
            "agent": agent,
            "key": key,
            "tag": tag,
            "pinned": pinned,
            "sort": sort,
            "limit": limit,
        }
        filters = {name: check(name, value) for name, value in named.items() if value is not None}
        return self._at.get(
            "/v1/memories",
            _items(Memory.from_dict),
            **filters,
            any_state=True if state is None else None,
            after=None if after is None else check("id", after),
        )

    def search(
        self,
        text: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        types: Iterable[MemoryType | str] | None = None,
        scope: Scope | str | None = None,
        scope_id: str | None = None,
        agent: str | None = None,
        min_confidence: float = 0.0,
        **settings: Any,
    ) -> SearchResult:
        """The memories that matter most for a text, best first.

        `settings` are those of `SearchSettings`, such as `max_results`. The modes `recent`,
        `important` and `typed` list by time, by importance and by type instead.
        """
        asked = {
            "text": check("text", text),
            "mode": choice("mode", Mode, mode),
            "types": None if types is None else check("types", types),
            "scope": None if scope is None else check("scope", scope),
            "scope_id": None if scope_id is None else check("scope_id", scope_id),
            "agent": check("agent", agent),
            "min_confidence": check("confidence", min_confidence),
            "settings": settings,
        }
        return self._at.look("/v1/search", plain(asked), SearchResult.from_dict)

    def edit(self, id: str, *, by: Actor | str = Actor.USER, **changes: Any) -> Written:
        """Change the fields that are named; None empties a field that can be empty."""
        values = _written(check_all(changes, DRAFT_FIELDS))
        return self._at.change("PATCH", _memory(id), Written.from_dict, {**values, **_by(by)})

    def forget(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        """Hide a memory from every read; `restore` brings it back."""
        return self.forget_all([id], by=by)[0]

    def restore(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        """Bring back what was forgotten."""
        return self._at.write(_memory(id, "restore"), _by(by), read=Written.from_dict)

    def erase(self, id: str) -> Erasure:
        """Remove a memory and all traces of its words for good; says what went and what is left."""
        return self._at.write(_memory(id, "erase"), read=Erasure.from_dict)

    def forget_all(self, ids: Iterable[str], *, by: Actor | str = Actor.USER) -> Sequence[Written]:
        """Hide many memories in one transaction: all of them, or none."""
        asked = {"ids": _ids(ids), **_by(by)}
        return self._at.write("/v1/memories/bulk/forget", asked, read=_items(Written.from_dict))

    def restore_all(self, ids: Iterable[str], *, by: Actor | str = Actor.USER) -> Sequence[Written]:
        """Bring many memories back in one transaction: all of them, or none."""
        asked = {"ids": _ids(ids), **_by(by)}
        return self._at.write("/v1/memories/bulk/restore", asked, read=_items(Written.from_dict))

    def link(
        self,
        source: str,
        target: str,
        relation: Relation | str = Relation.RELATED_TO,
        *,
        weight: float = 0.5,
        by: Actor | str = Actor.USER,
    ) -> Association:
        """Relate two memories; a repeat changes the weight."""
        values = {"source": source, "target": target, "relation": relation, "weight": weight}
        edge = Association.from_dict(values)
        asked = {**edge.to_dict(), **_by(by)}
        return self._at.write("/v1/links", asked, read=Association.from_dict)

    def unlink(
        self, source: str, target: str, relation: Relation | str = Relation.RELATED_TO
    ) -> None:
        """Remove an association."""
        self._at.change(
            "DELETE",
            "/v1/links",
            _nothing,
            source=check("id", source),
            target=check("id", target),
            relation=check("relation", relation),
        )

    def links(self, id: str) -> Sequence[Association]:
        """The associations at a memory, in both directions."""
        return self._at.get(_memory(id, "links"), _items(Association.from_dict))

    def graph(self, id: str, *, depth: int = 1, limit: int = 100) -> Graph:
        """The memories around one that are so many steps away at most, nearest first."""
        size = check("limit", limit)
        return self._at.get(_memory(id, "graph"), Graph.from_dict, depth=depth, limit=size)

    def history(self, id: str) -> Sequence[AuditEntry]:
        """Every change of a memory, oldest first; forgotten and erased ones have one too."""
        return self._at.get(_memory(id, "history"), _items(AuditEntry.from_dict))

    def reviews(self, *, limit: int = 50, after: str | None = None) -> Sequence[Review]:
        """Changes that wait for a person, oldest first."""
        last = None if after is None else check("id", after)
        size = check("limit", limit)
        return self._at.get("/v1/reviews", _items(Review.from_dict), limit=size, after=last)

    def conflicts(self, *, limit: int = 50, after: str | None = None) -> Sequence[Conflict]:
        """Live memories that cannot all be current, though somebody may see them together.

        `after` is the id of the last conflict of the page before.
        """
        path, size = "/v1/memory/conflicts", check("limit", limit)
        return self._at.get(path, _items(Conflict.from_dict), limit=size, after=after)

    def resolve(
        self,
        *,
        keep: str | None = None,
        supersede: Iterable[str] = (),
        keep_both: Iterable[str] = (),
        reason: str = "",
    ) -> Sequence[Written]:
        """End a conflict: `keep` replaces those to `supersede`, or all of `keep_both` are right.

        What became of each memory but `keep`; what only a person may decide becomes a review.
        """
        asked = {
            "keep": None if keep is None else check("id", keep),
            "supersede": _ids(supersede),
            "keep_both": _ids(keep_both),
            "reason": check("reason", reason),
        }
        path = "/v1/memory/conflicts/resolve"
        return self._at.write(path, asked, read=_items(Written.from_dict))

    def stats(self) -> Stats:
        """What the workspace holds, and where."""
        return self._at.get("/v1/stats", Stats.from_dict)

    def export_to(self, target: Place, *, embeddings: bool = False) -> int:
        """Write everything as JSON Lines, to a path or a binary file; returns how many lines."""
        lines = 0
        with (
            archive.writing(target) as file,
            self._at.stream(_EXPORT, _EXPORT_SECONDS, embeddings=embeddings) as response,
        ):
            for piece in response.iter_bytes():
                file.write(piece)
                lines += piece.count(_NEWLINE)
        return lines

    def import_from(
        self,
        source: Place,
        *,
        format: Format | str = Format.AUTO,
        progress: Callable[[int], None] = lambda _: None,
    ) -> ImportReport:
        """Take in lines of text or JSON from a path or a binary file.

        What is known is recognised, so after an interruption it is just run again. `progress`
        hears of bytes done.
        """
        layout = choice("format", Format, format)
        with archive.reading(source) as file:
            body = file.read()
        report = self._at.write(
            "/v1/memories/import",
            body,
            read=ImportReport.from_dict,
            media_type=_LINES,
            params={"format": layout},
        )
        progress(len(body))
        return report

    def turn(
        self,
        *,
        session: str,
        text: Any,
        history: Sequence[Any] | None = (),
        agent: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        trigger: Trigger | str = Trigger.USER,
        **settings: Any,
    ) -> Turn:
        """Begin a turn: find what the agent should know for what is said now.

        `text` is what was said: text, a message, or several that arrived together. `history` are
        the messages before it, in OpenAI's shape, Anthropic's or our own; None where the host keeps
        them. `settings` are those of `InjectionSettings`, for this turn only. Its receipt accounts
        for what was injected; once it is committed, `receipt(turn.receipt.id)` has all of it.
        """
        named = {
            "history": history,
            "agent": agent,
            "user": user,
            "project": project,
            "org": org,
            "trigger": trigger,
        }
        prepared = self._begun(Asked.of(session, text, named, settings))
        return Turn(prepared, RemoteEnding(self._at, prepared.receipt.id))

    def preview(self, *, session: str, text: Any, **asked: Any) -> Prepared:
        """What `turn` would give, with the same arguments, without any effect."""
        named = {name: asked.pop(name) for name in _PLACES if name in asked}
        wanted = Asked.of(session, text, named, asked)
        return self._at.look("/v1/turns/preview", wanted.body, wanted.previewed)

    def commit_turn(self, id: str) -> Ended:
        """End a turn that any process began.

        `Turn.commit` does the same for who holds the turn.
        """
        return self._at.write(f"/v1/turns/{check('id', id)}/commit", {}, read=ended)

    def roll_back_turn(self, id: str) -> bool:
        """Leave no trace of a turn that any process began; tells whether it was open."""
        return self._at.write(f"/v1/turns/{check('id', id)}/rollback", read=was_open)

    def sessions(self, *, limit: int = 50, after: str | None = None) -> Sequence[Session]:
        """The sessions that were active last, newest first.

        `after` is the `cursor` of the last one of the page before.
        """
        size = check("limit", limit)
        return self._at.get("/v1/sessions", _items(Session.from_dict), limit=size, after=after)

    def session(self, id: str) -> SessionReport:
        """What is known of a session: its blocks, its ledger and its last receipts."""
        return self._at.get(_owned("session", id), SessionReport.from_dict)

    def reset_memory_injection_tracking(self, session: str) -> Reset:
        """Let a session be shown everything again; says how many memories that frees."""
        return self._at.write(_owned("session", session, "reset"), read=Reset.from_dict)

    def clear(self, session: str) -> Reset:
        """The history of a session begins anew: all may come again, open turns never happened."""
        return self._at.write(_owned("session", session, "clear"), read=Reset.from_dict)

    def compact(
        self,
        *,
        session: str,
        history: Sequence[Any],
        agent: str | None = None,
        level: Level | str | None = None,
        wait: bool = True,
        **settings: Any,
    ) -> Compaction:
        """Make room in a history: its oldest part is summed up, as far as it fills the window.

        From .80 of `context_window` on the oldest 30% go, from .85 half, and from .95 half at once
        and without a summary; `level` decides instead. With `wait=False` a summary that is not
        urgent is written in the background and used by a later call.
        """
        own = checked(history)
        asked = {
            "history": own,
            "agent": agent,
            "level": None if level is None else choice("level", Level, level),
            "wait": wait,
            "settings": settings,
        }

        def read(answer: Any) -> Compaction:
            return Compaction.from_dict(answer, kept_part(own, answer))

        return self._at.write(_owned("session", session, "compact"), plain(asked), read=read)

    def fork(self, session: str, into: str) -> Session:
        """Begin a branch of a session: it sees the blocks, and what it is shown is its own."""
        path = _owned("session", session, "fork")
        return self._at.write(path, {"into": _name("into", into)}, read=Session.from_dict)

    def pause(self, *, session: str | None = None, project: str | None = None) -> None:
        """Leave a session or a project alone: nothing is read for it and nothing is written."""
        self._at.write(_either(session, project, "pause"), read=_nothing)

    def resume(self, *, session: str | None = None, project: str | None = None) -> None:
        """Serve it again."""
        self._at.write(_either(session, project, "resume"), read=_nothing)

    def receipts(
        self, *, session: str | None = None, limit: int = 50, after: str | None = None
    ) -> Sequence[Receipt]:
        """The accounts of the last turns, newest first; `after` goes on with those before it.

        Each is asked for by itself, since a list at the server has summaries only.
        """
        named = {"session": session, "limit": check("limit", limit), "after": after}
        ids = self._at.get("/v1/receipts", _items(_id), **named)
        return [found for id in ids if (found := self._receipt(id)) is not None]

    def receipt(self, id: str) -> Receipt:
        """The account of one turn."""
        return self._at.get(f"/v1/receipts/{check('id', id)}", Receipt.from_dict)

    def mark_irrelevant(self, receipt: str, memory: str) -> None:
        """Say that a memory was of no use in a turn; for similar questions it counts less."""
        path = f"/v1/receipts/{check('id', receipt)}/irrelevant"
        self._at.write(path, {"memory": check("id", memory)}, read=_nothing)

    def events(self, *, after: int = 0, limit: int = 100) -> EventPage:
        """What happened in the workspace after an event, by any program, oldest first."""
        size = check("limit", limit)
        return self._at.get("/v1/events/list", EventPage.from_dict, after=after, limit=size)

    def watch(self, after: int | None = None) -> Iterator[Event]:
        """What happens from now on, or after an event that is known, as it happens; never ends.

        Where the server goes away, it is waited for, and no event is left out or comes twice.
        """
        return watched(self._at, newest(self._at) if after is None else after)

    def workspaces(self) -> Sequence[str]:
        """Every workspace of the store that was ever written to, by name."""
        return self._at.get("/v1/workspaces", _items(str))

    def close(self) -> None:
        """Let go of the connections; one that came from another leaves that to it."""
        if not self._is_view:
            self._transport.close()

    def __repr__(self) -> str:
        return f"RemoteTacit({self._transport.address!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _begun(self, asked: Asked) -> Prepared:
        """The turn that the server began, or one without memory."""
        try:
            return self._at.write(
                "/v1/turns", asked.body, read=asked.begun, at_most=TURN_SECONDS, tries=TURN_TRIES
            )
        except InvalidInput:
            raise
        except TacitError as error:
            self._warn(str(error))
            return asked.without_memory(new_id(), system_clock(), str(error))

    def _warn(self, problem: str) -> None:
        """Say each thing that is amiss once; every receipt says it again."""
        if problem not in self._said:
            self._said.add(problem)
            _log.warning("memory injection degraded: server: %s", problem)

    def _receipt(self, id: str) -> Receipt | None:
        """A receipt that was there a moment ago."""
        try:
            return self.receipt(id)
        except NotFound:
            return None


_PLACES = ("history", "agent", "user", "project", "org", "trigger")


def _items(read: Callable[[Any], Value]) -> Callable[[Any], "list[Value]"]:
    """How the items of a list are read."""
    return lambda answer: [read(each) for each in answer["items"]]


def _nothing(_: Any) -> None:
    """An answer that holds nothing one would want."""


def _id(values: Any) -> str:
    return str(values["id"])


def _workspace(status: Any) -> str:
    return str(status["workspace"])


def _by(by: Actor | str) -> dict[str, str]:
    return {"by": str(check("by", by))}


def _mapping(number: int, draft: str | Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(draft, str):
        return {"content": draft}
    if not isinstance(draft, Mapping):
        raise InvalidInput(f"drafts[{number}]", "expected text or an object with a content")
    return draft


def _draft(values: Mapping[str, Any]) -> dict[str, Any]:
    """A wish, checked, with what was given of it."""
    draft = Draft.of(values)
    return _written({name: getattr(draft, name) for name in draft.given})


def _written(values: Mapping[str, Any]) -> dict[str, Any]:
    """Checked fields of a memory, ready for JSON."""
    return {name: in_json(value) for name, value in values.items()}


def _ids(ids: Iterable[str]) -> list[str]:
    if isinstance(ids, str):
        raise InvalidInput("ids", "expected a list of ids, not a single one")
    return [check("id", each) for each in ids]


def _memory(id: str, what: str = "") -> str:
    """The path of a memory, or of something about it."""
    return f"/v1/memories/{check('id', id)}" + (f"/{what}" if what else "")


def _owned(kind: str, name: str, what: str = "") -> str:
    """The path of a session or a project, or of something about it."""
    path = f"/v1/{kind}s/{segment(_name(kind, name))}"
    return f"{path}/{what}" if what else path


def _either(session: str | None, project: str | None, what: str) -> str:
    """The path of the one thing that is named."""
    if (session is None) == (project is None):
        raise InvalidInput("session", "name a session or a project, and only one of them")
    if session is not None:
        return _owned("session", session, what)
    return _owned("project", project or "", what)


def _name(field: str, value: Any) -> str:
    try:
        name: str = check("workspace", value)
    except InvalidInput as error:
        raise InvalidInput(field, error.problem) from None
    return name
