"""Tacit: the memories of one workspace, in one store."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Self

from tacit.api.base import BaseTacit
from tacit.api.calls.access import CallerAccess
from tacit.api.calls.administration import Keyring, Settings
from tacit.api.calls.answers import AnswerStore
from tacit.api.calls.changes import Changes
from tacit.api.calls.episodes import Episodes
from tacit.api.calls.grounding import GroundedPrompts, open_documents
from tacit.api.calls.items import Items
from tacit.api.calls.maintenance import Archive, Upkeep
from tacit.api.calls.memories import Memories
from tacit.api.calls.observation import Workspace
from tacit.api.calls.profile import Profiles
from tacit.api.calls.projects import Projects
from tacit.api.calls.relations import Conflicts
from tacit.api.calls.reviews import Learning, Reviews
from tacit.api.calls.sessions import Sessions
from tacit.api.calls.turns import Turns
from tacit.api.configuration import live_configuration
from tacit.api.workspace import StoreResources, WorkspaceContext
from tacit.core.fields import check_field
from tacit.core.permissions import Viewer
from tacit.embedding.embedder import Embedder
from tacit.embedding.registry import EmbedderSet, shared_embedder
from tacit.grounding.documents.library import Documents
from tacit.runtime.clock import Clock, NewId, new_id, system_clock
from tacit.runtime.files import default_database_path
from tacit.runtime.workers import Worker
from tacit.settings.config import Config
from tacit.settings.live_config import LiveConfig
from tacit.store.backends import open_store
from tacit.store.protocols.store import Store
from tacit.writing.learning.lesson import Learned

if TYPE_CHECKING:
    from tacit.api.client.remote import RemoteTacit


class Tacit(BaseTacit):
    """The memories of one workspace in this process: remember, search, edit and forget them.

    The calls used every day are here. The rest is on `memories`, `turns`, `sessions`, `episodes`,
    `reviews`, `conflicts`, `changes`, `archive`, `items`, `documents`, `grounding`, `projects`,
    `workspace`, `settings` and `keys`.

    `by` is the actor of a call: "user" and "operator" are persons, "agent", "tool" and "import" are
    not. Only persons change what a person wrote; changes by others become reviews.
    """

    memories: Memories
    turns: Turns
    sessions: Sessions
    episodes: Episodes
    conflicts: Conflicts
    archive: Archive
    items: Items
    documents: Documents
    workspace: Workspace
    projects: Projects
    settings: Settings
    keys: Keyring

    def __init__(
        self,
        store: Store,
        workspace: str = "default",
        *,
        embedder: Embedder | EmbedderSet | None = None,
        config: Config | LiveConfig | None = None,
        clock: Clock = system_clock,
        new_id: NewId = new_id,
    ) -> None:
        embedders = embedder if isinstance(embedder, EmbedderSet) else EmbedderSet(embedder)
        shared = StoreResources.of(
            store, embedders=embedders, config=config, clock=clock, new_id=new_id
        )
        self._hold(WorkspaceContext(shared, workspace), is_view=False)

    def _hold(self, context: WorkspaceContext, *, is_view: bool) -> None:
        """Hold a workspace, and the calls about its subjects."""
        self._context = context
        self._is_view = is_view
        self.turns = Turns(context)
        self.episodes = Episodes(context)
        self.memories = Memories(context, self.turns, self.episodes)
        self.sessions = Sessions(context)
        self.reviews = Reviews(context)
        self.conflicts = Conflicts(context)
        self.changes = Changes(context)
        self.archive = Archive(context)
        self.items = Items(context)
        self.documents = open_documents(context)
        self.grounding = GroundedPrompts(context, self.turns)
        self.workspace = Workspace(context, self._open_workspace)
        self.projects = Projects(context)
        self.settings = Settings(context.shared.config)
        self.keys = Keyring(context.store, context.clock)
        self._learning = Learning(context)
        self._profiles = Profiles(context)
        self._upkeep = Upkeep(context)

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        workspace: str = "default",
        *,
        embedder: Embedder | str | None = None,
        previous_embedder: Embedder | str | None = None,
        config: LiveConfig | Path | str | None = None,
        clock: Clock = system_clock,
    ) -> Self:
        """Open a store, creating it if it does not exist.

        `path` is a file, a postgresql:// URL or ":memory:"; without one, the user's own file.
        `embedder` is one of your own or a name: "minilm", "minilm-en", an endpoint's URL or "none".
        `previous_embedder` made the vectors that are there, if `embedder` is new; local models are
        known. `config` is a tacit.toml; docs/settings.md says where else settings are found.
        """
        check_field("workspace", workspace)
        if embedder is None or isinstance(embedder, str):
            embedder = shared_embedder(embedder or os.environ.get("TACIT_EMBEDDER") or "minilm")
        previous_embedder = previous_embedder or os.environ.get("TACIT_PREVIOUS_EMBEDDER") or None
        if isinstance(previous_embedder, str):
            previous_embedder = shared_embedder(previous_embedder, is_previous=True)
        location = default_database_path() if path is None else path
        if isinstance(config, LiveConfig):
            live = config
        else:
            live = live_configuration(config, database=location)
        store = open_store(location, live.current().postgres)
        tacit = cls(
            store,
            workspace,
            embedder=EmbedderSet(embedder, previous_embedder),
            config=live,
            clock=clock,
        )
        tacit._context.memory_embedder.notice_other_model()
        tacit._context.take_up_encoding()
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

        TACIT_URL and TACIT_KEY say what is not given. A call takes `timeout` seconds at most.
        """
        from tacit.api.client.remote import RemoteTacit

        return RemoteTacit.connect(url, key, workspace=workspace, timeout=timeout)

    def _open_workspace(self, name: str) -> "Tacit":
        return _view_workspace(self, name, is_personal=self._context.is_personal)

    def warm(self) -> None:
        """Load everything that a turn uses, so that the first one does not wait for it."""
        self.turns.warm()

    def close(self) -> None:
        """Finish background work and close the store; it takes a few seconds at most."""
        if not self._is_view:
            self._context.shared.close()


def _view(context: WorkspaceContext) -> Tacit:
    view = Tacit.__new__(Tacit)
    view._hold(context, is_view=True)  # noqa: SLF001
    return view


def _view_workspace(tacit: Tacit, name: str, *, is_personal: bool) -> Tacit:
    context = WorkspaceContext(tacit._context.shared, name, is_personal=is_personal)  # noqa: SLF001
    context.take_up_encoding()
    return _view(context)


# For servers


def share_workspace(tacit: Tacit, name: str) -> Tacit:
    """A workspace of a store that several people use: who has no name is nobody there."""
    return _view_workspace(tacit, name, is_personal=False)


def limit_reach(tacit: Tacit, reach: Viewer) -> Tacit:
    """The same workspace, with no more of what was said than a caller reaches."""
    return _view(tacit._context.limited_to(reach)) if reach.is_bound else tacit  # noqa: SLF001


def find_access(tacit: Tacit, reach: Viewer) -> CallerAccess:
    """The sessions, turns, receipts and events that a caller may reach."""
    return CallerAccess(tacit._context, reach)  # noqa: SLF001


def find_answers(tacit: Tacit) -> AnswerStore:
    """Answers that are kept for repeated requests."""
    context = tacit._context  # noqa: SLF001
    return AnswerStore(context.store, context.name, context.clock)


def find_worker(tacit: Tacit) -> Worker:
    """The worker for background jobs, one at a time."""
    return tacit._context.shared.worker  # noqa: SLF001


def learn_queued(tacit: Tacit) -> Learned:
    """Learn from the queued turns, and leave comparing what was written to the background."""
    return tacit._context.learning.learn_now(compares=False)  # noqa: SLF001
