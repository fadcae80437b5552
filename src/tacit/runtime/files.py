"""Files: where Tacit keeps them, safe reads of files that others made, atomic writes, and TOML.

A pipe in the place of a file would block a reader for ever, a device may never end, and a large
file fills the memory. So only regular files are read, up to a size, and without waiting.
"""

import errno
import os
import platform
import re
import stat
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, BinaryIO, cast
from urllib.parse import urlsplit
from uuid import uuid4

import platformdirs

from tacit.core.errors import ConfigError

# Default locations.


CACHE_VARIABLE = "TACIT_CACHE"
LOG_VARIABLE = "TACIT_LOG_FOLDER"
MACHINE_VARIABLE = "TACIT_MACHINE"


def default_database_path() -> Path:
    """The database of this user, which every program shares that names no other."""
    return Path(platformdirs.user_data_path("tacit", appauthor=False)) / "memory.db"


def database_identity(location: str) -> str:
    """A database by where it is, not by who opens it: the path of a file, or a server's address."""
    if "://" not in location:
        return os.path.realpath(Path(location).expanduser())
    url = urlsplit(location)
    return f"{url.hostname}:{url.port or 5432}{url.path}"


def config_folder() -> Path:
    """The folder of the user's own tacit.toml."""
    return Path(platformdirs.user_config_path("tacit", appauthor=False))


def cache_folder() -> Path:
    """The folder of what can be fetched or built again; TACIT_CACHE names another."""
    named = os.environ.get(CACHE_VARIABLE)
    return Path(named) if named else Path(platformdirs.user_cache_path("tacit", appauthor=False))


def default_log_path() -> Path:
    """The log file of background processes; TACIT_LOG_FOLDER names another folder."""
    named = os.environ.get(LOG_VARIABLE)
    folder = Path(named) if named else platformdirs.user_log_path("tacit", appauthor=False)
    return Path(folder) / "daemon.log"


def machine_name() -> str:
    """The name of this machine among those that share a database; TACIT_MACHINE sets it.

    Host names change with the network, so the first one is kept, with a random end.
    """
    named = os.environ.get(MACHINE_VARIABLE)
    return named if named else _stored_machine_name(default_database_path().parent / "machine")


def _stored_machine_name(path: Path) -> str:
    host = platform.node() or "host"
    with suppress(OSError):
        make_private_folder(path.parent)
        with suppress(FileExistsError):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            os.write(file, f"{host}-{uuid4().hex[:8]}".encode())
            os.close(file)
        return path.read_text(encoding="utf-8").strip() or host
    return host


# Reads of files that somebody else may have made.


MAX_FILE_BYTES = 16 * 1024 * 1024
"""How much of a file is read unless the caller sets a lower limit."""

MAX_FOLDER_ENTRIES = 1_000
"""How many entries of a folder and its subfolders are looked at."""

_MAX_FOLDER_DEPTH = 5
_NO_WAIT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_OTHER = "not a regular file"


@contextmanager
def open_regular_file(path: Path | str) -> Iterator[BinaryIO]:
    """Open a regular file for reading; anything else raises OSError without waiting."""
    _reject_irregular(Path(path).stat())  # opening a device may do something
    with os.fdopen(os.open(path, os.O_RDONLY | _NO_WAIT), "rb") as file:
        _reject_irregular(os.fstat(file.fileno()))
        yield file


def read_start(path: Path | str, most: int) -> bytes:
    """The first bytes of a regular file, up to its size when it was opened."""
    with open_regular_file(path) as file:
        return file.read(min(most, os.fstat(file.fileno()).st_size))


def read_file(path: Path | str, most: int = MAX_FILE_BYTES) -> bytes:
    """The content of a regular file; OSError if it is larger than `most`."""
    data = read_start(path, most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"larger than {most:,} bytes", os.fspath(path))
    return data


def list_folder(folder: Path, most: int = MAX_FOLDER_ENTRIES) -> list[Path]:
    """The entries of a folder, sorted, at most `most`; OSError if it cannot be read."""
    with os.scandir(folder) as found:
        return sorted(Path(entry.path) for entry in islice(found, most))


def find_files(folder: Path, within: Path, ending: str) -> list[Path]:
    """The files in a folder and its subfolders whose names have this ending, up to a limit.

    Links are followed only to what lies in the folder that all of it has to stay in.
    """
    found: list[Path] = []
    waiting, left = [(folder, _MAX_FOLDER_DEPTH)], MAX_FOLDER_ENTRIES
    seen: set[Path] = set()
    while waiting and left > 0:
        place, depth = waiting.pop()
        try:
            real = place.resolve()
            if real in seen or is_outside(place, within):
                continue
            seen.add(real)
            inside = list_folder(place, left)
        except (OSError, RuntimeError):
            continue
        left -= len(inside)
        found += [path for path in inside if path.name.endswith(ending)]
        if depth > 1:
            folders = [path for path in inside if not path.name.endswith(ending) and path.is_dir()]
            waiting += [(path, depth - 1) for path in reversed(folders)]
    return sorted(path for path in found if path.is_file() and not is_outside(path, within))


def is_outside(path: Path, within: Path) -> bool:
    """Whether a path leads outside of a folder."""
    try:
        return not path.resolve().is_relative_to(within.resolve())
    except (OSError, RuntimeError, ValueError):
        return True


def _reject_irregular(found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, _OTHER)


# Writes.


@contextmanager
def replace_file(path: Path) -> Iterator[BinaryIO]:
    """Write to a temporary file beside the target and rename it when the block ends well."""
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        unfinished = Path(file.name)
        try:
            yield cast(BinaryIO, file)
            file.flush()
            os.fsync(file.fileno())
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise


_OWNER_ONLY = 0o700


def make_private_folder(path: Path) -> None:
    """Create a folder and its missing parents, readable by their owner only."""
    if not path.is_dir():
        make_private_folder(path.parent)
        path.mkdir(mode=_OWNER_ONLY, exist_ok=True)


# TOML: parsing a key takes the square of the number of its parts, and walking over values recurses
# for each level, so both are limited. Files that people write have few of either.


_MAX_LINE = 10_000
_MAX_DEPTH = 32
"""The most parts of a key, and the most levels of a value."""

_NAME = r"""(?:(?<![\w-])[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_DEEP_KEY = re.compile(rf"(?:{_NAME}[ \t]*+\.[ \t]*+){{{_MAX_DEPTH},}}+")
_POSITION = re.compile(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")


def parse_toml(path: Path, text: str) -> dict[str, Any]:
    """Parse the text of a file; ConfigError if it is not valid."""
    _reject_long_lines(path, text)
    _reject_deep_keys(path, text)
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(_describe_syntax_error(path, text, error)) from error
    if _is_deep(content):
        raise ConfigError(f"{path}: is nested too deeply; make it flatter")
    return content


def decode_text(path: Path, data: bytes) -> str:
    """The content of a file as text, without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not UTF-8 text; save it as UTF-8") from error


def _reject_long_lines(path: Path, text: str) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > _MAX_LINE:
            limit = f"longer than {_MAX_LINE:,} characters"
            raise ConfigError(f"{path}, line {number}: is {limit}; write it on several lines")


def _reject_deep_keys(path: Path, text: str) -> None:
    if found := _DEEP_KEY.search(text):
        line = text.count("\n", 0, found.start()) + 1
        problem = f"has a key of more than {_MAX_DEPTH} parts; make it flatter"
        raise ConfigError(f"{path}, line {line}: {problem}")


def _is_deep(content: Any) -> bool:
    """Whether a value is nested too deeply; checked without recursion."""
    level: list[Any] = [content]
    for _ in range(2 * _MAX_DEPTH):  # a header and a key below it
        inside = [each.values() if isinstance(each, dict) else each for each in level]
        level = [part for each in inside for part in each if isinstance(part, dict | list)]
        if not level:
            return False
    return True


def _describe_syntax_error(path: Path, text: str, error: Exception) -> str:
    reason = str(error)
    found = _POSITION.search(reason)
    if found is None:
        return f"{path}: is not valid TOML: {reason}"
    line = found["line"] or len(text.splitlines())
    column = f" (column {found['column']})" if found["column"] else " (at the end of the file)"
    return f"{path}, line {line}: is not valid TOML: {reason[: found.start()]}{column}"
