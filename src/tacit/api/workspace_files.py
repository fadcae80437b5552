"""Where the files of workspaces are: beside the database, unless the settings name a folder.

They are in a folder that has the database's own name, so that two databases in one folder never
see each other's. One that is called `workspaces` is from former versions, and a file in it says
whose it is: that of the first database which uses it.
"""

import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Set
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from weakref import finalize

from tacit.grounding.file_layout import (
    FILES_ENDING,
    FILES_OWNER,
    FORMER_FILES_FOLDER,
    WorkspaceRoot,
)
from tacit.language.terms import WordMatcher
from tacit.runtime.files import default_database_path, read_start
from tacit.settings.grounding import GroundingSettings
from tacit.store.protocols.store import Store

_LONGEST = 5_000


@dataclass(frozen=True, slots=True)
class FilesLocation:
    """The default location of a database's files, under a name that is unique in its folder."""

    parent: Path
    name: str

    @property
    def own(self) -> Path:
        """The folder with the database's own name."""
        return self.parent / f"{self.name}{FILES_ENDING}"

    @property
    def former(self) -> Path:
        """The folder that all databases here shared in earlier versions."""
        return self.parent / FORMER_FILES_FOLDER

    def find(self) -> Path:
        """The folder to use; an unowned folder of an earlier version becomes this database's."""
        if not self.former.is_dir():
            return self.own
        owner = read_files_owner(self.former)
        if owner is None and not self.own.is_dir():
            owner = _claim(self.former, self.name)
        return self.former if owner == self.name else self.own

    def workspaces(self) -> WorkspaceRoot:
        """The workspaces there; inside a repository they may have come with a clone."""
        return WorkspaceRoot(self.find(), needs_consent=needs_consent(self.parent))


_REPOSITORY_MARKS = (".git", ".hg", ".svn", ".jj", ".bzr", "_darcs")


def needs_consent(folder: Path) -> bool:
    """Whether files beside a database may come from strangers.

    They may if the folder is in a repository, by its own path or by where its links lead, or if it
    belongs to another user of the machine.
    """
    place = folder.absolute()
    if place == default_database_path().parent:
        return False
    try:
        target = place.resolve()
        around = {place, *place.parents, target, *target.parents}
        if any((each / mark).exists() for each in around for mark in _REPOSITORY_MARKS):
            return True
        return target.exists() and _is_of_another_user(target)
    except (OSError, RuntimeError):
        return True


def _is_of_another_user(folder: Path) -> bool:
    return hasattr(os, "getuid") and folder.stat().st_uid not in (os.getuid(), 0)


def files_beside(database: Path) -> FilesLocation:
    """The location of the files of a database file."""
    return FilesLocation(database.parent, database.name)


def files_of_server(identity: str) -> FilesLocation:
    """The location on this machine of the files of a database on a server."""
    return FilesLocation(default_database_path().parent, f"postgresql-{identity}")


def read_files_owner(folder: Path) -> str | None:
    """The name of the database that owns a folder, if any."""
    try:
        return read_start(folder / FILES_OWNER, _LONGEST).decode()
    except FileNotFoundError:
        return None


def _claim(folder: Path, name: str) -> str:
    """Record the owner of a folder, unless another process was faster; returns the owner."""
    try:
        with tempfile.TemporaryDirectory(dir=folder, prefix=f"{FILES_OWNER}-") as made:
            written = Path(made) / FILES_OWNER
            written.write_text(name, encoding="utf-8")
            with suppress(FileExistsError):
                os.link(written, folder / FILES_OWNER)  # whole, and only if there is none
    except OSError:  # who cannot write there cannot have it
        return ""
    return read_files_owner(folder) or ""


class WorkspaceFolders:
    """The folders of a store's workspaces; an in-memory store has a temporary one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._scratch: Path | None = None
        self._remove_scratch: Callable[[], object] = lambda: None
        self._place: FilesLocation | None = None

    def locate(self, settings: GroundingSettings) -> WorkspaceRoot:
        """Where the workspaces are with these settings."""
        named = settings.workspaces_folder
        if named:
            return WorkspaceRoot(Path(named).expanduser().absolute())
        place = self._default_location()
        return WorkspaceRoot(self._scratch_folder()) if place is None else place.workspaces()

    def close(self) -> None:
        """Remove the temporary folder."""
        with self._lock:
            self._scratch = None
            self._remove_scratch()

    def _default_location(self) -> FilesLocation | None:
        """The default location; None for an in-memory store."""
        if self._place is None:
            described = self._store.describe()
            match described["backend"]:
                case "sqlite":
                    self._place = files_beside(Path(str(described["path"])).absolute())
                case "postgres":
                    self._place = files_of_server(str(described["identity"]))
        return self._place

    def _scratch_folder(self) -> Path:
        with self._lock:
            if self._scratch is None:
                made = tempfile.mkdtemp(prefix="tacit-")
                # which the end of the process removes too
                self._remove_scratch = finalize(self, shutil.rmtree, made, ignore_errors=True)
                self._scratch = Path(made)
            return self._scratch


def drop_words_from_files(
    folder: Path, words: Iterable[str], is_meant: Callable[[str | None], bool]
) -> tuple[int, tuple[str, ...]]:
    """Drop entries that contain some words from a workspace's files; returns count and leftovers.

    `is_meant` is asked for the key of each context.
    """

    def drop() -> int:
        from tacit.grounding.log_erasure import erase_matching_entries

        return erase_matching_entries(folder, WordMatcher.of(words), is_meant)

    return _run_drop(folder, drop)


def drop_conversation_files(
    folder: Path, keys: Set[str], is_meant: Callable[[str | None], bool]
) -> tuple[int, tuple[str, ...]]:
    """Drop the files of some contexts of a workspace; returns count and leftovers."""

    def drop() -> int:
        from tacit.grounding.log_erasure import erase_conversations

        return erase_conversations(folder, keys, is_meant)

    return _run_drop(folder, drop)


def _run_drop(folder: Path, drop: Callable[[], int]) -> tuple[int, tuple[str, ...]]:
    if not folder.is_dir():
        return 0, ()
    try:
        return drop(), ()
    except OSError as error:
        return 0, (f"{folder} ({error.strerror})",)
