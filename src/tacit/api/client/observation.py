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
from tacit.writing.draft import MemoryFields, check_fields
from tacit.writing.learning.lesson import Learned
from tacit.writing.upkeep.maintenance import check_upkeep_limit
from tacit.writing.upkeep.report import UpkeepReport


class RemoteObservationCalls(RemoteWorkspaceApi):
    """Counts, events and workspaces, for those who watch."""

    def stats(self, *, agent: str | None = None, user: str | None = None) -> Stats:
        """What the workspace holds, and where.

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
        """What the last turns did, and how many memories came in the last days.

        Memories that the `agent` or the `user` may not see are neither named nor counted.
        """
        asked = {"turns": check_field("turns", turns), "days": check_field("days", days)}
        return self._connection.get(
            "/v1/activity", Activity.from_dict, **asked, **asdict(Viewer.of(agent, user))
        )

    def workspaces(self) -> Sequence[str]:
        """Every workspace of the store that was ever written to, by name."""
        return self._connection.get("/v1/workspaces", read_items(str))

    def events(self, *, after: int = 0, limit: int = 100) -> EventPage:
        """What happened in the workspace after an event, by any program, oldest first."""
        size = check_field("limit", limit)
        return self._connection.get("/v1/events/list", EventPage.from_dict, after=after, limit=size)

    def watch(self, after: int | None = None) -> Iterator[Event]:
        """What happens from now on, or after an event that is known, as it happens; never ends.

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
    """The number of the last event that happened."""
    return connection.get("/v1/events/list", _read_last, limit=1)


def watch_events(connection: Connection, after: int) -> Iterator[Event]:
    """Events after one of them; a server that is away for a while is waited for."""
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
    """Numbers that were reached and what happened there, until the stream ends."""
    headers = {"Last-Event-ID": str(after), "Accept": "text/event-stream"}
    with connection.stream("/v1/events", _SILENCE_SECONDS, headers) as response:
        for sent in httpx2.EventSource(response):
            if sent.event == _GAP:
                _log.warning("what happened after event %s is not kept any more", sent.id or after)
            elif sent.id.isdecimal():
                yield int(sent.id), _parse_event(sent)


def _parse_event(sent: httpx2.ServerSentEvent) -> Event | None:
    """The event; None for a mere place in the stream, and for what is not understood."""
    if not sent.data:
        return None
    try:
        told: Any = json.loads(sent.data)
        return Event.from_dict(told)
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
    """What goes over all memories of a workspace."""

    def export_to(self, target: ArchiveFile, *, embeddings: bool = False) -> int:
        """Write everything as JSON Lines, to a path or a binary file; returns how many lines."""
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
        **defaults: Unpack[MemoryFields],
    ) -> ImportReport:
        """Take in what a path or a binary file holds: lines, JSON, Markdown, other programs' files.

        What is known is recognised, so after an interruption it is just run again. `name` is what
        the file is called, if its path does not say it; `defaults` are for lines that say nothing
        themselves; `progress` hears of bytes done.
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
    """What is done now and then over all memories of a workspace."""

    def upkeep(self, *, dry_run: bool = False, limit: int | None = None) -> UpkeepReport:
        """Forget what has faded, merge what says the same, relate what is near; says what and why.

        One pass looks at `limit` memories at most, or as many as the settings say, and the next
        one goes on after them. A dry run changes nothing.
        """
        asked = {"dry_run": dry_run, "limit": None if limit is None else check_upkeep_limit(limit)}
        return self._connection.write("/v1/upkeep", asked, read=UpkeepReport.from_dict)


# Learning


class RemoteLearningCalls(RemoteWorkspaceApi):
    """Memory that fills itself from turns that were committed."""

    def learn(self, *, agent: str | None = None, user: str | None = None) -> Learned:
        """Read now what was said and waits to be learned; says what became of each statement.

        That happens by itself soon after every turn; a model reads what its time has come for. An
        `agent` and a `user` are told of statements that are in memories which they may see.
        """
        asked = asdict(Viewer.of(agent, user))
        return self._connection.write("/v1/learn", read=Learned.from_dict, params=asked)

    def extract(self, text: str) -> Extraction:
        """What the rules would take from a message, and what they refuse, without any effect."""
        return self._connection.read_with_body(
            "/v1/extract", {"text": check_field("text", text)}, Extraction.from_dict
        )

    def end_session(self, session: str) -> int:
        """Say that a session is over, so that the model reads the rest of it.

        Tells how many turns wait for that; without a model none does.
        """
        return self._connection.write(session_path(session, "end"), read=_read_waiting)


def _read_waiting(answer: Any) -> int:
    return int(answer["waiting"])
