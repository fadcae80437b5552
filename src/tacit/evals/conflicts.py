"""Conflicts and supersession: when facts contradict each other, does the newer one win?"""

import gzip
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from tacit.api.tacit import Tacit
from tacit.core.errors import ArchiveError
from tacit.core.receipt import Candidate, Fate, Receipt
from tacit.evals.corpus import (
    BenchmarkConversation,
    Progress,
    SetHalf,
    check_receipt,
    load_entries,
    mean,
    open_conversations,
    read_benchmark,
)
from tacit.evals.rewording import Wording, reword_fact
from tacit.language.statements.parser import find_claims
from tacit.language.supersession.decision import find_replacement, replaces
from tacit.language.terms import extract_terms

# Conflicts: which of two contradicting facts a turn shows


_DEADLINE_MS = 60_000
_FLAGGED = frozenset({Fate.SUPERSEDED, Fate.SHADOWED})


@dataclass(slots=True)
class _ConflictTally:
    """The counts over all questions."""

    current: list[float] = field(default_factory=list)
    stale: list[float] = field(default_factory=list)
    free: dict[tuple[str, int], bool] = field(default_factory=dict)
    unparsed: set[tuple[str, int]] = field(default_factory=set)


def evaluate_conflicts(
    path: Path, progress: Progress, wording: Wording = Wording.ORIGINAL, **settings: Any
) -> dict[str, Any]:
    """Facts written in order as plain text; single-hop questions that one fact answers.

    The wording changes the facts; the questions stay as they are.
    Current is the last fact of a group that contradict each other. A fact in no group that was
    called superseded or in conflict was wrongly flagged, as far as the data can tell: facts that
    the data itself could not parse are counted apart as well.
    """
    sets = [each for each in _parse_facts(path) if any(_fact_questions(each))]
    conversations = [_to_conversation(facts, wording) for facts in sets]
    tally = _ConflictTally()
    written = json.dumps([each.drafts for each in conversations]).encode()
    stores = open_conversations(written, conversations, progress)
    for facts, (_, tacit) in zip(sets, stores, strict=True):
        for question in _fact_questions(facts):
            prepared = tacit.preview(
                session="eval", text=question["q"], deadline_ms=_DEADLINE_MS, **settings
            )
            _count_candidates(tally, tacit, facts, question, check_receipt(prepared.receipt))
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


def _parse_facts(path: Path) -> list[dict[str, Any]]:
    data = read_benchmark(path)
    try:
        sets = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
        sets[0]["facts"], sets[0]["conflict_groups"], sets[0]["questions"]
    except (ValueError, LookupError, TypeError, OSError) as error:
        raise ArchiveError(f"{path}: is not FactConsolidation's file ({error!r})") from None
    return list(sets)


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


# Supersession: whether a newer memory replaces an older one


_NEAREST = 20
"""So many of the facts that share most words are compared with each new one."""


@dataclass(slots=True)
class _SupersessionTally:
    """The counts over some pairs."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    pairs: int = 0

    def count(self, is_told: bool, is_so: bool) -> None:
        """One pair more."""
        self.pairs += 1
        self.right += is_told and is_so
        self.wrong += is_told and not is_so
        self.missed += is_so and not is_told

    @property
    def precision(self) -> float:
        """The share of what was replaced that should have been."""
        return _share(self.right, self.wrong)

    @property
    def recall(self) -> float:
        """The share of what should have been replaced that was."""
        return _share(self.right, self.missed)


def evaluate_supersession(
    path: Path | None, progress: Progress, facts: Path | None = None
) -> dict[str, Any]:
    """How often `replaces` is right, over all pairs, for each kind and each language.

    `by_claims` is the share of what was rightly replaced that a store finds by shared claims; it
    finds the rest among the nearest vectors only. With FactConsolidation's file at hand its facts
    are taken in one after the other as well.
    """
    pairs = load_entries("pairs", SetHalf.HELD) if path is None else _parse_pairs(path)
    everything, found = _SupersessionTally(), 0
    kinds: dict[str, _SupersessionTally] = defaultdict(_SupersessionTally)
    languages: dict[str, _SupersessionTally] = defaultdict(_SupersessionTally)
    failures: list[str] = []
    for number, pair in enumerate(pairs, start=1):
        old, new, is_so = pair["old"], pair["new"], bool(pair["replaces"])
        why = find_replacement(old, new)
        for tally in (everything, kinds[pair["kind"]], languages[pair["lang"]]):
            tally.count(why is not None, is_so)
        found += (
            is_so and why is not None and not set(find_claims(old)).isdisjoint(find_claims(new))
        )
        if is_so != (why is not None):
            reason = "missed" if why is None else f"wrong ({why.reason})"
            failures.append(f"{pair['id']} {reason}: {old} → {new}")
        progress(number, len(pairs))
    return {
        "precision": everything.precision,
        "recall": everything.recall,
        "pairs": everything.pairs,
        "by_claims": found / everything.right if everything.right else 0.0,
        **{kind: _kind_figures(tally) for kind, tally in sorted(kinds.items())},
        **{language: _figures(tally) for language, tally in sorted(languages.items())},
        **({} if facts is None else {"facts": _over_facts(facts, progress)}),
        "failures": failures,
    }


def _share(part: int, rest: int) -> float:
    return part / (part + rest) if part + rest else 1.0


def _figures(tally: _SupersessionTally) -> dict[str, float]:
    return {"precision": tally.precision, "recall": tally.recall, "pairs": tally.pairs}


def _kind_figures(tally: _SupersessionTally) -> dict[str, float]:
    """A kind is replaced throughout or not at all, so that one share says it."""
    return {"replaced": (tally.right + tally.wrong) / tally.pairs, "pairs": tally.pairs}


def _parse_pairs(path: Path) -> list[Mapping[str, Any]]:
    try:
        pairs = [json.loads(line) for line in read_benchmark(path).splitlines() if line.strip()]
        for pair in pairs:
            pair["id"], pair["kind"], pair["old"], pair["new"], pair["replaces"], pair["lang"]
    except (ValueError, LookupError, TypeError) as error:
        raise ArchiveError(f"{path}: is not a set of pairs ({error!r})") from None
    return pairs


def _over_facts(path: Path, progress: Progress) -> dict[str, float]:
    """Facts taken in in order: each is compared with the older ones that a store would find.

    Right is what replaces a fact of its own group. Recall is over versions that follow each other.
    Facts that the data itself could not parse are in no group; `precision_parsed` is without them.
    """
    tally, parsed = _SupersessionTally(), _SupersessionTally()
    lists = {tuple(each["text"] for each in facts["facts"]): facts for facts in _fact_lists(path)}
    for number, (texts, facts) in enumerate(lists.items(), start=1):
        groups = {
            version["i"]: place
            for place, group in enumerate(facts["conflict_groups"])
            for version in group["versions"]
        }
        told = set(_find_replaced(texts))
        for old, new in told:
            is_so = old in groups and groups[old] == groups.get(new)
            tally.count(True, is_so)
            if all(facts["facts"][each].get("rel") is not None for each in (old, new)):
                parsed.count(True, is_so)
        for group in facts["conflict_groups"]:
            versions = sorted(version["i"] for version in group["versions"])
            tally.missed += sum(
                pair not in told for pair in pairwise(versions) if texts[pair[0]] != texts[pair[1]]
            )
        progress(number, len(lists))
    return {
        "precision": tally.precision,
        "precision_parsed": parsed.precision,
        "recall": tally.recall,
        "replaced": tally.right + tally.wrong,
    }


def _fact_lists(path: Path) -> list[Mapping[str, Any]]:
    """FactConsolidation's lists of facts, with the groups that contradict each other."""
    data = read_benchmark(path)
    try:
        lists = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
        for each in lists:
            each["facts"], each["conflict_groups"]
    except (ValueError, LookupError, TypeError, OSError) as error:
        raise ArchiveError(f"{path}: is not FactConsolidation's file ({error!r})") from None
    return list(lists)


def _find_replaced(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The older facts that each fact replaces, by their numbers."""
    by_claim: dict[str, list[int]] = defaultdict(list)
    by_term: dict[str, list[int]] = defaultdict(list)
    for new, text in enumerate(texts):
        words = set(extract_terms(text))
        weights: dict[int, float] = defaultdict(float)
        for word in words:
            weight = math.log(1 + len(texts) / (1 + len(by_term[word])))
            for old in by_term[word]:
                weights[old] += weight
        candidates = set(sorted(weights, key=lambda old: (-weights[old], old))[:_NEAREST])
        candidates.update(old for claim in find_claims(text) for old in by_claim[claim])
        yield from ((old, new) for old in sorted(candidates) if replaces(texts[old], text))
        for claim in find_claims(text):
            by_claim[claim].append(new)
        for word in words:
            by_term[word].append(new)
