"""The cues that a workspace adds to ours, in a file of its own."""

import tomllib
from functools import lru_cache
from pathlib import Path

from tacit.errors import ConfigError, InvalidInput
from tacit.strategy import DEFAULT, Cues, extended

FILE_NAME = "cues.toml"


def cues_of(folder: Path) -> Cues:
    """The cues for a workspace: ours, and those of the file in its folder if it has one."""
    path = folder / FILE_NAME
    try:
        seen = path.stat()
    except FileNotFoundError:
        return DEFAULT
    return _read(path, seen.st_mtime_ns, seen.st_size)


@lru_cache(maxsize=64)
def _read(path: Path, changed: int, size: int) -> Cues:  # noqa: ARG001
    """What the file says; while its time and its size stay, so does what it says."""
    try:
        return extended(DEFAULT, tomllib.loads(path.read_text("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, InvalidInput) as error:
        raise ConfigError(f"{path}: {error}") from error
