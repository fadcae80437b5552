"""The documents of one workspace: which folders, kept up to date, and found again."""

import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tacit.core.errors import InvalidInput, NotFound, TacitError
from tacit.core.fields import check_field
from tacit.core.vectors import EmbeddingModel
from tacit.grounding.documents.chunks import SUFFIXES
from tacit.grounding.documents.files import digest_of, sight, sighted
from tacit.grounding.documents.finding import Page, excerpt_of, pages_of
from tacit.grounding.documents.indexing import Indexer, Progress, files_of
from tacit.grounding.documents.values import (
    DocumentSearch,
    DocumentStatus,
    Excerpt,
    Folder,
    IndexReport,
    Unread,
)
from tacit.grounding.documents.watching import Followed, Watcher
from tacit.grounding.places import Workspaces, is_of_a_database
from tacit.language.query import SearchQuery
from tacit.runtime.clock import Clock
from tacit.runtime.ids import NewId
from tacit.search.filter import Filter
from tacit.search.searcher import Searcher
from tacit.settings.grounding import GroundingSettings
from tacit.settings.search import Fusion, SearchSettings
from tacit.store.protocols.store import Store
from tacit.store.workspaces import documents_workspace

_log = logging.getLogger("tacit.documents")

_FOLDERS = "documents"
_CANDIDATES = 30
_TRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What it takes to keep documents."""

    store: Store
    workspace: str
    searcher: Searcher
    watcher: Watcher
    clock: Clock
    new_id: NewId
    workspaces: Callable[[], Workspaces | None]
    model: Callable[[], EmbeddingModel | None]
    search: Callable[[], SearchSettings]
    grounding: Callable[[], GroundingSettings]


class Documents:
    """Markdown, plain text and reStructuredText of a workspace's folder, and of folders added."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._beside = documents_workspace(means.workspace)
        self._indexer = Indexer(means.store, self._beside, means.clock, means.new_id)

    def add(self, path: Path | str, exclude: Iterable[str] = ()) -> Folder:
        """Search a folder too; `exclude` are patterns of what in it is left out.

        Added again it has the new patterns. What is in it is searched once `index` has read it.
        """
        place = _place(path)
        self._refuse_unfit(place)
        folder = Folder(path=place, exclude=_patterns(exclude))
        self._change(lambda known: [*(each for each in known if each.path != place), folder])
        self._means.watcher.look_again()
        return folder

    def remove(self, path: Path | str) -> IndexReport:
        """Search a folder no more; its files stay as they are."""
        place = _place(path)
        if place not in {each.path for each in self._added()}:
            raise NotFound(f"{place} was not added; tacit docs status shows the folders")
        self._change(lambda known: [each for each in known if each.path != place])
        report = self.index()
        self._means.watcher.look_again()
        return report

    def index(self, progress: Progress | None = None) -> IndexReport:
        """Read what is new or changed in the folders; if interrupted, it goes on the next time."""
        found = sighted(self._folders(), self._closed())
        return self._indexer.index(found, progress or _unheard)

    def search(self, text: str, limit: int = 3) -> DocumentSearch:
        """The best passage of each of the documents that matter most for a text."""
        size: int = check_field("limit", limit)
        return self._find(
            check_field("text", text), size, self._means.grounding().max_doc_excerpt_bytes
        )

    def excerpts(self, text: str, limit: int, max_bytes: int) -> tuple[Excerpt, ...]:
        """The passages of `search`, each of at most so many bytes."""
        return self._find(text, limit, max_bytes).hits

    def status(self) -> DocumentStatus:
        """The folders, how many files and chunks there are, and what could not be read."""
        known = list(files_of(self._indexer.lines()))
        unread = [Unread(path=path, reason=line.problem) for path, line in known if line.problem]
        chunks = sum(len(line.chunks) for _, line in known)
        return DocumentStatus(
            folders=self._folders(),
            files=len(known) - len(unread),
            chunks=chunks,
            waiting=self._waiting(chunks),
            unread=tuple(sorted(unread, key=lambda each: each.path)),
        )

    def _find(self, text: str, limit: int, most_bytes: int) -> DocumentSearch:
        """Search until every document found is as it was indexed, or leave it out."""
        folders = self._folders()
        if not text.strip() or not any(Path(each.path).is_dir() for each in folders):
            return DocumentSearch()
        self._follow()
        degraded: tuple[str, ...] = ()
        fresh: list[Page] = []
        for _ in range(_TRIES):
            pages, degraded = self._pages(text)
            fresh, stale = self._parted(pages, folders, limit)
            if not stale:
                break
            if problem := self._reread(stale):
                degraded = (*degraded, problem)
                break
        found = (excerpt_of(page, text, most_bytes) for page in fresh)
        return DocumentSearch(hits=tuple(each for each in found if each), degraded=degraded)

    def _pages(self, text: str) -> tuple[list[Page], tuple[str, ...]]:
        settings = replace(
            self._means.search(),
            max_results=_CANDIDATES,
            max_results_per_source=_CANDIDATES,
            fusion=Fusion.SCORE,
            min_score=0.0,
            graph_depth=0,
        )
        filter = Filter(now=self._means.clock())
        result = self._means.searcher.search(self._beside, SearchQuery.of(text), filter, settings)
        return pages_of(result.hits), result.degraded

    def _parted(
        self, pages: Sequence[Page], folders: Sequence[Folder], limit: int
    ) -> tuple[list[Page], list[str]]:
        """The best pages that are as they were indexed, and the better ones that are not."""
        closed = self._closed()
        fresh: list[Page] = []
        stale: list[str] = []
        for page in pages:
            if len(fresh) == limit:
                break
            is_there = sight(page.path, folders, closed) is not None
            if is_there and digest_of(page.path) == page.sha256:
                fresh.append(page)
            else:
                stale.append(page.path)
        return fresh, stale

    def _reread(self, paths: Iterable[str]) -> str:
        """Bring files up to date; tells what went wrong."""
        try:
            self._refresh(frozenset(paths))
        except (OSError, TacitError) as error:
            return f"documents: some changed and were not read again ({error})"
        return ""

    def _refresh(self, paths: frozenset[str]) -> None:
        folders, closed = self._folders(), self._closed()
        self._indexer.refresh({path: sight(path, folders, closed) for path in paths})

    def _changed(self, paths: frozenset[str]) -> None:
        """Take in what the watcher saw; where a folder came or went, everything is looked at."""
        if any(_may_be_folder(path) for path in paths):
            self.index()
        else:
            self._refresh(frozenset(each for each in paths if each.lower().endswith(SUFFIXES)))

    def _follow(self) -> None:
        """See changes from now on."""
        self._means.watcher.follow(
            self._means.workspace,
            Followed(
                roots=lambda: tuple(each.path for each in self._folders()),
                catch_up=self._catch_up,
                changed=self._changed,
            ),
        )

    def _catch_up(self, is_over: Callable[[], bool]) -> None:
        found = sighted(self._folders(), self._closed())
        self._indexer.index(found, _unheard, is_over)

    def _folders(self) -> tuple[Folder, ...]:
        workspaces = self._means.workspaces()
        own = [] if workspaces is None else [_own(workspaces.folder(self._means.workspace))]
        return (*own, *self._added())

    def _added(self) -> tuple[Folder, ...]:
        with self._means.store.read(self._means.workspace) as unit:
            return _read(unit.progress.get(_FOLDERS))

    def _change(self, change: Callable[[Sequence[Folder]], Iterable[Folder]]) -> None:
        with self._means.store.write(self._means.workspace) as unit:
            folders = [each.to_dict() for each in change(_read(unit.progress.get(_FOLDERS)))]
            unit.progress.put(_FOLDERS, {"folders": folders})

    def _closed(self) -> Path | None:
        workspaces = self._means.workspaces()
        return None if workspaces is None else Path(os.path.realpath(workspaces.root))

    def _refuse_unfit(self, place: str) -> None:
        if not _is_folder(place):
            raise InvalidInput("path", f"{place} is no folder; name one that is there")
        if Path(place) == Path(place).parent:
            raise InvalidInput("path", "is everything there is; name a folder in it")
        above = (Path(place), *Path(place).parents)
        if self._closed() in above or any(map(is_of_a_database, above)):
            problem = f"{place} belongs to the workspaces; each searches its own folder anyway"
            raise InvalidInput("path", problem)

    def _waiting(self, chunks: int) -> int:
        model = self._means.model()
        if model is None:
            return chunks
        with self._means.store.read(self._beside) as unit:
            return unit.vectors.lacking(model)


def _place(path: Path | str) -> str:
    """The folder that is meant, without links."""
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


def _own(path: Path) -> Folder:
    return Folder(path=os.path.realpath(path), is_own=True)


def _read(kept: Mapping[str, Any] | None) -> tuple[Folder, ...]:
    return () if kept is None else tuple(map(Folder.from_dict, kept["folders"]))


def _patterns(exclude: Iterable[str]) -> tuple[str, ...]:
    if isinstance(exclude, str):
        raise InvalidInput("exclude", "expected a list of patterns, not a single one")
    return tuple(check_field("text", each) for each in exclude)


def _may_be_folder(path: str) -> bool:
    """Whether a change may be of a folder: one that is there, or something that is gone."""
    if path.lower().endswith(SUFFIXES):
        return False
    hidden = any(part.startswith(".") for part in Path(path).parts)
    return not hidden and (Path(path).is_dir() or not os.path.lexists(path))


def _unheard(done: int, total: int) -> None:
    """Progress that nobody hears of."""
