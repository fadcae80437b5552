"""The files of folders: which are documents, and what they contain."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path

from tacit.grounding.documents.chunks import SUFFIXES
from tacit.grounding.documents.results import DocumentFolder
from tacit.grounding.file_layout import is_database_folder
from tacit.runtime.files import read_start

MOST_BYTES = 5_000_000
DEEPEST = 64
"""So many folders within each other are entered: the path of each file is compared as a whole."""

_OUTPUT = frozenset(
    ("node_modules", "__pycache__", "_build", "build", "dist", "target", "site-packages", "venv")
)
_LOGS = "logs"
_OWN_FOLDERS = frozenset((_LOGS, "memory", "policy"))
"""What a workspace's folder has besides documents: conversations, and what binds in them."""


@dataclass(frozen=True, slots=True)
class DocumentStamp:
    """The time and size of a document."""

    path: str
    source: str
    mtime: int
    size: int


@dataclass(frozen=True, slots=True)
class DocumentContent:
    """The content of a file, or why it cannot be read."""

    text: str = ""
    sha256: str = ""
    problem: str = ""


def list_documents(
    folders: Iterable[DocumentFolder], closed: Path | None = None
) -> dict[str, DocumentStamp]:
    """The documents of folders by path; `closed` is a folder that only its owners enter."""
    found: dict[str, DocumentStamp] = {}
    for folder in folders:
        for sighting in _walk(folder, closed):
            found.setdefault(sighting.path, sighting)
    return found


def stat_document(
    path: str, folders: Iterable[DocumentFolder], closed: Path | None = None
) -> DocumentStamp | None:
    """The stamp of a document, if it exists and no folder excludes it."""
    for folder in folders:
        if not path.startswith(folder.path.rstrip(os.sep) + os.sep):
            continue
        relative = Path(path).relative_to(folder.path)
        if len(relative.parts) > DEEPEST + 1:
            continue
        parents = [each.as_posix() for each in relative.parents][:-1]
        if any(_is_left_out(folder, each) for each in (*parents, relative.as_posix())):
            continue
        if _is_closed(Path(path), folder, closed) or not _is_document(relative.name):
            continue
        return _to_stamp(Path(path), relative.as_posix())
    return None


def read_document(path: str) -> DocumentContent:
    """Read a file."""
    try:
        data = read_start(path, MOST_BYTES + 1)
    except IsADirectoryError:
        return DocumentContent(problem=f"lies below {DEEPEST} folders; put it higher up")
    except OSError as error:
        return DocumentContent(problem=f"cannot be read ({error.strerror})")
    if len(data) > MOST_BYTES:
        return DocumentContent(problem=f"is larger than {MOST_BYTES // 1_000_000} MB")
    digest = sha256(data).hexdigest()
    if b"\0" in data:
        return DocumentContent(sha256=digest, problem="is binary")
    try:
        return DocumentContent(data.decode("utf-8-sig"), digest)
    except UnicodeDecodeError:
        return DocumentContent(sha256=digest, problem="is not UTF-8")


def hash_document(path: str) -> str | None:
    """The hash of a file's present content; None if it cannot be read."""
    try:
        return sha256(read_start(path, MOST_BYTES + 1)).hexdigest()
    except OSError:
        return None


def _walk(folder: DocumentFolder, closed: Path | None) -> Iterator[DocumentStamp]:
    """The documents of a folder, and the folders that are too deep to enter."""
    waiting = [(folder.path, "", 0)]
    while waiting:
        place, above, depth = waiting.pop()
        try:
            entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            relative = f"{above}{entry.name}"
            if entry.is_symlink() or _is_left_out(folder, relative):
                continue
            if entry.is_dir(follow_symlinks=False):
                if depth == DEEPEST:
                    yield DocumentStamp(entry.path, relative, 0, 0)
                elif not _is_closed(Path(entry.path), folder, closed):
                    waiting.append((entry.path, f"{relative}/", depth + 1))
            elif _is_document(entry.name) and (sighting := _to_stamp(Path(entry.path), relative)):
                yield sighting


def _to_stamp(path: Path, source: str) -> DocumentStamp | None:
    try:
        if path.is_symlink() or not path.is_file():
            return None
        seen = path.stat()
        str(path).encode()
    except (OSError, UnicodeEncodeError):
        return None
    return DocumentStamp(str(path), source, seen.st_mtime_ns, seen.st_size)


def _is_document(name: str) -> bool:
    return name.lower().endswith(SUFFIXES)


def _is_left_out(folder: DocumentFolder, relative: str) -> bool:
    top, _, rest = relative.partition("/")
    name = relative.rpartition("/")[2]
    if name.startswith(".") or name in _OUTPUT:
        return True
    if not rest and top.lower() in (_OWN_FOLDERS if folder.is_own else (_LOGS,)):
        return True
    return any(_matches(relative, name, pattern) for pattern in folder.exclude)


def _matches(relative: str, name: str, pattern: str) -> bool:
    """Whether a pattern matches this path; one without a slash matches any file of that name."""
    whole = pattern.strip("/")
    wanted = whole.removesuffix("/**")
    if "/" not in whole:
        return fnmatchcase(name, wanted)
    return any(fnmatchcase(relative, each) for each in (wanted, wanted.removeprefix("**/")))


def _is_closed(path: Path, folder: DocumentFolder, closed: Path | None) -> bool:
    """Whether a path is in the folder of workspaces, of which each sees only its own."""
    if folder.is_own:
        return False
    above = (path, *path.parents)
    return closed in above or any(map(is_database_folder, above))
