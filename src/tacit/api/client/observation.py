"""`RemoteTacit`'s calls on a whole workspace: counts, events, archives, upkeep, learning."""

import json
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any, Unpack

import httpx2

from tacit.api.client.connection import (
    Connection,
    RemoteWorkspaceApi,
    actor_argument,
    read_items,
    session_path,
)
from tacit.core.activity import Activity
from tacit.core.errors import LimitExceeded, StoreError, Unanswered
from tacit.core.events import Event, EventPage
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, check_choice
from tacit.core.memory import to_json_value as in_json
from tacit.core.permissions import Viewer
from tacit.language.extraction.findings import Extraction
from tacit.store.stats import Stats
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


class RemoteObservationCalls(RemoteWorkspaceApi):
    """Counts, activity, events and workspaces."""

    def stats(self, *, agent: str | None = None, user: str | None = None) -> Stats:
        """Count what the workspace holds, and describe its store.

        For an `agent` and a `user`, the memories and reviews that they may see are counted, and
        nothing else.
        """
        return self._connection.get("/v1/stats", Stats.from_dict, **asdict(Viewer.of(agent, user)))

    def activity(
        self,
        *,
        turns: int = 500,
        days: int = 30,
        agent: str | None = None,
        user: str | None = None,
    ) -> Activity:
        """What the last turns did, and how many memories were created in the last days.

        Memories that the `agent` or the `user` may not see are neither named nor counted.
        """
        asked = {"turns": check_field("turns", turns), "days": check_field("days", days)}
        return self._connection.get(
            "/v1/activity", Activity.from_dict, **asked, **asdict(Viewer.of(agent, user))
        )

    def workspaces(self) -> Sequence[str]:
        """The names of all workspaces that were ever written to."""
        return self._connection.get("/v1/workspaces", read_items(str))

    def events(self, *, after: int = 0, limit: int = 100) -> EventPage:
        """Events of the workspace after a number, from any program, oldest first."""
        size = check_field("limit", limit)
        return self._connection.get("/v1/events/list", EventPage.from_dict, after=after, limit=size)

    def watch(self, after: int | None = None) -> Iterator[Event]:
        """Events from now on, or after a known event, as they happen; never ends.

        Where the server goes away, it is waited for, and no event is left out or comes twice.
        """
        return watch_events(
            self._connection, load_last_event_number(self._connection) if after is None else after
        )


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
        time.sleep(_RECONNECT_SECONDS[min(failures, len(_RECONNECT_SECONDS) - 1)])
        failures += 1


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


class RemoteArchiveCalls(RemoteWorkspaceApi):
    """Export and import of a whole workspace."""

    def export_to(self, target: ArchiveFile, *, embeddings: bool = False) -> int:
        """Export everything as JSON Lines to a path or a binary file; returns the line count."""
        lines = 0
        with (
            open_for_writing(target) as file,
            self._connection.stream(_EXPORT, _EXPORT_SECONDS, embeddings=embeddings) as response,
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
        progress: Callable[[int], None] = lambda _: None,
        **defaults: Unpack[DraftFields],
    ) -> ImportReport:
        """Import a path or a binary file: lines, JSON, Markdown, other programs' files.

        Known memories are recognised, so an interrupted import can be repeated. `name` is the name
        of the file, if the source has none; `defaults` are fields for lines that do not set them;
        `progress` receives the number of bytes done.
        """
        fields = {name: in_json(value) for name, value in check_fields(defaults).items()}
        asked = {
            "format": check_choice("format", Format, format),
            "name": file_name_of(source, name),
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


class RemoteUpkeepCalls(RemoteWorkspaceApi):
    """Upkeep of all memories of a workspace."""

    def upkeep(self, *, dry_run: bool = False, limit: int | None = None) -> UpkeepReport:
        """Forget faded memories, merge duplicates, link related ones; reports what and why.

        One pass looks at no more than `limit` memories (default: the settings'), and the next one
        continues after them. A dry run changes nothing.
        """
        asked = {"dry_run": dry_run, "limit": None if limit is None else check_upkeep_limit(limit)}
        return self._connection.write("/v1/upkeep", asked, read=UpkeepReport.from_dict)


# Learning


class RemoteLearningCalls(RemoteWorkspaceApi):
    """Learning from committed turns."""

    def learn(self, *, agent: str | None = None, user: str | None = None) -> Learned:
        """Learn now from the queued turns; reports what became of each statement.

        This happens automatically soon after every turn; a model reads the turns that are due. An
        `agent` and a `user` see only statements in memories that they may see.
        """
        asked = asdict(Viewer.of(agent, user))
        return self._connection.write("/v1/learn", read=Learned.from_dict, params=asked)

    def extract(self, text: str) -> Extraction:
        """What the rules would learn from a message, and what they refuse; nothing is stored."""
        return self._connection.read_with_body(
            "/v1/extract", {"text": check_field("text", text)}, Extraction.from_dict
        )

    def end_session(self, session: str) -> int:
        """End a session, so that the model reads the rest of it.

        Tells how many turns wait for that; without a model none does.
        """
        return self._connection.write(session_path(session, "end"), read=_read_waiting)


def _read_waiting(answer: Any) -> int:
    return int(answer["waiting"])
