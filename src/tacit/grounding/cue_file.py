"""The cues that a workspace adds to ours, in a file of its own."""

from functools import lru_cache
from pathlib import Path

from tacit.core.errors import ConfigError, InvalidInput
from tacit.language.strategy import DEFAULT_CUES, StrategyCues, extend_cues
from tacit.runtime.files import decode_text, parse_toml
from tacit.runtime.trust import FileContent, IgnoredSetting, TrustRecord, read_content

FILE_NAME = "cues.toml"

_LARGEST_OWN = 1_000_000


def cues_of(folder: Path, *, needs_consent: bool = False) -> StrategyCues:
    """The cues for a workspace: ours, and those of the file in its folder if it has one."""
    path = folder / FILE_NAME
    try:
        seen = path.stat()
    except FileNotFoundError:
        return DEFAULT_CUES
    if not needs_consent:
        return _read(path, seen.st_mtime_ns, seen.st_size)
    content = read_content(path)
    if not TrustRecord().is_trusted(content):
        raise ConfigError(str(IgnoredSetting.untrusted(path)))
    return cues_in(content)


@lru_cache(maxsize=64)
def _read(path: Path, changed: int, size: int) -> StrategyCues:  # noqa: ARG001
    """What the file says; while its time and its size stay, so does what it says."""
    return cues_in(read_content(path, _LARGEST_OWN))


def cues_in(content: FileContent) -> StrategyCues:
    """Our cues, and those in the content of a file; ConfigError where they cannot be read."""
    path = content.path
    try:
        return extend_cues(DEFAULT_CUES, parse_toml(path, decode_text(path, content.data)))
    except InvalidInput as error:
        raise ConfigError(f"{path}: {error}") from error
