"""Consent to the files of projects: which content, at which path, the user has agreed to.

A folder that one works in may come from anyone. What Tacit finds there acts only after the user has
said yes to it. The yes is for one path and one content, by its SHA-256, so a changed file needs a
new one. A file is read once: the bytes that were hashed are the bytes that are used.
"""

import json
import logging
import os
import shlex
import stat
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Self

from filelock import FileLock, Timeout

from tacit.core.errors import ConfigError
from tacit.core.json_value import Example, JsonValue
from tacit.runtime.files import config_folder, make_private_folder, open_regular_file, replace_file

TRUST_FILE_NAME = "trusted.json"
NOT_TRUSTED = "you have not agreed to it"

MAX_PROJECT_FILE_BYTES = 64 * 1024
"""The largest file of a project; files that people write have a few thousand bytes."""

_VERSION = 1
_MAX_PER_PATH = 20
_MAX_FILES = 2_000
_PATIENCE_SECONDS = 10
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH

_log = logging.getLogger("tacit.trust")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileContent:
    """The content of a file, read once."""

    path: Path
    """Absolute, with its folder resolved; the last part may be a link."""
    data: bytes
    owner: int | None = None
    """The user id of its owner, on systems that have user ids."""

    @property
    def sha256(self) -> str:
        """The digest of the content."""
        return sha256(self.data).hexdigest()

    @property
    def is_foreign(self) -> bool:
        """Whether the file belongs to another user."""
        return self.owner is not None and self.owner not in (os.getuid(), 0)


def read_content(path: Path, largest: int = MAX_PROJECT_FILE_BYTES) -> FileContent:
    """Read a regular file; anything else, such as a pipe, is refused without waiting."""
    try:
        with open_regular_file(path) as file:
            found = os.fstat(file.fileno())
            data = file.read(largest + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(
            f"{to_printable_path(path)}: cannot be read ({reason}); name a file"
        ) from error
    if len(data) > largest:
        raise ConfigError(
            f"{to_printable_path(path)}: is larger than {largest:,} bytes; make it shorter"
        )
    owner = found.st_uid if hasattr(os, "getuid") else None
    return FileContent(path=resolve_folder(path), data=data, owner=owner)


def resolve_folder(path: Path) -> Path:
    """The path that consent is recorded for: the folder is resolved, the name is not."""
    return path.parent.resolve() / path.name


def to_printable_path(path: Path) -> str:
    """A path without characters that control a terminal."""
    text = os.fsencode(path).decode(errors="backslashreplace")
    return text if text.isprintable() else ascii(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class IgnoredSetting(JsonValue):
    """A file or setting of a project that has no effect, the reason, and the command that helps."""

    file: Annotated[str, Example("/home/ann/shop/tacit.toml")]
    reason: Annotated[str, Example("you have not agreed to it")]
    setting: Annotated[
        str | None,
        "The setting that is ignored; null for the whole file.",
        Example("writing.llm_base_url"),
    ] = None
    command: Annotated[
        str | None,
        "What to run on the server's machine.",
        Example("tacit trust /home/ann/shop/tacit.toml"),
    ] = None

    @classmethod
    def untrusted(cls, path: Path) -> Self:
        """A file that the user has not agreed to."""
        file = to_printable_path(path)
        is_plain = file == os.fspath(path)
        command = f"tacit trust {shlex.quote(file)}" if is_plain else "tacit trust"
        return cls(file=file, reason=NOT_TRUSTED, command=command)

    def __str__(self) -> str:
        """One line for a log or a terminal."""
        what = self.file if self.setting is None else f"{self.setting} in {self.file}"
        todo = "" if self.command is None else f"; to see what it does: {self.command}"
        return f"{what} is ignored: {self.reason}{todo}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustedFile:
    """A content that the user has agreed to at a path."""

    path: str
    sha256: str
    at: str


class TrustRecord:
    """The file that remembers what the user has agreed to; nobody else may write it."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or config_folder() / TRUST_FILE_NAME

    def is_trusted(self, content: FileContent) -> bool:
        """Whether the user has agreed to this content at this path."""
        return self.has(content.path, content.sha256)

    def has(self, path: Path, digest: str) -> bool:
        """Whether the user has agreed to the content with this digest."""
        wanted = (os.fspath(resolve_folder(path)), digest)
        return any((each.path, each.sha256) == wanted for each in self.files())

    def files(self) -> tuple[TrustedFile, ...]:
        """Everything that was agreed to; nothing if the record cannot be trusted."""
        return self._read()[0]

    def problem(self) -> str | None:
        """Why the record is not used, if it is not."""
        return self._read()[1]

    def add(self, path: Path, digest: str) -> None:
        """Remember that the user agrees to a content."""
        new = TrustedFile(
            path=os.fspath(resolve_folder(path)),
            sha256=digest,
            at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        )
        self._change(partial(_add_file, new))

    def revoke(self, path: Path) -> int:
        """Forget the consent to everything at a path or below it; returns how many entries."""
        gone: list[TrustedFile] = []
        self._change(partial(_remove_files, resolve_folder(path), gone))
        return len(gone)

    def _read(self) -> tuple[tuple[TrustedFile, ...], str | None]:
        try:
            with open_regular_file(self.path) as file:
                problem = _find_exposure(self.path, os.fstat(file.fileno()))
                return ((), problem) if problem else (_parse_record(file.read()), None)
        except FileNotFoundError:
            return (), None
        except OSError as error:
            return (), f"{to_printable_path(self.path)}: cannot be read ({error.strerror})"
        except (ValueError, TypeError, KeyError, RecursionError):
            return (), f"{to_printable_path(self.path)}: is damaged; remove it and agree again"

    def _change(self, make: Callable[[tuple[TrustedFile, ...]], list[TrustedFile]]) -> None:
        with self._alone():
            files = [asdict(each) for each in make(self.files())[-_MAX_FILES:]]
            text = json.dumps({"version": _VERSION, "files": files}, indent=2)
            with replace_file(self.path) as file:  # made for its owner alone
                file.write(f"{text}\n".encode())

    @contextmanager
    def _alone(self) -> Iterator[None]:
        try:
            make_private_folder(self.path.parent)
            lock = self.path.with_name(f".{self.path.name}.lock")
            with FileLock(lock, timeout=_PATIENCE_SECONDS, mode=0o600):
                yield
        except Timeout:
            raise ConfigError(f"{self.path}: others keep writing it; try again") from None
        except OSError as error:
            problem = f"cannot be written ({error.strerror}); check the folder and its permissions"
            raise ConfigError(f"{to_printable_path(self.path)}: {problem}") from error


def _add_file(new: TrustedFile, files: tuple[TrustedFile, ...]) -> list[TrustedFile]:
    """Add a file; for each path only the latest contents are kept."""
    others = [each for each in files if each.path != new.path]
    before = [each for each in files if each.path == new.path and each.sha256 != new.sha256]
    return [*others, *before[-_MAX_PER_PATH + 1 :], new]


def _remove_files(
    path: Path, gone: list[TrustedFile], files: tuple[TrustedFile, ...]
) -> list[TrustedFile]:
    gone += [each for each in files if Path(each.path).is_relative_to(path)]
    return [each for each in files if each not in gone]


def _find_exposure(path: Path, found: os.stat_result) -> str | None:
    """Why others may have written the record."""
    if not hasattr(os, "getuid"):
        return None
    if found.st_uid != os.geteuid():
        return f"{to_printable_path(path)}: belongs to somebody else, so nothing in it counts"
    if found.st_mode & _OTHERS_WRITE:
        return f"{to_printable_path(path)}: others can write it, so nothing in it counts"
    return None


def _parse_record(data: bytes) -> tuple[TrustedFile, ...]:
    listed = json.loads(data)["files"]
    return tuple(
        TrustedFile(path=str(each["path"]), sha256=str(each["sha256"]), at=str(each["at"]))
        for each in listed
    )


_warned: set[str] = set()
_warned_lock = threading.Lock()


def warn_once(messages: Iterable[object]) -> None:
    """Log each message as a warning, once in the life of the process."""
    for message in map(str, messages):
        with _warned_lock:
            is_new = message not in _warned
            _warned.add(message)
        if is_new:
            _log.warning("%s", message)
