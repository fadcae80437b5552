"""The files of workspaces: their names, who owns a chat log, and the cues a workspace adds.

A plain name (lower case letters, digits, dots, hyphens and underscores) is its own file name. Any
other name keeps its plain part for readers, followed by a digest. So two names never share a file,
not even where the file system ignores case, and no name leaves its folder.

A chat log belongs to the first context that writes to it; no other context ever reads it. If the
same conversation comes up in another context, that context has a log of its own beside it.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from tacit.core.errors import ConfigError, InvalidInput
from tacit.language.strategy import DEFAULT_CUES, StrategyCues, extend_cues
from tacit.runtime.files import decode_text, make_private_folder, parse_toml, read_start
from tacit.runtime.trust import FileContent, IgnoredSetting, TrustRecord, read_content

# Where the files of workspaces are.
#
# A name that is plain, which is lower case letters, digits, dots, hyphens and underscores, stays
# as
# it is. Of any other the plain part is kept for readers, and a digest tells it from all others. So
# two names never share a file, not even where the file system ignores case, and none leaves its
# folder.


_PLAIN = re.compile(r"[a-z0-9](?:[a-z0-9_.-]{0,62}[a-z0-9_-])?")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
_OTHER = re.compile(r"[^a-z0-9]+")
_UNNAMED = "_"
FILES_ENDING = ".workspaces"
FORMER_FILES_FOLDER = "workspaces"
FILES_OWNER = ".database"
"""A folder with the files of a database ends so; a former one has a file that names its owner."""

JOINT = "+"
"""Stands in no name, so that what is made of two is told from one."""

_KEPT_CHARACTERS = 40
_DIGITS = 32


def to_file_name(name: str) -> str:
    """A name as a file or a folder can have it: plain, short, and no other name's."""
    if not name:
        return _UNNAMED
    if _PLAIN.fullmatch(name) and not _RESERVED.fullmatch(name):
        return name
    kept = _OTHER.sub("-", name[: 2 * _KEPT_CHARACTERS].lower()).strip("-")[:_KEPT_CHARACTERS]
    digest = sha256(name.encode(errors="surrogatepass")).hexdigest()[:_DIGITS]
    return f"{kept}~{digest}"


def is_database_folder(folder: Path) -> bool:
    """Whether a folder has the files of a database's workspaces."""
    is_former = folder.name == FORMER_FILES_FOLDER and (folder / FILES_OWNER).is_file()
    return folder.name.endswith(FILES_ENDING) or is_former


@dataclass(frozen=True, slots=True)
class ConversationAddress:
    """Where a conversation is held: in which workspace and context, and through what."""

    workspace: str
    context: str | None = None
    connector: str = "local"
    external_id: str = ""

    @classmethod
    def of(cls, workspace: str, asked: Mapping[str, Any]) -> Self:
        """The place that a caller names by its context, or its connector and its id there."""
        for name in ("context", "connector", "external_id"):
            if not isinstance(asked.get(name) or "", str):
                raise InvalidInput(name, "must be text")
        return cls(
            workspace=workspace,
            context=asked.get("context"),
            connector=asked.get("connector") or "local",
            external_id=asked.get("external_id") or "",
        )

    @property
    def key(self) -> str:
        """The context's own name, or the connector's and the conversation's where it has none."""
        if self.context:
            return to_file_name(self.context)
        return f"{to_file_name(self.connector)}{JOINT}{to_file_name(self.external_id)}"

    @property
    def conversation(self) -> str:
        """The name of the chat log: the conversation's, or the context's where that has none."""
        if self.context and not self.external_id:
            return f"{JOINT}{to_file_name(self.context)}"
        return to_file_name(self.external_id)


@dataclass(frozen=True, slots=True)
class WorkspaceRoot:
    """The folder that holds a folder for each workspace."""

    root: Path
    needs_consent: bool = False
    """Whether the folder may have come with a clone, so that its directives need the user's yes."""

    def folder(self, workspace: str) -> Path:
        """The folder of a workspace."""
        return self.root / to_file_name(workspace)

    def log(self, place: ConversationAddress) -> Path:
        """The chat log of a conversation."""
        chats = self.folder(place.workspace) / "logs" / "chats"
        return chats / to_file_name(place.connector) / f"{place.conversation}.md"

    def summary(self, place: ConversationAddress) -> Path:
        """The rolling summary of a context."""
        return self.folder(place.workspace) / "memory" / "contexts" / f"{place.key}.md"


# Whose a chat log is: the first context that writes to it, so that no other ever reads it.
#
# A conversation is usually held in one context, and its log has its name. Where the same one comes
# up
# in another context, that has a log of its own beside it.


_OWNER_ONLY = 0o600
_LONGEST_KEY = 1_000
CLAIM_SUFFIX = ".context"
"""How the file ends that says whose a log is."""


def find_log(workspaces: WorkspaceRoot, place: ConversationAddress) -> Path:
    """The log of a conversation as its context sees it."""
    path = workspaces.log(place)
    owner = _read_owner(path)
    return path if owner in (None, place.key) else _separate_log(path, place)


def claim_log(workspaces: WorkspaceRoot, place: ConversationAddress) -> Path:
    """The same for who writes to it: from now on it is theirs."""
    path = workspaces.log(place)
    make_private_folder(path.parent)
    try:
        file = os.open(_claim_file(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    except FileExistsError:
        return find_log(workspaces, place)
    with os.fdopen(file, "w", encoding="utf-8") as written:
        written.write(place.key)
    return path


def find_log_context(log: Path) -> str | None:
    """The key of the context whose log this is, as far as that can be told."""
    _, joint, key = log.stem.removeprefix(JOINT).partition(JOINT)
    return key if joint else _read_owner(log)


def has_files(workspaces: WorkspaceRoot, workspace: str, key: str) -> bool:
    """Whether the context with this key has a chat log or a summary, in whichever connector."""
    folder = workspaces.folder(workspace)
    summaries = folder.glob("memory/contexts/*.md")
    return any(each.stem == key for each in summaries) or any(
        _is_log_of(log, key) for log in folder.glob("logs/chats/*/*.md")
    )


def _is_log_of(log: Path, key: str) -> bool:
    """Whether a log is a context's; one that nobody claimed is whose name it has."""
    owner = find_log_context(log)
    if owner is not None:
        return owner == key
    return key in (log.stem.removeprefix(JOINT), f"{log.parent.name}{JOINT}{log.stem}")


def _separate_log(path: Path, place: ConversationAddress) -> Path:
    return path.with_name(f"{path.stem}{JOINT}{place.key}.md")


def _claim_file(path: Path) -> Path:
    return path.with_name(f".{path.name}{CLAIM_SUFFIX}")


def _read_owner(path: Path) -> str | None:
    """The key of the context that a log belongs to; None where nobody has written to it."""
    try:
        return read_start(_claim_file(path), _LONGEST_KEY).decode()
    except FileNotFoundError:
        return None


# The cues that a workspace adds to ours, in a file of its own.


CUES_FILE_NAME = "cues.toml"

_LARGEST_CUES_FILE = 1_000_000


def load_cues(folder: Path, *, needs_consent: bool = False) -> StrategyCues:
    """The cues for a workspace: ours, and those of the file in its folder if it has one."""
    path = folder / CUES_FILE_NAME
    try:
        seen = path.stat()
    except FileNotFoundError:
        return DEFAULT_CUES
    if not needs_consent:
        return _read_cues(path, seen.st_mtime_ns, seen.st_size)
    content = read_content(path)
    if not TrustRecord().is_trusted(content):
        raise ConfigError(str(IgnoredSetting.untrusted(path)))
    return parse_cues(content)


@lru_cache(maxsize=64)
def _read_cues(path: Path, changed: int, size: int) -> StrategyCues:  # noqa: ARG001
    """What the file says; while its time and its size stay, so does what it says."""
    return parse_cues(read_content(path, _LARGEST_CUES_FILE))


def parse_cues(content: FileContent) -> StrategyCues:
    """Our cues, and those in the content of a file; ConfigError where they cannot be read."""
    path = content.path
    try:
        return extend_cues(DEFAULT_CUES, parse_toml(path, decode_text(path, content.data)))
    except InvalidInput as error:
        raise ConfigError(f"{path}: {error}") from error
