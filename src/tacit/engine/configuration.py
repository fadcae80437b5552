"""The configuration that programs of this user get."""

import os
from pathlib import Path

from tacit.config import Config, find_config, load
from tacit.files.locations import config_folder


def configured(path: Path | str | None) -> Config:
    """The configuration that is named, or the one that is found, or the built-in one."""
    named = Path(path) if path is not None else None
    found = named or find_config(os.environ, Path.cwd(), config_folder())
    return load(found, os.environ)
