"""Which project a folder belongs to: its repository, however it was checked out.

Git's files are read by hand: git may be missing, or refuse a folder that another user owns.
"""

import re
from dataclasses import dataclass
from pathlib import Path

_LONGEST = 256 * 1024
_SECTION = re.compile(r'^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')
_URL = re.compile(r"^\s*url\s*=\s*(.*?)\s*$", re.IGNORECASE)
_WITH_SCHEME = re.compile(
    r"^[a-z][a-z0-9+.-]*://(?:[^/@]*@)?([^/:]+)(?::\d*)?/+(.+)$", re.IGNORECASE
)
_SHORT = re.compile(r"^(?:[^/@:]+@)?([^/:]{2,}):(?!//)(.+)$")


@dataclass(frozen=True, slots=True)
class Project:
    """A project: the name that all its checkouts share, and where its files are."""

    id: str
    root: Path


def project_of(folder: Path) -> Project:
    """The project that a folder is in; outside of a repository the folder itself."""
    try:
        here = folder.resolve()
        return _repository(here) or Project(str(here), here)
    except (OSError, RuntimeError, ValueError):
        return Project(str(folder), folder)


def _repository(here: Path) -> Project | None:
    for root in (here, *here.parents):
        git = _git_folder(root)
        if git is not None:
            common = _common(git)
            return Project(_origin(common) or str(_main_tree(common, root)), root)
    return None


def _git_folder(root: Path) -> Path | None:
    """Where git keeps a working tree's own files, if this is the root of one."""
    dot = root / ".git"
    if (dot / "HEAD").is_file():
        return dot
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


def _main_tree(common: Path, root: Path) -> Path:
    """The working tree that others were made from; a repository may have none."""
    if common.name == ".git":
        return common.parent
    return root if _git_folder(root) == common else common


def _origin(common: Path) -> str | None:
    """The address that a repository came from, the same for every way to write it."""
    section: tuple[str, str | None] = ("", None)
    found = None
    for line in _text(common / "config").splitlines():
        head = _SECTION.match(line)
        if head:
            section = (head[1].lower(), head[2])
        url = _URL.match(line) if section == ("remote", "origin") else None
        if url:
            found = url[1].strip('"')
    return _normalised(found, common) if found else None


def _normalised(url: str, common: Path) -> str:
    """An address without scheme, credentials, port and ending, in small letters.

    The large hosts make no difference between small letters and others.
    """
    match = None if url.startswith("file:") else _WITH_SCHEME.match(url) or _SHORT.match(url)
    if match is None:
        path = Path(re.sub(r"^file://", "", url)).expanduser()
        return _bare(str((common.parent / path).resolve()))
    return _bare(f"{match[1]}/{match[2].lstrip('/')}").lower()


def _bare(address: str) -> str:
    return address.rstrip("/").removesuffix(".git").rstrip("/")


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_LONGEST).decode(errors="replace")
    except OSError:
        return ""
