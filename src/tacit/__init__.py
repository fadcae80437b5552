"""Tacit: the memory your agent doesn't have to ask for.

Everything public can be imported from here; nothing is loaded before it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tacit.version import __version__

if TYPE_CHECKING:
    from tacit.api.async_tacit import AsyncTacit
    from tacit.api.base import BaseTacit
    from tacit.api.calls.maintenance import EmbeddingReport, migrate
    from tacit.api.client.remote import RemoteTacit
    from tacit.api.model_calls.names import identify
    from tacit.api.tacit import Tacit
    from tacit.core.activity import Activity
    from tacit.core.changes import AuditEntry, Review, ReviewReport
    from tacit.core.errors import ConfigError, InvalidInput, NotFound, TacitError
    from tacit.core.fields import Origin
    from tacit.core.kinds import Actor, MemoryType, Relation, Scope, Sort, State, Trust
    from tacit.core.memory import Association, Memory
    from tacit.core.messages import Message
    from tacit.core.receipt import Candidate, Fate, Receipt, Unseen
    from tacit.core.sessions import ListedSession, Session
    from tacit.embedding.embedder import Embedder, QueryTokens, TextInContext, TokenEmbedder
    from tacit.embedding.llm import LLMSummarizer
    from tacit.language.extraction.findings import ClauseReport, Extraction, Finding, Refused
    from tacit.language.injection_blocks import is_injection_block
    from tacit.language.prompt_templates import INJECTION_BLOCK_PREFIX
    from tacit.search.results import Hit, SearchResult
    from tacit.settings.injection import InjectionSettings
    from tacit.settings.search import SearchSettings
    from tacit.statements.conflict_list import Conflict, Recommendation
    from tacit.store.stats import Stats
    from tacit.testing import FakeEmbedder
    from tacit.turn.commit import Prepared, Turn
    from tacit.turn.compaction import Compaction
    from tacit.turn.session_view import Reset, SessionReport
    from tacit.turn.summarizer import ExtractiveSummarizer, Summarizer
    from tacit.writing.archive.files import ImportReport
    from tacit.writing.archive.move import MoveReport
    from tacit.writing.assignment import Assignment
    from tacit.writing.draft import Status, Written
    from tacit.writing.erasure import Erasure, Sweep
    from tacit.writing.learning.lesson import Learned, Lesson, Verdict
    from tacit.writing.upkeep.report import UpkeepReport

_HOMES = {
    "tacit.api.async_tacit": ["AsyncTacit"],
    "tacit.api.calls.maintenance": ["EmbeddingReport", "migrate"],
    "tacit.api.client.remote": ["RemoteTacit"],
    "tacit.api.base": ["BaseTacit"],
    "tacit.api.model_calls.names": ["identify"],
    "tacit.api.tacit": ["Tacit"],
    "tacit.core.activity": ["Activity"],
    "tacit.core.changes": ["AuditEntry", "Review", "ReviewReport"],
    "tacit.core.errors": ["ConfigError", "InvalidInput", "NotFound", "TacitError"],
    "tacit.core.fields": ["Origin"],
    "tacit.core.kinds": ["Actor", "MemoryType", "Relation", "Scope", "Sort", "State", "Trust"],
    "tacit.core.memory": ["Association", "Memory"],
    "tacit.core.messages": ["Message"],
    "tacit.core.receipt": ["Candidate", "Fate", "Receipt", "Unseen"],
    "tacit.core.sessions": ["ListedSession", "Session"],
    "tacit.embedding.embedder": ["Embedder", "QueryTokens", "TextInContext", "TokenEmbedder"],
    "tacit.embedding.llm": ["LLMSummarizer"],
    "tacit.language.extraction.findings": ["ClauseReport", "Extraction", "Finding", "Refused"],
    "tacit.language.injection_blocks": ["is_injection_block"],
    "tacit.language.prompt_templates": ["INJECTION_BLOCK_PREFIX"],
    "tacit.turn.summarizer": ["ExtractiveSummarizer", "Summarizer"],
    "tacit.statements.conflict_list": ["Conflict", "Recommendation"],
    "tacit.search.results": ["Hit", "SearchResult"],
    "tacit.settings.injection": ["InjectionSettings"],
    "tacit.settings.search": ["SearchSettings"],
    "tacit.store.stats": ["Stats"],
    "tacit.testing": ["FakeEmbedder"],
    "tacit.turn.commit": ["Prepared", "Turn"],
    "tacit.turn.compaction": ["Compaction"],
    "tacit.turn.session_view": ["Reset", "SessionReport"],
    "tacit.writing.archive.files": ["ImportReport"],
    "tacit.writing.archive.move": ["MoveReport"],
    "tacit.writing.assignment": ["Assignment"],
    "tacit.writing.draft": ["Status", "Written"],
    "tacit.writing.erasure": ["Erasure", "Sweep"],
    "tacit.writing.learning.lesson": ["Learned", "Lesson", "Verdict"],
    "tacit.writing.upkeep.report": ["UpkeepReport"],
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
    "BaseTacit",
    "Candidate",
    "ClauseReport",
    "Compaction",
    "ConfigError",
    "Conflict",
    "Embedder",
    "EmbeddingReport",
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
    "QueryTokens",
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
    "TextInContext",
    "TokenEmbedder",
    "Trust",
    "Turn",
    "Unseen",
    "UpkeepReport",
    "Verdict",
    "Written",
    "__version__",
    "identify",
    "is_injection_block",
    "migrate",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'tacit' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return __all__
