"""Documents: the files of a workspace as a second corpus of the same search, not memories."""

from tacit.grounding.documents.documents import Documents, Means
from tacit.grounding.documents.values import (
    DocumentSearch,
    DocumentStatus,
    Excerpt,
    Folder,
    IndexReport,
    Unread,
)
from tacit.grounding.documents.watching import Watcher

__all__ = [
    "DocumentSearch",
    "DocumentStatus",
    "Documents",
    "Excerpt",
    "Folder",
    "IndexReport",
    "Means",
    "Unread",
    "Watcher",
]
