"""The folder of a user's running processes: where it is, and that nobody else can enter it.

Every hook starts here, so only the fastest parts of the standard library are imported.
"""

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from tacit.core.errors import PlaceRefused

FOLDER_VARIABLE = "TACIT_RUNTIME_DIR"

_OTHERS_RIGHTS = stat.S_IRWXG | stat.S_IRWXO
_HINT = f"name a folder of your own with {FOLDER_VARIABLE}"


def runtime_folder(environment: Mapping[str, str]) -> Path:
    """The folder that the environment names, else the user's own among temporary files."""
    named = environment.get(FOLDER_VARIABLE)
    if named:
        return Path(named).absolute()
    runtime = environment.get("XDG_RUNTIME_DIR")
    if runtime:
        return Path(runtime) / "tacit"
    return temporary_folder(environment.get("TMPDIR") or environment.get("TEMP") or "/tmp")


def all_runtime_folders(environment: Mapping[str, str]) -> list[Path]:
    """Every usual folder, since programs of one user may run in different environments."""
    usual = [runtime_folder(environment), runtime_folder({**environment, FOLDER_VARIABLE: ""})]
    if hasattr(os, "getuid"):
        usual.append(Path(f"/run/user/{os.getuid()}/tacit"))
    return list(dict.fromkeys([*usual, temporary_folder()]))


def temporary_folder(parent: str = "/tmp") -> Path:
    """The user's own among the folders for temporary files."""
    return Path(parent) / (f"tacit-{os.getuid()}" if hasattr(os, "getuid") else "tacit")


def ensure_own_folder(folder: Path) -> None:
    """Create a folder; refuse one that others own or can enter."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        raise PlaceRefused(f"{folder}: {error.strerror}; {_HINT}") from error
    if not stat.S_ISDIR(found.st_mode):
        raise PlaceRefused(f"{folder}: is no folder; {_HINT}")
    if os.name == "posix" and found.st_uid != os.getuid():
        raise PlaceRefused(f"{folder}: belongs to somebody else; {_HINT}")
    if os.name == "posix" and found.st_mode & _OTHERS_RIGHTS:
        raise PlaceRefused(f"{folder}: is open to others; run: chmod 700 {folder}")
