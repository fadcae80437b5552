"""Carrying out a plan: all files or none."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from tacit.core.errors import ConfigChanged, ConfigError
from tacit.integrations.hooks.installing.plan import Change, Plan, missing_folders
from tacit.runtime.files.atomic import replacing
from tacit.runtime.files.reading import read_whole


def carry_out(plan: Plan) -> None:
    """Write the record and every file; if one cannot be written, put back those before it."""
    changes = [each for each in (plan.record, *plan.changes) if each.before != each.after]
    for change in changes:
        if _now(change.path) != change.before:
            problem = "was changed by another program meanwhile; run this again"
            raise ConfigChanged(f"{change.shown}: {problem}")
    made = [folder for change in changes for folder in missing_folders(change.path)]
    done: list[Change] = []
    try:
        for change in changes:
            done.append(change)
            _put(change.path, change.after)
    except OSError as error:
        for change in reversed(done):
            with suppress(OSError):
                _put(change.path, change.before)
        _remove_empty(made)
        problem = f"cannot be written ({error.strerror}); nothing was changed"
        raise ConfigError(f"{done[-1].shown}: {problem}; check its permissions") from error
    for change in changes:
        _remove_empty(change.folders)


def _put(path: Path, after: bytes | None) -> None:
    """Replace a file by one of the same owner and mode; a new one gets what is usual."""
    if after is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    kept = path.stat()
    with replacing(path) as file:
        file.write(after)
        os.fchmod(file.fileno(), kept.st_mode)
        with suppress(PermissionError):
            os.fchown(file.fileno(), kept.st_uid, kept.st_gid)


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def _now(path: Path) -> bytes | None:
    try:
        return read_whole(path)
    except OSError:
        return None
