"""The documents of one workspace: its folders, kept up to date, and the search in them."""

import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tacit.core.errors import InvalidInput, NotFound, TacitError
from tacit.core.fields import check_field
from tacit.core.memory import Memory
from tacit.core.vectors import EmbeddingModel
from tacit.grounding.documents.chunks import SUFFIXES, choose_splitter, split_lines
from tacit.grounding.documents.files import hash_document, list_documents, stat_document
from tacit.grounding.documents.index import Indexer, Progress, chunk_text, list_indexed_files
from tacit.grounding.documents.results import (
    DocumentExcerpt,
    DocumentFolder,
    DocumentSearch,
    DocumentStatus,
    IndexReport,
    UnreadFile,
)
from tacit.grounding.documents.watcher import WatchedWorkspace, Watcher
from tacit.grounding.file_layout import WorkspaceRoot, is_database_folder
from tacit.grounding.text_cuts import clip_text
from tacit.language.query import SearchQuery
from tacit.language.terms import extract_index_terms, extract_query_terms
from tacit.runtime.clock import Clock, NewId
from tacit.search.filter import Filter
from tacit.search.ranking import FOR_DOCUMENTS
from tacit.search.results import Hit
from tacit.search.searcher import Searcher
from tacit.settings.grounding import GroundingSettings
from tacit.settings.search import Fusion, SearchSettings
from tacit.store.generations import serving_model
from tacit.store.protocols.store import Store
from tacit.store.workspaces import documents_workspace

# Search results


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document that was found: its score, and its chunks, best first."""

    path: str
    score: float
    hits: tuple[Hit, ...]

    @property
    def shown(self) -> Memory:
        """The best chunk that says more than headings, if there is one."""
        memories = [hit.memory for hit in self.hits]
        return next((each for each in memories if not each.metadata["is_bare"]), memories[0])

    @property
    def sha256(self) -> str:
        """The hash of the file when it was indexed."""
        return str(self.hits[0].memory.metadata["sha256"])


def group_by_document(hits: Sequence[Hit]) -> list[FoundDocument]:
    """Group chunks by document, best first; a document scores like its best chunk.

    That score includes the other chunks through its session and neighbour parts.
    """
    together: dict[str, list[Hit]] = {}
    for hit in hits:
        together.setdefault(hit.memory.scope_id, []).append(hit)
    pages = [FoundDocument(path, own[0].score, tuple(own)) for path, own in together.items()]
    return sorted(pages, key=lambda page: (-page.score, page.path))


def extract_excerpt(page: FoundDocument, text: str, most_bytes: int) -> DocumentExcerpt | None:
    """The most relevant passage of a document for a text; None if there is no room for it."""
    memory = page.shown
    first, last = memory.metadata["lines"]
    offset, passage = _find_passage(memory, text, most_bytes)
    if not passage.strip():
        return None
    begin = first + offset
    return DocumentExcerpt(
        source=memory.metadata["source"],
        path=page.path,
        headings=tuple(memory.metadata["headings"]),
        first_line=begin,
        last_line=min(begin + passage.rstrip().count("\n"), last),
        text=passage,
        score=page.score,
        sha256=page.sha256,
    )


def _find_passage(memory: Memory, text: str, most_bytes: int) -> tuple[int, str]:
    """The first line of the best passage in a chunk, and the passage."""
    whole = chunk_text(memory.content)
    if len(whole.encode()) <= most_bytes:
        return 0, whole
    asked = {each for term in extract_query_terms(text) for each in term.alternatives}
    lines = split_lines(whole)
    best, told = (0, ""), -1.0
    for block in choose_splitter(memory.scope_id, lines)(lines):
        passage = clip_text("\n".join(lines[block.first :]), bytes=most_bytes)
        found = extract_index_terms(passage)
        value = len(asked & set(found)) + sum(each in asked for each in found) / (len(found) + 1)
        if value > told:
            best, told = (block.first, passage), value
    return best


_log = logging.getLogger("tacit.documents")

_FOLDERS = "documents"
_CANDIDATES = 30
_TRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentDependencies:
    """What documents work with."""

    store: Store
    workspace: str
    searcher: Searcher
    watcher: Watcher
    clock: Clock
    new_id: NewId
    workspaces: Callable[[], WorkspaceRoot | None]
    model: Callable[[], EmbeddingModel | None]
    search: Callable[[], SearchSettings]
    grounding: Callable[[], GroundingSettings]
    encode: Callable[[], None]
    """Makes the tokens of new chunks soon."""


class Documents:
    """Markdown, plain text and reStructuredText of a workspace's folder, and of added folders."""

    def __init__(self, dependencies: DocumentDependencies) -> None:
        self._dependencies = dependencies
        self._beside = documents_workspace(dependencies.workspace)
        self._indexer = Indexer(
            dependencies.store, self._beside, dependencies.clock, dependencies.new_id
        )

    def add(self, path: Path | str, exclude: Iterable[str] = ()) -> DocumentFolder:
        """Add a folder; `exclude` are patterns of files to leave out.

        Adding it again replaces the patterns. Its files are searched once `index` has read them.
        """
        place = _resolve_folder(path)
        self._refuse_unfit(place)
        folder = DocumentFolder(path=place, exclude=_patterns(exclude))
        self._change(lambda known: [*(each for each in known if each.path != place), folder])
        self._dependencies.watcher.look_again()
        return folder

    def remove(self, path: Path | str) -> IndexReport:
        """Remove a folder from the search; its files stay as they are."""
        place = _resolve_folder(path)
        if place not in {each.path for each in self._load_added()}:
            raise NotFound(f"{place} was not added; tacit docs status shows the folders")
        self._change(lambda known: [each for each in known if each.path != place])
        report = self.index()
        self._dependencies.watcher.look_again()
        return report

    def index(self, progress: Progress | None = None) -> IndexReport:
        """Index new and changed files of the folders; an interrupted run is resumed next time."""
        return self._index(progress or _ignore_progress)

    def search(self, text: str, limit: int = 3) -> DocumentSearch:
        """The best passage of each of the most relevant documents for a text."""
        size: int = check_field("limit", limit)
        return self._find(
            check_field("text", text), size, self._dependencies.grounding().max_doc_excerpt_bytes
        )

    def excerpts(self, text: str, limit: int, max_bytes: int) -> tuple[DocumentExcerpt, ...]:
        """The passages of `search`, each of at most `max_bytes`."""
        return self._find(text, limit, max_bytes).hits

    def status(self) -> DocumentStatus:
        """The folders, the numbers of files and chunks, and what could not be read."""
        known = list(list_indexed_files(self._indexer.lines()))
        unread = [
            UnreadFile(path=path, reason=line.problem) for path, line in known if line.problem
        ]
        chunks = sum(len(line.chunks) for _, line in known)
        return DocumentStatus(
            folders=self._folders(),
            files=len(known) - len(unread),
            chunks=chunks,
            waiting=self._count_waiting(chunks),
            unread=tuple(sorted(unread, key=lambda each: each.path)),
        )

    def _find(self, text: str, limit: int, most_bytes: int) -> DocumentSearch:
        """Search until every document found is up to date, or leave it out."""
        folders = self._folders()
        if not text.strip() or not any(Path(each.path).is_dir() for each in folders):
            return DocumentSearch()
        self._follow()
        degraded: tuple[str, ...] = ()
        fresh: list[FoundDocument] = []
        for _ in range(_TRIES):
            pages, degraded = self._find_documents(text)
            fresh, stale = self._split_by_freshness(pages, folders, limit)
            if not stale:
                break
            if problem := self._reread(stale):
                degraded = (*degraded, problem)
                break
        found = (extract_excerpt(page, text, most_bytes) for page in fresh)
        return DocumentSearch(hits=tuple(each for each in found if each), degraded=degraded)

    def _find_documents(self, text: str) -> tuple[list[FoundDocument], tuple[str, ...]]:
        settings = replace(
            self._dependencies.search(),
            max_results=_CANDIDATES,
            max_results_per_source=_CANDIDATES,
            fusion=Fusion.SCORE,
            min_score=0.0,
            graph_depth=0,
        )
        filter = Filter(now=self._dependencies.clock())
        result = self._dependencies.searcher.search(
            self._beside, SearchQuery.of(text), filter, settings, FOR_DOCUMENTS
        )
        return group_by_document(result.hits), result.degraded

    def _split_by_freshness(
        self, pages: Sequence[FoundDocument], folders: Sequence[DocumentFolder], limit: int
    ) -> tuple[list[FoundDocument], list[str]]:
        """The best documents that are up to date, and better ones that are not."""
        closed = self._closed_folder()
        fresh: list[FoundDocument] = []
        stale: list[str] = []
        for page in pages:
            if len(fresh) == limit:
                break
            is_there = stat_document(page.path, folders, closed) is not None
            if is_there and hash_document(page.path) == page.sha256:
                fresh.append(page)
            else:
                stale.append(page.path)
        return fresh, stale

    def _reread(self, paths: Iterable[str]) -> str:
        """Bring files up to date; returns problems."""
        try:
            self._refresh(frozenset(paths))
        except (OSError, TacitError) as error:
            return f"documents: some changed and were not read again ({error})"
        return ""

    def _refresh(self, paths: frozenset[str]) -> None:
        folders, closed = self._folders(), self._closed_folder()
        found = {path: stat_document(path, folders, closed) for path in paths}
        self._encode_new(self._indexer.refresh(found))

    def _apply_changes(self, paths: frozenset[str]) -> None:
        """Process changes that the watcher saw; if a folder came or went, check everything."""
        if any(_is_possible_folder(path) for path in paths):
            self.index()
        else:
            self._refresh(frozenset(each for each in paths if each.lower().endswith(SUFFIXES)))

    def _follow(self) -> None:
        """Watch for changes from now on."""
        self._dependencies.watcher.follow(
            self._dependencies.workspace,
            WatchedWorkspace(
                roots=lambda: tuple(each.path for each in self._folders()),
                catch_up=lambda is_over: self._index(_ignore_progress, is_over),
                changed=self._apply_changes,
            ),
        )

    def _index(
        self, progress: Progress, is_over: Callable[[], bool] = lambda: False
    ) -> IndexReport:
        found = list_documents(self._folders(), self._closed_folder())
        return self._encode_new(self._indexer.index(found, progress, is_over))

    def _encode_new(self, report: IndexReport) -> IndexReport:
        if report.indexed or report.removed:
            self._dependencies.encode()
        return report

    def _folders(self) -> tuple[DocumentFolder, ...]:
        workspaces = self._dependencies.workspaces()
        own = (
            []
            if workspaces is None
            else [_own_folder(workspaces.folder(self._dependencies.workspace))]
        )
        return (*own, *self._load_added())

    def _load_added(self) -> tuple[DocumentFolder, ...]:
        with self._dependencies.store.read(self._dependencies.workspace) as unit:
            return _load_folders(unit.progress.get(_FOLDERS))

    def _change(
        self, change: Callable[[Sequence[DocumentFolder]], Iterable[DocumentFolder]]
    ) -> None:
        with self._dependencies.store.write(self._dependencies.workspace) as unit:
            folders = [
                each.to_dict() for each in change(_load_folders(unit.progress.get(_FOLDERS)))
            ]
            unit.progress.put(_FOLDERS, {"folders": folders})

    def _closed_folder(self) -> Path | None:
        workspaces = self._dependencies.workspaces()
        return None if workspaces is None else Path(os.path.realpath(workspaces.root))

    def _refuse_unfit(self, place: str) -> None:
        if not _is_folder(place):
            raise InvalidInput("path", f"{place} is no folder; name one that is there")
        if Path(place) == Path(place).parent:
            raise InvalidInput("path", "is everything there is; name a folder in it")
        above = (Path(place), *Path(place).parents)
        if self._closed_folder() in above or any(map(is_database_folder, above)):
            problem = f"{place} belongs to the workspaces; each searches its own folder anyway"
            raise InvalidInput("path", problem)

    def _count_waiting(self, chunks: int) -> int:
        with self._dependencies.store.read(self._beside) as unit:
            model = serving_model(unit) or self._dependencies.model()
            return chunks if model is None else unit.vectors.lacking(model)


def _resolve_folder(path: Path | str) -> str:
    """The folder without symbolic links."""
    named: str = check_field("text", str(path))
    if not named.strip():
        raise InvalidInput("path", "is empty; name a folder")
    try:
        return os.path.realpath(Path(named).expanduser())
    except RuntimeError as error:  # a home of nobody
        raise InvalidInput("path", f"{named!r} is no folder ({error})") from None


def _is_folder(place: str) -> bool:
    try:
        return Path(place).is_dir()
    except OSError:  # a name that is too long, say
        return False


def _own_folder(path: Path) -> DocumentFolder:
    return DocumentFolder(path=os.path.realpath(path), is_own=True)


def _load_folders(kept: Mapping[str, Any] | None) -> tuple[DocumentFolder, ...]:
    return () if kept is None else tuple(map(DocumentFolder.from_dict, kept["folders"]))


def _patterns(exclude: Iterable[str]) -> tuple[str, ...]:
    if isinstance(exclude, str):
        raise InvalidInput("exclude", "expected a list of patterns, not a single one")
    return tuple(check_field("text", each) for each in exclude)


def _is_possible_folder(path: str) -> bool:
    """Whether a changed path may be a folder: an existing one, or something that is gone."""
    if path.lower().endswith(SUFFIXES):
        return False
    hidden = any(part.startswith(".") for part in Path(path).parts)
    return not hidden and (Path(path).is_dir() or not os.path.lexists(path))


def _ignore_progress(done: int, total: int) -> None:
    """A progress callback that does nothing."""
