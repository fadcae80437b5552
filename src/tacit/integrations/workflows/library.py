"""Finds lifecycle files, bundled, the user's and the project's, and decides which of them run."""

import logging
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tacit.core.errors import ConfigError
from tacit.integrations.workflows.action import FileOrigin
from tacit.integrations.workflows.lifecycle_file import (
    LifecycleFile,
    decode_lifecycle,
    load_lifecycle,
    read_lifecycle,
)
from tacit.runtime.files import config_folder, list_folder
from tacit.runtime.trust import (
    IgnoredSetting,
    TrustRecord,
    resolve_folder,
    to_printable_path,
    warn_once,
)

_FOLDER = Path("workflows", "lifecycle")
_MOST_FILES = 20
_BUNDLED = Path(__file__).parent / "lifecycle"

_log = logging.getLogger("tacit.workflows")


@dataclass(frozen=True, slots=True, kw_only=True)
class Workflow:
    """A lifecycle file that runs, and whose it is."""

    document: LifecycleFile
    origin: FileOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedWorkflow:
    """A lifecycle file that was found: its content or its problem, and what shadows it."""

    path: Path
    origin: FileOrigin
    document: LifecycleFile | None = None
    problem: str | None = None
    is_read: bool = True
    """False for a file beyond the limit of its folder."""
    is_trusted: bool = True
    """False for a project's file that the user has not agreed to; it is not parsed."""
    shadowed_by: Path | None = None

    @property
    def is_active(self) -> bool:
        """Whether its steps run."""
        is_whole = self.document is not None and self.document.is_enabled
        return is_whole and self.shadowed_by is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifecycle:
    """The workflows that run, in order, and the files that are ignored."""

    workflows: tuple[Workflow, ...] = ()
    ignored: tuple[IgnoredSetting, ...] = ()


@dataclass(frozen=True, slots=True)
class _ReadFile:
    """A file as it was last read; it is parsed when needed."""

    stamp: tuple[int, ...]
    text: str
    digest: str
    problem: str | None


class WorkflowLibrary:
    """Finds lifecycle files, and reads each again only when it has changed.

    Of files with the same name the user's replaces the bundled one. A file that cannot be read is
    skipped with a warning and the bundled one runs, so that a typo does not switch memory off. A
    project's files run after these, never replace one, and run only with content that the user has
    agreed to.
    """

    def __init__(self, home: Path | None = None, trust: TrustRecord | None = None) -> None:
        self._home = home
        self._trust = trust
        self._known: dict[Path, _ReadFile] = {}
        self._parsed: dict[tuple[Path, str], tuple[LifecycleFile | None, str | None]] = {}
        self._warned: dict[Path, str | None] = {}
        self._lock = threading.Lock()

    def lifecycle(self, folder: Path | None = None) -> Lifecycle:
        """The workflows that run in a project, named by its root, or outside of any."""
        listed = self.list_workflows(folder)
        for each in listed:
            self._warn(each)
        ignored = tuple(
            IgnoredSetting.untrusted(each.path) for each in listed if not each.is_trusted
        )
        if folder is not None and ignored:
            warn_once([_ignored_warning(folder, len(ignored))])
        return Lifecycle(
            workflows=tuple(
                Workflow(document=each.document, origin=each.origin)
                for each in listed
                if each.is_active and each.document is not None
            ),
            ignored=ignored,
        )

    def list_workflows(self, folder: Path | None = None) -> Sequence[ListedWorkflow]:
        """Every file that was found, ordered by name and precedence; a project's come last."""
        found = sorted(self._find_all(folder), key=_listing_order)
        nearest: dict[tuple[bool, str], Path] = {}
        listed = []
        for each in found:
            name = (each.origin.is_project, each.path.stem)
            listed.append(replace(each, shadowed_by=nearest.get(name)))
            if each.document is not None:
                nearest.setdefault(name, each.path)
        return listed

    def user_folder(self) -> Path:
        """Where the user's own files are."""
        return (self._home or config_folder()) / _FOLDER

    def _find_all(self, folder: Path | None) -> Iterator[ListedWorkflow]:
        yield from self._find_in(_BUNDLED, FileOrigin.BUNDLED)
        yield from self._find_in(self.user_folder(), FileOrigin.USER)
        if folder is not None:
            yield from self._find_in(project_lifecycle_folder(folder), FileOrigin.PROJECT)

    def _find_in(self, folder: Path, origin: FileOrigin) -> Iterator[ListedWorkflow]:
        files = lifecycle_files(folder)
        trusted = self._trusted_digests() if files and origin.is_project else None
        for path in files[:_MOST_FILES]:
            read = self._read(path)
            if (
                trusted is not None
                and (os.fspath(resolve_folder(path)), read.digest) not in trusted
            ):
                yield ListedWorkflow(path=path, origin=origin, is_trusted=False)
                continue
            document, problem = self._load(path, read)
            yield ListedWorkflow(path=path, origin=origin, document=document, problem=problem)
        for path in files[_MOST_FILES : _MOST_FILES + 1]:
            problem = f"{path}: only the first {_MOST_FILES} files are read; join some of them"
            yield ListedWorkflow(path=path, origin=origin, problem=problem, is_read=False)

    def _trusted_digests(self) -> set[tuple[str, str]]:
        record = self._trust or TrustRecord()
        return {(each.path, each.sha256) for each in record.files()}

    def _warn(self, listed: ListedWorkflow) -> None:
        """Log the problem of a file once."""
        with self._lock:
            is_new = self._warned.get(listed.path) != listed.problem
            self._warned[listed.path] = listed.problem
        if is_new and listed.problem is not None:
            _log.warning("a workflow is left out: %s", listed.problem)

    def _read(self, path: Path) -> _ReadFile:
        stamp = _file_stamp(path)
        known = self._known.get(path)
        if known is None or known.stamp != stamp:
            known = self._known[path] = _read_once(path, stamp)
        return known

    def _load(self, path: Path, read: _ReadFile) -> tuple[LifecycleFile | None, str | None]:
        """Parse a file, or return its problem; the text is the one that was hashed."""
        if read.problem is not None:
            return None, read.problem
        known = self._parsed.get((path, read.digest))
        if known is None:
            self._parsed = {key: kept for key, kept in self._parsed.items() if key[0] != path}
            known = self._parsed[path, read.digest] = _try_load(path, read.text)
        return known


def project_lifecycle_folder(root: Path) -> Path:
    """Where the lifecycle files of a project are."""
    return root / ".tacit" / _FOLDER


def lifecycle_files(folder: Path) -> list[Path]:
    """The lifecycle files of a folder; none where it cannot be read."""
    try:
        found = [each for each in list_folder(folder) if each.suffix in (".yaml", ".yml")]
        return [each for each in found if each.is_file()]
    except OSError:
        return []


def _listing_order(listed: ListedWorkflow) -> tuple[bool, str, int]:
    distance = -list(FileOrigin).index(listed.origin)
    return listed.origin.is_project, listed.path.stem, distance


def _ignored_warning(root: Path, number: int) -> str:
    files = "1 workflow" if number == 1 else f"{number} workflows"
    told = IgnoredSetting.untrusted(root)
    return (
        f"{files} of {to_printable_path(root)} ignored: not agreed to; to see more: {told.command}"
    )


def _file_stamp(path: Path) -> tuple[int, ...]:
    """A stamp that changes with the file."""
    try:
        seen = path.stat()
    except OSError:
        return ()
    return (seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)


def _read_once(path: Path, stamp: tuple[int, ...]) -> _ReadFile:
    try:
        content = read_lifecycle(path)
        return _ReadFile(stamp, decode_lifecycle(content), content.sha256, None)
    except ConfigError as error:
        return _ReadFile(stamp, "", "", str(error))


def _try_load(path: Path, text: str) -> tuple[LifecycleFile | None, str | None]:
    try:
        return load_lifecycle(path, text), None
    except ConfigError as error:
        return None, str(error)
