"""The configuration that programs of this user get."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tacit.runtime.files import config_folder
from tacit.runtime.trust import TrustRecord, warn_once
from tacit.settings.config import CONFIG_FILE_NAME, Config, ConfigPaths, find_config
from tacit.settings.live_config import LiveConfig
from tacit.settings.loader import load_config_files


def load_configuration(path: Path | str | None) -> Config:
    """Load the named configuration, else the one that is found, else the built-in one."""
    config = load_config_files(_config_finder(path)(), os.environ, TrustRecord())
    warn_once(config.ignored)
    return config


def live_configuration(path: Path | str | None, *, in_folder: bool = True) -> LiveConfig:
    """A configuration that follows its files, which are looked up again in the same places.

    A process that serves many projects looks in no folder (`in_folder=False`).
    """
    return LiveConfig.open(
        _config_finder(path, in_folder=in_folder), os.environ, home=_user_config_path()
    )


def writable_path() -> Path:
    """The file to write settings to: the one in TACIT_CONFIG, else the user's own."""
    return _config_finder(None)().own or _user_config_path()


def project_path() -> Path:
    """The settings file of the current folder, whether it exists or not."""
    return Path.cwd() / CONFIG_FILE_NAME


def _user_config_path() -> Path:
    """The user's own file, whether it exists or not."""
    return config_folder() / CONFIG_FILE_NAME


def _config_finder(path: Path | str | None, *, in_folder: bool = True) -> Callable[[], ConfigPaths]:
    """A function that finds the files, independent of later changes of the current folder."""
    if path is not None:
        named = ConfigPaths(own=Path(path).absolute())
        return lambda: named
    found = partial(find_config, dict(os.environ), Path.cwd(), config_folder())
    return partial(found, in_folder=in_folder)
