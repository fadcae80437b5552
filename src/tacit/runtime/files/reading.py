"""Files that somebody else may have made, read without waiting: regular ones, up to a size.

A pipe in the place of a file would hold a reader up for ever, a device may never end, and a large
file fills the memory. Whoever reads a file of a folder that people work in reads it with these.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO

MOST_BYTES = 16 * 1024 * 1024
"""So much of a file is read where nobody says less."""

MOST_ENTRIES = 1_000
"""So many entries of a folder and of those below it are looked at."""

_DEPTH = 5
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_OTHER = "not a regular file"


@contextmanager
def opened(path: Path | str) -> Iterator[BinaryIO]:
    """A regular file to read from; OSError, at once, for anything else."""
    _refuse_other(Path(path).stat())  # opening a device may do something
    with os.fdopen(os.open(path, os.O_RDONLY | _AT_ONCE), "rb") as file:
        _refuse_other(os.fstat(file.fileno()))
        yield file


def read_start(path: Path | str, most: int) -> bytes:
    """The first bytes of a regular file, as large as it was when it was opened."""
    with opened(path) as file:
        return file.read(min(most, os.fstat(file.fileno()).st_size))


def read_whole(path: Path | str, most: int = MOST_BYTES) -> bytes:
    """All of a regular file; OSError for one that is larger."""
    data = read_start(path, most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"larger than {most:,} bytes", os.fspath(path))
    return data


def listed(folder: Path, most: int = MOST_ENTRIES) -> list[Path]:
    """What lies in a folder, by name, as much as is looked at; OSError where it cannot be read."""
    with os.scandir(folder) as found:
        return sorted(Path(entry.path) for entry in islice(found, most))


def files_below(folder: Path, within: Path, ending: str) -> list[Path]:
    """The files in a folder and in those below it whose names end so, as many as are looked at.

    Links are followed only to what lies in the folder that all of it has to stay in.
    """
    found: list[Path] = []
    waiting, left = [(folder, _DEPTH)], MOST_ENTRIES
    seen: set[Path] = set()
    while waiting and left > 0:
        place, depth = waiting.pop()
        try:
            real = place.resolve()
            if real in seen or leads_out(place, within):
                continue
            seen.add(real)
            inside = listed(place, left)
        except (OSError, RuntimeError):
            continue
        left -= len(inside)
        found += [path for path in inside if path.name.endswith(ending)]
        if depth > 1:
            folders = [path for path in inside if not path.name.endswith(ending) and path.is_dir()]
            waiting += [(path, depth - 1) for path in reversed(folders)]
    return sorted(path for path in found if path.is_file() and not leads_out(path, within))


def leads_out(path: Path, within: Path) -> bool:
    """Whether a path ends outside of a folder."""
    try:
        return not path.resolve().is_relative_to(within.resolve())
    except (OSError, RuntimeError, ValueError):
        return True


def _refuse_other(found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, _OTHER)
