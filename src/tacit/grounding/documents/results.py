"""What is reported about documents: folders, index reports, status, excerpts and searches."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFolder:
    """A folder whose documents are searched, and what is excluded in it."""

    path: str
    exclude: tuple[str, ...] = ()
    is_own: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"path": self.path, "exclude": list(self.exclude), "is_own": self.is_own}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        exclude = tuple(map(str, values.get("exclude", ())))
        return cls(path=values["path"], exclude=exclude, is_own=bool(values.get("is_own")))


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadFile:
    """A file that is not searched, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """The result of indexing: new or changed, unchanged, removed and unread files."""

    indexed: int = 0
    unchanged: int = 0
    removed: int = 0
    chunks: int = 0
    unread: tuple[UnreadFile, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {**asdict(self), "unread": [asdict(each) for each in self.unread]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(**{**values, "unread": _to_unread_file(values)})


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentStatus:
    """The state of a workspace's documents; `waiting` chunks have no vector yet."""

    folders: tuple[DocumentFolder, ...]
    files: int
    chunks: int
    waiting: int
    unread: tuple[UnreadFile, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "folders": [each.to_dict() for each in self.folders],
            "files": self.files,
            "chunks": self.chunks,
            "waiting": self.waiting,
            "unread": [asdict(each) for each in self.unread],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        folders = tuple(map(DocumentFolder.from_dict, values["folders"]))
        return cls(**{**values, "folders": folders, "unread": _to_unread_file(values)})


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentExcerpt:
    """A passage of a document: its file, headings, lines and text.

    `path` is where the file is, and `sha256` its hash when the passage was taken.
    """

    source: str
    path: str
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

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {**asdict(self), "headings": list(self.headings)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(**{**values, "headings": tuple(values["headings"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSearch:
    """The best passage of each document found, best first; `degraded` names what was left out."""

    hits: tuple[DocumentExcerpt, ...] = ()
    degraded: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"hits": [hit.to_dict() for hit in self.hits], "degraded": list(self.degraded)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        hits = tuple(map(DocumentExcerpt.from_dict, values["hits"]))
        return cls(hits=hits, degraded=tuple(values["degraded"]))


def _to_unread_file(values: Mapping[str, Any]) -> tuple[UnreadFile, ...]:
    return tuple(UnreadFile(**each) for each in values["unread"])
