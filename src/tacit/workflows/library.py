"""The lifecycle files there are, and which of them run."""

import logging
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tacit.errors import ConfigError
from tacit.files.locations import config_folder
from tacit.workflows.document import Document, read_document
from tacit.workflows.origin import Origin

_FOLDER = Path("workflows", "lifecycle")
_MOST_FILES = 20
_BUNDLED = Path(__file__).parent / "lifecycle"

_log = logging.getLogger("tacit.workflows")


@dataclass(frozen=True, slots=True, kw_only=True)
class Workflow:
    """A lifecycle file that runs, and whose it is."""

    document: Document
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelved:
    """A lifecycle file that is there: what it says or what is wrong, and what hides it."""

    path: Path
    origin: Origin
    document: Document | None = None
    problem: str | None = None
    is_read: bool = True
    """False for one file too many in its folder."""
    shadowed_by: Path | None = None

    @property
    def runs(self) -> bool:
        """Whether its steps are taken."""
        is_whole = self.document is not None and self.document.is_enabled
        return is_whole and self.shadowed_by is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifecycle:
    """The workflows that run for somebody, in their order."""

    workflows: tuple[Workflow, ...] = ()


@dataclass(frozen=True, slots=True)
class _Read:
    """A file as it was read at some time."""

    stamp: tuple[int, ...]
    document: Document | None
    problem: str | None


class Library:
    """Finds lifecycle files, and reads each again only when it has changed.

    Of files with one name the nearest runs: a project's before the user's, the user's before ours.
    One that cannot be read is left out with a warning, and the next one behind it runs, so that a
    slip of the pen does not switch memory off.
    """

    def __init__(self, home: Path | None = None) -> None:
        self._home = home
        self._known: dict[Path, _Read] = {}
        self._told: dict[Path, str | None] = {}
        self._lock = threading.Lock()

    def lifecycle(self, folder: Path | None = None) -> Lifecycle:
        """What runs in a project, by the folder of its root, or outside of any."""
        shelf = self.shelf(folder)
        for each in shelf:
            self._complain(each)
        return Lifecycle(
            workflows=tuple(
                Workflow(document=each.document, origin=each.origin)
                for each in shelf
                if each.runs and each.document is not None
            )
        )

    def shelf(self, folder: Path | None = None) -> Sequence[Shelved]:
        """Every file there is, by name, the nearest of each name first."""
        found = sorted(self._all(folder), key=lambda each: (each.path.stem, _distance(each)))
        nearest: dict[str, Path] = {}
        shelf = []
        for each in found:
            shelf.append(replace(each, shadowed_by=nearest.get(each.path.stem)))
            if each.document is not None:
                nearest.setdefault(each.path.stem, each.path)
        return shelf

    def user_folder(self) -> Path:
        """Where the user's own files are."""
        return (self._home or config_folder()) / _FOLDER

    def _all(self, folder: Path | None) -> Iterator[Shelved]:
        yield from self._in(_BUNDLED, Origin.BUNDLED)
        yield from self._in(self.user_folder(), Origin.USER)
        if folder is not None:
            yield from self._in(folder / ".tacit" / _FOLDER, Origin.PROJECT)

    def _in(self, folder: Path, origin: Origin) -> Iterator[Shelved]:
        files = _files(folder)
        for path in files[:_MOST_FILES]:
            read = self._read(path)
            yield Shelved(path=path, origin=origin, document=read.document, problem=read.problem)
        for path in files[_MOST_FILES : _MOST_FILES + 1]:
            problem = f"{path}: only the first {_MOST_FILES} files are read; join some of them"
            yield Shelved(path=path, origin=origin, problem=problem, is_read=False)

    def _complain(self, shelved: Shelved) -> None:
        """Say once what is wrong with a file."""
        with self._lock:
            is_new = self._told.get(shelved.path) != shelved.problem
            self._told[shelved.path] = shelved.problem
        if is_new and shelved.problem is not None:
            _log.warning("a workflow is left out: %s", shelved.problem)

    def _read(self, path: Path) -> _Read:
        stamp = _stamp(path)
        known = self._known.get(path)
        if known is None or known.stamp != stamp:
            known = self._known[path] = _reading(path, stamp)
        return known


def _distance(shelved: Shelved) -> int:
    return -list(Origin).index(shelved.origin)


def _files(folder: Path) -> list[Path]:
    """The lifecycle files of a folder; none where it cannot be read."""
    try:
        found = sorted(each for each in folder.iterdir() if each.suffix in (".yaml", ".yml"))
    except OSError:
        return []
    return [each for each in found if each.is_file()]


def _stamp(path: Path) -> tuple[int, ...]:
    """What differs after a change of a file."""
    try:
        seen = path.stat()
    except OSError:
        return ()
    return (seen.st_ino, seen.st_size, seen.st_mtime_ns)


def _reading(path: Path, stamp: tuple[int, ...]) -> _Read:
    try:
        return _Read(stamp, read_document(path), None)
    except ConfigError as error:
        return _Read(stamp, None, str(error))
