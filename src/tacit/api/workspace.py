"""One workspace of a store, which all calls of `Tacit` build on."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from operator import attrgetter
from os import PathLike
from typing import Any, Self, TypeVar

from tacit.api.background import BackgroundLearning, LearningWorkers, ReceiptPruner
from tacit.api.background_encoding import EncodingWorker
from tacit.api.memory_embedder import MemoryEmbedder
from tacit.api.warm_up import WarmUps
from tacit.api.workspace_files import WorkspaceFolders
from tacit.core.changes import AuditEntry
from tacit.core.episodes import Episode
from tacit.core.errors import InvalidInput, NotFound, TacitError
from tacit.core.events import EventKind
from tacit.core.fields import check_field
from tacit.core.kinds import Actor
from tacit.core.memory import Memory
from tacit.core.permissions import UNBOUND, Viewer
from tacit.embedding.embedder import Embedder
from tacit.embedding.registry import EmbedderSet, find_pair_reader
from tacit.grounding.documents.watcher import Watcher
from tacit.grounding.file_layout import WorkspaceRoot, has_files
from tacit.language.query import SearchQuery
from tacit.runtime.clock import Clock, NewId, new_id, system_clock
from tacit.runtime.workers import Deadline, Worker, WorkerPool, end_idle_threads
from tacit.search.filter import episode_filter
from tacit.search.query_embedding import choose_token_embedder
from tacit.search.searcher import Searcher
from tacit.settings.config import Config, SettingSource, SettingsTable
from tacit.settings.live_config import LiveConfig
from tacit.settings.search import SearchSettings
from tacit.statements.judge import StatementJudge
from tacit.statements.pair_reading import PairReader
from tacit.store.episodes import from_row, owner_of
from tacit.store.generations import filling_model, serving_model
from tacit.store.items import text_of_item_row
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.transactions import call_after_commit
from tacit.store.workspaces import documents_workspace, episodes_workspace, items_workspace
from tacit.turn.state import TurnDependencies
from tacit.writing.author import Author
from tacit.writing.comparisons import StatementComparer
from tacit.writing.learning.dependencies import LearningDependencies
from tacit.writing.learning.echoes import InjectedMemory
from tacit.writing.learning.episodes import EpisodeSettings, EpisodeWriter
from tacit.writing.learning.learner import Learner

_log = logging.getLogger("tacit.turn")

_LAST_SECONDS = 5.0
"""Seconds that closing waits for background work; the rest stays queued in the store."""

_MOST_CHANGES_NAMED = 100
_COMPARING_SECONDS = 2.0
_ALIKE = 20
"""What was said is compared with so much of what was said before."""

_NO_EMBEDDERS = EmbedderSet()

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreResources:
    """What all workspaces of an open store share: its model, settings, workers and caches."""

    store: Store
    embedders: EmbedderSet
    config: Config | LiveConfig
    clock: Clock
    new_id: NewId
    searcher: Searcher
    worker: Worker
    pool: WorkerPool
    learning_workers: LearningWorkers
    encoding_worker: EncodingWorker
    folders: WorkspaceFolders
    watcher: Watcher
    warm_ups: WarmUps

    @classmethod
    def of(
        cls,
        store: Store,
        *,
        embedders: EmbedderSet = _NO_EMBEDDERS,
        config: Config | LiveConfig | None = None,
        clock: Clock = system_clock,
        new_id: NewId = new_id,
    ) -> Self:
        """New resources for a store."""
        if isinstance(store, str | PathLike):
            raise InvalidInput("store", f"a path is opened with Tacit.open({str(store)!r})")
        settings, pool = config or Config(), WorkerPool("tacit-turn")

        def find_token_embedders(unit: UnitOfWork) -> list[Embedder]:
            late_interaction = current_config(settings).search.late_interaction
            chosen = _embedders_in_use(embedders, unit)
            makers = (choose_token_embedder(each, late_interaction) for each in chosen)
            return [each for each in makers if each is not None]

        return cls(
            store=store,
            embedders=embedders,
            config=settings,
            clock=clock,
            new_id=new_id,
            searcher=Searcher(store, embedders),
            worker=Worker("tacit-jobs"),
            pool=pool,
            learning_workers=LearningWorkers(),
            encoding_worker=EncodingWorker(
                store, find_token_embedders, is_idle=embedders.configured is None
            ),
            folders=WorkspaceFolders(store),
            watcher=Watcher(),
            warm_ups=WarmUps(pool),
        )

    def close(self) -> None:
        """End background work, and close the store."""
        end = Deadline(_LAST_SECONDS)
        self.watcher.close()
        self.pool.close()
        self.learning_workers.close(end)
        self.encoding_worker.close(end)
        self.worker.close(end.seconds)
        self.searcher.close()
        end_idle_threads()
        self.folders.close()
        self.store.close()


def _embedders_in_use(embedders: EmbedderSet, unit: UnitOfWork) -> Iterator[Embedder]:
    """The embedder of the generation that serves, and of one that is filled, as far as they are
    at hand."""
    serving, filling = serving_model(unit), filling_model(unit)
    if serving is None and embedders.configured is not None:
        yield embedders.configured
    if serving is not None:
        with suppress(TacitError):  # every search says that it is missing
            yield embedders.find(serving)
    ready = None if filling is None else embedders.find_ready(filling)
    if ready is not None:
        yield ready


def current_config(config: Config | LiveConfig) -> Config:
    """The settings in force now."""
    return config.current() if isinstance(config, LiveConfig) else config


class WorkspaceContext:
    """One workspace of a store, and everything needed to read and write there.

    In a personal workspace nobody by name is the one person who uses it. `reach` is the agent or
    user that the caller is bound to.
    """

    def __init__(
        self, shared: StoreResources, name: str = "default", *, is_personal: bool = True
    ) -> None:
        self.shared = shared
        self.name: str = check_field("workspace", name)
        self.is_personal = is_personal
        self.reach = UNBOUND
        self.store, self.searcher = shared.store, shared.searcher
        self.clock, self.new_id = shared.clock, shared.new_id
        said, documents = episodes_workspace(self.name), documents_workspace(self.name)
        beside = items_workspace(self.name)
        self.memory_embedder = self._make_embedder(self.name)
        self.episode_embedder = self._make_embedder(said)
        self.document_embedder = self._make_embedder(documents)
        self.item_embedder = self._make_embedder(beside, text_of_item_row)
        encoding = shared.encoding_worker
        self.places = (
            self.memory_embedder,
            self.episode_embedder,
            self.document_embedder,
            self.item_embedder,
        )
        self.item_embedding = encoding.embedding(beside, self.item_embedder)
        self.encoding = encoding.workspace(self.name)
        self.document_encoding = encoding.workspace(documents)
        self.episode_encoding = encoding.workspace(said)
        self.switching = encoding.switching(
            self.name,
            self.places,
            (self.encoding, self.episode_encoding, self.document_encoding),
            lambda: self.current_config().search.late_interaction,
        )
        self._judges: dict[PairReader | None, StatementJudge] = {}
        self.episode_writer = self._make_episode_writer()
        self.comparing = encoding.comparing(self.name, self._make_comparer())
        self.learning = self._make_learning()
        self.turn_dependencies = self._make_turn_dependencies()
        self._warned: set[str] = set()

    def _make_embedder(
        self, place: str, text_of: Callable[[Memory], str] = attrgetter("search_text")
    ) -> MemoryEmbedder:
        embedders, wait = self.shared.embedders, self.searcher.wait_until_idle
        return MemoryEmbedder(self.store, place, embedders, wait, text_of)

    def limited_to(self, reach: Viewer) -> "WorkspaceContext":
        """The same workspace, with no more of what was said than a caller reaches."""
        view = copy(self)
        view.reach = reach
        view.turn_dependencies = replace(self.turn_dependencies, reach=reach)
        return view

    def _make_learning(self) -> BackgroundLearning:
        means = LearningDependencies(
            store=self.store,
            workspace=self.name,
            searcher=self.searcher,
            embed=self.memory_embedder.embed_texts,
            write=self.write,
            settings=lambda: self.current_config().writing,
            episodes=self.episode_writer,
            judge=self.judge,
            clock=self.clock,
        )
        return BackgroundLearning(
            Learner(means),
            means.settings,
            self.shared.learning_workers,
            self.encode_newest,
            self.comparing.compare_all,
        )

    def _make_episode_writer(self) -> EpisodeWriter:
        return EpisodeWriter(
            store=self.store,
            workspace=self.name,
            settings=self.episode_settings,
            shown=self._load_shown,
            clock=self.clock,
            new_id=self.new_id,
            encode=self._encode_episodes,
            find_alike=self._find_alike_episodes,
            judge=self.judge,
        )

    def _make_comparer(self) -> StatementComparer:
        return StatementComparer(
            store=self.store,
            workspace=self.name,
            searcher=self.searcher,
            judge=self.judge,
            write=self.write,
            clock=self.clock,
        )

    def episode_settings(self) -> EpisodeSettings:
        """What of the words of people is kept, by the current settings."""
        config = self.current_config()
        source = config.source(None, "episodes", SettingsTable.WRITING)
        return EpisodeSettings.of(config.writing, is_set=source is not SettingSource.BUILT_IN)

    def _load_shown(self, session: str) -> list[InjectedMemory]:
        """What a session was shown of memories."""
        with self.store.read(self.name) as unit:
            ids = [entry.memory for entry in unit.ledger.of(session)]
            found = unit.memories.get(list(dict.fromkeys(ids)))
        return [InjectedMemory(id, memory.content) for id, memory in found.items()]

    def _encode_episodes(self) -> None:
        """Embed what was said, and encode its tokens and compare it soon."""
        self.episode_embedder.fill_quietly()
        self.episode_encoding.schedule()
        self.comparing.schedule()

    def _find_alike_episodes(self, said: Episode) -> list[Episode]:
        """What the same person said that is most like an episode."""
        result = self.searcher.search(
            episodes_workspace(self.name),
            SearchQuery.of(said.text),
            episode_filter((owner_of(said),), said.project, self.clock()),
            SearchSettings(max_results=_ALIKE, max_results_per_source=_ALIKE, graph_depth=0),
        )
        return [from_row(hit.memory) for hit in result.hits if hit.memory.id != said.id]

    def encode_newest(self) -> None:
        """Encode what was just learned and kept, and wait for it, but not long."""
        self.encoding.encode_newest()
        self.episode_encoding.encode_newest()

    def compare_lately_written(self) -> None:
        """Compare what was written lately with what is like it: some now, the rest soon."""
        self.comparing.compare_all(Deadline(_COMPARING_SECONDS))

    def _make_turn_dependencies(self) -> TurnDependencies:
        return TurnDependencies(
            store=self.store,
            workspace=self.name,
            searcher=self.searcher,
            worker=self.shared.worker,
            pool=self.shared.pool,
            tidy=ReceiptPruner(
                self.store,
                self.name,
                self.clock,
                self.shared.worker,
                self.episode_writer.prune_old,
            ),
            listener=self.learning,
            clock=self.clock,
            new_id=self.new_id,
            has_files=lambda name: has_files(self.workspaces, self.name, name),
            episode_days=lambda: self.current_config().writing.episode_days,
        )

    @property
    def workspaces(self) -> WorkspaceRoot:
        """Where the files of workspaces are."""
        return self.shared.folders.locate(self.current_config().grounding)

    def current_config(self) -> Config:
        """The current settings."""
        return current_config(self.shared.config)

    def token_embedder(self) -> Embedder | None:
        """What makes tokens, by the current settings."""
        return choose_token_embedder(
            self.shared.embedders.configured, self.current_config().search.late_interaction
        )

    def judge(self) -> StatementJudge:
        """What compares statements, by the current settings."""
        reader = find_pair_reader(self.token_embedder())
        return self._judges.setdefault(reader, StatementJudge(reader))

    def take_up_encoding(self) -> None:
        """Encode and compare in the background what was written while nobody could."""
        self.encoding.open()
        self.document_encoding.open()
        self.episode_encoding.open()
        self.comparing.open()
        self.switching.open()

    def load_memory(self, id: str) -> Memory:
        """A memory that exists and is not forgotten."""
        checked: str = check_field("id", id)
        memory = self.read(lambda unit: unit.memories.get([checked])).get(checked)
        if memory is None:
            raise memory_not_found(checked, self.name)
        if memory.forgotten:
            raise NotFound(f"memory {checked} was forgotten; restore brings it back")
        return memory

    def read(self, work: Callable[[UnitOfWork], Result]) -> Result:
        """Read in one transaction."""
        with self.store.read(self.name) as unit:
            return work(unit)

    def write(self, by: Actor | str, work: Callable[[Author], Result]) -> Result:
        """Write in one transaction; those who watch learn of it, and what it needs follows soon."""
        actor = check_field("by", by)
        changes: list[AuditEntry] = []
        with self.store.write(self.name) as unit:
            now = self.clock()
            result = work(
                Author(unit=unit, by=actor, now=now, new_id=self.new_id, noted=changes.append)
            )
            if changes:
                data = {"by": str(actor), **_changes_data(changes)}
                unit.events.append(EventKind.MEMORIES_CHANGED, now, data)
        if changes:
            self.encoding.schedule()
            call_after_commit(self.comparing.schedule)
        return result

    def write_episodes(self, by: Actor, work: Callable[[Author], Result]) -> Result:
        """Write to what is kept of what was said; what is encoded behind a change follows soon."""
        with self.store.write(episodes_workspace(self.name)) as unit:
            author = Author(unit=unit, by=by, now=self.clock(), new_id=self.new_id)
            result = work(author)
        self.episode_encoding.schedule()
        self.comparing.schedule()
        return result

    def warn_once(self, warnings: Iterable[str]) -> None:
        """Log each warning once; every receipt names its cause again."""
        for each in warnings:
            if each not in self._warned:
                self._warned.add(each)
                _log.warning("%s", each)


def _changes_data(changes: Sequence[AuditEntry]) -> dict[str, Any]:
    """The event data of a transaction: how many changes, and the first of them by name."""
    named = [{"action": str(each.action), "memory": each.memory} for each in changes]
    return {"count": len(named), "changes": named[:_MOST_CHANGES_NAMED]}


def memory_not_found(id: str, workspace: str) -> NotFound:
    """The error for a memory that does not exist, or that the caller may not see."""
    return NotFound(f"there is no memory {id} in workspace {workspace!r}")


class Part:
    """The calls about one subject of a workspace."""

    def __init__(self, context: WorkspaceContext) -> None:
        self._context = context
