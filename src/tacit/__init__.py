"""Tacit: the memory your agent doesn't have to ask for.

Everything public can be imported from here; nothing is loaded before it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tacit.version import __version__

if TYPE_CHECKING:
    from tacit.archive import ImportReport
    from tacit.embedding import Embedder, FakeEmbedder
    from tacit.engine import Stats, Tacit
    from tacit.engine.async_tacit import AsyncTacit
    from tacit.errors import InvalidInput, NotFound, TacitError
    from tacit.memory import (
        Actor,
        Association,
        AuditEntry,
        Memory,
        MemoryType,
        Origin,
        Relation,
        Review,
        Scope,
        Sort,
        State,
        Trust,
    )
    from tacit.search import Hit, SearchResult
    from tacit.writing import Erasure, Status, Written

_HOMES = {
    "tacit.archive": ["ImportReport"],
    "tacit.embedding": ["Embedder", "FakeEmbedder"],
    "tacit.engine": ["Stats", "Tacit"],
    "tacit.engine.async_tacit": ["AsyncTacit"],
    "tacit.errors": ["InvalidInput", "NotFound", "TacitError"],
    "tacit.memory": [
        "Actor",
        "Association",
        "AuditEntry",
        "Memory",
        "MemoryType",
        "Origin",
        "Relation",
        "Review",
        "Scope",
        "Sort",
        "State",
        "Trust",
    ],
    "tacit.search": ["Hit", "SearchResult"],
    "tacit.writing": ["Erasure", "Status", "Written"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Actor",
    "Association",
    "AsyncTacit",
    "AuditEntry",
    "Embedder",
    "Erasure",
    "FakeEmbedder",
    "Hit",
    "ImportReport",
    "InvalidInput",
    "Memory",
    "MemoryType",
    "NotFound",
    "Origin",
    "Relation",
    "Review",
    "Scope",
    "SearchResult",
    "Sort",
    "State",
    "Stats",
    "Status",
    "Tacit",
    "TacitError",
    "Trust",
    "Written",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'tacit' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return __all__
