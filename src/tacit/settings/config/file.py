"""A configuration file that programs change: whole or not at all, and one after the other."""

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from filelock import FileLock, Timeout
from tomlkit.exceptions import TOMLKitError

from tacit.core.errors import ConfigChanged, ConfigError
from tacit.runtime.files import (
    config_folder,
    decode_text,
    make_private_folder,
    read_file,
    replace_file,
)
from tacit.runtime.trust import TrustRecord, resolve_folder
from tacit.settings.config.change import Change, Revert, apply
from tacit.settings.config.document import Document
from tacit.settings.config.edition import Edition
from tacit.settings.config.loading import FILE_NAME, validate

_log = logging.getLogger("tacit.config")

_MARK = "\ufeff"
_PATIENCE_SECONDS = 10


class ConfigFile:
    """A file that is read as text and written after the whole of it was found to be valid.

    Where there is none it reads as empty, and the first change makes it. Writers of all threads and
    processes wait for each other and change what the one before left. A project's file that the
    user had agreed to stays trusted, and one that is made here is.
    """

    def __init__(self, path: Path, trust: TrustRecord | None = None) -> None:
        self.path = path
        self._trust = trust or TrustRecord()

    def read(self) -> Edition:
        """The text as it is, valid or not."""
        return self._edition(self._bytes())

    def version(self) -> str:
        """The version of what is there, be it text or not."""
        return _version(self._bytes())

    def write(self, text: str, *, expected: str | None = None) -> Edition:
        """Replace the text; if a version is expected, only that one."""
        return self._replace(lambda _: text, expected)

    def change(self, changes: Iterable[Change | Revert], *, expected: str | None = None) -> Edition:
        """Set or remove single values; comments, order and formatting of all others stay."""
        wanted = tuple(changes)
        return self._replace(lambda old: self._changed(old, wanted), expected)

    def _changed(self, old: bytes, changes: Iterable[Change | Revert]) -> str:
        text = decode_text(self.path, old)
        Document.of(self.path, text)
        try:
            return apply(text, changes)
        except (LookupError, TypeError, ValueError, TOMLKitError) as error:
            validate(self.path, text)
            problem = "is written in a way that no program can change; edit it by hand"
            raise ConfigError(f"{self.path}: {problem}") from error

    def _replace(self, make: Callable[[bytes], str], expected: str | None) -> Edition:
        path = self.path.resolve()
        with self._alone(path):
            old = self._bytes()
            if expected is not None and expected != _version(old):
                problem = "was changed by someone else meanwhile; read it again"
                raise ConfigChanged(f"{self.path}: {problem}")
            text = make(old).removeprefix(_MARK)
            validate(self.path, text)
            new = self._encoded(_MARK + text if old.startswith(_MARK.encode()) else text)
            if new != old:
                self._keep_trust(old, new)
                _write(path, new)
            return self._edition(new)

    def _keep_trust(self, old: bytes, new: bytes) -> None:
        """Agree to a new content in the name of who agreed to the old one, before it is there."""
        is_of_user = resolve_folder(self.path) == resolve_folder(config_folder() / FILE_NAME)
        if self.path.name != FILE_NAME or is_of_user:
            return
        is_new = not old and not self.path.exists()
        if is_new or self._trust.has(self.path, _version(old)):
            try:
                self._trust.add(self.path, _version(new))
            except ConfigError as error:  # it is written all the same, and may need a yes
                _log.warning("%s", error)

    @contextmanager
    def _alone(self, path: Path) -> Iterator[None]:
        """Be the only writer; what the disk refuses is an error of the file."""
        try:
            make_private_folder(path.parent)
            with FileLock(path.with_name(f".{path.name}.lock"), timeout=_PATIENCE_SECONDS):
                yield
        except Timeout:
            raise ConfigError(f"{self.path}: others keep writing it; try again") from None
        except OSError as error:
            problem = f"cannot be written ({error.strerror}); check the folder and its permissions"
            raise ConfigError(f"{self.path}: {problem}") from error

    def _bytes(self) -> bytes:
        try:
            return read_file(self.path)
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise ConfigError(f"{self.path}: cannot be read ({error.strerror})") from error

    def _encoded(self, text: str) -> bytes:
        try:
            return text.encode()
        except UnicodeEncodeError as error:
            problem = "would have half a character; give whole ones"
            raise ConfigError(f"{self.path}: {problem}") from error

    def _edition(self, data: bytes) -> Edition:
        return Edition(text=decode_text(self.path, data), version=_version(data))


def _version(data: bytes) -> str:
    return sha256(data).hexdigest()


def _write(path: Path, data: bytes) -> None:
    """Replace the file by one of the same owner and mode; a new one gets what is usual."""
    path.touch()
    kept = path.stat()
    with replace_file(path) as file:
        file.write(data)
        os.fchmod(file.fileno(), kept.st_mode)
        with suppress(PermissionError):
            os.fchown(file.fileno(), kept.st_uid, kept.st_gid)
