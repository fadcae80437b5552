"""Which project a folder belongs to: what git's files there say, and what memory knows of it.

Git's files are read by hand: git may be missing, or refuse a folder that another user owns. Whoever
made a folder wrote them, so what they say is a claim, and memory decides what it is worth.
"""

import os
import re
import stat
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from tacit.conversation import Checkout, ProjectMatch
from tacit.errors import InvalidInput
from tacit.memory import check

_LONGEST = 256 * 1024
_KEPT = 200
_LONGEST_NAME = 400
_LONGEST_URL = 2_000
_SHOWN_PLACES = 3
_SECTION = re.compile(r'^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')
_URL = re.compile(r"^\s*url\s*=\s*(.*?)\s*$", re.IGNORECASE)
_WITH_SCHEME = re.compile(
    r"^[a-z][a-z0-9+.-]*://(?:[^/@]*@)?([^/:\\]+)(?::\d*)?/+(.+)$", re.IGNORECASE
)
_SHORT = re.compile(r"^(?:[^/@:]+@)?([^/:\\]{2,}):(?!//)(.+)$")
_FILE = "file://"
"""How the id of a project begins whose remote is a folder, so that it is never that of a folder."""


class Matcher(Protocol):
    """Knows which project a checkout belongs to."""

    def match_project(self, checkout: Checkout) -> ProjectMatch:
        """The project that a folder belongs to."""


@dataclass(frozen=True, slots=True)
class Project:
    """A project: its id, where its files are, and what else a person should know of it."""

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


def project_of(memory: Matcher, folder: Path) -> Project:
    """The project that a folder belongs to, and what to tell a person who works there."""
    checkout, root = _examined(folder)
    match = memory.match_project(checkout)
    return Project(match.project, root, notice_of(match))


def notice_of(match: ProjectMatch, folder: str = "This folder") -> str:
    """What a person should know of a folder that says it is a project which is known elsewhere."""
    if match.offered is None:
        return ""
    places = " and ".join(map(_found_at, match.known_at[:_SHOWN_PLACES]))
    known = f"is known at {places}" if places else "has memories already"
    return (
        f"{folder} says it is {match.offered}, which {known}. It has a memory of its own:"
        " `tacit project join` in it shares the other one, `tacit project leave` keeps it apart."
    )


def _found_at(place: str) -> str:
    """A place of a project; one that was moved is not there any more."""
    return place if not Path(place).is_absolute() or Path(place).exists() else f"{place} (gone)"


def root_of(folder: Path) -> Path:
    """The root of the working tree that a folder is in; outside of a repository the folder."""
    return _examined(folder)[1]


def checkout_of(folder: Path) -> Checkout:
    """A folder, and what it says of itself."""
    return _examined(folder)[0]


def _examined(folder: Path) -> tuple[Checkout, Path]:
    """What a folder says of itself, and the root of its working tree."""
    try:
        here = _canonical(folder)
        repository = _repository(here)
        if repository is None:
            return Checkout(path=_name(here)), here
        return _claims(repository), repository.root
    except (OSError, RuntimeError, ValueError):
        return Checkout(path=_name(folder)), folder


def _claims(repository: _Repository) -> Checkout:
    remote, source = _origin(repository.common)
    if remote is None and source is None:
        tree = _tree_of(repository.common)
        source = tree if tree is not None and tree != repository.place else None
    return Checkout(
        path=_name(repository.place),
        remote=remote,
        source=None if source is None else _name(source),
        is_foreign=_is_foreign(repository.place),
    )


def _repository(here: Path) -> _Repository | None:
    for root in (here, *here.parents):
        git = _git_folder(root)
        if git is not None:
            common = _common(git)
            is_linked = common != git and _points_back(git, common, root)
            place = _tree_of(common) or common if is_linked else root
            return _Repository(root, place, common)
    return None


def _git_folder(root: Path) -> Path | None:
    """Where git keeps a working tree's own files, if this is the root of one."""
    dot = root / ".git"
    if (dot / "HEAD").is_file():
        return dot.resolve()
    if not dot.is_file():
        return None
    named = _text(dot).strip()
    if not named.startswith("gitdir:"):
        return None
    git = (root / named.removeprefix("gitdir:").strip()).resolve()
    return git if (git / "HEAD").is_file() else None


def _common(git: Path) -> Path:
    """The folder that all working trees of a repository share."""
    named = git / "commondir"
    return (git / _text(named).strip()).resolve() if named.is_file() else git


def _points_back(git: Path, common: Path, root: Path) -> bool:
    """Whether the repository itself says that it has this working tree.

    A file in a folder can name any repository; only git writes to the repository's own folder.
    """
    if git.parent != common / "worktrees":
        return False
    named = _text(git / "gitdir").strip()
    if not named:
        return False
    tree = git / named
    return tree.name == ".git" and _canonical(tree.parent) == root


def _tree_of(common: Path) -> Path | None:
    """The working tree that a repository's folder lies in; a repository may have none."""
    return _canonical(common.parent) if common.name == ".git" else None


def _origin(common: Path) -> tuple[str | None, Path | None]:
    """The address that a repository came from, or the working tree that it was cloned from."""
    section: tuple[str, str | None] = ("", None)
    found = None
    for line in _text(common / "config").splitlines():
        head = _SECTION.match(line)
        if head:
            section = (head[1].lower(), head[2])
        url = _URL.match(line) if section == ("remote", "origin") else None
        if url:
            found = url[1].strip('"')
    if not found or len(found) > _LONGEST_URL:
        return None, None
    match = None if found.startswith("file:") else _WITH_SCHEME.match(found) or _SHORT.match(found)
    return (_remote(f"{match[1]}/{match[2].lstrip('/')}"), None) if match else _local(found, common)


def _remote(address: str) -> str | None:
    """An address without scheme, credentials, port and ending, in small letters.

    The large hosts make no difference between small letters and others.
    """
    try:
        return str(check("project", _bare(address).lower()))
    except InvalidInput:
        return None


def _local(url: str, common: Path) -> tuple[str | None, Path | None]:
    """A repository on this machine: the working tree that was cloned, or a remote in a folder."""
    target = (common.parent / url.removeprefix(_FILE)).resolve()
    tree = target.parent if target.name == ".git" else target
    if _git_folder(tree) is not None:
        return None, tree
    return _FILE + _name(Path(_bare(str(target)))), None


def _bare(address: str) -> str:
    return address.rstrip("/").removesuffix(".git").rstrip("/")


def _canonical(folder: Path) -> Path:
    """The one path of a folder; where case does not count, as the file system spells it."""
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
    """Whether a folder belongs to another user of this machine, and not to the system either."""
    return hasattr(os, "getuid") and folder.stat().st_uid not in (os.getuid(), 0)


def _name(path: Path) -> str:
    """A path as the id of a project; one that is too long or unprintable gets a digest."""
    written = os.fspath(path)
    try:
        if len(os.fsencode(written)) <= _LONGEST_NAME:
            return str(check("project", written))
    except InvalidInput:
        pass
    digest = sha256(os.fsencode(written)).hexdigest()
    kept = "".join(each if each.isascii() and each.isprintable() else "?" for each in written)
    return f"...{kept[-_KEPT:]}~{digest}"


def _text(path: Path) -> str:
    """The words of a file; a pipe or a device in its place is not waited for."""
    try:
        with open(path, "rb", opener=_opened_at_once) as file:
            is_regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            return file.read(_LONGEST).decode(errors="replace") if is_regular else ""
    except OSError:
        return ""


def _opened_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
