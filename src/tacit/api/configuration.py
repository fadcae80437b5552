"""The configuration that programs of this user get."""

import os
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

from tacit.runtime.files import config_folder, database_identity
from tacit.runtime.trust import TrustRecord, warn_once
from tacit.settings.config import CONFIG_FILE_NAME, Config, ConfigPaths, find_config
from tacit.settings.live_config import LiveConfig
from tacit.settings.loader import load_config_files
from tacit.store.location import IN_MEMORY


def load_configuration(path: Path | str | None, *, database: Path | str | None = None) -> Config:
    """Load the named configuration, else the one that is found, else the built-in one.

    A database may have settings of its own; without a name only the user's are read.
    """
    config = load_config_files(_config_finder(path, database=database)(), os.environ, TrustRecord())
    warn_once(config.ignored)
    return config


def live_configuration(
    path: Path | str | None, *, in_folder: bool = True, database: Path | str | None = None
) -> LiveConfig:
    """A configuration that follows its files, which are looked up again in the same places.

    A process that serves many projects looks in no folder (`in_folder=False`). With a `database`
    its own settings count too, and what is written goes to them.
    """
    find = _config_finder(path, in_folder=in_folder, database=database)
    return LiveConfig.open(find, os.environ)


def find_config_files(database: Path | str | None) -> ConfigPaths:
    """The files that programs read which open a database, and the one that they write."""
    return _config_finder(None, database=database)()


def writable_path(database: Path | str | None = None) -> Path:
    """The file to write settings to: the database's, the one in TACIT_CONFIG, or the user's own."""
    found = find_config_files(database)
    return found.home or config_folder() / CONFIG_FILE_NAME


def project_path() -> Path:
    """The settings file of the current folder, whether it exists or not."""
    return Path.cwd() / CONFIG_FILE_NAME


def _config_finder(
    path: Path | str | None, *, in_folder: bool = True, database: Path | str | None = None
) -> Callable[[], ConfigPaths]:
    """A function that finds the files, independent of later changes of the current folder."""
    if path is not None:
        named = ConfigPaths(own=Path(path).absolute())
        return lambda: named
    user_folder = config_folder()
    name = None if database is None else _database_file_name(str(database).strip())
    find = partial(find_config, dict(os.environ), Path.cwd(), user_folder)

    def find_all() -> ConfigPaths:
        found = find(in_folder=in_folder, database=name)
        written = found.home or found.own or user_folder / CONFIG_FILE_NAME
        return replace(found, home=written)

    return find_all


_ODD = re.compile(r"[^A-Za-z0-9_-]+")
_KEPT_CHARACTERS = 40


def _database_file_name(location: str) -> str | None:
    """The name of a database's settings file: readable, and another for each database.

    A database in memory has none, nor has what is no location.
    """
    if location in ("", IN_MEMORY):
        return None
    try:
        identity = database_identity(location)
    except ValueError:
        return None
    digest = sha256(identity.encode(errors="surrogateescape")).hexdigest()[:12]
    stem = _ODD.sub("-", Path(identity).stem)[:_KEPT_CHARACTERS].strip("-") or "database"
    return f"{stem}-{digest}.toml"
