"""Where Tacit keeps things when nobody says otherwise."""

import os
from pathlib import Path

import platformdirs

CACHE_VARIABLE = "TACIT_CACHE"
LOG_VARIABLE = "TACIT_LOG_FOLDER"


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
