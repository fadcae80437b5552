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

_PLAIN = re.compile(r"[a-z0-9](?:[a-z0-9_.-]{0,62}[a-z0-9_-])?")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
_OTHER = re.compile(r"[^a-z0-9]+")
_UNNAMED = "_"
FILES_ENDING = ".workspaces"
FORMER_FILES_FOLDER = "workspaces"
FILES_OWNER = ".database"
"""The files of a database are in a folder with this ending; a former one names its owner in a file.
"""

JOINT = "+"
"""Occurs in no name, so that joined names are recognised."""

_KEPT_CHARACTERS = 40
_DIGITS = 32


def to_file_name(name: str) -> str:
    """A name as a file or folder: plain, short and unique."""
    if not name:
        return _UNNAMED
    if _PLAIN.fullmatch(name) and not _RESERVED.fullmatch(name):
        return name
    kept = _OTHER.sub("-", name[: 2 * _KEPT_CHARACTERS].lower()).strip("-")[:_KEPT_CHARACTERS]
    digest = sha256(name.encode(errors="surrogatepass")).hexdigest()[:_DIGITS]
    return f"{kept}~{digest}"


def is_database_folder(folder: Path) -> bool:
    """Whether a folder holds the files of a database's workspaces."""
    is_former = folder.name == FORMER_FILES_FOLDER and (folder / FILES_OWNER).is_file()
    return folder.name.endswith(FILES_ENDING) or is_former


@dataclass(frozen=True, slots=True)
class ConversationAddress:
    """Where a conversation takes place: workspace, context and connector."""

    workspace: str
    context: str | None = None
    connector: str = "local"
    external_id: str = ""

    @classmethod
    def of(cls, workspace: str, asked: Mapping[str, Any]) -> Self:
        """The address that a caller gives by its context, or by connector and external id."""
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
        """The name of the context, or of connector and conversation if there is none."""
        if self.context:
            return to_file_name(self.context)
        return f"{to_file_name(self.connector)}{JOINT}{to_file_name(self.external_id)}"

    @property
    def conversation(self) -> str:
        """The name of the chat log: the conversation's, or else the context's."""
        if self.context and not self.external_id:
            return f"{JOINT}{to_file_name(self.context)}"
        return to_file_name(self.external_id)


@dataclass(frozen=True, slots=True)
class WorkspaceRoot:
    """The folder that holds a folder for each workspace."""

    root: Path
    needs_consent: bool = False
    """Whether the folder may have come with a clone, so that its directives need consent."""

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


# Ownership of chat logs


_OWNER_ONLY = 0o600
_LONGEST_KEY = 1_000
CLAIM_SUFFIX = ".context"
"""The ending of the file that names the owner of a log."""


def find_log(workspaces: WorkspaceRoot, place: ConversationAddress) -> Path:
    """The log of a conversation for its context."""
    path = workspaces.log(place)
    owner = _read_owner(path)
    return path if owner in (None, place.key) else _separate_log(path, place)


def claim_log(workspaces: WorkspaceRoot, place: ConversationAddress) -> Path:
    """The same for a writer, whose context owns the log from now on."""
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
    """The key of the context that owns a log, as far as it is known."""
    _, joint, key = log.stem.removeprefix(JOINT).partition(JOINT)
    return key if joint else _read_owner(log)


def has_files(workspaces: WorkspaceRoot, workspace: str, key: str) -> bool:
    """Whether the context with this key has a chat log or a summary, in any connector."""
    folder = workspaces.folder(workspace)
    summaries = folder.glob("memory/contexts/*.md")
    return any(each.stem == key for each in summaries) or any(
        _is_log_of(log, key) for log in folder.glob("logs/chats/*/*.md")
    )


def _is_log_of(log: Path, key: str) -> bool:
    """Whether a log belongs to a context; an unclaimed one belongs to its namesake."""
    owner = find_log_context(log)
    if owner is not None:
        return owner == key
    return key in (log.stem.removeprefix(JOINT), f"{log.parent.name}{JOINT}{log.stem}")


def _separate_log(path: Path, place: ConversationAddress) -> Path:
    return path.with_name(f"{path.stem}{JOINT}{place.key}.md")


def _claim_file(path: Path) -> Path:
    return path.with_name(f".{path.name}{CLAIM_SUFFIX}")


def _read_owner(path: Path) -> str | None:
    """The key of the context that owns a log; None if nobody has written to it."""
    try:
        return read_start(_claim_file(path), _LONGEST_KEY).decode()
    except FileNotFoundError:
        return None


# Cues


CUES_FILE_NAME = "cues.toml"

_LARGEST_CUES_FILE = 1_000_000


def load_cues(folder: Path, *, needs_consent: bool = False) -> StrategyCues:
    """The cues for a workspace: the built-in ones, and those of the file in its folder."""
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
    """Read the cues of a file; cached while its time and size stay."""
    return parse_cues(read_content(path, _LARGEST_CUES_FILE))


def parse_cues(content: FileContent) -> StrategyCues:
    """The built-in cues and those of a file's content; ConfigError if they are invalid."""
    path = content.path
    try:
        return extend_cues(DEFAULT_CUES, parse_toml(path, decode_text(path, content.data)))
    except InvalidInput as error:
        raise ConfigError(f"{path}: {error}") from error
