"""What is reported about documents: folders, index reports, status, excerpts and searches."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from tacit.core.json_value import Example, JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFolder(JsonValue):
    """A folder whose documents are searched, and what is excluded in it."""

    path: Annotated[str, Example("/srv/handbook")]
    exclude: Annotated[tuple[str, ...], "Patterns of what in it is left out."] = ()
    is_own: Annotated[bool, "Whether it is the workspace's own, which nobody adds."] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadFile(JsonValue):
    """A file that is not searched, and why."""

    path: str
    reason: Annotated[str, Example("is binary")]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport(JsonValue):
    """The result of indexing: new or changed, unchanged, removed and unread files."""

    indexed: Annotated[int, "Files that are new or were changed."] = 0
    unchanged: int = 0
    removed: int = 0
    chunks: Annotated[int, "Chunks of the files that were indexed."] = 0
    unread: tuple[UnreadFile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentStatus(JsonValue):
    """The state of a workspace's documents; `waiting` chunks have no vector yet."""

    folders: tuple[DocumentFolder, ...]
    files: int
    chunks: int
    waiting: Annotated[int, "Chunks that have no vector yet and are found by words only."]
    unread: tuple[UnreadFile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentExcerpt(JsonValue):
    """A passage of a document: its file, headings, lines and text.

    `path` is where the file is, and `sha256` its hash when the passage was taken.
    """

    source: Annotated[str, "The file within its folder.", Example("topics/cache.txt")]
    path: Annotated[str, "Where it is; empty for who may not know the server's disk."]
    headings: tuple[str, ...]
    first_line: int
    last_line: int
    text: str
    score: float
    sha256: str

    @property
    def heading(self) -> str:
        """The headings above the passage as one line."""
        return " › ".join(self.headings)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSearch(JsonValue):
    """The best passage of each document found, best first; `degraded` names what was left out."""

    hits: tuple[DocumentExcerpt, ...] = ()
    degraded: Annotated[tuple[str, ...], "What was left out, and why."] = ()


def _to_unread_file(values: Mapping[str, Any]) -> tuple[UnreadFile, ...]:
    return tuple(UnreadFile(**each) for each in values["unread"])
