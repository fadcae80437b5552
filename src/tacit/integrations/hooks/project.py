"""Which project a folder belongs to: what git's files say, and what memory knows of it.

Git's files are read directly: git may be missing, or refuse a folder that another user owns. Anyone
may have written these files, so what they say is a claim, and memory decides whether to accept it.
"""

import json
import os
import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.projects import Checkout, ProjectMatch
from tacit.integrations.hooks.git_index import read_index
from tacit.language.redaction.redact import redact
from tacit.runtime.files import read_start

_LONGEST = 256 * 1024
_KEPT_CHARACTERS = 200
_LONGEST_NAME = 400
_LONGEST_URL = 2_000
_LONGEST_SHOWN = 120
_SHOWN_PLACES = 3
_ORIGIN = ("remote", '"origin"')
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*", re.IGNORECASE)
_HOST = re.compile(r"[a-z0-9][a-z0-9.-]*", re.IGNORECASE)
_PATH_SEGMENT = re.compile(r"[@~]?[\w%+-][\w.%+~-]{0,99}|\.[\w%+-][\w.%+~-]{0,99}")
"""A path segment as hosts allow it: no spaces, nothing that reads like a sentence."""

_SHORT_ID, _LONG_ID = 20, 32
"""The bytes of an object's id, by SHA-1 and SHA-256."""

_SAME_MOMENT = 2.0
_AFTER_PATH = re.compile(r"[?#]")
_FILE = "file://"
"""Prefix of the id of a project whose remote is a folder; plain folders never have it."""


class ProjectMatcher(Protocol):
    """Knows which project a checkout belongs to."""

    def match(self, checkout: Checkout, *, remember: bool = True) -> ProjectMatch:
        """The project that a folder belongs to; a new folder is remembered if that is wanted."""


class ProjectMemory(Protocol):
    """A memory that knows projects; `Tacit` is one."""

    @property
    def projects(self) -> ProjectMatcher:
        """The folders of projects."""


@dataclass(frozen=True, slots=True)
class FolderProject:
    """A project: its id, its root folder, and a notice for the user."""

    id: str
    root: Path
    notice: str = ""


@dataclass(frozen=True, slots=True)
class _Repository:
    """The working tree that a folder is in, its place, and the folder that has its settings.

    A working tree that git has made from another one has the place of that one.
    """

    root: Path
    place: Path
    common: Path


def find_project(memory: ProjectMemory, folder: Path, *, remember: bool = True) -> FolderProject:
    """Find the project that a folder belongs to, with a notice for the user."""
    checkout, root = _examine(folder)
    match = memory.projects.match(checkout, remember=remember)
    return FolderProject(match.project, root, project_notice(match))


def project_notice(match: ProjectMatch, folder: str = "This folder") -> str:
    """The notice for a folder that claims to be a project which is known elsewhere."""
    if match.offered is None:
        return ""
    places = " and ".join(map(_describe_place, match.known_at[:_SHOWN_PLACES]))
    known = f"is known at {places}" if places else "has memories already"
    return (
        f"{folder} says it is {quote_project(match.offered)}, which {known}."
        " It has a memory of its own: `tacit project join` in it shares the other one,"
        " `tacit project leave` keeps it apart."
    )


def quote_project(name: str) -> str:
    """A project's name for a sentence; quoted unless it is a plain path."""
    short = name if len(name) <= _LONGEST_SHOWN else f"{name[:_LONGEST_SHOWN]}…"
    steps = name.removeprefix(_FILE).strip("/").split("/")
    is_plain = short == name and all(map(_PATH_SEGMENT.fullmatch, steps))
    return name if is_plain else json.dumps(short, ensure_ascii=False)


def _describe_place(place: str) -> str:
    """A place of a project, marked as gone if it does not exist."""
    is_there = not Path(place).is_absolute() or Path(place).exists()
    return quote_project(place) if is_there else f"{quote_project(place)} (gone)"


def find_root(folder: Path) -> Path:
    """The root of the working tree that contains a folder; else the folder itself."""
    return _examine(folder)[1]


def read_checkout(folder: Path) -> Checkout:
    """Read what git's files say about a folder."""
    return _examine(folder)[0]


def _examine(folder: Path) -> tuple[Checkout, Path]:
    """Read what git's files say about a folder, and the root of its working tree."""
    try:
        here = _canonical_path(folder)
        repository = _find_repository(here)
        if repository is None:
            return Checkout(path=_path_name(here)), here
        return _read_claims(repository), repository.root
    except (OSError, RuntimeError, ValueError):
        return Checkout(path=_path_name(folder)), folder


def _read_claims(repository: _Repository) -> Checkout:
    remote, source = _read_origin(repository.common)
    if remote is None and source is None:
        tree = _working_tree(repository.common)
        source = tree if tree is not None and tree != repository.place else None
    return Checkout(
        path=_path_name(repository.place),
        remote=remote,
        source=None if source is None else _path_name(source),
        is_foreign=_is_foreign(repository.place) or _is_foreign(repository.root),
    )


def _find_repository(here: Path) -> _Repository | None:
    for root in (here, *here.parents):
        git = _git_folder(root)
        if git is not None:
            common = _common_folder(git)
            is_linked = common != git and _points_back(git, common, root)
            place = _working_tree(common) or common if is_linked else root
            return _Repository(root, place, common)
    return None


def _git_folder(root: Path) -> Path | None:
    """Where git keeps a working tree's own files, if this is the root of one."""
    dot = root / ".git"
    if (dot / "HEAD").is_file():
        return dot.resolve()
    if not dot.is_file():
        return None
    named = _read_text(dot).strip()
    if not named.startswith("gitdir:"):
        return None
    git = (root / named.removeprefix("gitdir:").strip()).resolve()
    return git if (git / "HEAD").is_file() else None


def _common_folder(git: Path) -> Path:
    """The folder that all working trees of a repository share."""
    named = git / "commondir"
    return (git / _read_text(named).strip()).resolve() if named.is_file() else git


def _points_back(git: Path, common: Path, root: Path) -> bool:
    """Whether the repository itself says that it has this working tree.

    A file in a folder can name any repository; only git writes to the repository's own folder.
    """
    if git.parent != common / "worktrees":
        return False
    named = _read_text(git / "gitdir").strip()
    if not named:
        return False
    tree = git / named
    is_named = tree.name == ".git" and _canonical_path(tree.parent) == root
    return is_named and _is_that_tree(git, common, root)


def _is_that_tree(git: Path, common: Path, root: Path) -> bool:
    """Whether a folder is the working tree that git made, and not another one at its path.

    Git goes on listing a working tree that was deleted by hand. Its index knows the very files that
    it had; where it knows none, the tree was made no later than git last wrote down its place.
    """
    is_long = "objectformat = sha256" in _read_text(common / "config").lower()
    entries = list(read_index(git / "index", _LONG_ID if is_long else _SHORT_ID))
    if entries:
        return any(entry.is_in(root) for entry in entries)
    made, written = (root / ".git").lstat().st_ctime, (git / "gitdir").stat().st_mtime
    return made <= written + _SAME_MOMENT


def _working_tree(common: Path) -> Path | None:
    """The working tree that a repository's folder lies in; a repository may have none."""
    return _canonical_path(common.parent) if common.name == ".git" else None


def _read_origin(common: Path) -> tuple[str | None, Path | None]:
    """The address that a repository came from, or the working tree that it was cloned from."""
    url = _origin_url(_read_text(common / "config"))
    if not url or len(url) > _LONGEST_URL:
        return None, None
    if not url.startswith("file:") and (address := _parse_address(url)) is not None:
        return _remote_name(*address), None
    return _local_origin(url, common)


def _origin_url(config: str) -> str:
    """The address of the remote called origin; the last one counts."""
    section, found = ("", ""), ""
    for line in map(str.strip, config.splitlines()):
        if line.startswith("["):
            words = line[1:].partition("]")[0].split(maxsplit=1)
            section = (words[0].lower(), words[1].strip()) if len(words) > 1 else ("", "")
            continue
        name, equals, value = line.partition("=")
        if equals and section == _ORIGIN and name.strip().lower() == "url":
            found = value.strip().strip('"')
    return found


def _parse_address(url: str) -> tuple[str, str] | None:
    """Host and path of an address, without credentials and port; None for a path of this machine.

    Git takes what has a colon before the first slash for an address without a scheme.
    """
    scheme, joint, rest = url.partition("://")
    is_short = not (joint and _SCHEME.fullmatch(scheme))
    place, parted, path = url.partition(":") if is_short else rest.partition("/")
    host = place.rpartition("@")[2]
    if is_short:
        is_drive = len(host) < 2
        return None if not parted or "/" in place or "\\" in place or is_drive else (host, path)
    name, _, port = host.partition(":")
    return (name, path) if port.isdigit() or not port else ("", "")


def _remote_name(host: str, path: str) -> str | None:
    """An address without scheme, ending, query and fragment, in small letters; None if not plain.

    The large hosts make no difference between small letters and others. A name is shown to people
    and to their agents: what is no plain path, or holds a secret, is none.
    """
    bare = _strip_git_suffix(_AFTER_PATH.split(path, maxsplit=1)[0].strip(" /"))
    steps = [step for step in bare.split("/") if step]
    if not steps or not _HOST.fullmatch(host) or not all(map(_PATH_SEGMENT.fullmatch, steps)):
        return None
    written = "/".join((host, *steps))
    try:
        return str(check_field("project", written.lower())) if not _has_secret(written) else None
    except InvalidInput:
        return None


def _local_origin(url: str, common: Path) -> tuple[str | None, Path | None]:
    """The origin on this machine: a cloned working tree, or a remote in a folder."""
    path = url.removeprefix(_FILE)
    if path.startswith("//") or _has_secret(path):  # that of another machine, or a secret
        return None, None
    target = (common.parent / path).resolve()
    tree = target.parent if target.name == ".git" else target
    if _git_folder(tree) is not None:
        return None, tree
    return _FILE + _path_name(Path(_strip_git_suffix(str(target)))), None


def _has_secret(address: str) -> bool:
    return redact(address).text != address


def _strip_git_suffix(address: str) -> str:
    return address.rstrip("/").removesuffix(".git").rstrip("/")


def _canonical_path(folder: Path) -> Path:
    """The canonical path of a folder, in the file system's own spelling."""
    path = folder.resolve()
    try:
        from fcntl import F_GETPATH, fcntl  # type: ignore[attr-defined,unused-ignore]
    except ImportError:
        return path
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return path
    try:
        return Path(os.fsdecode(fcntl(file, F_GETPATH, bytes(1024)).rstrip(b"\0")))
    finally:
        os.close(file)


def _is_foreign(folder: Path) -> bool:
    """Whether a folder belongs to another user than this one or root."""
    return hasattr(os, "getuid") and folder.stat().st_uid not in (os.getuid(), 0)


def _path_name(path: Path) -> str:
    """A path as a project id; long or unprintable paths get a digest."""
    written = os.fspath(path)
    try:
        if len(os.fsencode(written)) <= _LONGEST_NAME:
            return str(check_field("project", written))
    except InvalidInput:
        pass
    digest = sha256(os.fsencode(written)).hexdigest()
    kept = "".join(each if each.isascii() and each.isprintable() else "?" for each in written)
    return f"...{kept[-_KEPT_CHARACTERS:]}~{digest}"


def _read_text(path: Path) -> str:
    try:
        return read_start(path, _LONGEST).decode(errors="replace")
    except OSError:
        return ""
