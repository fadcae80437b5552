"""Folders that are their owner's alone."""

from pathlib import Path

_OWNER_ONLY = 0o700


def own_folder(path: Path) -> None:
    """Make a folder and those above it that are missing; nobody else can look into them."""
    if not path.is_dir():
        own_folder(path.parent)
        path.mkdir(mode=_OWNER_ONLY, exist_ok=True)
