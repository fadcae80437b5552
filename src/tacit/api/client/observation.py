"""`RemoteTacit`'s calls on a whole workspace: counts, events, archives, upkeep, learning."""

import json
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Unpack

import httpx2

from tacit.api.client.connection import Connection, RemotePart, actor_argument
from tacit.api.client.endpoints import endpoint
from tacit.api.protocols.observation import (
    ArchiveProtocol,
    EventStreamProtocol,
    LearningProtocol,
    UpkeepProtocol,
    WorkspaceProtocol,
)
from tacit.core.errors import LimitExceeded, StoreError, Unanswered
from tacit.core.events import Event
from tacit.core.fields import check_field
from tacit.core.json_value import to_json_value
from tacit.core.kinds import Actor, check_choice
from tacit.core.owners import parse_owner
from tacit.core.permissions import Viewer
from tacit.language.extraction.findings import Extraction
from tacit.runtime.retries import usual_delay
from tacit.writing.archive.files import (
    ArchiveFile,
    Format,
    ImportReport,
    file_name_of,
    open_for_reading,
    open_for_writing,
)
from tacit.writing.draft import DraftFields, check_fields
from tacit.writing.learning.lesson import Learned
from tacit.writing.upkeep.maintenance import check_upkeep_limit
from tacit.writing.upkeep.report import UpkeepReport

if TYPE_CHECKING:
    from tacit.api.client.remote import RemoteTacit


class RemoteWorkspace(RemotePart, WorkspaceProtocol, EventStreamProtocol):
    """The tenant that every call reads and writes: its name, counts, activity and events."""

    def __init__(self, connection: Connection, open: Callable[[str], "RemoteTacit"]) -> None:
        super().__init__(connection)
        self._open = open
        self._name = connection.workspace

    def __repr__(self) -> str:
        return f"RemoteWorkspace({self._name!r})"

    @property
    def name(self) -> str:
        """The name of the workspace; asked once if the key decides it."""
        if self._name is None:
            self._name = self._connection.get("/v1/status", _read_workspace)
        return self._name

    def open(self, name: str) -> "RemoteTacit":
        return self._open(name)

    stats = endpoint(WorkspaceProtocol.stats, "GET /v1/stats")
    activity = endpoint(WorkspaceProtocol.activity, "GET /v1/activity")
    names = endpoint(WorkspaceProtocol.names, "GET /v1/workspaces")
    events = endpoint(WorkspaceProtocol.events, "GET /v1/events/list")

    def watch(self, after: int | None = None) -> Iterator[Event]:
        return watch_events(
            self._connection, load_last_event_number(self._connection) if after is None else after
        )


def _read_workspace(status: Any) -> str:
    return str(status["workspace"])


# The event stream, which reconnects where it broke off


_log = logging.getLogger("tacit.client")

_RECONNECT_SECONDS = (0.1, 0.5, 1.0, 2.0, 5.0)
"""Seconds before a stream is taken up again, the last one as often as it takes."""

_SILENCE_SECONDS = 60.0
"""A stream is dead after so long: servers send a sign of life more often."""

_GAP = "gap"


def load_last_event_number(connection: Connection) -> int:
    """The number of the last event."""
    return connection.get("/v1/events/list", _read_last, limit=1)


def watch_events(connection: Connection, after: int) -> Iterator[Event]:
    """Events after a number; reconnects when the server was away."""
    failures = 0
    while True:
        try:
            for number, event in _stream_once(connection, after):
                after, failures = number, 0
                if event is not None:
                    yield event
        except (Unanswered, LimitExceeded, StoreError) as error:
            _log.info("the event stream broke off and is taken up again: %s", error)
        failures += 1
        time.sleep(usual_delay(_RECONNECT_SECONDS, failures))


def _stream_once(connection: Connection, after: int) -> Iterator[tuple[int, Event | None]]:
    """Event numbers and events, until the stream ends."""
    headers = {"Last-Event-ID": str(after), "Accept": "text/event-stream"}
    with connection.stream("/v1/events", _SILENCE_SECONDS, headers) as response:
        for sent in httpx2.EventSource(response):
            if sent.event == _GAP:
                _log.warning("what happened after event %s is not kept any more", sent.id or after)
            elif sent.id.isdecimal():
                yield int(sent.id), _parse_event(sent)


def _parse_event(sent: httpx2.ServerSentEvent) -> Event | None:
    """The event; None for a mere position in the stream, and for unknown kinds."""
    if not sent.data:
        return None
    try:
        values: Any = json.loads(sent.data)
        return Event.from_dict(values)
    except (ValueError, TypeError, LookupError):
        _log.warning("event %s is of a kind that this version does not know", sent.id)
        return None


def _read_last(page: Any) -> int:
    return int(page["last"])


# Archives


_EXPORT = "/v1/memories/export"
_NEWLINE = b"\n"
_LINES = "application/x-ndjson"
_EXPORT_SECONDS = 600.0
"""A large workspace is gathered at the server before the first line comes."""


class RemoteArchive(RemotePart, ArchiveProtocol):
    """Export and import of a whole workspace."""

    def export_to(
        self, target: ArchiveFile, *, embeddings: bool = False, owner: str | None = None
    ) -> int:
        if owner is not None:
            parse_owner(owner)
        asked: dict[str, Any] = {"embeddings": embeddings, "owner": owner}
        lines = 0
        with (
            open_for_writing(target) as file,
            self._connection.stream(_EXPORT, _EXPORT_SECONDS, **asked) as response,
        ):
            for piece in response.iter_bytes():
                file.write(piece)
                lines += piece.count(_NEWLINE)
        return lines

    def import_from(
        self,
        source: ArchiveFile,
        *,
        format: Format | str = Format.AUTO,
        by: Actor | str = Actor.IMPORT,
        name: str | None = None,
        accept_rules: bool = False,
        progress: Callable[[int], None] = lambda _: None,
        **defaults: Unpack[DraftFields],
    ) -> ImportReport:
        fields = {name: to_json_value(value) for name, value in check_fields(defaults).items()}
        asked = {
            "format": check_choice("format", Format, format),
            "name": file_name_of(source, name),
            "accept_rules": accept_rules or None,
            "defaults": json.dumps(fields) if fields else None,
            **actor_argument(by, Actor.IMPORT),
        }
        with open_for_reading(source) as file:
            body = file.read()
        report = self._connection.write(
            "/v1/memories/import",
            body,
            read=ImportReport.from_dict,
            media_type=_LINES,
            params=asked,
        )
        progress(len(body))
        return report


# Upkeep


class RemoteUpkeep(RemotePart, UpkeepProtocol):
    """Upkeep of all memories of a workspace."""

    def upkeep(self, *, dry_run: bool = False, limit: int | None = None) -> UpkeepReport:
        asked = {"dry_run": dry_run, "limit": None if limit is None else check_upkeep_limit(limit)}
        return self._connection.write("/v1/upkeep", asked, read=UpkeepReport.from_dict)


# Learning


_EXTRACT = "/v1/extract"


class RemoteLearning(RemotePart, LearningProtocol):
    """Learning from committed turns."""

    def extract(self, text: str, *, with_model: bool = False) -> Extraction:
        asked = {"text": check_field("text", text), "with_model": with_model}
        if with_model:  # asked once, since every time costs tokens
            return self._connection.change("POST", _EXTRACT, Extraction.from_dict, asked)
        return self._connection.read_with_body(_EXTRACT, asked, Extraction.from_dict)

    def learn(self, *, agent: str | None = None, user: str | None = None) -> Learned:
        asked = asdict(Viewer.of(agent, user))
        return self._connection.write("/v1/learn", read=Learned.from_dict, params=asked)
