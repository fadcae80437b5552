"""RemoteTacit: the memories of one workspace, at a server."""

import os
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

from tacit.api.client.conversations import RemoteSessionCalls
from tacit.api.client.grounding import RemoteGroundingCalls
from tacit.api.client.memories import (
    RemoteAssignmentCalls,
    RemoteChangeCalls,
    RemoteEpisodeCalls,
    RemoteErasureCalls,
    RemoteMemoryCalls,
    RemoteRelationCalls,
    RemoteReviewCalls,
)
from tacit.api.client.observation import (
    RemoteArchiveCalls,
    RemoteLearningCalls,
    RemoteObservationCalls,
    RemoteUpkeepCalls,
)
from tacit.api.client.server import RemoteServer
from tacit.api.client.transport import Transport
from tacit.api.model_calls.names import Client, use_names
from tacit.api.protocols.tacit import TacitProtocol
from tacit.core.errors import InvalidInput

URL_VARIABLE = "TACIT_URL"
KEY_VARIABLE = "TACIT_KEY"

_LOCAL = "http://127.0.0.1:8377"


class RemoteTacit(
    RemoteMemoryCalls,
    RemoteEpisodeCalls,
    RemoteAssignmentCalls,
    RemoteErasureCalls,
    RemoteRelationCalls,
    RemoteReviewCalls,
    RemoteChangeCalls,
    RemoteGroundingCalls,
    RemoteLearningCalls,
    RemoteSessionCalls,
    RemoteArchiveCalls,
    RemoteUpkeepCalls,
    RemoteObservationCalls,
    TacitProtocol,
):
    """The calls of `Tacit` for a store that `tacit serve` offers; thread-safe.

    What was asked is checked here as the library does, and what goes wrong raises the same errors.
    A turn never fails because of the server: it goes on without memory, and its receipt says so.
    """

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

    def in_workspace(self, name: str) -> "RemoteTacit":
        return RemoteTacit(self._transport, name, is_view=True)

    def within(self, timeout: float) -> "RemoteTacit":
        """The same workspace with another timeout; it shares the connections."""
        patient = self._transport.within(_check_timeout(timeout))
        return RemoteTacit(patient, self._workspace, is_view=True)

    @property
    def server(self) -> RemoteServer:
        """The server itself: its status, settings, agents and keys."""
        return RemoteServer(self._connection)

    def wrap(
        self,
        client: Client,
        *,
        session: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        agent: str | None = None,
    ) -> Client:
        from tacit.api.model_calls.memory import CallMemory
        from tacit.api.model_calls.wrap import wrap_client

        named = {"session": session, "user": user, "project": project, "org": org, "agent": agent}
        return wrap_client(CallMemory(self, **named), client)

    def conversation(
        self,
        *,
        session: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        agent: str | None = None,
    ) -> AbstractContextManager[None]:
        return use_names(session=session, user=user, project=project, org=org, agent=agent)

    def close(self) -> None:
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


def _check_timeout(timeout: float) -> float:
    if not 0 < timeout < float("inf"):
        raise InvalidInput("timeout", "give the seconds that a call may take, more than 0")
    return timeout
