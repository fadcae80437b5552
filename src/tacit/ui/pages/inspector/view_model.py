"""An outcome as plain data for the browser: the block, the funnel and every candidate."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from tacit.core.memory import Memory
from tacit.core.receipt import NOTE_MARKED, Candidate, CandidateSource, Fate
from tacit.turn.block import (
    BlockSection,
    MemoryLine,
    describe_trust,
    frame_of,
    render_line,
    shorten,
)
from tacit.turn.rules import FLOOR_SHARE
from tacit.ui.pages.inspector.outcomes import DispositionChange, InspectorOutcome, reason_text
from tacit.ui.turn_labels import capitalize_first, disposition_label, disposition_meaning

_MAX_CONTENT = 600
_MAX_OTHER_CONTENT = 200
_FOUND_NAMES = {
    CandidateSource.PINNED: "pinned",
    CandidateSource.FACT: "by key",
    CandidateSource.CONTEXTUAL: "by search",
}
_OTHER_TITLES = {
    Fate.SHADOWED: "Nearer",
    Fate.SUPERSEDED: "Current instead",
    Fate.SEEN_IN_WINDOW: "In view",
    Fate.SAME_CONTENT: "Says it already",
    Fate.NEAR_DUPLICATE: "Says it already",
}
_CONFLICT_TITLE = "Stands against it"


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewContext:
    """What is needed besides an outcome: memories, links to their pages, and changes.

    `floor` is the minimum relevance, `may_mark` whether the viewer may mark memories.
    """

    memories: Mapping[str, Memory] = field(default_factory=dict)
    page_of: Callable[[str], str] = str
    changes: Mapping[str, DispositionChange] = field(default_factory=dict)
    floor: float | None = None
    may_mark: bool = False


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
                outcome.block or "", [each.memory for each in receipt.injected], context.memories
            )
        ],
        "tokens": receipt.tokens,
        "characters": receipt.characters,
        "count": len(receipt.candidates),
        "sources": _sources_text(receipt.candidates),
        "isSearched": any(each.found is CandidateSource.CONTEXTUAL for each in receipt.candidates),
        "injected": len(receipt.injected),
        "floor": context.floor,
        "share": f"{FLOOR_SHARE:.0%}",
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
    """The ids of all memories that candidates name."""
    ids = (id for each in candidates for id in (each.memory, each.by) if id is not None)
    return list(dict.fromkeys(ids))


def _markable_memories(injected: Sequence[Candidate], context: ViewContext) -> set[str | None]:
    """The injected search hits; marks have no effect on pinned memories and facts."""
    if not context.may_mark:
        return set()
    return {each.memory for each in injected if each.found is CandidateSource.CONTEXTUAL}


def _candidate_view(
    each: Candidate, context: ViewContext, scale: float, candidates: Sequence[Candidate]
) -> dict[str, Any]:
    memory = context.memories.get(each.memory)
    change = context.changes.get(each.memory)
    return {
        "memory": each.memory,
        "page": context.page_of(each.memory),
        "content": None if memory is None else shorten(memory.content, _MAX_CONTENT),
        "key": None if memory is None else memory.key,
        "type": each.type,
        "doubt": None if memory is None else describe_trust(memory.trust, memory.source),
        "source": _source_text(each),
        "isHit": each.found is CandidateSource.CONTEXTUAL,
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
    memory = context.memories.get(by)
    return {
        "title": _CONFLICT_TITLE
        if each.is_in_conflict
        else _OTHER_TITLES.get(each.fate, _CONFLICT_TITLE),
        "memory": by,
        "page": context.page_of(by),
        "content": None if memory is None else shorten(memory.content, _MAX_OTHER_CONTENT),
    }


def _source_text(each: Candidate) -> str:
    """How a candidate was found, and its ranks."""
    way, places = _FOUND_NAMES[each.found], source_ranks_text(each)
    found = capitalize_first(way if each.found is CandidateSource.PINNED else f"found {way}")
    return f"{found}: {places}" if places else found


def _sources_text(candidates: Sequence[Candidate]) -> str:
    """How many candidates each source found."""
    counts = Counter(each.found for each in candidates)
    return ", ".join(
        f"{counts[found]} {_FOUND_NAMES[found]}" for found in CandidateSource if counts[found]
    )


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
    FunnelRule("Of a fitting type", (Fate.IRRELEVANT_TYPE,)),
    FunnelRule("Relevant enough", (Fate.BELOW_FLOOR,)),
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


# The lines of a block, matched to the memories that they show.

_MIN_COMMON_START = 12


@dataclass(frozen=True, slots=True)
class BlockLine:
    """A line of the block; `memory` is the id of the memory that it shows."""

    text: str
    memory: str | None = None


def to_block_lines(
    block: str, injected: Iterable[str], memories: Mapping[str, Memory]
) -> tuple[BlockLine, ...]:
    """The lines of a block, each with its memory if that can be found.

    Lines are matched by their text; shortened or changed memories by their beginning.
    """
    left = list(dict.fromkeys(injected))
    parsed = list(_parse_block(block))
    matches: dict[int, str] = {}
    for is_same in (_is_full_match, _is_partial_match):
        for place, (text, section) in enumerate(parsed):
            if section is None or place in matches:
                continue
            best = _find_best_match(text, section, left, memories)
            if best is not None and is_same(text, _rendered_line(memories[best], section)):
                matches[place] = best
                left.remove(best)
    open_places = [
        place for place, (_, section) in enumerate(parsed) if section and place not in matches
    ]
    if len(open_places) == len(left) == 1:
        matches[open_places[0]] = left[0]
    return tuple(BlockLine(text, matches.get(place)) for place, (text, _) in enumerate(parsed))


def _parse_block(block: str) -> Iterator[tuple[str, BlockSection | None]]:
    """Each line, with its section if it shows a memory."""
    section: BlockSection | None = None
    for text in block.split("\n"):
        if text in _TITLES:
            section = _TITLES[text]
            yield text, None
        elif section is not None and text.startswith(_BEGINNINGS[section]):
            yield text, section
        else:
            yield text, None


def _find_best_match(
    text: str, section: BlockSection, ids: Iterable[str], memories: Mapping[str, Memory]
) -> str | None:
    known = [id for id in ids if id in memories]
    return max(
        known,
        key=lambda id: _common_start(text, _rendered_line(memories[id], section)),
        default=None,
    )


def _rendered_line(memory: Memory, section: BlockSection) -> str:
    return render_line(MemoryLine(memory), section)


def _common_start(text: str, shown: str) -> int:
    """How many characters two lines have in common at the start."""
    pairs = zip(text, shown, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _is_full_match(text: str, shown: str) -> bool:
    return text.startswith(shown)


def _is_partial_match(text: str, shown: str) -> bool:
    return _common_start(text, shown) >= _MIN_COMMON_START


_TITLES = {
    frame_of(section, read_only_marker=marked).before.split("\n")[0]: section
    for section in BlockSection
    for marked in (False, True)
}
_BEGINNINGS = {BlockSection.FACTS: "- ", BlockSection.PINNED: "[", BlockSection.RELEVANT: "["}


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
