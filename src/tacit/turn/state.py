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
from tacit.runtime.clock import Clock
from tacit.runtime.ids import NewId
from tacit.runtime.workers import Worker, WorkerPool
from tacit.search.searcher import Searcher
from tacit.settings.injection import InjectionSettings
from tacit.store.protocols.store import Store
from tacit.turn.block import BlockSections
from tacit.turn.request import RequestKind

# A turn on its way: candidates, and what has become of them so far.


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredCandidate:
    """A memory that the turn thinks of; it has a fate once it is decided."""

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
        """Whether nothing spoke against it yet."""
        return self.fate is None

    def ended(self, fate: Fate, by: str | None = None, note: str = "") -> Self:
        """With its fate, unless it has one."""
        if not self.is_open:
            return self
        return replace(self, fate=fate, by=by or self.by, note=note or self.note)

    def candidate(self) -> Candidate:
        """As the receipt has it."""
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


def sort_by_source(weighed: Iterable[ScoredCandidate]) -> tuple[ScoredCandidate, ...]:
    """Candidates in the order of their sources, the best hits first."""
    places = {found: place for place, found in enumerate(CandidateSource)}
    return tuple(sorted(weighed, key=lambda each: (places[each.found], -each.score)))


def keep_one_per_memory(weighed: Iterable[ScoredCandidate]) -> tuple[ScoredCandidate, ...]:
    """One entry for each memory: of those that several sources gave, the one that came furthest."""
    listed, kept = list(weighed), dict[str, ScoredCandidate]()
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
"""Fates in the order in which the rules give them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnState:
    """What the rules look at, and what they have decided; each step gives a new one."""

    settings: InjectionSettings
    question: SearchQuery
    kind: RequestKind
    now: datetime
    session: str = ""
    said: tuple[object, ...] = ()
    """What was said before, as far as it is known."""

    visible: tuple[object, ...] | None = None
    """The messages that the model will see, where that is another part of what was said."""

    is_host_kept: bool = False
    since: datetime | None = None
    """When the history of now began, where a host keeps it."""

    shown: tuple[str, ...] = ()
    weighed: tuple[ScoredCandidate, ...] = ()
    in_view: tuple[LedgerEntry, ...] = ()
    rivals: tuple[tuple[str, str], ...] = ()
    compatible: frozenset[tuple[str, str]] = frozenset()
    seen: Mapping[str, Memory] = field(default_factory=dict)
    vectors: Mapping[str, Vector] = field(default_factory=dict)
    sections: BlockSections = field(default_factory=BlockSections)
    tokens: int = 0
    characters: int = 0

    def each(self, decide: Callable[[ScoredCandidate], ScoredCandidate]) -> Self:
        """The course after a rule that looks at one open candidate at a time."""
        decided = tuple(decide(each) if each.is_open else each for each in self.weighed)
        return replace(self, weighed=decided)

    @property
    def open(self) -> list[ScoredCandidate]:
        """Candidates that nothing spoke against yet."""
        return [each for each in self.weighed if each.is_open]


TurnRule = Callable[[TurnState], TurnState]


# What a turn works with.


class LearningListener(Protocol):
    """Who learns from turns."""

    def is_listening(self) -> bool:
        """Whether what is said is to be kept for it."""

    def heard(self) -> None:
        """Something new was kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDependencies:
    """The store and the searcher of one workspace, who does what may wait, and times and ids.

    `worker` does what may wait, and `pool` what is given up when it is late. `tidy` hears of every
    turn that ended, and for how many days its receipt is kept; `listener` learns from what was said
    in it. `has_files` tells whether a conversation of this name has a chat log or a summary.
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
