"""Where the files of workspaces are: beside the database, unless the settings name a folder."""

import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Set
from pathlib import Path

from tacit.conversation import Words
from tacit.files.locations import default_database
from tacit.grounding.places import Workspaces
from tacit.settings import GroundingSettings
from tacit.store import Store

NAME = "workspaces"


class Folders:
    """The folder of a store's workspaces; that of a store in memory ends with it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._scratch: Path | None = None

    def of(self, settings: GroundingSettings) -> Workspaces:
        """Where they are by these settings."""
        named = settings.workspaces_folder
        return Workspaces(Path(named).expanduser().absolute() if named else self._usual())

    def close(self) -> None:
        """Remove what was for this process only."""
        with self._lock:
            scratch, self._scratch = self._scratch, None
        if scratch is not None:
            shutil.rmtree(scratch, ignore_errors=True)

    def _usual(self) -> Path:
        told = self._store.describe()
        match told["backend"]:
            case "sqlite":
                return Path(str(told["path"])).absolute().parent / NAME
            case "memory":
                return self._made_scratch()
            case _:
                return _of_user()

    def _made_scratch(self) -> Path:
        with self._lock:
            if self._scratch is None:
                self._scratch = Path(tempfile.mkdtemp(prefix="tacit-"))
            return self._scratch


def dropped_from_files(folder: Path, words: Iterable[str]) -> tuple[int, tuple[str, ...]]:
    """How much of a workspace's files went because it held some words, and what is left of it."""

    def drop() -> int:
        from tacit.grounding.dropping import drop_holding

        return drop_holding(folder, Words.of(words))

    return _dropped(folder, drop)


def dropped_conversations(folder: Path, keys: Set[str]) -> tuple[int, tuple[str, ...]]:
    """How much of a workspace's files went because it was of these contexts, and what is left."""

    def drop() -> int:
        from tacit.grounding.dropping import drop_conversations

        return drop_conversations(folder, keys)

    return _dropped(folder, drop)


def _dropped(folder: Path, drop: Callable[[], int]) -> tuple[int, tuple[str, ...]]:
    if not folder.is_dir():
        return 0, ()
    try:
        return drop(), ()
    except OSError as error:
        return 0, (f"{folder} ({error.strerror})",)


def _of_user() -> Path:
    return default_database().parent / NAME
