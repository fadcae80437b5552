"""Checks of the database: where it is, whether it opens and is intact, rights and free space."""

import os
import shlex
import shutil
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from tacit.cli.doctor.configuration import load_settings
from tacit.cli.doctor.findings import (
    DoctorFinding,
    Installation,
    error_finding,
    ok_finding,
    warning_finding,
)
from tacit.cli.doctor.store_access import (
    StoreState,
    open_file_unchanged,
    open_store_unchanged,
    store_place,
    store_state,
)
from tacit.store.backends import store_exists
from tacit.store.location import IN_MEMORY, is_url

# Rights of a database file


_OTHERS_READ = stat.S_IRGRP | stat.S_IROTH
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def find_obstacles(path: Path) -> Iterator[DoctorFinding]:
    """What would prevent the creation of the database."""
    folder = existing_parent(path.parent)
    if not folder.is_dir():
        yield error_finding(
            "database",
            f"{path}: cannot be made, since {folder} is a file",
            "name another place with --db",
        )
    elif not os.access(folder, os.W_OK | os.X_OK):
        yield error_finding(
            "database",
            f"{path}: cannot be made, since {folder} is not writable for you",
            f"run chmod u+wx {_quote_paths([folder])} as its owner,"
            " or name another place with --db",
        )


def check_rights(path: Path) -> Iterator[DoctorFinding]:
    """Whether others can read the memories, or put something else in their place."""
    if os.name != "posix":
        return
    open_files = [
        each for each in _companions(path) if _has_rights(each, _OTHERS_READ | _OTHERS_WRITE)
    ]
    if open_files:
        names = ", ".join(each.name for each in open_files)
        yield warning_finding(
            "rights", f"others can open {names}", f"run: chmod go= {_quote_paths(open_files)}"
        )
    folder = path.parent
    is_sticky = _has_rights(folder, stat.S_ISVTX)
    if _has_rights(folder, _OTHERS_WRITE) and not is_sticky:
        yield warning_finding(
            "rights",
            f"others can replace what is in {folder}",
            f"run: chmod go-w {_quote_paths([folder])}",
        )


def _companions(path: Path) -> list[Path]:
    """The database, its log, and the copies from migrations."""
    logs = [path.with_name(path.name + ending) for ending in ("-wal", "-shm")]
    copies = sorted(each for each in path.parent.iterdir() if _is_copy(path, each))
    return [each for each in (path, *logs, *copies) if each.exists()]


def _is_copy(path: Path, other: Path) -> bool:
    return other.name.startswith(f"{path.name}.v") and other.suffix == ".bak"


def _has_rights(path: Path, bits: int) -> bool:
    return bool(path.stat().st_mode & bits)


def existing_parent(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    return next(each for each in (folder, *folder.parents) if each.exists())


def _quote_paths(paths: Iterable[Path]) -> str:
    return shlex.join(str(path) for path in paths)


# Whether it opens


def check_database(installation: Installation) -> Iterator[DoctorFinding]:
    """Check the database without creating or changing it."""
    place = store_place(installation)
    if place == IN_MEMORY:
        yield ok_finding("database", "in memory: it lasts as long as the program that opens it")
    elif is_url(place):
        yield from _check_server_database(installation, place)
    else:
        yield from _check_file_database(installation, Path(place))


def _check_server_database(installation: Installation, url: str) -> Iterator[DoctorFinding]:
    store_exists(url)  # says what is wrong where it cannot be reached or too little is installed
    from tacit.cli.doctor import postgres

    yield from postgres.check_postgres(url, load_settings(installation).postgres)
    yield from _check_opening(installation, postgres.without_password(url), store_state(url))


def _check_file_database(installation: Installation, path: Path) -> Iterator[DoctorFinding]:
    state = store_state(str(path))
    if state is StoreState.ABSENT and (found := list(find_obstacles(path))):
        yield from found
        return
    if state is not StoreState.ABSENT:
        yield from check_rights(path)
    yield from _check_opening(installation, str(path), state)


def _check_opening(
    installation: Installation, name: str, state: StoreState
) -> Iterator[DoctorFinding]:
    if state is StoreState.ABSENT:
        yield ok_finding("database", f"{name}: nothing is there yet; the first memory makes it")
        return
    if state is StoreState.OLDER:
        yield ok_finding(
            "database",
            f"{name}: written by an older Tacit; the next command that uses it brings it up to"
            " date. What is in it is not examined before",
        )
        return
    with open_store_unchanged(installation) as store:
        told = store.describe() if store else {}
    size = int(str(told.get("bytes", 0))) / 1e6
    yield ok_finding("database", f"{name}: opens; {told.get('engine')}, {size:,.1f} MB")


# Integrity of a database file


MOST_BYTES = 500_000_000
"""Larger files would take too long."""

_MOST_FAULTS = 3


def check_integrity(installation: Installation) -> Iterator[DoctorFinding]:
    """SQLite's integrity check of a file; a server is not checked."""
    place = store_place(installation)
    if place == IN_MEMORY or is_url(place) or store_state(place) is StoreState.ABSENT:
        return
    path = Path(place)
    if path.stat().st_size > MOST_BYTES:
        most = f"{MOST_BYTES / 1e6:,.0f} MB"
        yield ok_finding("integrity", f"not checked: beyond {most} that takes too long")
        return
    with open_file_unchanged(path) as connection:
        rows = connection.execute(f"PRAGMA quick_check({_MOST_FAULTS})").fetchall()
    faults = [" ".join(str(row[0]).split()) for row in rows if row[0] != "ok"]
    if faults:
        yield error_finding(
            "integrity",
            f"{path} is damaged: {'; '.join(faults)}",
            "stop what uses it, keep a copy, and restore your last export or the backup beside it"
            " (*.bak)",
        )
    else:
        yield ok_finding("integrity", "every page is whole")


# Free space


_LITTLE_SPACE = 1_000_000_000
_TOO_LITTLE_SPACE = 100_000_000


def check_space(installation: Installation) -> Iterator[DoctorFinding]:
    """Free space on the file's disk; a server is not checked."""
    place = store_place(installation)
    if place == IN_MEMORY or is_url(place):
        return
    folder = existing_parent(Path(place).parent)
    free = shutil.disk_usage(folder).free
    found = f"{_format_size(free)} free on the disk of {folder}"
    mend = "free some space there, or move the database to another disk"
    if free < _TOO_LITTLE_SPACE:
        yield error_finding("space", found, mend)
    elif free < _LITTLE_SPACE:
        yield warning_finding("space", found, mend)
    else:
        yield ok_finding("space", found)


def _format_size(amount: int) -> str:
    return f"{amount / 1e9:,.1f} GB" if amount >= 1e9 else f"{amount / 1e6:,.0f} MB"
