"""Reads files of the user's working folder on separate threads.

A folder may be a dead network drive, or made to be slow. Each project gets few threads, and reads
are abandoned at the deadline, so that a slow folder delays its own project only.
"""

import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from tacit.runtime.workers import Deadline, WorkerPool

Result = TypeVar("Result")

_MOST_FOLDERS = 1_000

_pool = WorkerPool("tacit-folder")
_roots: dict[str, str] = {}
_lock = threading.Lock()


def run_folder_work(
    deadline: Deadline, folder: Path, files: str, work: Callable[[], Result]
) -> Result:
    """Run work on some files of a folder; TimeoutError at the deadline.

    While earlier work on these files is stuck, it fails at once; work on other files goes on.
    """
    return deadline.run(work, _pool, f"{files} {folder_owner(folder)}")


def event_folder(raw: Mapping[str, Any], body: Mapping[str, Any]) -> Path:
    """The folder that an event comes from."""
    return Path(str(raw.get("cwd") or body.get("cwd") or Path.home()))


def folder_owner(folder: Path) -> str:
    """The known project root of a folder, else the folder itself; reads no file."""
    written = os.fspath(folder)
    return _roots.get(written, written)


def remember_root(folder: Path, root: Path) -> None:
    """Remember that a folder belongs to a project."""
    with _lock:
        if len(_roots) >= _MOST_FOLDERS:
            _roots.clear()
        _roots[os.fspath(folder)] = os.fspath(root)
