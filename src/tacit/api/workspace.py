"""`WorkspaceApi`: one workspace of a store, which all calls of `Tacit` build on."""

import logging
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, TypeVar

from tacit.api.background import BackgroundLearning, LearningWorkers, ReceiptPruner
from tacit.api.background_encoding import EncodingWorker
from tacit.api.memory_embedder import MemoryEmbedder
from tacit.api.warm_up import WarmUps
from tacit.api.workspace_files import WorkspaceFolders
from tacit.core.changes import AuditEntry
from tacit.core.episodes import Episode
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.events import EventKind
from tacit.core.fields import check_field
from tacit.core.kinds import Actor
from tacit.core.memory import Memory
from tacit.core.permissions import UNBOUND
from tacit.embedding.embedder import Embedder, model_of
from tacit.embedding.pair_reading import PairReader
from tacit.embedding.registry import find_pair_reader
from tacit.grounding.documents.watcher import Watcher
from tacit.grounding.file_layout import WorkspaceRoot, has_files
from tacit.language.query import SearchQuery
from tacit.runtime.clock import Clock, NewId, new_id, system_clock
from tacit.runtime.workers import Deadline, Worker, WorkerPool
from tacit.search.agreement import AgreementJudge
from tacit.search.filter import episode_filter
from tacit.search.query_embedding import choose_token_embedder
from tacit.search.searcher import Searcher
from tacit.settings.config import Config, SettingSource, SettingsTable
from tacit.settings.live_config import LiveConfig
from tacit.settings.search import SearchSettings
from tacit.store.episodes import from_row, owner_of
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.transactions import call_after_commit
from tacit.store.workspaces import documents_workspace, episodes_workspace
from tacit.turn.compaction import Compactor
from tacit.turn.state import TurnDependencies
from tacit.writing.author import Author
from tacit.writing.comparisons import StatementComparer
from tacit.writing.learning.dependencies import LearningDependencies
from tacit.writing.learning.echoes import InjectedMemory
from tacit.writing.learning.episodes import EpisodeSettings, EpisodeWriter
from tacit.writing.learning.learner import Learner

_log = logging.getLogger("tacit.turn")

_MOST_CHANGES_NAMED = 100
_COMPARING_SECONDS = 2.0
_ALIKE = 20
"""What was said is compared with so much of what was said before."""

Result = TypeVar("Result")


class WorkspaceApi:
    """One workspace of a store, and everything needed to read and write there."""

    def __init__(
        self,
        store: Store,
        workspace: str = "default",
        *,
        embedder: Embedder | None = None,
        config: Config | LiveConfig | None = None,
        clock: Clock = system_clock,
        new_id: NewId = new_id,
        searcher: Searcher | None = None,
        worker: Worker | None = None,
        pool: WorkerPool | None = None,
        learning_workers: LearningWorkers | None = None,
        encoding_worker: EncodingWorker | None = None,
        folders: WorkspaceFolders | None = None,
        watcher: Watcher | None = None,
        warm_ups: WarmUps | None = None,
        is_personal: bool = True,
    ) -> None:
        if isinstance(store, str | PathLike):
            raise InvalidInput("store", f"a path is opened with Tacit.open({str(store)!r})")
        self._store = store
        self._workspace: str = check_field("workspace", workspace)
        self._embedder = embedder
        self._memory_embedder = MemoryEmbedder(store, self._workspace, embedder)
        self._episode_embedder = MemoryEmbedder(
            store, episodes_workspace(self._workspace), embedder
        )
        self._is_view = searcher is not None
        self._searcher = searcher or Searcher(store, embedder)
        self._worker = worker or Worker("tacit-jobs")
        self._pool = pool or WorkerPool("tacit-turn")
        self._warm_ups = warm_ups or WarmUps(self._pool)
        self._config = config or Config()
        self._clock = clock
        self._new_id = new_id
        self._learning_workers = learning_workers or LearningWorkers()
        self._folders = folders or WorkspaceFolders(store)
        self._watcher = watcher or Watcher()
        self._encoding_worker = encoding_worker or EncodingWorker(
            store, self._token_embedder, is_idle=embedder is None
        )
        self._encoding = self._encoding_worker.workspace(self._workspace)
        self._document_encoding = self._encoding_worker.workspace(
            documents_workspace(self._workspace)
        )
        self._episode_encoding = self._encoding_worker.workspace(
            episodes_workspace(self._workspace)
        )
        self._is_personal = is_personal
        self._judges: dict[PairReader | None, AgreementJudge] = {}
        self._episode_writer = self._make_episode_writer()
        self._comparing = self._encoding_worker.comparing(self._workspace, self._make_comparer())
        self._learning = self._make_learning()
        self._turn_dependencies = self._make_turn_dependencies()
        self._reach = UNBOUND
        self._compactor = Compactor(self._turn_dependencies)
        self._warned: set[str] = set()

    def _make_learning(self) -> BackgroundLearning:
        means = LearningDependencies(
            store=self._store,
            workspace=self._workspace,
            searcher=self._searcher,
            embed=self._memory_embedder.embed_texts,
            write=self._write,
            settings=lambda: self._current_config().writing,
            episodes=self._episode_writer,
            judge=self._judge,
            clock=self._clock,
        )
        return BackgroundLearning(
            Learner(means),
            means.settings,
            self._learning_workers,
            self._encode_newest,
            self._comparing.compare_all,
        )

    def _make_episode_writer(self) -> EpisodeWriter:
        return EpisodeWriter(
            store=self._store,
            workspace=self._workspace,
            settings=self._episode_settings,
            shown=self._load_shown,
            clock=self._clock,
            new_id=self._new_id,
            encode=self._encode_episodes,
            find_alike=self._find_alike_episodes,
            judge=self._judge,
        )

    def _make_comparer(self) -> StatementComparer:
        return StatementComparer(
            store=self._store,
            workspace=self._workspace,
            searcher=self._searcher,
            judge=self._judge,
            write=self._write,
            clock=self._clock,
        )

    def _episode_settings(self) -> EpisodeSettings:
        config = self._current_config()
        source = config.source(None, "episodes", SettingsTable.WRITING)
        return EpisodeSettings.of(config.writing, is_set=source is not SettingSource.BUILT_IN)

    def _load_shown(self, session: str) -> list[InjectedMemory]:
        """What a session was shown of memories."""
        with self._store.read(self._workspace) as unit:
            ids = [entry.memory for entry in unit.ledger.of(session)]
            found = unit.memories.get(list(dict.fromkeys(ids)))
        return [InjectedMemory(id, memory.content) for id, memory in found.items()]

    def _encode_episodes(self) -> None:
        """Embed what was said, and encode its tokens and compare it soon."""
        self._episode_embedder.fill_quietly()
        self._episode_encoding.schedule()
        self._comparing.schedule()

    def _find_alike_episodes(self, said: Episode) -> list[Episode]:
        """What the same person said that is most like an episode."""
        result = self._searcher.search(
            episodes_workspace(self._workspace),
            SearchQuery.of(said.text),
            episode_filter((owner_of(said),), said.project, self._clock()),
            SearchSettings(max_results=_ALIKE, max_results_per_source=_ALIKE, graph_depth=0),
        )
        return [from_row(hit.memory) for hit in result.hits if hit.memory.id != said.id]

    def _encode_newest(self) -> None:
        """Encode what was just learned and kept, and wait for it, but not long."""
        self._encoding.encode_newest()
        self._episode_encoding.encode_newest()

    def _compare_lately_written(self) -> None:
        """Compare what was written lately with what is like it: some now, the rest soon."""
        self._comparing.compare_all(Deadline(_COMPARING_SECONDS))

    def _make_turn_dependencies(self) -> TurnDependencies:
        return TurnDependencies(
            store=self._store,
            workspace=self._workspace,
            searcher=self._searcher,
            worker=self._worker,
            pool=self._pool,
            tidy=ReceiptPruner(
                self._store,
                self._workspace,
                self._clock,
                self._worker,
                self._episode_writer.prune_old,
            ),
            listener=self._learning,
            clock=self._clock,
            new_id=self._new_id,
            has_files=lambda name: has_files(self._workspaces, self._workspace, name),
            episode_days=lambda: self._current_config().writing.episode_days,
        )

    @property
    def workspace(self) -> str:
        """The tenant that every call reads and writes."""
        return self._workspace

    @property
    def embedder_name(self) -> str | None:
        """The name of the embedding model, if there is one."""
        return None if self._embedder is None else model_of(self._embedder).name

    @property
    def worker(self) -> Worker:
        """The worker for background jobs, one at a time."""
        return self._worker

    @property
    def _workspaces(self) -> WorkspaceRoot:
        """Where the files of workspaces are."""
        return self._folders.locate(self._current_config().grounding)

    def _current_config(self) -> Config:
        """The current settings."""
        return self._config.current() if isinstance(self._config, LiveConfig) else self._config

    def _token_embedder(self) -> Embedder | None:
        """What makes tokens, by the current settings."""
        return choose_token_embedder(self._embedder, self._current_config().search.late_interaction)

    def _judge(self) -> AgreementJudge:
        """What compares statements, by the current settings."""
        reader = find_pair_reader(self._token_embedder())
        return self._judges.setdefault(reader, AgreementJudge(reader))

    def _take_up_encoding(self) -> None:
        """Encode and compare in the background what was written while nobody could."""
        self._encoding.open()
        self._document_encoding.open()
        self._episode_encoding.open()
        self._comparing.open()

    def _load_memory(self, id: str) -> Memory:
        """A memory that exists and is not forgotten."""
        checked: str = check_field("id", id)
        memory = self._read(lambda unit: unit.memories.get([checked])).get(checked)
        if memory is None:
            raise NotFound(f"there is no memory {checked} in workspace {self.workspace!r}")
        if memory.forgotten:
            raise NotFound(f"memory {checked} was forgotten; restore brings it back")
        return memory

    def _read(self, work: Callable[[UnitOfWork], Result]) -> Result:
        with self._store.read(self._workspace) as unit:
            return work(unit)

    def _write(self, by: Actor | str, work: Callable[[Author], Result]) -> Result:
        actor = check_field("by", by)
        changes: list[AuditEntry] = []
        with self._store.write(self._workspace) as unit:
            now = self._clock()
            result = work(
                Author(unit=unit, by=actor, now=now, new_id=self._new_id, noted=changes.append)
            )
            if changes:
                data = {"by": str(actor), **_changes_data(changes)}
                unit.events.append(EventKind.MEMORIES_CHANGED, now, data)
        if changes:
            self._encoding.schedule()
            call_after_commit(self._comparing.schedule)
        return result

    def _write_episodes(self, by: Actor, work: Callable[[Author], Result]) -> Result:
        """Write to what is kept of what was said; what is encoded behind a change follows soon."""
        with self._store.write(episodes_workspace(self._workspace)) as unit:
            author = Author(unit=unit, by=by, now=self._clock(), new_id=self._new_id)
            result = work(author)
        self._episode_encoding.schedule()
        self._comparing.schedule()
        return result

    def _warn_once(self, warnings: Iterable[str]) -> None:
        """Log each warning once; every receipt names its cause again."""
        for each in warnings:
            if each not in self._warned:
                self._warned.add(each)
                _log.warning("%s", each)


def _changes_data(changes: Sequence[AuditEntry]) -> dict[str, Any]:
    """The event data of a transaction: how many changes, and the first of them by name."""
    named = [{"action": str(each.action), "memory": each.memory} for each in changes]
    return {"count": len(named), "changes": named[:_MOST_CHANGES_NAMED]}
