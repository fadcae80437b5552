"""RemoteTacit: the memories of one workspace, at a server."""

import os
from typing import Self

from tacit.api.base import BaseTacit
from tacit.api.client.administration import RemoteKeyring, RemoteServer, RemoteSettings
from tacit.api.client.connection import Connection
from tacit.api.client.conversations import TURN_SECONDS, RemoteSessions, RemoteTurns
from tacit.api.client.grounding import RemoteDocuments, RemoteGrounding
from tacit.api.client.items import RemoteItems
from tacit.api.client.memories import (
    RemoteChanges,
    RemoteConflicts,
    RemoteEpisodes,
    RemoteMemories,
    RemoteProfiles,
    RemoteReviews,
)
from tacit.api.client.observation import (
    RemoteArchive,
    RemoteLearning,
    RemoteUpkeep,
    RemoteWorkspace,
)
from tacit.api.client.transport import Transport
from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field

URL_VARIABLE = "TACIT_URL"
KEY_VARIABLE = "TACIT_KEY"

_LOCAL = "http://127.0.0.1:8377"


class RemoteTacit(BaseTacit):
    """The calls of `Tacit` for a store that `tacit serve` offers; thread-safe.

    What was asked is checked here as the library does, and what goes wrong raises the same errors.
    A turn never fails because of the server: it goes on without memory, and its receipt says so.
    """

    workspace: RemoteWorkspace

    def __init__(
        self, transport: Transport, workspace: str | None = None, *, is_view: bool = False
    ) -> None:
        if isinstance(transport, str):
            raise InvalidInput("transport", f"a URL is opened with Tacit.connect({transport!r})")
        self._transport = transport
        self._is_view = is_view
        named = None if workspace is None else check_field("workspace", workspace)
        connection = self._connection = Connection(transport, named)
        self.memories = RemoteMemories(connection)
        self.turns = RemoteTurns(connection)
        self.sessions = RemoteSessions(connection)
        self.episodes = RemoteEpisodes(connection)
        self.reviews = RemoteReviews(connection)
        self.conflicts = RemoteConflicts(connection)
        self.changes = RemoteChanges(connection)
        self.archive = RemoteArchive(connection)
        self.items = RemoteItems(connection)
        self.grounding = RemoteGrounding(connection)
        self.workspace = RemoteWorkspace(connection, self._open_workspace)
        self.settings = RemoteSettings(connection)
        self.keys = RemoteKeyring(connection)
        self.documents = RemoteDocuments(connection)
        self._learning = RemoteLearning(connection)
        self._profiles = RemoteProfiles(connection)
        self._upkeep = RemoteUpkeep(connection)

    @classmethod
    def connect(
        cls,
        url: str | None = None,
        key: str | None = None,
        *,
        workspace: str | None = None,
        timeout: float = 30.0,
    ) -> Self:
        """Connect to a server; nothing is sent before the first call.

        Without them the environment variables TACIT_URL and TACIT_KEY count, and without those the
        server of this machine; an empty key is none. A key for one workspace needs no `workspace`.
        A call, with all its tries, takes `timeout` seconds at most.
        """
        address = url or os.environ.get(URL_VARIABLE) or _LOCAL
        secret = os.environ.get(KEY_VARIABLE) if key is None else key
        return cls(Transport(address, secret, _check_timeout(timeout)), workspace)

    def _open_workspace(self, name: str) -> "RemoteTacit":
        return RemoteTacit(self._transport, name, is_view=True)

    def within(self, timeout: float) -> "RemoteTacit":
        """The same workspace with another timeout; it shares the connections."""
        patient = self._transport.within(_check_timeout(timeout))
        return RemoteTacit(patient, self._connection.workspace, is_view=True)

    def _for_calls(self) -> "RemoteTacit":
        """The same memory, waited for no longer than a turn does."""
        return self.within(min(TURN_SECONDS, self._transport.timeout))

    @property
    def server(self) -> RemoteServer:
        """The server itself: its status, readiness and metrics."""
        return RemoteServer(self._connection)

    def close(self) -> None:
        """Close the connections."""
        if not self._is_view:
            self._transport.close()

    def __repr__(self) -> str:
        return f"RemoteTacit({self._transport.address!r})"


def _check_timeout(timeout: float) -> float:
    if not 0 < timeout < float("inf"):
        raise InvalidInput("timeout", "give the seconds that a call may take, more than 0")
    return timeout
