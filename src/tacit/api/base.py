"""`BaseTacit`: what `Tacit` and `RemoteTacit` share, described once."""

from types import TracebackType
from typing import Any, Self

from tacit.api.model_calls.names import Client
from tacit.api.protocols.administration import KeysProtocol, SettingsProtocol
from tacit.api.protocols.conversations import SessionsProtocol, TurnsProtocol
from tacit.api.protocols.episodes import EpisodesProtocol
from tacit.api.protocols.grounding import DocumentsProtocol, GroundingProtocol
from tacit.api.protocols.items import ItemsProtocol
from tacit.api.protocols.memories import (
    ChangesProtocol,
    ConflictsProtocol,
    MemoriesProtocol,
    ProfileProtocol,
    ReviewsProtocol,
)
from tacit.api.protocols.observation import (
    ArchiveProtocol,
    LearningProtocol,
    UpkeepProtocol,
    WorkspaceProtocol,
)
from tacit.api.shortcuts import shortcut
from tacit.core.receipt import Receipt
from tacit.runtime.clock import new_id


class BaseTacit:
    """The memories of one workspace, in this process or at a server.

    The calls used every day are here; the rest is on `memories`, `turns`, `sessions`, `episodes`,
    `reviews`, `conflicts`, `changes`, `archive`, `items`, `documents`, `grounding`,
    `workspace`, `settings` and `keys`.

    `by` is the actor of a call: "user" and "operator" are persons, "agent", "tool" and "import" are
    not. Only persons change what a person wrote; changes by others become reviews.
    """

    memories: MemoriesProtocol
    turns: TurnsProtocol
    sessions: SessionsProtocol
    episodes: EpisodesProtocol
    reviews: ReviewsProtocol
    conflicts: ConflictsProtocol
    changes: ChangesProtocol
    archive: ArchiveProtocol
    items: ItemsProtocol
    documents: DocumentsProtocol
    grounding: GroundingProtocol
    workspace: WorkspaceProtocol
    settings: SettingsProtocol
    keys: KeysProtocol
    _learning: LearningProtocol
    _profiles: ProfileProtocol
    _upkeep: UpkeepProtocol

    remember = shortcut("memories", MemoriesProtocol.remember)
    get = shortcut("memories", MemoriesProtocol.get)
    list = shortcut("memories", MemoriesProtocol.list)
    count = shortcut("memories", MemoriesProtocol.count)
    edit = shortcut("memories", MemoriesProtocol.edit)
    forget = shortcut("memories", MemoriesProtocol.forget)
    restore = shortcut("memories", MemoriesProtocol.restore)
    erase = shortcut("memories", MemoriesProtocol.erase)
    search = shortcut("memories", MemoriesProtocol.search)
    turn = shortcut("turns", TurnsProtocol.begin, "turn")
    commit_turn = shortcut("turns", TurnsProtocol.commit, "commit_turn")
    preview = shortcut("turns", TurnsProtocol.preview)
    compact = shortcut("sessions", SessionsProtocol.compact)
    end_session = shortcut("sessions", SessionsProtocol.end, "end_session")
    profile = shortcut("_profiles", ProfileProtocol.profile)
    ground = shortcut("grounding", GroundingProtocol.ground)
    learn = shortcut("_learning", LearningProtocol.learn)
    extract = shortcut("_learning", LearningProtocol.extract)
    upkeep = shortcut("_upkeep", UpkeepProtocol.upkeep)

    def explain(self, /, text: str, **asked: Any) -> Receipt:
        """What a turn would show and why, without effect; in a new session if none is named."""
        session = asked.pop("session", None) or f"explain-{new_id()}"
        return self.preview(session=session, text=text, **asked).receipt

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
        made outside of `identify`; a call without a session belongs to the conversation that began
        as it does. What goes wrong in memory stops no call.
        """
        from tacit.api.model_calls.memory import CallMemory
        from tacit.api.model_calls.wrap import wrap_client

        named = {"session": session, "user": user, "project": project, "org": org, "agent": agent}
        return wrap_client(CallMemory(self, **named), client)

    def _for_calls(self) -> "BaseTacit":
        """What the calls of a model use."""
        return self

    def close(self) -> None:
        """Finish background work and close the store or the connections.

        It takes a few seconds at most: a thread that is stuck in an embedder is left, and does not
        hold up the end of the process. One that came from another leaves them to it.
        """
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
