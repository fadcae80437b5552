"""The objects that `AsyncTacit` holds: those of `Tacit`, with calls to be awaited."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tacit.api.async_calls import async_turn, awaited, iterated
from tacit.api.calls.maintenance import Archive
from tacit.api.calls.memories import Memories
from tacit.api.calls.observation import Workspace
from tacit.api.calls.projects import Projects
from tacit.api.calls.relations import Conflicts
from tacit.api.calls.sessions import Sessions
from tacit.api.calls.turns import Turns
from tacit.api.protocols.administration import KeysProtocol, SettingsProtocol
from tacit.api.protocols.conversations import SessionsProtocol, TurnsProtocol
from tacit.api.protocols.episodes import EpisodesProtocol
from tacit.api.protocols.grounding import DocumentsProtocol, GroundingProtocol
from tacit.api.protocols.items import ItemsProtocol
from tacit.api.protocols.memories import (
    ChangesProtocol,
    ConflictsProtocol,
    MemoriesProtocol,
    ReviewsProtocol,
)
from tacit.api.protocols.observation import (
    ArchiveProtocol,
    EventStreamProtocol,
    WorkspaceProtocol,
)

if TYPE_CHECKING:
    from tacit.api.async_tacit import AsyncTacit


class AsyncPart:
    """Calls of an object of `Tacit` or `RemoteTacit`, each to be awaited and run in a thread."""

    def __init__(self, wrapped: object) -> None:
        self._wrapped = wrapped


class AsyncMemories(AsyncPart):
    """`tacit.memories`."""

    remember = awaited(MemoriesProtocol.remember)
    remember_all = awaited(MemoriesProtocol.remember_all)
    get = awaited(MemoriesProtocol.get)
    get_all = awaited(MemoriesProtocol.get_all)
    list = awaited(MemoriesProtocol.list)
    count = awaited(MemoriesProtocol.count)
    edit = awaited(MemoriesProtocol.edit)
    forget = awaited(MemoriesProtocol.forget)
    restore = awaited(MemoriesProtocol.restore)
    forget_all = awaited(MemoriesProtocol.forget_all)
    restore_all = awaited(MemoriesProtocol.restore_all)
    history = awaited(MemoriesProtocol.history)
    search = awaited(MemoriesProtocol.search)
    erase = awaited(MemoriesProtocol.erase)
    erase_owner = awaited(MemoriesProtocol.erase_owner)
    erase_session = awaited(MemoriesProtocol.erase_session)
    erase_matching = awaited(MemoriesProtocol.erase_matching)
    assign = awaited(MemoriesProtocol.assign)
    link = awaited(MemoriesProtocol.link)
    unlink = awaited(MemoriesProtocol.unlink)
    links = awaited(MemoriesProtocol.links)
    graph = awaited(MemoriesProtocol.graph)
    check_visible = awaited(Memories.check_visible)
    find_id = awaited(Memories.find_id)
    erasures_of = awaited(Memories.erasures_of)


class AsyncTurns(AsyncPart):
    """`tacit.turns`."""

    begin = async_turn(TurnsProtocol.begin)
    begin_call = awaited(TurnsProtocol.begin_call)
    preview = awaited(TurnsProtocol.preview)
    commit = awaited(TurnsProtocol.commit)
    roll_back = awaited(TurnsProtocol.roll_back)
    list = awaited(TurnsProtocol.list)
    get = awaited(TurnsProtocol.get)
    mark_irrelevant = awaited(TurnsProtocol.mark_irrelevant)
    mark_irrelevant_for = awaited(TurnsProtocol.mark_irrelevant_for)
    marks = awaited(TurnsProtocol.marks)
    unmark = awaited(TurnsProtocol.unmark)
    find = awaited(Turns.find)
    note = awaited(Turns.note)


class AsyncSessions(AsyncPart):
    """`tacit.sessions`."""

    list = awaited(SessionsProtocol.list)
    get = awaited(SessionsProtocol.get)
    reset_memory_injection_tracking = awaited(SessionsProtocol.reset_memory_injection_tracking)
    clear = awaited(SessionsProtocol.clear)
    variables = awaited(SessionsProtocol.variables)
    set_variables = awaited(SessionsProtocol.set_variables)
    fork = awaited(SessionsProtocol.fork)
    pause = awaited(SessionsProtocol.pause)
    resume = awaited(SessionsProtocol.resume)
    end = awaited(SessionsProtocol.end)
    compact = awaited(Sessions.compact)
    is_paused = awaited(Sessions.is_paused)


class AsyncEpisodes(AsyncPart):
    """`tacit.episodes`."""

    list = awaited(EpisodesProtocol.list)
    get = awaited(EpisodesProtocol.get)
    promote = awaited(EpisodesProtocol.promote)
    forget = awaited(EpisodesProtocol.forget)
    restore = awaited(EpisodesProtocol.restore)


class AsyncReviews(AsyncPart):
    """`tacit.reviews`."""

    list = awaited(ReviewsProtocol.list)
    get = awaited(ReviewsProtocol.get)
    accept = awaited(ReviewsProtocol.accept)
    reject = awaited(ReviewsProtocol.reject)
    unread_turns = awaited(ReviewsProtocol.unread_turns)
    retry_unread_turn = awaited(ReviewsProtocol.retry_unread_turn)
    drop_unread_turn = awaited(ReviewsProtocol.drop_unread_turn)


class AsyncConflicts(AsyncPart):
    """`tacit.conflicts`."""

    list = awaited(ConflictsProtocol.list)
    resolve = awaited(ConflictsProtocol.resolve)
    count_uncompared = awaited(Conflicts.count_uncompared)
    compare_waiting = awaited(Conflicts.compare_waiting)


class AsyncChanges(AsyncPart):
    """`tacit.changes`."""

    list = awaited(ChangesProtocol.list)
    undo = awaited(ChangesProtocol.undo)


class AsyncArchive(AsyncPart):
    """`tacit.archive`."""

    export_to = awaited(ArchiveProtocol.export_to)
    import_from = awaited(Archive.import_from)
    embed_missing = awaited(Archive.embed_missing)
    change_model = awaited(Archive.change_model)
    restore_model = awaited(Archive.restore_model)
    drop_old_vectors = awaited(Archive.drop_old_vectors)


class AsyncItems(AsyncPart):
    """`tacit.items`."""

    put = awaited(ItemsProtocol.put)
    put_all = awaited(ItemsProtocol.put_all)
    get = awaited(ItemsProtocol.get)
    get_all = awaited(ItemsProtocol.get_all)
    delete = awaited(ItemsProtocol.delete)
    search = awaited(ItemsProtocol.search)
    namespaces = awaited(ItemsProtocol.namespaces)
    erase = awaited(ItemsProtocol.erase)
    sweep = awaited(ItemsProtocol.sweep)


class AsyncDocuments(AsyncPart):
    """`tacit.documents`."""

    add = awaited(DocumentsProtocol.add)
    remove = awaited(DocumentsProtocol.remove)
    index = awaited(DocumentsProtocol.index)
    search = awaited(DocumentsProtocol.search)
    excerpts = awaited(DocumentsProtocol.excerpts)
    status = awaited(DocumentsProtocol.status)


class AsyncGrounding(AsyncPart):
    """`tacit.grounding`."""

    ground = awaited(GroundingProtocol.ground)
    prompt = awaited(GroundingProtocol.prompt)
    policy = awaited(GroundingProtocol.policy)
    log_chat = awaited(GroundingProtocol.log_chat)
    end = awaited(GroundingProtocol.end)


class AsyncWorkspace(AsyncPart):
    """`tacit.workspace`."""

    def __init__(self, wrapped: WorkspaceProtocol, open: Callable[[str], "AsyncTacit"]) -> None:
        super().__init__(wrapped)
        self._workspace = wrapped
        self._open = open

    @property
    def name(self) -> str:
        """The name of the workspace."""
        return self._workspace.name

    def open(self, name: str) -> "AsyncTacit":
        """Another workspace of the same store, with the same connections, model and settings."""
        return self._open(name)

    stats = awaited(WorkspaceProtocol.stats)
    activity = awaited(WorkspaceProtocol.activity)
    names = awaited(WorkspaceProtocol.names)
    events = awaited(WorkspaceProtocol.events)
    describe = awaited(Workspace.describe)
    note = awaited(Workspace.note)
    prune_events = awaited(Workspace.prune_events)
    watch_learning = awaited(Workspace.watch_learning)
    watch = iterated(EventStreamProtocol.watch)


class AsyncSettings(AsyncPart):
    """`tacit.settings`."""

    show = awaited(SettingsProtocol.show)
    change = awaited(SettingsProtocol.change)
    read_file = awaited(SettingsProtocol.read_file)
    write_file = awaited(SettingsProtocol.write_file)
    check_file = awaited(SettingsProtocol.check_file)
    agents = awaited(SettingsProtocol.agents)
    agent = awaited(SettingsProtocol.agent)
    change_agent = awaited(SettingsProtocol.change_agent)


class AsyncKeys(AsyncPart):
    """`tacit.keys`."""

    list = awaited(KeysProtocol.list)
    add = awaited(KeysProtocol.add)
    revoke = awaited(KeysProtocol.revoke)


class AsyncProjects(AsyncPart):
    """`tacit.projects`, in the library."""

    match = awaited(Projects.match)
    places = awaited(Projects.places)
    join = awaited(Projects.join)
    leave = awaited(Projects.leave)
    forget_place = awaited(Projects.forget_place)
