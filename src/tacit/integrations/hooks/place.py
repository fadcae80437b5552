"""Where the daemon of this user listens: known to every process without asking.

Only the quickest parts of the standard library are used, since every hook begins here.
"""

import os
import socket
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from tacit.core.errors import PlaceRefused
from tacit.version import __version__

FOLDER_VARIABLE = "TACIT_RUNTIME_DIR"
TCP_VARIABLE = "TACIT_HOOKS_TCP"
_PATHS = ("TACIT_DB", "TACIT_CONFIG")
_SURROUNDINGS = ("TACIT_EMBEDDER", "HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
_LONGEST = 100
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class Place(NamedTuple):
    """A folder of the user's own, and the name that all files of one daemon begin with."""

    folder: Path
    name: str
    is_tcp: bool

    @property
    def socket(self) -> Path:
        """The socket, where there are such."""
        return self.folder / f"{self.name}.sock"

    @property
    def address(self) -> Path:
        """The file with the port and the token, where there are no such sockets."""
        return self.folder / f"{self.name}.json"

    @property
    def sign(self) -> Path:
        """The file that is there while the daemon listens."""
        return self.address if self.is_tcp else self.socket

    @property
    def lock(self) -> Path:
        """The file that a daemon holds as long as it lives."""
        return self.folder / f"{self.name}.lock"

    def made(self) -> "Place":
        """The same, with its folder there; one that others own or can enter is refused."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            found = self.folder.lstat()
        except OSError as error:
            raise PlaceRefused(f"{self.folder}: {error.strerror}; {_MEND}") from error
        if not stat.S_ISDIR(found.st_mode):
            raise PlaceRefused(f"{self.folder}: is no folder; {_MEND}")
        if os.name == "posix":
            _refuse_foreign(self.folder, found)
        return self


def place_of(environment: Mapping[str, str]) -> Place:
    """The place of the daemon that serves the database and settings which are named there."""
    is_tcp = not hasattr(socket, "AF_UNIX") or environment.get(TCP_VARIABLE) == "1"
    place = Place(folder=_folder(environment), name=_name(environment), is_tcp=is_tcp)
    if not is_tcp and len(os.fsencode(place.socket)) > _LONGEST:
        return place._replace(folder=Path("/tmp") / _own())
    return place


def settled(environment: Mapping[str, str]) -> dict[str, str]:
    """The same environment for a process that starts in another folder."""
    paths = {name: environment[name] for name in _PATHS if environment.get(name)}
    return {**environment, **{name: _absolute(path) for name, path in paths.items()}}


def _folder(environment: Mapping[str, str]) -> Path:
    named = environment.get(FOLDER_VARIABLE)
    if named:
        return Path(named).absolute()
    runtime = environment.get("XDG_RUNTIME_DIR")
    if runtime:
        return Path(runtime) / "tacit"
    return Path(environment.get("TMPDIR") or environment.get("TEMP") or "/tmp") / _own()


def _own() -> str:
    return f"tacit-{os.getuid()}" if hasattr(os, "getuid") else "tacit"


def _name(environment: Mapping[str, str]) -> str:
    """What tells daemons apart: the version, the database and the settings."""
    known = settled(environment)
    parts = (__version__, *(known.get(name, "") for name in (*_PATHS, *_SURROUNDINGS)))
    told = "\0".join(parts).encode(errors="surrogateescape")
    return f"{crc32(told):08x}{crc32(told[::-1], len(told)):08x}"


def _absolute(path: str) -> str:
    """A path that is good anywhere; addresses of servers stay as they are."""
    is_path = "://" not in path and path != ":memory:"
    return str(Path(path).absolute()) if is_path else path


def _refuse_foreign(folder: Path, found: os.stat_result) -> None:
    if found.st_uid != os.getuid():
        raise PlaceRefused(f"{folder}: belongs to somebody else; {_MEND}")
    if found.st_mode & _OTHERS:
        raise PlaceRefused(f"{folder}: is open to others; run: chmod 700 {folder}")


_MEND = f"name a folder of your own with {FOLDER_VARIABLE}"
