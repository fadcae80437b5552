"""The file of the settings as callers have it: with a version, and in force once it is written."""

from collections.abc import Iterable
from pathlib import Path

from tacit.core.errors import ConfigChanged, ConfigError
from tacit.settings.config_file import Change, ConfigFile, FileVersion, Revert
from tacit.settings.live_config import LiveConfig
from tacit.settings.loader import validate_config

_ANY = "*"


class ServerSettingsFile:
    """The settings file of the server, created by the first write.

    A writer may say which versions they have read (`if_match`); if the file is none of them,
    nothing is written.
    """

    def __init__(self, live: LiveConfig) -> None:
        self._live = live

    @property
    def path(self) -> Path:
        """Its path, whether it exists or not."""
        return self._live.writable_path()

    def version(self) -> str | None:
        """The version of its text, valid or not; None if it cannot be read."""
        try:
            return ConfigFile(self.path).version()
        except ConfigError:
            return None

    def read(self) -> FileVersion:
        """Its text and version, valid or not."""
        return ConfigFile(self.path).read()

    def check(self, text: str) -> tuple[str | None, tuple[str, ...]]:
        """The problem with another text, if any, and its warnings."""
        try:
            return None, validate_config(self.path, text).warnings
        except ConfigError as error:
            return str(error), ()

    def write(self, text: str, if_match: str | None) -> str:
        """Replace the text; returns the new version."""
        file = ConfigFile(self.path)
        return self._adopt(file.write(text, expected=_expected_version(file, if_match)))

    def change(self, changes: Iterable[Change | Revert], if_match: str | None) -> str:
        """Make all changes or none; returns the new version."""
        file = ConfigFile(self.path)
        return self._adopt(file.change(changes, expected=_expected_version(file, if_match)))

    def _adopt(self, edition: FileVersion) -> str:
        self._live.adopt_text(edition.text)
        return edition.version


def etag(version: str) -> str:
    """A version as an ETag."""
    return f'"{version}"'


def _expected_version(file: ConfigFile, if_match: str | None) -> str | None:
    """The version that the file must still have when it is written."""
    if if_match is None or if_match.strip() == _ANY:
        return None
    known = [tag.strip().strip('"') for tag in if_match.split(",")]
    version = file.version()
    if version not in known:
        raise ConfigChanged(f"{file.path}: is not what you had read; read it again")
    return version
