"""`AsyncTacit`: the calls of `Tacit` and `RemoteTacit` for async programs, run in threads."""

import asyncio
from functools import partial
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from tacit.api.async_calls import async_turn, awaited, find_call
from tacit.api.async_parts import (
    AsyncArchive,
    AsyncChanges,
    AsyncConflicts,
    AsyncDocuments,
    AsyncEpisodes,
    AsyncGrounding,
    AsyncItems,
    AsyncKeys,
    AsyncMemories,
    AsyncProjects,
    AsyncReviews,
    AsyncSessions,
    AsyncSettings,
    AsyncTurns,
    AsyncWorkspace,
)
from tacit.api.base import BaseTacit
from tacit.api.calls.sessions import Sessions
from tacit.api.model_calls.names import Client
from tacit.api.tacit import Tacit
from tacit.core.errors import InvalidInput
from tacit.embedding.embedder import Embedder
from tacit.runtime.clock import Clock, system_clock
from tacit.settings.live_config import LiveConfig

if TYPE_CHECKING:
    from tacit.api.client.remote import RemoteTacit


class AsyncTacit:
    """The calls of `Tacit` and `RemoteTacit`, each to be awaited and run in a thread.

    What is on their objects is on the same objects here. `workspace.watch` returns an async
    iterator.
    A call that only one of the two has raises AttributeError for the other.
    """

    def __init__(self, tacit: "Tacit | RemoteTacit") -> None:
        if isinstance(tacit, str | PathLike):
            raise InvalidInput(
                "tacit", f"a path is opened with await AsyncTacit.open({str(tacit)!r})"
            )
        self._wrapped = tacit
        self.memories = AsyncMemories(tacit.memories)
        self.turns = AsyncTurns(tacit.turns)
        self.sessions = AsyncSessions(tacit.sessions)
        self.episodes = AsyncEpisodes(tacit.episodes)
        self.reviews = AsyncReviews(tacit.reviews)
        self.conflicts = AsyncConflicts(tacit.conflicts)
        self.changes = AsyncChanges(tacit.changes)
        self.archive = AsyncArchive(tacit.archive)
        self.items = AsyncItems(tacit.items)
        self.documents = AsyncDocuments(tacit.documents)
        self.grounding = AsyncGrounding(tacit.grounding)
        self.workspace = AsyncWorkspace(
            tacit.workspace, lambda name: AsyncTacit(tacit.workspace.open(name))
        )
        self.settings = AsyncSettings(tacit.settings)
        self.keys = AsyncKeys(tacit.keys)

    @classmethod
    async def open(
        cls,
        path: str | Path | None = None,
        workspace: str = "default",
        *,
        embedder: Embedder | str | None = None,
        previous_embedder: Embedder | str | None = None,
        config: LiveConfig | Path | str | None = None,
        clock: Clock = system_clock,
    ) -> Self:
        """Open a store, with the arguments of `Tacit.open`."""
        open = partial(
            Tacit.open,
            path,
            workspace,
            embedder=embedder,
            previous_embedder=previous_embedder,
            config=config,
            clock=clock,
        )
        return cls(await asyncio.to_thread(open))

    @classmethod
    async def connect(
        cls,
        url: str | None = None,
        key: str | None = None,
        *,
        workspace: str | None = None,
        timeout: float = 30.0,
    ) -> Self:
        """Connect to a server, with the arguments of `Tacit.connect`."""
        connect = partial(Tacit.connect, url, key, workspace=workspace, timeout=timeout)
        return cls(await asyncio.to_thread(connect))

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
        """The same client of the SDK openai or anthropic, with memory, as `Tacit.wrap`."""
        from tacit.api.model_calls.memory import CallMemory
        from tacit.api.model_calls.wrap import wrap_client

        named = {"session": session, "user": user, "project": project, "org": org, "agent": agent}
        return wrap_client(CallMemory(self, **named), client)

    def _for_calls(self) -> BaseTacit:
        """What the calls of a model use, which run in threads of their own."""
        return self._wrapped._for_calls()  # noqa: SLF001

    @property
    def projects(self) -> AsyncProjects:
        """The folders of projects; only the library has them."""
        return AsyncProjects(find_call(self._wrapped, "projects"))

    remember = awaited(BaseTacit.remember)
    get = awaited(BaseTacit.get)
    list = awaited(BaseTacit.list)
    count = awaited(BaseTacit.count)
    edit = awaited(BaseTacit.edit)
    forget = awaited(BaseTacit.forget)
    restore = awaited(BaseTacit.restore)
    erase = awaited(BaseTacit.erase)
    search = awaited(BaseTacit.search)
    turn = async_turn(BaseTacit.turn)
    commit_turn = awaited(BaseTacit.commit_turn)
    preview = awaited(BaseTacit.preview)
    end_session = awaited(BaseTacit.end_session)
    ground = awaited(BaseTacit.ground)
    learn = awaited(BaseTacit.learn)
    extract = awaited(BaseTacit.extract)
    upkeep = awaited(BaseTacit.upkeep)
    profile = awaited(BaseTacit.profile)
    explain = awaited(BaseTacit.explain)
    close = awaited(BaseTacit.close)
    compact = awaited(Sessions.compact)
    warm = awaited(Tacit.warm)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
