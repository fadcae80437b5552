"""An outcome as plain data, ready to be drawn: the block, the funnel and every candidate."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tacit.core.memory.record import Memory
from tacit.core.receipt.candidate import MARKED, Candidate, Fate, Found
from tacit.turn.block import describe_trust, shorten
from tacit.turn.rules import FLOOR_SHARE
from tacit.ui.fates import label_of, meaning_of, sentence
from tacit.ui.pages.inspector.difference import Change
from tacit.ui.pages.inspector.funnel import funnel
from tacit.ui.pages.inspector.lines import lines_of
from tacit.ui.pages.inspector.outcome import Outcome
from tacit.ui.pages.inspector.reasons import why
from tacit.ui.pages.inspector.signals import largest, places_of, signals_of

_LONGEST = 600
_LONGEST_OTHER = 200
_WAYS = {Found.PINNED: "pinned", Found.FACT: "by key", Found.CONTEXTUAL: "by search"}
_OTHERS = {
    Fate.SHADOWED: "Nearer",
    Fate.SUPERSEDED: "Current instead",
    Fate.SEEN_IN_WINDOW: "In view",
    Fate.SAME_CONTENT: "Says it already",
    Fate.NEAR_DUPLICATE: "Says it already",
}
_RIVAL = "Stands against it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """What is known beside an outcome: words of memories, their pages, what is different.

    `floor` is the relevance that was asked for, `may_mark` whether the person may mark memories.
    """

    memories: Mapping[str, Memory] = field(default_factory=dict)
    page_of: Callable[[str], str] = str
    changes: Mapping[str, Change] = field(default_factory=dict)
    floor: float | None = None
    may_mark: bool = False


def told(outcome: Outcome, known: Knowledge, shown: Sequence[Candidate]) -> dict[str, Any]:
    """The outcome, with the candidates that are to be shown, ready for JSON."""
    receipt = outcome.receipt
    scale = largest(receipt.candidates)
    ranks = {id(each): place for place, each in enumerate(receipt.candidates, start=1)}
    markable = _markable(receipt.injected, known)
    return {
        "why": outcome.why_no_block(known.floor),
        "block": outcome.block or "",
        "lines": [
            {"text": line.text, "memory": line.memory, "isMarkable": line.memory in markable}
            for line in lines_of(
                outcome.block or "", [each.memory for each in receipt.injected], known.memories
            )
        ],
        "tokens": receipt.tokens,
        "characters": receipt.characters,
        "count": len(receipt.candidates),
        "sources": _sources(receipt.candidates),
        "isSearched": any(each.found is Found.CONTEXTUAL for each in receipt.candidates),
        "injected": len(receipt.injected),
        "floor": known.floor,
        "share": f"{FLOOR_SHARE:.0%}",
        "stages": [
            {
                "name": stage.name,
                "left": stage.left,
                "lost": stage.lost,
                "fell": [{**_fate(fate), "count": count} for fate, count in stage.fell],
            }
            for stage in funnel(receipt.candidates)
        ],
        "candidates": [
            {
                **_candidate(each, known, scale, receipt.candidates),
                "rank": ranks[id(each)],
                "isMarkable": each.fate is Fate.INJECTED and each.memory in markable,
            }
            for each in shown
        ],
    }


def shown_first(candidates: Sequence[Candidate], most: int) -> list[Candidate]:
    """The best candidates in their order, all that are injected, and all that are marked."""
    return [
        each
        for place, each in enumerate(candidates)
        if place < most or each.fate is Fate.INJECTED or each.note == MARKED
    ]


def words_needed(candidates: Sequence[Candidate]) -> list[str]:
    """The memories whose words candidates are shown with."""
    ids = (id for each in candidates for id in (each.memory, each.by) if id is not None)
    return list(dict.fromkeys(ids))


def _markable(injected: Sequence[Candidate], known: Knowledge) -> set[str | None]:
    """A mark weighs on hits of the search only; what is pinned or a fact comes by itself."""
    if not known.may_mark:
        return set()
    return {each.memory for each in injected if each.found is Found.CONTEXTUAL}


def _candidate(
    each: Candidate, known: Knowledge, scale: float, candidates: Sequence[Candidate]
) -> dict[str, Any]:
    memory = known.memories.get(each.memory)
    change = known.changes.get(each.memory)
    return {
        "memory": each.memory,
        "page": known.page_of(each.memory),
        "content": None if memory is None else shorten(memory.content, _LONGEST),
        "key": None if memory is None else memory.key,
        "type": each.type,
        "doubt": None if memory is None else describe_trust(memory.trust, memory.source),
        "source": _source(each),
        "isHit": each.found is Found.CONTEXTUAL,
        "score": each.score,
        "relevance": each.relevance,
        "signals": [
            {"name": signal.name, "value": signal.value, "share": signal.share}
            for signal in signals_of(each, scale)
        ],
        **_fate(each.fate),
        "was": None if change is None else change.before,
        "isConflict": each.is_in_conflict,
        "isMarked": each.note == MARKED,
        "mayTakeBack": each.note == MARKED and known.may_mark,
        "reason": sentence(why(each, candidates, known.floor)),
        "other": None if each.by is None else _other(each, each.by, known),
    }


def _other(each: Candidate, by: str, known: Knowledge) -> dict[str, Any]:
    memory = known.memories.get(by)
    return {
        "title": _RIVAL if each.is_in_conflict else _OTHERS.get(each.fate, _RIVAL),
        "memory": by,
        "page": known.page_of(by),
        "content": None if memory is None else shorten(memory.content, _LONGEST_OTHER),
    }


def _source(each: Candidate) -> str:
    """How it was found, and where it stood there."""
    way, places = _WAYS[each.found], places_of(each)
    found = sentence(way if each.found is Found.PINNED else f"found {way}")
    return f"{found}: {places}" if places else found


def _sources(candidates: Sequence[Candidate]) -> str:
    """How many were found in which way."""
    counts = Counter(each.found for each in candidates)
    return ", ".join(f"{counts[found]} {_WAYS[found]}" for found in Found if counts[found])


def _fate(fate: Fate) -> dict[str, str]:
    return {"fate": str(fate), "word": label_of(fate), "meaning": meaning_of(fate)}
