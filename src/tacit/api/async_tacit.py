"""`AsyncTacit`: the calls of `Tacit` and `RemoteTacit` for async programs, run in threads."""

import asyncio
from contextlib import AbstractContextManager
from functools import partial
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from tacit.api.async_calls import async_turn, awaited, find_call, iterated
from tacit.api.calls.access import AccessCalls
from tacit.api.calls.episodes import EpisodeCalls
from tacit.api.calls.erasure import ErasureCalls
from tacit.api.calls.maintenance import ArchiveCalls
from tacit.api.calls.observation import ObservationCalls
from tacit.api.calls.projects import ProjectCalls
from tacit.api.calls.relations import RelationCalls
from tacit.api.calls.reviews import LearningCalls
from tacit.api.calls.sessions import SessionCalls
from tacit.api.calls.turns import TurnCalls
from tacit.api.model_calls.names import Client, use_names
from tacit.api.protocols.observation import EventStreamProtocol
from tacit.api.protocols.tacit import TacitProtocol
from tacit.api.tacit import Tacit
from tacit.core.errors import InvalidInput
from tacit.embedding.embedder import Embedder
from tacit.runtime.clock import Clock, system_clock
from tacit.settings.live_config import LiveConfig

if TYPE_CHECKING:
    from tacit.api.client.remote import RemoteTacit


class AsyncTacit:
    """The calls of `Tacit` and `RemoteTacit`, each to be awaited and run in a thread.

    `watch` returns an async iterator. A call that only one of the two has raises AttributeError
    for the other.
    """

    def __init__(self, tacit: "Tacit | RemoteTacit") -> None:
        if isinstance(tacit, str | PathLike):
            raise InvalidInput(
                "tacit", f"a path is opened with await AsyncTacit.open({str(tacit)!r})"
            )
        self._tacit = tacit

    @classmethod
    async def open(
        cls,
        path: str | Path | None = None,
        workspace: str = "default",
        *,
        embedder: Embedder | str | None = None,
        config: LiveConfig | Path | str | None = None,
        clock: Clock = system_clock,
    ) -> Self:
        """Open a store, with the arguments of `Tacit.open`."""
        open = partial(Tacit.open, path, workspace, embedder=embedder, config=config, clock=clock)
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

    @property
    def workspace(self) -> str:
        """The tenant that every call reads and writes."""
        return self._tacit.workspace

    def in_workspace(self, name: str) -> "AsyncTacit":
        """The same store for another tenant."""
        return AsyncTacit(self._tacit.in_workspace(name))

    def within(self, timeout: float) -> "AsyncTacit":
        """The same workspace of a server with another timeout; it shares the connections."""
        return AsyncTacit(find_call(self._tacit, "within")(timeout))

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
        """Say whose the model calls inside are: of wrapped clients and of frameworks.

        It holds in this thread or task, and in tasks that are begun inside; a new thread knows
        nothing of it. Names that it leaves out are those of a `conversation` around it, or those
        that were given to the wrapper or the integration.
        """
        return use_names(session=session, user=user, project=project, org=org, agent=agent)

    # memories
    remember = awaited(TacitProtocol.remember)
    remember_all = awaited(TacitProtocol.remember_all)
    get = awaited(TacitProtocol.get)
    get_all = awaited(TacitProtocol.get_all)
    list = awaited(TacitProtocol.list)
    count = awaited(TacitProtocol.count)
    edit = awaited(TacitProtocol.edit)
    forget = awaited(TacitProtocol.forget)
    restore = awaited(TacitProtocol.restore)
    forget_all = awaited(TacitProtocol.forget_all)
    restore_all = awaited(TacitProtocol.restore_all)
    history = awaited(TacitProtocol.history)
    search = awaited(TacitProtocol.search)
    episodes = awaited(TacitProtocol.episodes)
    episode = awaited(TacitProtocol.episode)
    promote_episode = awaited(TacitProtocol.promote_episode)
    forget_episode = awaited(TacitProtocol.forget_episode)
    restore_episode = awaited(TacitProtocol.restore_episode)
    erase = awaited(TacitProtocol.erase)
    erase_owner = awaited(TacitProtocol.erase_owner)
    erase_session = awaited(TacitProtocol.erase_session)
    erase_matching = awaited(TacitProtocol.erase_matching)
    assign = awaited(TacitProtocol.assign)
    link = awaited(TacitProtocol.link)
    unlink = awaited(TacitProtocol.unlink)
    links = awaited(TacitProtocol.links)
    graph = awaited(TacitProtocol.graph)
    conflicts = awaited(TacitProtocol.conflicts)
    resolve = awaited(TacitProtocol.resolve)
    changes = awaited(TacitProtocol.changes)
    undo_change = awaited(TacitProtocol.undo_change)
    reviews = awaited(TacitProtocol.reviews)
    review = awaited(TacitProtocol.review)
    accept = awaited(TacitProtocol.accept)
    reject = awaited(TacitProtocol.reject)

    # turns, sessions and prompts
    turn = async_turn(TacitProtocol.turn)
    begin_call = awaited(TacitProtocol.begin_call)
    preview = awaited(TacitProtocol.preview)
    commit_turn = awaited(TacitProtocol.commit_turn)
    roll_back_turn = awaited(TacitProtocol.roll_back_turn)
    receipts = awaited(TacitProtocol.receipts)
    receipt = awaited(TacitProtocol.receipt)
    mark_irrelevant = awaited(TacitProtocol.mark_irrelevant)
    mark_irrelevant_for = awaited(TacitProtocol.mark_irrelevant_for)
    marks = awaited(TacitProtocol.marks)
    unmark = awaited(TacitProtocol.unmark)
    ground = awaited(TacitProtocol.ground)
    prompt = awaited(TacitProtocol.prompt)
    policy = awaited(TacitProtocol.policy)
    log_chat = awaited(TacitProtocol.log_chat)
    end_grounding = awaited(TacitProtocol.end_grounding)
    sessions = awaited(TacitProtocol.sessions)
    session = awaited(TacitProtocol.session)
    reset_memory_injection_tracking = awaited(TacitProtocol.reset_memory_injection_tracking)
    clear = awaited(TacitProtocol.clear)
    compact = awaited(SessionCalls.compact)
    variables = awaited(TacitProtocol.variables)
    set_variables = awaited(TacitProtocol.set_variables)
    fork = awaited(TacitProtocol.fork)
    pause = awaited(TacitProtocol.pause)
    resume = awaited(TacitProtocol.resume)
    end_session = awaited(TacitProtocol.end_session)

    # the whole workspace
    stats = awaited(TacitProtocol.stats)
    activity = awaited(TacitProtocol.activity)
    workspaces = awaited(TacitProtocol.workspaces)
    events = awaited(TacitProtocol.events)
    export_to = awaited(TacitProtocol.export_to)
    import_from = awaited(ArchiveCalls.import_from)
    upkeep = awaited(TacitProtocol.upkeep)
    learn = awaited(TacitProtocol.learn)
    unread_turns = awaited(TacitProtocol.unread_turns)
    retry_unread_turn = awaited(TacitProtocol.retry_unread_turn)
    drop_unread_turn = awaited(TacitProtocol.drop_unread_turn)
    extract = awaited(TacitProtocol.extract)
    close = awaited(TacitProtocol.close)

    # only at a server
    watch = iterated(EventStreamProtocol.watch)

    # only in the library
    check_visible = awaited(EpisodeCalls.check_visible)
    find_id = awaited(EpisodeCalls.find_id)
    erasures_of = awaited(ErasureCalls.erasures_of)
    find_turn = awaited(TurnCalls.find_turn)
    note_turn = awaited(TurnCalls.note_turn)
    warm = awaited(TurnCalls.warm)
    count_uncompared = awaited(RelationCalls.count_uncompared)
    compare_waiting = awaited(RelationCalls.compare_waiting)
    is_paused = awaited(SessionCalls.is_paused)
    watch_learning = awaited(LearningCalls.watch_learning)
    embed_missing = awaited(ArchiveCalls.embed_missing)
    describe = awaited(ObservationCalls.describe)
    note = awaited(ObservationCalls.note)
    prune_events = awaited(ObservationCalls.prune_events)
    match_project = awaited(ProjectCalls.match_project)
    project_places = awaited(ProjectCalls.project_places)
    join_project = awaited(ProjectCalls.join_project)
    leave_project = awaited(ProjectCalls.leave_project)
    forget_place = awaited(ProjectCalls.forget_place)
    reached_by = awaited(AccessCalls.reached_by)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
