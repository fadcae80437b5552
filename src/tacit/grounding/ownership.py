"""Whose a chat log is: the first context that writes to it, so that no other ever reads it.

A conversation is usually held in one context, and its log has its name. Where the same one comes up
in another context, that has a log of its own beside it.
"""

import os
from pathlib import Path

from tacit.grounding.places import JOINT, Place, Workspaces
from tacit.runtime.files import make_private_folder, read_start

_OWNER_ONLY = 0o600
_LONGEST = 1_000
CLAIM = ".context"
"""How the file ends that says whose a log is."""


def log_of(workspaces: Workspaces, place: Place) -> Path:
    """The log of a conversation as its context sees it."""
    path = workspaces.log(place)
    owner = _owner(path)
    return path if owner in (None, place.key) else _apart(path, place)


def claimed_log(workspaces: Workspaces, place: Place) -> Path:
    """The same for who writes to it: from now on it is theirs."""
    path = workspaces.log(place)
    make_private_folder(path.parent)
    try:
        file = os.open(_claim(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    except FileExistsError:
        return log_of(workspaces, place)
    with os.fdopen(file, "w", encoding="utf-8") as written:
        written.write(place.key)
    return path


def context_of(log: Path) -> str | None:
    """The key of the context whose log this is, as far as that can be told."""
    _, joint, key = log.stem.removeprefix(JOINT).partition(JOINT)
    return key if joint else _owner(log)


def has_files(workspaces: Workspaces, workspace: str, key: str) -> bool:
    """Whether the context with this key has a chat log or a summary, in whichever connector."""
    folder = workspaces.folder(workspace)
    summaries = folder.glob("memory/contexts/*.md")
    return any(each.stem == key for each in summaries) or any(
        _is_of(log, key) for log in folder.glob("logs/chats/*/*.md")
    )


def _is_of(log: Path, key: str) -> bool:
    """Whether a log is a context's; one that nobody claimed is whose name it has."""
    owner = context_of(log)
    if owner is not None:
        return owner == key
    return key in (log.stem.removeprefix(JOINT), f"{log.parent.name}{JOINT}{log.stem}")


def _apart(path: Path, place: Place) -> Path:
    return path.with_name(f"{path.stem}{JOINT}{place.key}.md")


def _claim(path: Path) -> Path:
    return path.with_name(f".{path.name}{CLAIM}")


def _owner(path: Path) -> str | None:
    """The key of the context that a log belongs to; None where nobody has written to it."""
    try:
        return read_start(_claim(path), _LONGEST).decode()
    except FileNotFoundError:
        return None
