"""An outcome as plain data for the browser: the block, the funnel and every candidate."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tacit.core.episodes import Episode, is_episode_id
from tacit.core.memory import Memory
from tacit.core.receipt import (
    NOTE_MARKED,
    NOTE_WITHDRAWN,
    SEARCHED,
    UNFIT,
    Candidate,
    CandidateSource,
    Fate,
)
from tacit.store.episodes import to_row
from tacit.turn.block import describe_trust, shorten
from tacit.turn.relevance_rules import BEST_SHARE
from tacit.ui.pages.inspector.block_lines import to_block_lines
from tacit.ui.pages.inspector.outcomes import DispositionChange, InspectorOutcome, reason_text
from tacit.ui.turn_labels import (
    capitalize_first,
    describe_episode,
    disposition_label,
    disposition_meaning,
)

_MAX_CONTENT = 600
_MAX_OTHER_CONTENT = 200
_FOUND_NAMES = {
    CandidateSource.PINNED: "pinned",
    CandidateSource.FACT: "by key",
    CandidateSource.CONTEXTUAL: "by search",
    CandidateSource.STANDING: "standing rule",
    CandidateSource.EPISODE: "said earlier",
}
_LOOKED_UP = (CandidateSource.FACT, CandidateSource.CONTEXTUAL)
_OTHER_TITLES = {
    Fate.SHADOWED: "Nearer",
    Fate.SUPERSEDED: "Current instead",
    Fate.SEEN_IN_WINDOW: "In view",
    Fate.SAME_CONTENT: "Says it already",
    Fate.NEAR_DUPLICATE: "Says it already",
}
_CONFLICT_TITLE = "Stands against it"
_WITHDRAWN_TITLE = "Learned from it"
_MEMORY_GONE = "This memory is gone: it was forgotten or erased, or it is not yours to see."
_WORDS_GONE = "These words are gone: they were forgotten or erased, or they are not yours to see."


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewContext:
    """What is needed besides an outcome: memories, episodes, links to their pages, and changes.

    `floor` is the minimum relevance, `may_mark` whether the viewer may mark memories.
    """

    memories: Mapping[str, Memory] = field(default_factory=dict)
    episodes: Mapping[str, Episode] = field(default_factory=dict)
    page_of: Callable[[str], str] = str
    changes: Mapping[str, DispositionChange] = field(default_factory=dict)
    floor: float | None = None
    may_mark: bool = False

    def words_of(self, id: str) -> str | None:
        """What a memory or an episode says; None if it is gone."""
        if (episode := self.episodes.get(id)) is not None:
            return episode.text
        return None if id not in self.memories else self.memories[id].content

    @property
    def rows(self) -> dict[str, Memory]:
        """The memories, and the episodes as a block renders them, by id."""
        said = {id: to_row(each, "", each.id) for id, each in self.episodes.items()}
        return {**self.memories, **said}


def to_view(
    outcome: InspectorOutcome, context: ViewContext, shown: Sequence[Candidate]
) -> dict[str, Any]:
    """The outcome with the selected candidates as JSON-compatible data."""
    receipt = outcome.receipt
    scale = largest_part(receipt.candidates)
    ranks = {id(each): place for place, each in enumerate(receipt.candidates, start=1)}
    markable = _markable_memories(receipt.injected, context)
    return {
        "why": outcome.no_block_reason(context.floor),
        "block": outcome.block or "",
        "lines": [
            {"text": line.text, "memory": line.memory, "isMarkable": line.memory in markable}
            for line in to_block_lines(
                outcome.block or "", [each.memory for each in receipt.injected], context.rows
            )
        ],
        "tokens": receipt.tokens,
        "characters": receipt.characters,
        "count": len(receipt.candidates),
        "sources": _sources_text(receipt.candidates),
        "isSearched": any(each.found is CandidateSource.CONTEXTUAL for each in receipt.candidates),
        "injected": len(receipt.injected),
        "floor": context.floor,
        "share": f"{BEST_SHARE:.0%}",
        "stages": [
            {
                "name": stage.name,
                "left": stage.left,
                "lost": stage.lost,
                "fell": [{**_disposition_view(fate), "count": count} for fate, count in stage.fell],
            }
            for stage in build_funnel(receipt.candidates)
        ],
        "candidates": [
            {
                **_candidate_view(each, context, scale, receipt.candidates),
                "rank": ranks[id(each)],
                "isMarkable": each.fate is Fate.INJECTED and each.memory in markable,
            }
            for each in shown
        ],
    }


def select_candidates(candidates: Sequence[Candidate], most: int) -> list[Candidate]:
    """The first candidates, and all that are injected or marked."""
    return [
        each
        for place, each in enumerate(candidates)
        if place < most or each.fate is Fate.INJECTED or each.note == NOTE_MARKED
    ]


def needed_memories(candidates: Sequence[Candidate]) -> list[str]:
    """The ids of all memories and episodes that candidates name."""
    ids = (id for each in candidates for id in (each.memory, each.by) if id is not None)
    return list(dict.fromkeys(ids))


def _markable_memories(injected: Sequence[Candidate], context: ViewContext) -> set[str | None]:
    """The injected search hits; marks have no effect on pinned memories and facts."""
    if not context.may_mark:
        return set()
    return {each.memory for each in injected if each.found in SEARCHED}


def _candidate_view(
    each: Candidate, context: ViewContext, scale: float, candidates: Sequence[Candidate]
) -> dict[str, Any]:
    memory, words = context.memories.get(each.memory), context.words_of(each.memory)
    change = context.changes.get(each.memory)
    return {
        "memory": each.memory,
        "page": context.page_of(each.memory),
        "content": None if words is None else shorten(words, _MAX_CONTENT),
        "gone": _WORDS_GONE if is_episode_id(each.memory) else _MEMORY_GONE,
        "key": None if memory is None else memory.key,
        "type": _type_text(each, context),
        "doubt": None if memory is None else describe_trust(memory.trust, memory.source),
        "source": _source_text(each),
        "isHit": each.found in SEARCHED,
        "score": each.score,
        "relevance": each.relevance,
        "signals": [
            {"name": signal.name, "value": signal.value, "share": signal.share}
            for signal in to_score_parts(each, scale)
        ],
        **_disposition_view(each.fate),
        "was": None if change is None else change.before_text,
        "isConflict": each.is_in_conflict,
        "isMarked": each.note == NOTE_MARKED,
        "mayTakeBack": each.note == NOTE_MARKED and context.may_mark,
        "reason": capitalize_first(reason_text(each, candidates, context.floor)),
        "other": None if each.by is None else _other_view(each, each.by, context),
    }


def _other_view(each: Candidate, by: str, context: ViewContext) -> dict[str, Any]:
    words = context.words_of(by)
    return {
        "title": _other_title(each),
        "memory": by,
        "page": context.page_of(by),
        "content": None if words is None else shorten(words, _MAX_OTHER_CONTENT),
        "gone": "words that are gone" if is_episode_id(by) else "a memory that is gone",
    }


def _other_title(each: Candidate) -> str:
    if each.is_in_conflict:
        return _CONFLICT_TITLE
    if each.note == NOTE_WITHDRAWN:
        return _WITHDRAWN_TITLE
    return _OTHER_TITLES.get(each.fate, _CONFLICT_TITLE)


def _type_text(each: Candidate, context: ViewContext) -> str:
    """The type of a memory, or when an episode was said."""
    episode = context.episodes.get(each.memory)
    if episode is not None:
        return describe_episode(episode)
    return _FOUND_NAMES[each.found] if each.found is CandidateSource.EPISODE else each.type


def _source_text(each: Candidate) -> str:
    """How a candidate was found, and its ranks."""
    way, places = _FOUND_NAMES[each.found], source_ranks_text(each)
    found = capitalize_first(f"found {way}" if each.found in _LOOKED_UP else way)
    return f"{found}: {places}" if places else found


def _sources_text(candidates: Sequence[Candidate]) -> str:
    """How many candidates each source found."""
    counts = Counter(each.found for each in candidates)
    return ", ".join(
        f"{counts[found]} {_found_name(found, counts[found])}"
        for found in CandidateSource
        if counts[found]
    )


def _found_name(found: CandidateSource, count: int) -> str:
    is_plural = found is CandidateSource.STANDING and count > 1
    return f"{_FOUND_NAMES[found]}s" if is_plural else _FOUND_NAMES[found]


def _disposition_view(fate: Fate) -> dict[str, str]:
    return {
        "fate": str(fate),
        "word": disposition_label(fate),
        "meaning": disposition_meaning(fate),
    }


# The funnel: how many candidates passed each rule.


@dataclass(frozen=True, slots=True)
class FunnelRule:
    """A rule, and the dispositions of candidates that fail it."""

    name: str
    fates: tuple[Fate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FunnelStage:
    """A rule applied to a turn: how many candidates are left, and how many failed."""

    name: str
    left: int
    fell: tuple[tuple[Fate, int], ...] = ()

    @property
    def lost(self) -> int:
        """How many failed."""
        return sum(count for _, count in self.fell)


FUNNEL_RULES = (
    FunnelRule("Trusted", (Fate.UNTRUSTED,)),
    FunnelRule("Sure enough", (Fate.LOW_CONFIDENCE,)),
    FunnelRule("Important enough", (Fate.BELOW_IMPORTANCE,)),
    FunnelRule("More than the message", (Fate.RESTATES_QUERY,)),
    FunnelRule("Relevant enough", UNFIT),
    FunnelRule("Current", (Fate.SHADOWED, Fate.SUPERSEDED, Fate.CONFLICT_OMITTED)),
    FunnelRule(
        "Not in view yet",
        (Fate.SEEN_IN_WINDOW, Fate.SAME_BATCH, Fate.SAME_CONTENT, Fate.NEAR_DUPLICATE),
    ),
    FunnelRule("Within the budget", (Fate.OVER_SLOTS, Fate.OVER_TOKENS, Fate.OVER_CHARS)),
)
"""The rules of a turn, in the order in which it applies them."""


def build_funnel(candidates: Iterable[Candidate]) -> tuple[FunnelStage, ...]:
    """Count how many candidates pass each rule."""
    counts = Counter(each.fate for each in candidates)
    left = counts.total()
    stages = []
    for rule in FUNNEL_RULES:
        fell = tuple((fate, counts[fate]) for fate in rule.fates if counts[fate])
        left -= sum(count for _, count in fell)
        stages.append(FunnelStage(name=rule.name, left=left, fell=fell))
    return tuple(stages)


# The parts of a candidate's score.

_RANK = "_rank"
_PART_NAMES = {
    "dense": "meaning",
    "tokens": "meaning of its words",
    "lexical": "words",
    "neighbours": "said around it",
    "session": "its session",
    "speaker": "its speaker",
    "graph": "links",
    "ranks": "places",
    "importance": "importance",
    "recency": "recency",
}
_SOURCE_NAMES = {"text": "words", "vectors": "meaning", "graph": "links"}


@dataclass(frozen=True, slots=True)
class ScorePart:
    """A part of a score, and its share of the largest part of any candidate."""

    name: str
    value: float
    share: float


def largest_part(candidates: Iterable[Candidate]) -> float:
    """The largest part of any candidate's score."""
    parts = (value for each in candidates for value in _part_values(each).values())
    return max(parts, default=0.0)


def to_score_parts(candidate: Candidate, largest: float) -> tuple[ScorePart, ...]:
    """The parts of a candidate's score, known ones first."""
    return tuple(
        ScorePart(
            _PART_NAMES.get(name, name.replace("_", " ")),
            value,
            value / largest if largest else 0.0,
        )
        for name, value in _part_values(candidate).items()
    )


def source_ranks_text(candidate: Candidate) -> str:
    """The candidate's rank in each source that found it, the best first."""
    ranks = {
        name.removesuffix(_RANK): int(value)
        for name, value in candidate.signals.items()
        if name.endswith(_RANK)
    }
    ordered = sorted(ranks, key=lambda name: ranks[name])
    return ", ".join(f"no. {ranks[name]} by {_SOURCE_NAMES.get(name, name)}" for name in ordered)


def _part_values(candidate: Candidate) -> dict[str, float]:
    own = {n: v for n, v in candidate.signals.items() if not n.endswith(_RANK)}
    known = [name for name in _PART_NAMES if name in own]
    return {name: own[name] for name in [*known, *own]}
