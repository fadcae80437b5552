"""A database file: what keeps it from being made, and who else can open it."""

import os
import shlex
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from tacit.cli.doctor.finding import Finding, doubtful, wrong

_OTHERS_READ = stat.S_IRGRP | stat.S_IROTH
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def obstacles(path: Path) -> Iterator[Finding]:
    """What would prevent a database from being made."""
    folder = standing(path.parent)
    if not folder.is_dir():
        yield wrong(
            "database",
            f"{path}: cannot be made, since {folder} is a file",
            "name another place with --db",
        )
    elif not os.access(folder, os.W_OK | os.X_OK):
        yield wrong(
            "database",
            f"{path}: cannot be made, since {folder} is not writable for you",
            f"run chmod u+wx {_quoted([folder])} as its owner, or name another place with --db",
        )


def rights(path: Path) -> Iterator[Finding]:
    """Whether others can read the memories, or put something else in their place."""
    if os.name != "posix":
        return
    open_files = [each for each in _companions(path) if _allows(each, _OTHERS_READ | _OTHERS_WRITE)]
    if open_files:
        names = ", ".join(each.name for each in open_files)
        yield doubtful(
            "rights", f"others can open {names}", f"run: chmod go= {_quoted(open_files)}"
        )
    folder = path.parent
    is_sticky = _allows(folder, stat.S_ISVTX)
    if _allows(folder, _OTHERS_WRITE) and not is_sticky:
        yield doubtful(
            "rights",
            f"others can replace what is in {folder}",
            f"run: chmod go-w {_quoted([folder])}",
        )


def _companions(path: Path) -> list[Path]:
    """The database, its log, and the copies from migrations."""
    logs = [path.with_name(path.name + ending) for ending in ("-wal", "-shm")]
    copies = sorted(each for each in path.parent.iterdir() if _is_copy(path, each))
    return [each for each in (path, *logs, *copies) if each.exists()]


def _is_copy(path: Path, other: Path) -> bool:
    return other.name.startswith(f"{path.name}.v") and other.suffix == ".bak"


def _allows(path: Path, bits: int) -> bool:
    return bool(path.stat().st_mode & bits)


def standing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    return next(each for each in (folder, *folder.parents) if each.exists())


def _quoted(paths: Iterable[Path]) -> str:
    return shlex.join(str(path) for path in paths)
