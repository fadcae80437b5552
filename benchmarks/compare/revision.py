"""Revisions, each installed in a virtual environment of its own."""

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

Say = Callable[[str], None]

_SOURCES = ("src", "pyproject.toml", "README.md", "LICENSE")
_DIGITS = 12
_SHOWN = 5
_READY = ".ready"


class UnknownRevision(Exception):
    """A name that git does not know."""


class InstallFailed(Exception):
    """A revision that cannot be installed."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A state of the project, by a name that changes with its content."""

    label: str
    key: str
    commit: str | None
    """None for the files as they are now."""


def find_revision(root: Path, name: str) -> Revision:
    """The revision of a name that git knows."""
    found = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    if found.returncode:
        raise UnknownRevision(f"{name!r} is no revision. {_suggestions(root)}")
    commit = found.stdout.decode().strip()
    return Revision(name, commit[:_DIGITS], commit)


def find_current(root: Path) -> Revision:
    """The files as they are now, which may be those of a commit."""
    changed = _git(root, "status", "--porcelain", "--", *_SOURCES).stdout
    if not changed:
        head = find_revision(root, "HEAD")
        return Revision(f"this tree ({head.key})", head.key, head.commit)
    listed = _git(root, "ls-files", "-z", "-co", "--exclude-standard", "--", *_SOURCES).stdout
    digest = sha256()
    for name in sorted(filter(None, listed.decode().split("\0"))):
        if (root / name).is_file():
            digest.update(name.encode() + b"\0" + (root / name).read_bytes() + b"\0")
    key = f"tree-{digest.hexdigest()[:_DIGITS]}"
    return Revision(f"this tree, changed ({key})", key, None)


def install(root: Path, revision: Revision, folder: Path, say: Say) -> Path:
    """The interpreter of a revision's environment, which is made once and kept in the folder."""
    home = folder / revision.key
    python = home / "bin" / "python"
    if (home / _READY).exists():
        return python
    shutil.rmtree(home, ignore_errors=True)
    say(f"making an environment for {revision.label}")
    _run([sys.executable, "-m", "venv", str(home)])
    with TemporaryDirectory(prefix="tacit-compare-") as temporary:
        tree = root if revision.commit is None else _extract(root, revision.commit, Path(temporary))
        say(f"installing {revision.label}")
        _run([str(python), "-m", "pip", "install", "--quiet", *_QUIET, f"{tree}[hooks]"])
    (home / _READY).touch()
    return python


_QUIET = ("--disable-pip-version-check", "--no-input")


def _extract(root: Path, commit: str, folder: Path) -> Path:
    """The files of a commit."""
    packed = _git(root, "archive", "--format=tar", commit)
    with tarfile.open(fileobj=BytesIO(packed.stdout)) as files:
        files.extractall(folder, filter="data")
    return folder


def _suggestions(root: Path) -> str:
    """What would be right."""
    branches = _lines(root, "branch", "--format=%(refname:short)")
    tags = _lines(root, "tag", "--sort=-creatordate")
    commits = _lines(root, "log", f"-{_SHOWN}", "--format=%h")
    named = ", ".join(each for each in [*tags[:_SHOWN], *branches[:_SHOWN], *commits])
    return f"Name a tag, a branch or a commit, such as HEAD~1, {named}"


def _lines(root: Path, *arguments: str) -> list[str]:
    return _git(root, *arguments).stdout.decode().split()


def _git(root: Path, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, check=False)


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        told = (done.stderr or done.stdout).strip().splitlines()[-_SHOWN:]
        raise InstallFailed(f"{' '.join(command[:4])} failed: " + "\n".join(told))
