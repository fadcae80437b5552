"""The state of a turn: its dependencies, the candidates, and what the rules have decided so far."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol, Self

from tacit.core.blocks import LedgerEntry
from tacit.core.memory import Memory
from tacit.core.receipt import Candidate, CandidateSource, Fate
from tacit.core.vectors import Vector
from tacit.language.query import SearchQuery
from tacit.runtime.clock import Clock, NewId
from tacit.runtime.workers import Worker, WorkerPool
from tacit.search.searcher import Searcher
from tacit.settings.injection import InjectionSettings
from tacit.store.protocols.store import Store
from tacit.turn.block import BlockSections
from tacit.turn.request import RequestKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredCandidate:
    """A memory that the turn considers; it has a fate once the rules have decided about it."""

    memory: Memory
    found: CandidateSource
    score: float = 0.0
    relevance: float = 0.0
    signals: Mapping[str, float] = field(default_factory=dict)
    fate: Fate | None = None
    by: str | None = None
    note: str = ""
    conflict: str | None = None
    quotes: tuple[str, ...] = ()
    is_repeat: bool = False

    @property
    def is_open(self) -> bool:
        """Whether no rule has rejected it so far."""
        return self.fate is None

    def reject(self, fate: Fate, by: str | None = None, note: str = "") -> Self:
        """Return it with this fate, unless it has one already."""
        if not self.is_open:
            return self
        return replace(self, fate=fate, by=by or self.by, note=note or self.note)

    def to_candidate(self) -> Candidate:
        """Return what the receipt says about it."""
        return Candidate(
            memory=self.memory.id,
            found=self.found,
            type=str(self.memory.type),
            score=self.score,
            relevance=self.relevance,
            signals=self.signals,
            fate=self.fate or Fate.INJECTED,
            by=self.by,
            note=self.note,
            is_repeat=self.is_repeat,
        )


def sort_by_source(candidates: Iterable[ScoredCandidate]) -> tuple[ScoredCandidate, ...]:
    """Sort candidates by their sources, the best hits first."""
    places = {found: place for place, found in enumerate(CandidateSource)}
    return tuple(sorted(candidates, key=lambda each: (places[each.found], -each.score)))


def keep_one_per_memory(candidates: Iterable[ScoredCandidate]) -> tuple[ScoredCandidate, ...]:
    """Keep one candidate per memory: the one that passed the most rules."""
    listed, kept = list(candidates), dict[str, ScoredCandidate]()
    for each in listed:
        other = kept.get(each.memory.id)
        if other is None or _progress(each) > _progress(other):
            kept[each.memory.id] = each
    return tuple(each for each in listed if kept[each.memory.id] is each)


def _progress(each: ScoredCandidate) -> int:
    return len(_FATES_IN_ORDER) if each.fate is None else _FATES_IN_ORDER.index(each.fate)


_FATES_IN_ORDER = (
    Fate.SAME_BATCH,  # there is another entry, which says more
    Fate.UNTRUSTED,
    Fate.LOW_CONFIDENCE,
    Fate.BELOW_IMPORTANCE,
    Fate.IRRELEVANT_TYPE,
    Fate.BELOW_FLOOR,
    Fate.SHADOWED,
    Fate.SUPERSEDED,
    Fate.CONFLICT_OMITTED,
    Fate.SEEN_IN_WINDOW,
    Fate.SAME_CONTENT,
    Fate.NEAR_DUPLICATE,
    Fate.OVER_SLOTS,
    Fate.OVER_TOKENS,
    Fate.OVER_CHARS,
    Fate.INJECTED,
)
"""Fates in the order of the rules that assign them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnState:
    """What the rules read and what they have decided; each rule returns a new state."""

    settings: InjectionSettings
    question: SearchQuery
    kind: RequestKind
    now: datetime
    session: str = ""
    said: tuple[object, ...] = ()
    """The earlier messages, as far as they are known."""

    visible: tuple[object, ...] | None = None
    """The messages that the model will see, if that is only a part of what was said."""

    is_host_kept: bool = False
    since: datetime | None = None
    """When the current history began, if the host keeps it."""

    shown: tuple[str, ...] = ()
    candidates: tuple[ScoredCandidate, ...] = ()
    in_view: tuple[LedgerEntry, ...] = ()
    conflicting: tuple[tuple[str, str], ...] = ()
    """Pairs of memories of which both cannot be current."""

    compatible: frozenset[tuple[str, str]] = frozenset()
    seen: Mapping[str, Memory] = field(default_factory=dict)
    vectors: Mapping[str, Vector] = field(default_factory=dict)
    sections: BlockSections = field(default_factory=BlockSections)
    tokens: int = 0
    characters: int = 0

    def decide_each(self, decide: Callable[[ScoredCandidate], ScoredCandidate]) -> Self:
        """Apply a rule that decides about one candidate at a time to those still undecided."""
        decided = tuple(decide(each) if each.is_open else each for each in self.candidates)
        return replace(self, candidates=decided)

    @property
    def undecided(self) -> list[ScoredCandidate]:
        """The candidates that no rule has rejected so far."""
        return [each for each in self.candidates if each.is_open]


TurnRule = Callable[[TurnState], TurnState]


class LearningListener(Protocol):
    """Learns from turns."""

    def is_listening(self) -> bool:
        """Whether turns should be queued for learning."""

    def heard(self) -> None:
        """Take note that a turn was queued."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDependencies:
    """The store and searcher of one workspace, background workers, clock and ids.

    `worker` runs what can wait, and `pool` what is abandoned when it is late. `tidy` is called
    after every commit with the days that receipts are kept; `listener` learns from what was said.
    `has_files` says whether a conversation of this name has a chat log or a summary.
    """

    store: Store
    workspace: str
    searcher: Searcher
    worker: Worker
    pool: WorkerPool
    tidy: Callable[[int], None]
    listener: LearningListener
    clock: Clock
    new_id: NewId
    has_files: Callable[[str], bool]
