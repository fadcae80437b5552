"""The receipt of a turn: its candidates and their fates, what was injected, and what it cost."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from shlex import quote
from typing import Annotated, Any, ClassVar

from tacit.core.json_value import JsonValue, Named, Rounded

MAX_UNSEEN = 1_000
"""Each count stops here, so that a large workspace costs a turn no more than a small one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unseen(JsonValue):
    """How many live memories a turn cannot see: those of no user, and those of other users."""

    unowned: Annotated[int, "Those that belong to no user."] = 0
    others: Annotated[int, "Those of other users."] = 0

    def hint(self, user: str | None) -> str:
        """The counts in words with the command that helps; empty if they are zero."""
        command = f"tacit assign --user {quote(user or 'NAME')}"
        them = "it" if self.unowned == 1 else "them"
        told = self.sentence(user, f" ({command} gives {them} an owner)")
        return f"not seen: {told}" if told else ""

    def sentence(self, user: str | None, remedy: str = "") -> str:
        """The counts in words, for a turn of this user; empty if they are zero."""
        parts = []
        if self.unowned:
            parts.append(f"{_count_in_words(self.unowned)} to no user{remedy}")
        if self.others:
            whose = "other users" if user else "users with a name, and this turn named no user"
            parts.append(f"{_count_in_words(self.others)} to {whose}")
        return "; ".join(parts)


def _count_in_words(count: int) -> str:
    if count == 1:
        return "1 memory belongs"
    return f"{count:,}{' or more' if count >= MAX_UNSEEN else ''} memories belong"


class CandidateSource(StrEnum):
    """How a turn found a memory, or an episode."""

    PINNED = "pinned"
    FACT = "fact"
    CONTEXTUAL = "contextual"
    STANDING = "standing"
    EPISODE = "episode"


class Fate(StrEnum):
    """What happened to a candidate: exactly one of these."""

    INJECTED = "injected"
    BELOW_FLOOR = "below_floor"
    SEEN_IN_WINDOW = "seen_in_window"
    SAME_BATCH = "same_batch"
    SAME_CONTENT = "same_content"
    NEAR_DUPLICATE = "near_duplicate"
    SHADOWED = "shadowed"
    SUPERSEDED = "superseded"
    LOW_CONFIDENCE = "low_confidence"
    CONFLICT_OMITTED = "conflict_omitted"
    BELOW_IMPORTANCE = "below_importance"
    OVER_SLOTS = "over_slots"
    OVER_TOKENS = "over_tokens"
    OVER_CHARS = "over_chars"
    UNTRUSTED = "untrusted"
    RESTATES_QUERY = "restates_query"
    NOT_APPLICABLE = "not_applicable"


UNFIT = (Fate.BELOW_FLOOR, Fate.NOT_APPLICABLE)
"""The fates of what the message does not concern; there may be very many such candidates."""

NOTE_IN_CONFLICT = "conflict"
"""The note of a candidate that is shown together with one that contradicts it."""

NOTE_NEWEST_VALUE = "the newest value, less sure"
"""The note of a value that is shown instead of older ones although it is less sure."""

NOTE_MARKED = "marked of no use for a similar question"
"""The note of a candidate that ranks lower because somebody marked it."""

NOTE_NOTHING_RELEVANT = "nothing is relevant enough"
"""The note of candidates if not even the best one is relevant enough."""

NOTE_NOT_NEEDED = "the message needs nothing that is remembered"
"""The note of what was found for a message that is small talk, or asks what anybody could."""

NOTE_NOTHING_NEW = "what is relevant is in view already"
"""The note of candidates if only what the model has in view is relevant enough."""

NOTE_EVIDENCE = "stands beside a line that is relevant"
"""The note of a line below the floor that comes with another, which `by` names."""

NOTE_NEWS = "tells of a later change to a line that is relevant"
"""The note of a line below the floor that says what has changed of another, which `by` names."""

NOTE_BY_CONTEXT = "relevant because of the exchanges before"
"""The note of a line that the message alone would not have brought."""

NOTE_HOW_TO_ANSWER = "it says how to answer"
NOTE_OF_PROJECT = "it holds for the work in this project"
NOTE_OF_FOOD = "it is about food, as the message is"
NOTE_OF_PERSON = "a limit of the person, who speaks of themselves"
NOTE_TOUCHED = "the message touches it"
"""Why a standing rule applies."""

NOTE_SAID = "said in this session"
"""The note of a candidate that was learned from messages still in the context."""

NOTE_SHOWN_BY_HOST = "shown by the host"
"""The note of a candidate that the host shows itself."""

NOTE_ONLY_ASKS = "asks, and tells nothing"
"""The note of an episode that holds questions and requests alone."""

NOTE_WITHDRAWN = "what was learned from it no longer holds"
"""The note of an episode whose memory was forgotten, corrected or superseded."""

NOTE_SAID_OTHERWISE = "said otherwise later"
"""The note of an episode that its speaker's later words replace."""

NOTE_QUOTED = "quoted beside later words"
"""The note of earlier words that later ones may contradict, whose line quotes them."""

NOTE_CHANGED = "changed since it was shown"
"""The note of a standing rule that the session was shown in other words."""

NOTE_CONFLICTS = "stands against a candidate"
"""The note of a candidate that was added because it contradicts another one."""

NOTE_WRAPPED = "wrapped client: "
"""The beginning of the note of a turn in a wrapped client: the API and the model follow."""

NOTE_PROXY = "proxy: "
"""The beginning of the note of a turn that came through the proxy: the API and the model follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate(JsonValue):
    """A memory that a turn considered; `by` is the memory that decided against it, if any.

    A candidate holds no words of the memory, so that an erased memory leaves none behind.
    """

    OMITS_DEFAULTS: ClassVar[bool] = True

    memory: str
    found: CandidateSource
    type: str
    score: Annotated[float, Rounded(4)] = 0.0
    relevance: Annotated[float, Rounded(4)] = 0.0
    signals: Annotated[Mapping[str, float], Rounded(4)] = field(default_factory=dict)
    fate: Fate
    by: str | None = None
    note: str = ""
    is_repeat: Annotated[
        bool,
        Named("repeat"),
        "A block of an earlier turn shows it, in these words or in others.",
    ] = False
    author: Annotated[str | None, "Who wrote it, if that is another user."] = None

    @property
    def is_in_conflict(self) -> bool:
        """Whether another memory contradicts it, and no rule could decide."""
        return self.fate is Fate.CONFLICT_OMITTED or self.note == NOTE_IN_CONFLICT

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON; only what was searched for has scores, and a standing rule relevance."""
        values = JsonValue.to_dict(self)
        if self.found in SEARCHED:
            return {"score": 0.0, "relevance": 0.0, "signals": {}} | values
        unscored = _SCORES - {"relevance"} if self.found is CandidateSource.STANDING else _SCORES
        return {name: value for name, value in values.items() if name not in unscored}


SEARCHED = (CandidateSource.FACT, CandidateSource.CONTEXTUAL, CandidateSource.EPISODE)
"""How candidates are found that a search has scored."""

_SCORES = frozenset({"score", "relevance", "signals"})


SUMMARY_FIELDS = (
    "id",
    "session",
    "turn",
    "at",
    "kind",
    "skipped",
    "injected",
    "count",
    "filtered",
    "tokens",
    "characters",
    "pruned",
    "degraded",
    "notes",
    "unseen",
    "timings_ms",
)
_DUPLICATE_FATES = (Fate.SEEN_IN_WINDOW, Fate.SAME_BATCH, Fate.SAME_CONTENT, Fate.NEAR_DUPLICATE)


class SkipReason(StrEnum):
    """Why a turn looked for nothing, or for nothing contextual."""

    DISABLED = "disabled"
    PAUSED = "paused"
    SYSTEM_TURN = "system_turn"
    LOW_INFORMATION = "low_information"


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(JsonValue):
    """What a turn was asked, what it thought of, what it injected, and what that cost.

    `unseen` is counted where nothing that the turn could see was relevant, and in a preview.
    """

    COMPUTED: ClassVar[tuple[str, ...]] = ("has_injected", "injected_count", "filtered")

    id: str
    session: str
    turn: int
    at: datetime
    agent: str | None = None
    user: str | None = None
    project: str | None = None
    org: str | None = None
    query: str = ""
    context: tuple[str, ...] = ()
    kind: str = "general"
    skipped: SkipReason | None = None
    candidates: tuple[Candidate, ...] = ()
    block: str | None = None
    standing_block: Annotated[str | None, "The id of its block of standing rules."] = None
    tokens: int = 0
    characters: int = 0
    pruned: tuple[str, ...] = ()
    recached_tokens: int = 0
    degraded: Annotated[tuple[str, ...], "Parts that failed or were late."] = ()
    notes: Annotated[tuple[str, ...], "What is true of the turn and no failure."] = ()
    unseen: Unseen | None = None
    timings_ms: Annotated[Mapping[str, float], Rounded(2)] = field(default_factory=dict)
    cpu_ms: Annotated[Mapping[str, float], Rounded(2)] = field(default_factory=dict)

    @property
    def blocks(self) -> tuple[str, ...]:
        """The ids of its blocks, in the order in which they stand."""
        return tuple(id for id in (self.standing_block, self.block) if id is not None)

    @property
    def injected(self) -> tuple[Candidate, ...]:
        """The candidates that are in its blocks."""
        return tuple(each for each in self.candidates if each.fate is Fate.INJECTED)

    @property
    def conflicts(self) -> tuple[Candidate, ...]:
        """The candidates that another stands against, and nobody can tell which is right."""
        return tuple(each for each in self.candidates if each.is_in_conflict)

    @property
    def deduped(self) -> int:
        """How many were left out because the model has them already."""
        return sum(each.fate in _DUPLICATE_FATES for each in self.candidates)

    @property
    def hint(self) -> str:
        """How many memories belong to no user or to others, and how to assign them, if any do."""
        return "" if self.unseen is None else self.unseen.hint(self.user)

    @property
    def filtered(
        self,
    ) -> Annotated[
        int, "Memories left out because they are in view, or repeat what earlier turns showed."
    ]:
        """How many were left out because they are in view, or repeat what earlier turns showed."""
        return sum(each.fate is Fate.SEEN_IN_WINDOW or each.is_repeat for each in self.candidates)

    @property
    def texts(self) -> tuple[str, ...]:
        """What it keeps of the words that were said, but for the single terms of the context."""
        return (self.query, *self.degraded, *self.notes)

    def counts(self) -> dict[CandidateSource, int]:
        """How many were injected, by how they were found."""
        found = Counter(each.found for each in self.injected)
        return {way: found[way] for way in CandidateSource}

    @property
    def has_injected(self) -> Annotated[bool, Named("injected")]:
        """Whether anything was injected."""
        return bool(self.injected)

    @property
    def injected_count(self) -> Annotated[int, Named("count")]:
        """How many memories were injected."""
        return len(self.injected)

    def outcome(self) -> dict[str, Any]:
        """Whether anything was injected, how much, and how much was in view already."""
        return {
            "injected": self.has_injected,
            "count": self.injected_count,
            "filtered": self.filtered,
        }

    def summary(self) -> dict[str, Any]:
        """What was injected and what it cost, ready for JSON, without the other candidates."""
        whole = self.to_dict()
        return {name: whole[name] for name in SUMMARY_FIELDS} | {
            "deduped": self.deduped,
            "counts": {str(found): count for found, count in self.counts().items()},
            "memories": [each.to_dict() for each in self.injected],
        }

    def __str__(self) -> str:
        """The headline and, on a line of its own, the hint if there is one."""
        return "\n".join(filter(None, (self.headline, self.hint)))

    @property
    def headline(self) -> str:
        """The turn in one line, as the log has it."""
        if self.skipped is not None and not self.injected:
            return f"memory injection: skipped ({self.skipped})"
        counts = self.counts()
        parts = [f"{counts[CandidateSource.PINNED]} pinned"]
        if counts[CandidateSource.STANDING]:
            parts.insert(0, f"{counts[CandidateSource.STANDING]} standing")
        if counts[CandidateSource.FACT]:
            parts.append(f"{counts[CandidateSource.FACT]} facts")
        parts.append(f"{counts[CandidateSource.CONTEXTUAL]} contextual")
        if counts[CandidateSource.EPISODE]:
            parts.append(f"{counts[CandidateSource.EPISODE]} said earlier")
        took = round(self.timings_ms.get("total", 0.0))
        return f"memory injection: {' + '.join(parts)} = {len(self.injected)} total, took {took}ms"
