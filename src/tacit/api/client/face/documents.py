"""Documents: what a workspace has to read."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tacit.api.client.connection import Connection
from tacit.api.client.face.face import Face
from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.grounding.documents.values import (
    DocumentSearch,
    DocumentStatus,
    Excerpt,
    Folder,
    IndexReport,
)

_DOCUMENTS = "/v1/documents"


class RemoteDocuments:
    """The calls of `Documents` for folders on the server's disk."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    def add(self, path: Path | str, exclude: Iterable[str] = ()) -> Folder:
        """Search a folder of the server's too; `exclude` are patterns of what is left out."""
        if isinstance(exclude, str):
            raise InvalidInput("exclude", "expected a list of patterns, not a single one")
        asked = {"path": str(path), "exclude": list(exclude)}
        return self._at.write(_DOCUMENTS, asked, read=Folder.from_dict)

    def remove(self, path: Path | str) -> IndexReport:
        """Search a folder no more; its files stay as they are."""
        return self._at.change("DELETE", _DOCUMENTS, IndexReport.from_dict, folder=str(path))

    def index(self) -> IndexReport:
        """Read what is new or changed in the folders."""
        path = f"{_DOCUMENTS}/index"
        return self._at.write(path, read=IndexReport.from_dict)

    def search(self, text: str, limit: int = 3) -> DocumentSearch:
        """The best passage of each of the documents that matter most for a text."""
        asked: dict[str, Any] = {
            "text": check_field("text", text),
            "limit": check_field("limit", limit),
        }
        return self._at.get(f"{_DOCUMENTS}/search", DocumentSearch.from_dict, **asked)

    def excerpts(self, text: str, limit: int, max_bytes: int) -> tuple[Excerpt, ...]:
        """The passages of `search`, each of at most so many bytes."""
        asked = {"text": text, "limit": limit, "max_bytes": max_bytes}
        found = self._at.get(f"{_DOCUMENTS}/search", DocumentSearch.from_dict, **asked)
        return found.hits

    def status(self) -> DocumentStatus:
        """The folders, how many files and chunks there are, and what could not be read."""
        return self._at.get(_DOCUMENTS, DocumentStatus.from_dict)


class DocumentsFace(Face):
    """The documents of a workspace."""

    @property
    def documents(self) -> RemoteDocuments:
        """What a workspace has to read, on the server's disk."""
        return RemoteDocuments(self._at)
