"""Tacit: the memories of one workspace, in one store."""

import os
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from tacit.api.calls.access import AccessCalls
from tacit.api.calls.changes import ChangeCalls
from tacit.api.calls.episodes import EpisodeCalls
from tacit.api.calls.erasure import ErasureCalls
from tacit.api.calls.grounding import GroundingCalls
from tacit.api.calls.maintenance import ArchiveCalls, UpkeepCalls
from tacit.api.calls.observation import ObservationCalls
from tacit.api.calls.projects import ProjectCalls
from tacit.api.calls.relations import RelationCalls
from tacit.api.calls.reviews import LearningCalls, ReviewCalls
from tacit.api.calls.sessions import SessionCalls
from tacit.api.configuration import live_configuration
from tacit.api.model_calls.names import Client, use_names
from tacit.api.protocols.tacit import TacitProtocol
from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.kinds import MemoryType, Scope, check_choice
from tacit.embedding.embedder import Embedder
from tacit.embedding.registry import shared_embedder
from tacit.language.query import SearchQuery
from tacit.runtime.clock import Clock, system_clock
from tacit.runtime.files import default_database_path
from tacit.runtime.workers import Deadline, end_idle_threads
from tacit.search.filter import Filter
from tacit.search.modes import Mode, list_by_mode
from tacit.search.results import SearchResult
from tacit.settings.config import override_settings
from tacit.settings.live_config import LiveConfig
from tacit.store.backends import open_store
from tacit.writing.learning.lesson import Learned

if TYPE_CHECKING:
    from tacit.api.client.remote import RemoteTacit


_LAST_SECONDS = 5.0
"""Seconds that `close` waits for background work; the rest stays queued in the store."""


class Tacit(
    EpisodeCalls,
    ProjectCalls,
    ErasureCalls,
    RelationCalls,
    ReviewCalls,
    ChangeCalls,
    GroundingCalls,
    LearningCalls,
    SessionCalls,
    ArchiveCalls,
    UpkeepCalls,
    ObservationCalls,
    AccessCalls,
    TacitProtocol,
):
    """The memories of one workspace: remember, search, edit and forget them.

    `by` is the actor of a call: "user" and "operator" are persons, "agent", "tool" and "import" are
    not. Only persons change what a person wrote; changes by others become reviews.
    """

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        workspace: str = "default",
        *,
        embedder: Embedder | str | None = None,
        config: LiveConfig | Path | str | None = None,
        clock: Clock = system_clock,
    ) -> Self:
        """Open a store, creating it if it does not exist.

        A path names a file, a postgresql:// URL a database on a server. Without either it is the
        user's own file, shared by every program that names none; ":memory:" is a new one without a
        file, gone when it is closed. The embedder is one of your own or a name: "minilm" (the
        default, which the environment variable TACIT_EMBEDDER changes), an endpoint's URL, or
        "none". `config` names a tacit.toml; else TACIT_CONFIG does, or there is one in the user's
        configuration folder, to which the settings of this database add, and one in the current
        folder once the user has agreed to it (`tacit trust`). The next turn sees changes of files.
        """
        check_field("workspace", workspace)
        if embedder is None or isinstance(embedder, str):
            embedder = shared_embedder(embedder or os.environ.get("TACIT_EMBEDDER") or "minilm")
        location = default_database_path() if path is None else path
        if isinstance(config, LiveConfig):
            live = config
        else:
            live = live_configuration(config, database=location)
        store = open_store(location, live.current().postgres)
        tacit = cls(store, workspace, embedder=embedder, config=live, clock=clock)
        tacit._memory_embedder.notice_other_models()
        tacit._take_up_encoding()
        return tacit

    @classmethod
    def connect(
        cls,
        url: str | None = None,
        key: str | None = None,
        *,
        workspace: str | None = None,
        timeout: float = 30.0,
    ) -> "RemoteTacit":
        """The same calls for a store behind `tacit serve`; nothing is sent before the first call.

        The environment variables TACIT_URL and TACIT_KEY say what is not given, and without those
        it is the server of this machine. A key for one workspace needs no `workspace`. A call, with
        all its tries, takes `timeout` seconds at most.
        """
        from tacit.api.client.remote import RemoteTacit

        return RemoteTacit.connect(url, key, workspace=workspace, timeout=timeout)

    def in_workspace(self, name: str) -> "Tacit":
        return self._view_workspace(name, is_personal=self._is_personal)

    def _view_workspace(self, name: str, *, is_personal: bool) -> "Tacit":
        view = Tacit(
            self._store,
            name,
            embedder=self._embedder,
            config=self._config,
            clock=self._clock,
            new_id=self._new_id,
            searcher=self._searcher,
            worker=self._worker,
            pool=self._pool,
            learning_workers=self._learning_workers,
            encoding_worker=self._encoding_worker,
            folders=self._folders,
            watcher=self._watcher,
            warm_ups=self._warm_ups,
            is_personal=is_personal,
        )
        view._take_up_encoding()
        return view

    def search(
        self,
        text: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        types: Iterable[MemoryType | str] | None = None,
        scope: Scope | str | None = None,
        scope_id: str | None = None,
        agent: str | None = None,
        user: str | None = None,
        min_confidence: float = 0.0,
        episodes: bool = False,
        project: str | None = None,
        **settings: Any,
    ) -> SearchResult:
        filter = Filter(
            now=self._clock(),
            types=None if types is None else check_field("types", types),
            scope=None if scope is None else check_field("scope", scope),
            scope_id=None if scope_id is None else check_field("scope_id", scope_id),
            agent=None if agent is None else check_field("agent", agent),
            user=None if user is None else check_field("user", user),
            project=None if project is None else check_field("project", project),
            min_confidence=check_field("confidence", min_confidence, "min_confidence"),
        )
        chosen = override_settings(self._current_config().search, settings)
        way = check_choice("mode", Mode, mode)
        if episodes and way is not Mode.HYBRID:
            raise InvalidInput("episodes", f"are searched in the mode hybrid, not {way}")
        if way is not Mode.HYBRID:
            return self._read(lambda unit: list_by_mode(unit, way, filter, chosen.max_results))
        asked = check_field("text", text)
        late = self._await_warm_up(self._current_config().injection(agent))
        found = self._searcher.search(self.workspace, SearchQuery.of(asked), filter, chosen)
        found = replace(found, degraded=(*late, *found.degraded))
        if not episodes:
            return found
        session = filter.scope_id if filter.scope is Scope.SESSION else None
        owners = self._episode_owners(user, session)
        said = self._search_episodes(asked, owners, filter.project, chosen)
        degraded = tuple(dict.fromkeys((*found.degraded, *said.degraded)))
        return replace(found, episodes=said.episodes, degraded=degraded)

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
            end = Deadline(_LAST_SECONDS)
            self._watcher.close()
            self._pool.close()
            self._learning_workers.close(end)
            self._encoding_worker.close(end)
            self._worker.close(end.seconds)
            self._searcher.close()
            end_idle_threads()
            self._folders.close()
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def learn_queued(tacit: Tacit) -> Learned:
    """Learn from the queued turns, and leave comparing what was written to the background."""
    return tacit._learning.learn_now(compares=False)  # noqa: SLF001


def share_workspace(tacit: Tacit, name: str) -> Tacit:
    """A workspace of a store that several people use: who has no name is nobody there."""
    return tacit._view_workspace(name, is_personal=False)  # noqa: SLF001
