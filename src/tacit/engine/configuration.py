"""The configuration that programs of this user get."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tacit.config import FILE_NAME, Config, LiveConfig, find_config, load
from tacit.files.locations import config_folder


def configured(path: Path | str | None) -> Config:
    """The configuration that is named, or the one that is found, or the built-in one."""
    return load(_finder(path)(), os.environ)


def live_configuration(path: Path | str | None) -> LiveConfig:
    """The same at any time: the file is found anew where it was looked for at first."""
    return LiveConfig.open(_finder(path), os.environ, home=_home())


def writable_path() -> Path:
    """The file to write settings to: the one in use, else the user's own."""
    return _finder(None)() or _home()


def _home() -> Path:
    """The user's own file, there or not."""
    return config_folder() / FILE_NAME


def _finder(path: Path | str | None) -> Callable[[], Path | None]:
    """How to find the file from now on, whatever becomes of the current folder."""
    if path is not None:
        named = Path(path).absolute()
        return lambda: named
    return partial(find_config, dict(os.environ), Path.cwd(), config_folder())
