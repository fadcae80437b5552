"""The cues that a workspace adds to ours, in a file of its own."""

import tomllib
from functools import lru_cache
from pathlib import Path

from tacit.errors import ConfigError, InvalidInput
from tacit.files.trust import Ignored, TrustRecord, read_content
from tacit.strategy import DEFAULT, Cues, extended

FILE_NAME = "cues.toml"


def cues_of(folder: Path, *, needs_consent: bool = False) -> Cues:
    """The cues for a workspace: ours, and those of the file in its folder if it has one."""
    path = folder / FILE_NAME
    try:
        seen = path.stat()
    except FileNotFoundError:
        return DEFAULT
    if not needs_consent:
        return _read(path, seen.st_mtime_ns, seen.st_size)
    content = read_content(path)
    if not TrustRecord().is_trusted(content):
        raise ConfigError(str(Ignored.untrusted(path)))
    return _parsed(path, content.data)


@lru_cache(maxsize=64)
def _read(path: Path, changed: int, size: int) -> Cues:  # noqa: ARG001
    """What the file says; while its time and its size stay, so does what it says."""
    return _parsed(path, path.read_bytes())


def _parsed(path: Path, data: bytes) -> Cues:
    try:
        return extended(DEFAULT, tomllib.loads(data.decode()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, InvalidInput) as error:
        raise ConfigError(f"{path}: {error}") from error
