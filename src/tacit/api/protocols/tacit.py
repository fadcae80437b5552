"""`TacitProtocol`: all calls that `Tacit` and `RemoteTacit` share."""

from contextlib import AbstractContextManager
from types import TracebackType
from typing import Protocol, Self

from tacit.api.model_calls.names import Client
from tacit.api.protocols.conversations import SessionProtocol, TurnProtocol
from tacit.api.protocols.episodes import EpisodeProtocol
from tacit.api.protocols.grounding import GroundingProtocol
from tacit.api.protocols.memories import (
    AssignmentProtocol,
    ChangeProtocol,
    ErasureProtocol,
    MemoryProtocol,
    RelationProtocol,
    ReviewProtocol,
    SearchProtocol,
)
from tacit.api.protocols.observation import (
    ArchiveProtocol,
    LearningProtocol,
    ObservationProtocol,
    UpkeepProtocol,
)


class TacitProtocol(
    MemoryProtocol,
    SearchProtocol,
    EpisodeProtocol,
    AssignmentProtocol,
    ErasureProtocol,
    RelationProtocol,
    ReviewProtocol,
    ChangeProtocol,
    TurnProtocol,
    GroundingProtocol,
    LearningProtocol,
    SessionProtocol,
    ArchiveProtocol,
    UpkeepProtocol,
    ObservationProtocol,
    Protocol,
):
    """The memories of one workspace, in this process or at a server.

    Annotate a parameter with it to accept a `Tacit` and a `RemoteTacit`. `by` is the actor of a
    call: "user" and "operator" are persons, "agent", "tool" and "import" are not. Only persons
    change what a person wrote; changes by others become reviews.
    """

    @property
    def workspace(self) -> str:
        """The tenant that every call reads and writes; a client asks once if the key decides it."""

    def in_workspace(self, name: str) -> "TacitProtocol":
        """The same store for another tenant, with the same connections, model and settings.

        It costs next to nothing and need not be closed; it ends with the one it came from.
        """

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
        """The same client of the SDK openai or anthropic, with memory in every model call.

        It is a copy of its class; `client` stays as it is. The names are those of calls that are
        made outside of a `conversation`; a call without a session belongs to the conversation that
        began as it does. What goes wrong in memory stops no call.
        """

    def conversation(
        self,
        *,
        session: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        agent: str | None = None,
    ) -> AbstractContextManager[None]:
        """Say whose the model calls inside are: of wrapped clients and of frameworks.

        It holds in this thread or task, and in tasks that are begun inside; a new thread knows
        nothing of it. Names that it leaves out are those of a `conversation` around it, or those
        that were given to the wrapper or the integration.
        """

    def close(self) -> None:
        """Finish background work and close the store or the connections.

        It takes a few seconds at most: a thread that is stuck in an embedder is left, and does not
        hold up the end of the process. One that came from another leaves them to it.
        """

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...
