"""Conflicts: facts that later facts contradict, and which of them a turn shows."""

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tacit.api.tacit import Tacit
from tacit.core.errors import ArchiveError
from tacit.core.receipt import Candidate, Fate, Receipt
from tacit.evals.corpus import Conversation, Progress, opened, read_bytes, sound
from tacit.evals.timing import mean

_PATIENCE_MS = 60_000
_FLAGGED = frozenset({Fate.SUPERSEDED, Fate.SHADOWED})


@dataclass(slots=True)
class _Tally:
    """What was seen over all questions."""

    current: list[float] = field(default_factory=list)
    stale: list[float] = field(default_factory=list)
    free: dict[tuple[str, int], bool] = field(default_factory=dict)
    unparsed: set[tuple[str, int]] = field(default_factory=set)


def evaluate_conflicts(path: Path, progress: Progress, **settings: Any) -> dict[str, Any]:
    """Facts written in order as plain text; single-hop questions that one fact answers.

    Current is the last fact of a group that contradict each other. A fact in no group that was
    called superseded or in conflict was wrongly flagged, as far as the data can tell: facts that
    the data itself could not parse are counted apart as well.
    """
    data = read_bytes(path)
    sets = [each for each in _parsed(path, data) if any(_questions(each))]
    tally = _Tally()
    stores = opened(data, [_written(facts) for facts in sets], progress)
    for facts, (_, tacit) in zip(sets, stores, strict=True):
        for question in _questions(facts):
            prepared = tacit.preview(
                session="eval", text=question["q"], deadline_ms=_PATIENCE_MS, **settings
            )
            _count(tally, tacit, facts, question, sound(prepared.receipt))
        tacit.close()
    parsed = {place: flag for place, flag in tally.free.items() if place not in tally.unparsed}
    return {
        "current_injected": mean(tally.current),
        "stale_unflagged": mean(tally.stale),
        "wrongly_flagged": mean([float(flag) for flag in tally.free.values()]),
        "wrongly_flagged_parsed": mean([float(flag) for flag in parsed.values()]),
        "questions": len(tally.current),
        "facts_in_no_group": len(tally.free),
    }


def _parsed(path: Path, data: bytes) -> list[dict[str, Any]]:
    try:
        sets = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
        sets[0]["facts"], sets[0]["conflict_groups"], sets[0]["questions"]
    except (ValueError, LookupError, TypeError, OSError) as error:
        raise ArchiveError(f"{path}: is not FactConsolidation's file ({error!r})") from None
    return list(sets)


def _questions(facts: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Those that one fact answers."""
    return (each for each in facts["questions"] if each.get("gold_fact_i") is not None)


def _written(facts: Mapping[str, Any]) -> Conversation:
    """The facts as plain text; their number is kept aside to find them again."""
    drafts = [
        {"content": fact["text"], "metadata": {"number": fact["i"]}} for fact in facts["facts"]
    ]
    return Conversation(str(facts["source"]), drafts, by="user")


def _count(
    tally: _Tally,
    tacit: Tacit,
    facts: Mapping[str, Any],
    question: Mapping[str, Any],
    receipt: Receipt,
) -> None:
    numbers = {each.memory: _number(tacit, each) for each in receipt.candidates}
    shown = {numbers[each.memory] for each in receipt.injected}
    flagged = {numbers[each.memory] for each in receipt.candidates if _is_flagged(each)}
    current, stale = _sides(facts, question)
    tally.current.append(float(current in shown))
    tally.stale.append(float(not stale.isdisjoint(shown - flagged)))
    grouped = {version["i"] for group in facts["conflict_groups"] for version in group["versions"]}
    for number in set(numbers.values()) - grouped:
        place = (str(facts["source"]), number)
        tally.free[place] = tally.free.get(place, False) or number in flagged
        if facts["facts"][number].get("rel") is None:
            tally.unparsed.add(place)


def _number(tacit: Tacit, candidate: Candidate) -> int:
    return int(tacit.get(candidate.memory).metadata["number"])


def _is_flagged(candidate: Candidate) -> bool:
    return candidate.fate in _FLAGGED or candidate.is_in_conflict


def _sides(facts: Mapping[str, Any], question: Mapping[str, Any]) -> tuple[int, set[int]]:
    """The current fact that answers a question, and the ones that it replaced."""
    gold = question["gold_fact_i"]
    for group in facts["conflict_groups"]:
        versions = {version["i"] for version in group["versions"]}
        if gold in versions:
            return group["current_i"], versions - {group["current_i"]}
    return gold, set(question["stale_fact_is"]) - {gold}
