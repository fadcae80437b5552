"""Where the files of workspaces are.

A name that is plain, which is lower case letters, digits, dots, hyphens and underscores, stays as
it is. Of any other the plain part is kept for readers, and a digest tells it from all others. So
two names never share a file, not even where the file system ignores case, and none leaves its
folder.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from tacit.core.errors import InvalidInput

_PLAIN = re.compile(r"[a-z0-9](?:[a-z0-9_.-]{0,62}[a-z0-9_-])?")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
_OTHER = re.compile(r"[^a-z0-9]+")
_UNNAMED = "_"
FILES_ENDING = ".workspaces"
FORMER_FILES = "workspaces"
FILES_OWNER = ".database"
"""A folder with the files of a database ends so; a former one has a file that names its owner."""

JOINT = "+"
"""Stands in no name, so that what is made of two is told from one."""

_KEPT = 40
_DIGITS = 32


def file_name(name: str) -> str:
    """A name as a file or a folder can have it: plain, short, and no other name's."""
    if not name:
        return _UNNAMED
    if _PLAIN.fullmatch(name) and not _RESERVED.fullmatch(name):
        return name
    kept = _OTHER.sub("-", name[: 2 * _KEPT].lower()).strip("-")[:_KEPT]
    digest = sha256(name.encode(errors="surrogatepass")).hexdigest()[:_DIGITS]
    return f"{kept}~{digest}"


def is_of_a_database(folder: Path) -> bool:
    """Whether a folder has the files of a database's workspaces."""
    is_former = folder.name == FORMER_FILES and (folder / FILES_OWNER).is_file()
    return folder.name.endswith(FILES_ENDING) or is_former


@dataclass(frozen=True, slots=True)
class Place:
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
            return file_name(self.context)
        return f"{file_name(self.connector)}{JOINT}{file_name(self.external_id)}"

    @property
    def conversation(self) -> str:
        """The name of the chat log: the conversation's, or the context's where that has none."""
        if self.context and not self.external_id:
            return f"{JOINT}{file_name(self.context)}"
        return file_name(self.external_id)


@dataclass(frozen=True, slots=True)
class Workspaces:
    """The folder that holds a folder for each workspace."""

    root: Path
    needs_consent: bool = False
    """Whether the folder may have come with a clone, so that its directives need the user's yes."""

    def folder(self, workspace: str) -> Path:
        """The folder of a workspace."""
        return self.root / file_name(workspace)

    def log(self, place: Place) -> Path:
        """The chat log of a conversation."""
        chats = self.folder(place.workspace) / "logs" / "chats"
        return chats / file_name(place.connector) / f"{place.conversation}.md"

    def summary(self, place: Place) -> Path:
        """The rolling summary of a context."""
        return self.folder(place.workspace) / "memory" / "contexts" / f"{place.key}.md"
