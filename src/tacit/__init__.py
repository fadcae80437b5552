"""Tacit: the memory your agent doesn't have to ask for.

Everything public can be imported from here; nothing is loaded before it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tacit.version import __version__

if TYPE_CHECKING:
    from tacit.archive import ImportReport, MoveReport
    from tacit.client import RemoteTacit
    from tacit.conversation import ListedSession, Session
    from tacit.embedding import Embedder, FakeEmbedder
    from tacit.engine import Tacit
    from tacit.engine.async_tacit import AsyncTacit
    from tacit.engine.moving import migrate
    from tacit.errors import ConfigError, InvalidInput, NotFound, TacitError
    from tacit.extraction import Extraction, Finding, Refused
    from tacit.history import INJECTION_BLOCK_PREFIX, is_injection_block
    from tacit.learning import Learned, Lesson, Verdict
    from tacit.memory import (
        Actor,
        Association,
        AuditEntry,
        Memory,
        MemoryType,
        Origin,
        Relation,
        Review,
        ReviewReport,
        Scope,
        Sort,
        State,
        Trust,
        Unseen,
    )
    from tacit.messages import Message
    from tacit.receipt import Activity, Candidate, Fate, Receipt
    from tacit.search import Hit, SearchResult
    from tacit.selection import Conflict, Recommendation
    from tacit.settings import InjectionSettings, SearchSettings
    from tacit.store import Stats
    from tacit.summary import ExtractiveSummarizer, LLMSummarizer, Summarizer
    from tacit.turn import Compaction, Prepared, Reset, SessionReport, Turn
    from tacit.upkeep import UpkeepReport
    from tacit.writing import Assignment, Erasure, Status, Sweep, Written

_HOMES = {
    "tacit.archive": ["ImportReport", "MoveReport"],
    "tacit.client": ["RemoteTacit"],
    "tacit.embedding": ["Embedder", "FakeEmbedder"],
    "tacit.conversation": ["ListedSession", "Session"],
    "tacit.engine": ["Tacit"],
    "tacit.engine.async_tacit": ["AsyncTacit"],
    "tacit.engine.moving": ["migrate"],
    "tacit.errors": ["ConfigError", "InvalidInput", "NotFound", "TacitError"],
    "tacit.extraction": ["Extraction", "Finding", "Refused"],
    "tacit.history": ["INJECTION_BLOCK_PREFIX", "is_injection_block"],
    "tacit.learning": ["Learned", "Lesson", "Verdict"],
    "tacit.memory": [
        "Actor",
        "Association",
        "AuditEntry",
        "Memory",
        "MemoryType",
        "Origin",
        "Relation",
        "Review",
        "ReviewReport",
        "Scope",
        "Sort",
        "State",
        "Trust",
        "Unseen",
    ],
    "tacit.messages": ["Message"],
    "tacit.receipt": ["Activity", "Candidate", "Fate", "Receipt"],
    "tacit.search": ["Hit", "SearchResult"],
    "tacit.selection": ["Conflict", "Recommendation"],
    "tacit.settings": ["InjectionSettings", "SearchSettings"],
    "tacit.store": ["Stats"],
    "tacit.summary": ["ExtractiveSummarizer", "LLMSummarizer", "Summarizer"],
    "tacit.turn": ["Compaction", "Prepared", "Reset", "SessionReport", "Turn"],
    "tacit.upkeep": ["UpkeepReport"],
    "tacit.writing": ["Assignment", "Erasure", "Status", "Sweep", "Written"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "INJECTION_BLOCK_PREFIX",
    "Activity",
    "Actor",
    "Assignment",
    "Association",
    "AsyncTacit",
    "AuditEntry",
    "Candidate",
    "Compaction",
    "ConfigError",
    "Conflict",
    "Embedder",
    "Erasure",
    "Extraction",
    "ExtractiveSummarizer",
    "FakeEmbedder",
    "Fate",
    "Finding",
    "Hit",
    "ImportReport",
    "InjectionSettings",
    "InvalidInput",
    "LLMSummarizer",
    "Learned",
    "Lesson",
    "ListedSession",
    "Memory",
    "MemoryType",
    "Message",
    "MoveReport",
    "NotFound",
    "Origin",
    "Prepared",
    "Receipt",
    "Recommendation",
    "Refused",
    "Relation",
    "RemoteTacit",
    "Reset",
    "Review",
    "ReviewReport",
    "Scope",
    "SearchResult",
    "SearchSettings",
    "Session",
    "SessionReport",
    "Sort",
    "State",
    "Stats",
    "Status",
    "Summarizer",
    "Sweep",
    "Tacit",
    "TacitError",
    "Trust",
    "Turn",
    "Unseen",
    "UpkeepReport",
    "Verdict",
    "Written",
    "__version__",
    "is_injection_block",
    "migrate",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'tacit' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return __all__
