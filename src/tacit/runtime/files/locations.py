"""Where Tacit keeps things when nobody says otherwise."""

import os
import platform
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import platformdirs

from tacit.runtime.files.folders import own_folder

CACHE_VARIABLE = "TACIT_CACHE"
LOG_VARIABLE = "TACIT_LOG_FOLDER"
MACHINE_VARIABLE = "TACIT_MACHINE"


def default_database() -> Path:
    """The one store of this user, shared by every program that uses Tacit without a path."""
    return Path(platformdirs.user_data_path("tacit", appauthor=False)) / "memory.db"


def config_folder() -> Path:
    """Where the user's own tacit.toml is."""
    return Path(platformdirs.user_config_path("tacit", appauthor=False))


def cache_folder() -> Path:
    """What can be made again: the model, benchmarks; TACIT_CACHE names another place."""
    named = os.environ.get(CACHE_VARIABLE)
    return Path(named) if named else Path(platformdirs.user_cache_path("tacit", appauthor=False))


def log_file() -> Path:
    """The log of what runs unseen; TACIT_LOG_FOLDER names another folder."""
    named = os.environ.get(LOG_VARIABLE)
    folder = Path(named) if named else platformdirs.user_log_path("tacit", appauthor=False)
    return Path(folder) / "daemon.log"


def machine() -> str:
    """What tells this machine from others that share a database; TACIT_MACHINE names it.

    Host names change with the network, so the first one is kept, with a random end.
    """
    named = os.environ.get(MACHINE_VARIABLE)
    return named if named else _kept_machine(default_database().parent / "machine")


def _kept_machine(path: Path) -> str:
    host = platform.node() or "host"
    with suppress(OSError):
        own_folder(path.parent)
        with suppress(FileExistsError):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            os.write(file, f"{host}-{uuid4().hex[:8]}".encode())
            os.close(file)
        return path.read_text(encoding="utf-8").strip() or host
    return host
