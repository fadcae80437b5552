"""Conflicts: when facts contradict each other, does a turn show the newer one?"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tacit.api.tacit import Tacit
from tacit.core.receipt import Candidate, Fate, Receipt
from tacit.evals.corpus import (
    BenchmarkConversation,
    Progress,
    check_receipt,
    mean,
    open_conversations,
    read_fact_lists,
)
from tacit.evals.rewording import Wording, reword_fact

_DEADLINE_MS = 60_000
_FLAGGED = frozenset({Fate.SUPERSEDED, Fate.SHADOWED})


@dataclass(slots=True)
class _ConflictTally:
    """The counts over all questions."""

    current: list[float] = field(default_factory=list)
    stale: list[float] = field(default_factory=list)
    free: dict[tuple[str, int], bool] = field(default_factory=dict)
    unparsed: set[tuple[str, int]] = field(default_factory=set)
    degraded: int = 0
    degraded_by: Counter[str] = field(default_factory=Counter)


def evaluate_conflicts(
    path: Path,
    progress: Progress,
    wording: Wording = Wording.ORIGINAL,
    deadline: int | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Facts written in order as plain text; single-hop questions that one fact answers.

    The wording changes the facts; the questions stay as they are. With a deadline, in milliseconds,
    turns may be late: how many are, and in which part, is counted.
    Current is the last fact of a group that contradict each other. A fact in no group that was
    called superseded or in conflict was wrongly flagged, as far as the data can tell: facts that
    the data itself could not parse are counted apart as well.
    """
    lists = read_fact_lists(path, "facts", "conflict_groups", "questions")
    sets = [each for each in lists if any(_fact_questions(each))]
    conversations = [_to_conversation(facts, wording) for facts in sets]
    tally = _ConflictTally()
    written = json.dumps([each.drafts for each in conversations]).encode()
    stores = open_conversations(written, conversations, progress)
    patience = {"deadline_ms": deadline or _DEADLINE_MS}
    for facts, (_, tacit) in zip(sets, stores, strict=True):
        tacit.learn()  # what was written is compared
        tacit.warm()
        for question in _fact_questions(facts):
            prepared = tacit.preview(session="eval", text=question["q"], **patience, **settings)
            receipt = check_receipt(prepared.receipt, may_be_late=deadline is not None)
            tally.degraded += bool(receipt.degraded)
            tally.degraded_by.update({each.partition(":")[0] for each in receipt.degraded})
            _count_candidates(tally, tacit, facts, question, receipt)
        tacit.close()
    parsed = {place: flag for place, flag in tally.free.items() if place not in tally.unparsed}
    return {
        "current_injected": mean(tally.current),
        "stale_unflagged": mean(tally.stale),
        "wrongly_flagged": mean([float(flag) for flag in tally.free.values()]),
        "wrongly_flagged_parsed": mean([float(flag) for flag in parsed.values()]),
        "questions": len(tally.current),
        "facts_in_no_group": len(tally.free),
        "degraded": tally.degraded / max(len(tally.current), 1),
        "degraded_by": dict(sorted(tally.degraded_by.items())),
    }


def _fact_questions(facts: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Those that one fact answers."""
    return (each for each in facts["questions"] if each.get("gold_fact_i") is not None)


def _to_conversation(facts: Mapping[str, Any], wording: Wording) -> BenchmarkConversation:
    """The facts as plain text; their number is kept aside to find them again."""
    drafts = [
        {"content": reword_fact(fact, wording), "metadata": {"number": fact["i"]}}
        for fact in facts["facts"]
    ]
    return BenchmarkConversation(str(facts["source"]), drafts, by="user")


def _count_candidates(
    tally: _ConflictTally,
    tacit: Tacit,
    facts: Mapping[str, Any],
    question: Mapping[str, Any],
    receipt: Receipt,
) -> None:
    numbers = {each.memory: _number(tacit, each) for each in receipt.candidates}
    shown = {numbers[each.memory] for each in receipt.injected}
    flagged = {numbers[each.memory] for each in receipt.candidates if _is_flagged(each)}
    current, stale = _old_and_new(facts, question)
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


def _old_and_new(facts: Mapping[str, Any], question: Mapping[str, Any]) -> tuple[int, set[int]]:
    """The current fact that answers a question, and the ones that it replaced."""
    gold = question["gold_fact_i"]
    for group in facts["conflict_groups"]:
        versions = {version["i"] for version in group["versions"]}
        if gold in versions:
            return group["current_i"], versions - {group["current_i"]}
    return gold, set(question["stale_fact_is"]) - {gold}
