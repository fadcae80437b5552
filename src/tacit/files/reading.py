"""Files that somebody else may have made, read without waiting: regular ones, up to a size.

A pipe in the place of a file would hold a reader up for ever, a device may never end, and a large
file fills the memory. Whoever reads a file of a folder that people work in reads it with these.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

MOST_BYTES = 16 * 1024 * 1024
"""So much of a file is read where nobody says less."""

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
    """The first bytes of a regular file."""
    with opened(path) as file:
        return file.read(most)


def read_whole(path: Path | str, most: int = MOST_BYTES) -> bytes:
    """All of a regular file; OSError for one that is larger."""
    data = read_start(path, most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"larger than {most:,} bytes", os.fspath(path))
    return data


def _refuse_other(found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, _OTHER)
