"""The file of the settings as callers have it: with a version, and in force once it is written."""

from collections.abc import Iterable
from pathlib import Path

from tacit.core.errors import ConfigChanged, ConfigError
from tacit.settings.config_file import Change, ConfigFile, FileVersion, Revert
from tacit.settings.live_config import LiveConfig
from tacit.settings.loader import validate_config

_ANY = "*"


class ServerSettingsFile:
    """The file in use; where there is none, the first write makes one.

    A writer may say which versions they have read (`if_match`); if the file is none of them,
    nothing is written.
    """

    def __init__(self, live: LiveConfig) -> None:
        self._live = live

    @property
    def path(self) -> Path:
        """Where it is, or would be made."""
        return self._live.writable_path()

    def version(self) -> str | None:
        """The version of what is there, valid or not; None where it cannot be read."""
        try:
            return ConfigFile(self.path).version()
        except ConfigError:
            return None

    def read(self) -> FileVersion:
        """The text as it is, valid or not."""
        return ConfigFile(self.path).read()

    def check(self, text: str) -> tuple[str | None, tuple[str, ...]]:
        """What would be wrong with another text, and what would be left out of it."""
        try:
            return None, validate_config(self.path, text).warnings
        except ConfigError as error:
            return str(error), ()

    def write(self, text: str, if_match: str | None) -> str:
        """Replace the text; gives the new version."""
        file = ConfigFile(self.path)
        return self._adopted(file.write(text, expected=_expected(file, if_match)))

    def change(self, changes: Iterable[Change | Revert], if_match: str | None) -> str:
        """Make all changes or none; gives the new version."""
        file = ConfigFile(self.path)
        return self._adopted(file.change(changes, expected=_expected(file, if_match)))

    def _adopted(self, edition: FileVersion) -> str:
        self._live.adopt_text(edition.text)
        return edition.version


def etag(version: str) -> str:
    """A version as headers have it."""
    return f'"{version}"'


def _expected(file: ConfigFile, if_match: str | None) -> str | None:
    """The version that must still be there when the file is written."""
    if if_match is None or if_match.strip() == _ANY:
        return None
    known = [tag.strip().strip('"') for tag in if_match.split(",")]
    version = file.version()
    if version not in known:
        raise ConfigChanged(f"{file.path}: is not what you had read; read it again")
    return version
