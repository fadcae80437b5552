"""The request of a turn and its state: the candidates and what the rules decided about them."""

import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol, Self

from tacit.core.episodes import episode_owner
from tacit.core.kinds import Actor, MemoryType, Owner, Scope, list_owners
from tacit.core.memory import Memory, StatementComparison
from tacit.core.messages import is_human, text_of
from tacit.core.open_turn import ChatMessage, OpenTurn
from tacit.core.permissions import UNBOUND, Viewer
from tacit.core.receipt import Candidate, CandidateSource, Fate
from tacit.core.sessions import Block, LedgerEntry
from tacit.core.vectors import Vector
from tacit.language.query import SearchQuery, clean_message
from tacit.runtime.clock import Clock, NewId
from tacit.runtime.workers import Worker, WorkerPool
from tacit.search.searcher import Searcher
from tacit.settings.injection import InjectionSettings
from tacit.statements.precedence import IdPair
from tacit.statements.self_statements import shared_author
from tacit.store.protocols.store import Store
from tacit.turn.block import BlockSections, MemoryLine, describe_days

# The request that starts a turn, and the kind of request that its text is.


class Trigger(StrEnum):
    """Who triggered a turn."""

    USER = "user"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRequest:
    """Who speaks where, the earlier messages, and the new ones.

    `history` is None if the host keeps it; `context` then has the last messages that are known, and
    `shown` the statements that the host shows by itself. `scopes` and `types` restrict which
    memories are considered; None means any. `visible` are the messages that the model will see, if
    not the whole history. `chat` goes into the chat log with the commit. `by` is the actor whose
    words the new messages are.
    """

    session: str
    history: tuple[object, ...] | None
    incoming: tuple[object, ...]
    context: tuple[object, ...] = ()
    shown: tuple[str, ...] = ()
    agent: str | None = None
    user: str | None = None
    project: str | None = None
    org: str | None = None
    trigger: Trigger = Trigger.USER
    by: Actor = Actor.USER
    scopes: tuple[Scope, ...] | None = None
    types: tuple[MemoryType, ...] | None = None
    visible: tuple[object, ...] | None = None
    chat: ChatMessage | None = None
    is_personal: bool = True
    """Whether a turn without a user is that of the one person who uses the store."""
    text: str = field(init=False)

    def __post_init__(self) -> None:
        """Join messages that arrived together into one text."""
        said = "\n".join(text_of(message) for message in self.incoming)
        object.__setattr__(self, "text", clean_message(said))

    @property
    def owners(self) -> tuple[Owner, ...]:
        """The owners whose memories are visible; an unnamed user sees those of no named user."""
        return tuple(each for each in self._places if self.scopes is None or each[0] in self.scopes)

    @property
    def _places(self) -> tuple[Owner, ...]:
        return list_owners(self.session, self.project, self.user, self.org)

    @property
    def episode_owner(self) -> Owner:
        """Whose what is said becomes: the user's, or the session's if nobody knows whose."""
        return episode_owner(self.user, self.session, is_personal=self.is_personal)

    def admits(self, type: MemoryType) -> bool:
        """Whether memories of a type are considered."""
        return self.types is None or type in self.types

    @property
    def speaker(self) -> str:
        """The user who speaks; empty if unnamed."""
        return self.user or ""

    @property
    def is_spoken(self) -> bool:
        """Whether a person triggered it and said something."""
        return self.trigger is Trigger.USER and any(map(is_human, self.incoming))

    def is_paused(self, paused: set[Owner]) -> bool:
        """Whether its session or project is paused."""
        return not paused.isdisjoint(self._places)

    def like(self) -> Sequence[object]:
        """Messages whose format new ones take."""
        return self.history or self.incoming


# Kinds of requests


class RequestKind(StrEnum):
    """What a person asks for."""

    CODING = "coding"
    OUTPUT_FORMAT = "output_format"
    ARCHITECTURE = "architecture"
    FRAMEWORK = "framework"
    DEBUGGING = "debugging"
    GENERAL = "general"


FITTING_TYPES: Mapping[RequestKind, frozenset[MemoryType]] = MappingProxyType(
    {
        RequestKind.CODING: frozenset(
            {
                MemoryType.DECISION,
                MemoryType.CONSTRAINT,
                MemoryType.FACT,
                MemoryType.PREFERENCE,
            }
        ),
        RequestKind.OUTPUT_FORMAT: frozenset({MemoryType.PREFERENCE, MemoryType.CONSTRAINT}),
        RequestKind.ARCHITECTURE: frozenset(
            {MemoryType.DECISION, MemoryType.FACT, MemoryType.CONSTRAINT}
        ),
        RequestKind.FRAMEWORK: frozenset(
            {MemoryType.DECISION, MemoryType.FACT, MemoryType.CONSTRAINT}
        ),
        RequestKind.DEBUGGING: frozenset(
            {
                MemoryType.PREFERENCE,
                MemoryType.CONSTRAINT,
                MemoryType.FACT,
                MemoryType.EVENT,
            }
        ),
        RequestKind.GENERAL: frozenset(MemoryType),
    }
)

_CUES = {
    RequestKind.CODING: """
        code coding implement implementation function functions method class classes refactor
        refactoring variable script snippet python javascript typescript rust golang java kotlin sql
        query endpoint unit\\ test unit\\ tests test tests write\\ a\\ function add\\ a\\ function
        type\\ hints docstring loop algorithm compile regex commit pull\\ request merge
    """,
    RequestKind.OUTPUT_FORMAT: """
        format formatted formatting output\\ format markdown json yaml csv table tables bullet
        bullets bullet\\ points headings tone concise shorter longer summarize summarise summary
        style indent indentation tabs spaces quotes line\\ length emoji answer\\ in reply\\ in
        respond\\ in as\\ a\\ list as\\ a\\ table in\\ one\\ sentence
    """,
    RequestKind.ARCHITECTURE: """
        architecture architectural api\\ design system\\ design design data\\ model schema service
        services microservice microservices monolith component components module modules boundary
        boundaries scale scaling scalability diagram structure layers pattern trade-offs tradeoffs
        event-driven queue message\\ broker
    """,
    RequestKind.FRAMEWORK: """
        framework frameworks library libraries dependency dependencies package packages upgrade
        migrate migration version versions fastapi django flask rails react vue svelte angular
        spring express nextjs tailwind pytorch tensorflow pandas numpy sqlalchemy orm plugin sdk
    """,
    RequestKind.DEBUGGING: """
        debug debugging error errors exception exceptions traceback stack\\ trace crash crashes
        crashing bug bugs fail fails failing failed failure broken break breaks fix hang hangs
        leak timeout timeouts not\\ working doesn't\\ work does\\ not\\ work reproduce regression
        segfault flaky why\\ is\\ it\\ failing
    """,
}

_WORD_OF_CUE = re.compile(r"(?:\\ |\S)+")
_LONG_CUE = 2.0


def _compile_cues(cues: str) -> re.Pattern[str]:
    """Compile the cues of a kind into a pattern of whole words, the longest first."""
    found = [cue.replace("\\ ", " ") for cue in _WORD_OF_CUE.findall(cues)]
    longest_first = sorted(found, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


_PATTERNS = {kind: _compile_cues(cues) for kind, cues in _CUES.items()}


def _score_kind(pattern: re.Pattern[str], said: str) -> float:
    """Score a kind: cues of several words count more, repeats do not count."""
    return sum(_LONG_CUE if " " in cue else 1.0 for cue in set(pattern.findall(said)))


def classify_request(text: str) -> RequestKind:
    """The kind with the highest score; general if none has a score or two are equal."""
    said = text.casefold()
    totals = {kind: _score_kind(pattern, said) for kind, pattern in _PATTERNS.items()}
    best = max(totals.values())
    leaders = [kind for kind, total in totals.items() if total == best]
    return leaders[0] if best > 0 and len(leaders) == 1 else _break_tie(leaders, best)


def _break_tie(leaders: list[RequestKind], best: float) -> RequestKind:
    """Choose between kinds of equal score: debugging first; otherwise usually general."""
    if best > 0 and RequestKind.DEBUGGING in leaders:
        return RequestKind.DEBUGGING
    if best > 0 and RequestKind.CODING in leaders and len(leaders) == 2:
        return next(kind for kind in leaders if kind is not RequestKind.CODING)
    return RequestKind.GENERAL


# The state of a turn: its dependencies, the candidates, and what the rules have decided so far.


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredCandidate:
    """A memory that the turn considers; it has a fate once the rules have decided about it."""

    memory: Memory
    found: CandidateSource
    score: float = 0.0
    relevance: float = 0.0
    alone: float = 0.0
    """Its relevance to the message without the exchanges before it."""

    signals: Mapping[str, float] = field(default_factory=dict)
    fate: Fate | None = None
    by: str | None = None
    note: str = ""
    conflict: str | None = None
    replaces: str | None = None
    """The earlier words that it stands for, quoted."""

    quotes: tuple[str, ...] = ()
    is_repeat: bool = False
    less_sure: bool = False
    """Whether it is the newest value of its key, shown instead of a surer one."""

    excerpt: str | None = None
    """What is shown of an episode, if not all of it."""

    learned: tuple[str, ...] = ()
    """What the memories say that were learned from an episode."""

    is_learned: bool = False
    """Whether these say all of it, and some of them is shown."""

    @property
    def is_open(self) -> bool:
        """Whether no rule has rejected it so far."""
        return self.fate is None

    @property
    def is_episode(self) -> bool:
        """Whether it was said, and is no memory."""
        return self.found is CandidateSource.EPISODE

    @property
    def is_standing(self) -> bool:
        """Whether it is considered as a standing rule."""
        return self.found is CandidateSource.STANDING

    def reject(self, fate: Fate, by: str | None = None, note: str = "") -> Self:
        """Return it with this fate, unless it has one already."""
        if not self.is_open:
            return self
        return replace(self, fate=fate, by=by or self.by, note=note or self.note)

    def to_line(self, now: datetime, reader: str) -> MemoryLine:
        """Return it as a line of a block that a user reads."""
        days = describe_days(self.memory, now, in_conflict=self.conflict is not None)
        author = shared_author(self.memory, reader)
        return MemoryLine(
            self.memory,
            self.conflict,
            self.excerpt,
            days,
            self.less_sure,
            author,
            self.replaces,
        )

    def to_candidate(self, reader: str) -> Candidate:
        """Return what the receipt of a user's turn says about it."""
        return Candidate(
            memory=self.memory.id,
            found=self.found,
            type=_EPISODE_TYPE if self.is_episode else str(self.memory.type),
            score=self.score,
            relevance=self.relevance,
            signals=self.signals,
            fate=self.fate or Fate.INJECTED,
            by=self.by,
            note=self.note,
            is_repeat=self.is_repeat,
            author=shared_author(self.memory, reader),
        )


_EPISODE_TYPE = "episode"


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
    Fate.RESTATES_QUERY,
    Fate.NOT_APPLICABLE,
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
    message: str = ""
    """What was said now."""

    need_odds: float | None = None
    """What the vector of the message adds to the odds of needing memory, if that is known."""

    has_project: bool = False
    reader: str = ""
    """The user of the turn; empty if unnamed."""

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
    rules_in_view: tuple[Block, ...] = ()
    """The blocks of standing rules that are in view."""

    conflicting: tuple[tuple[str, str], ...] = ()
    """Pairs of memories of which both cannot be current."""

    compatible: frozenset[tuple[str, str]] = frozenset()
    known_comparisons: Mapping[IdPair, StatementComparison] = field(default_factory=dict)
    """How candidates stand to earlier or later statements, by the ids of both in this order."""

    comparisons: Mapping[IdPair, StatementComparison] = field(default_factory=dict)
    """Those of them that count in this turn."""

    uncompared: frozenset[str] = frozenset()
    """The candidates that wait to be compared with others."""

    seen: Mapping[str, Memory] = field(default_factory=dict)
    vectors: Mapping[str, Vector] = field(default_factory=dict)
    sections: BlockSections = field(default_factory=BlockSections)
    """The lines of the block of memories."""

    standing: BlockSections = field(default_factory=BlockSections)
    """The lines of the block of standing rules."""

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


_MOST_PENDING = 256


class PendingTurns:
    """Turns of this process that were answered before they could be stored, by their ids.

    The oldest make room for new ones.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._turns: dict[str, OpenTurn] = {}

    def add(self, turn: OpenTurn) -> None:
        """Keep a turn until it is stored, committed or rolled back."""
        with self._lock:
            self._turns[turn.id] = turn
            while len(self._turns) > _MOST_PENDING:
                del self._turns[next(iter(self._turns))]

    def get(self, id: str) -> OpenTurn | None:
        """The pending turn with this id."""
        with self._lock:
            return self._turns.get(id)

    def remove(self, id: str) -> None:
        """Remove a turn, if it is pending."""
        with self._lock:
            self._turns.pop(id, None)

    def all(self) -> list[OpenTurn]:
        """All pending turns, oldest first."""
        with self._lock:
            return list(self._turns.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDependencies:
    """The store and searcher of one workspace, background workers, clock and ids.

    `worker` runs what can wait, and `pool` what is abandoned when it is late. `tidy` is called
    after every commit with the days that receipts are kept; `listener` learns from what was said.
    `has_files` says whether a conversation of this name has a chat log or a summary,
    `episode_days` how long what was said is kept. `pending` are turns that wait to be stored.
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
    episode_days: Callable[[], int]
    pending: PendingTurns = field(default_factory=PendingTurns)
    reach: Viewer = UNBOUND
    """Whose episodes a turn may show: a caller's who is bound to an agent or a user."""
