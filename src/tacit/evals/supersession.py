"""Supersession: whether a later statement replaces an earlier one, over labelled pairs."""

import json
import math
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tacit.core.errors import ArchiveError
from tacit.evals.corpus import (
    Progress,
    SetHalf,
    load_entries,
    open_pair_reader,
    quantile,
    read_benchmark,
    read_fact_lists,
)
from tacit.language.terms import extract_terms
from tacit.statements.judge import StatementJudge
from tacit.statements.pair_reading import PairReader
from tacit.statements.parser import find_claims

_SETS = ("pairs", "talk_pairs", "siblings")
"""Statements side by side; statements with what people say later, in conversation; and statements
about two things of a kind, beside others that differ by a number."""

_NEAREST = 20
"""So many of the statements that a store finds are compared with each new one."""

_TIMED = 50
"""So many statements of a set are compared with others for the time that it takes."""


@dataclass(slots=True)
class _SupersessionTally:
    """The counts over some pairs."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    pairs: int = 0
    listed: int = 0
    """Pairs that are shown or listed as a contradiction, although both hold."""

    def count(self, is_told: bool, is_so: bool, is_listed: bool = False) -> None:
        """One pair more."""
        self.pairs += 1
        self.listed += is_listed and not is_so
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
    """How often `StatementJudge` is right, over all pairs, for each kind and each language.

    The judge reads pairs with the local model; with the embedder "none" their structure decides
    alone. Without a file each set of our own has its figures under its name, and `lives` says how
    much is replaced among statements that all hold. With
    FactConsolidation's file at hand its facts are taken in one after the other as well.
    """
    reader = open_pair_reader()
    figures: dict[str, Any]
    if path is not None:
        figures = _evaluate_pairs(_parse_pairs(path), reader, progress)
        failures = figures.pop("failures")
    else:
        figures, failures = {}, []
        for name in _SETS:
            figures[name] = _evaluate_pairs(load_entries(name, SetHalf.HELD), reader, progress)
            failures += figures[name].pop("failures")
        judge = StatementJudge(reader)
        figures["lives"] = _over_lives(load_entries("lives", SetHalf.HELD), judge, progress)
    if facts is not None:
        figures["facts"] = _over_facts(facts, StatementJudge(reader), progress)
    return {**figures, "failures": failures}


# Labelled pairs


def _parse_pairs(path: Path) -> list[Mapping[str, Any]]:
    try:
        pairs = [json.loads(line) for line in read_benchmark(path).splitlines() if line.strip()]
        for pair in pairs:
            pair["id"], pair["kind"], pair["old"], pair["new"], pair["replaces"], pair["lang"]
    except (ValueError, LookupError, TypeError) as error:
        raise ArchiveError(f"{path}: is not a set of pairs ({error!r})") from None
    return pairs


def _evaluate_pairs(
    pairs: Sequence[Mapping[str, Any]], reader: PairReader | None, progress: Progress
) -> dict[str, Any]:
    """The figures of one set.

    `by_claims` is the share of what was rightly replaced that a store finds by shared claims; it
    finds the rest among the nearest vectors only.
    """
    judge = StatementJudge(reader)
    everything, found = _SupersessionTally(), 0
    kinds: dict[str, _SupersessionTally] = defaultdict(_SupersessionTally)
    languages: dict[str, _SupersessionTally] = defaultdict(_SupersessionTally)
    failures: list[str] = []
    times = _time_comparisons(pairs, reader)
    for number, pair in enumerate(pairs, start=1):
        old, new, is_so = pair["old"], pair["new"], bool(pair["replaces"])
        (verdict,) = judge.compare([(old, new)])
        for tally in (everything, kinds[pair["kind"]], languages[pair["lang"]]):
            tally.count(verdict.is_replaced, is_so, verdict.is_replaced or verdict.is_conflict)
        found += is_so and verdict.is_replaced and _share_a_claim(old, new)
        if is_so != verdict.is_replaced:
            reason = f"{verdict.reason}, {verdict.likelihood:.2f}"
            failure = "missed" if is_so else "wrong"
            failures.append(f"{pair['id']} {failure} ({reason}): {old} → {new}")
        progress(number, len(pairs))
    return {
        **_figures(everything),
        "by_claims": found / everything.right if everything.right else 0.0,
        "compare_ms": {"p50": quantile(times, 0.5), "p95": quantile(times, 0.95)},
        **{kind: _kind_figures(tally) for kind, tally in sorted(kinds.items())},
        **{language: _figures(tally) for language, tally in sorted(languages.items())},
        "failures": failures,
    }


def _time_comparisons(pairs: Sequence[Mapping[str, Any]], reader: PairReader | None) -> list[float]:
    """The milliseconds to compare a statement with 20 others of its set, none compared before."""
    times = []
    for place in range(0, len(pairs), max(1, len(pairs) // _TIMED)):
        others = (*pairs[place:], *pairs[:place])[:_NEAREST]
        compared = [(each["old"], pairs[place]["new"]) for each in others]
        start = time.perf_counter()
        StatementJudge(reader).compare(compared)
        times.append((time.perf_counter() - start) * 1_000)
    return times


def _share_a_claim(old: str, new: str) -> bool:
    return not set(find_claims(old)).isdisjoint(find_claims(new))


def _share(part: int, rest: int) -> float:
    return part / (part + rest) if part + rest else 1.0


def _figures(tally: _SupersessionTally) -> dict[str, float]:
    apart = tally.pairs - tally.right - tally.missed
    return {
        "precision": tally.precision,
        "recall": tally.recall,
        "listed": tally.listed / apart if apart else 0.0,
        "pairs": tally.pairs,
    }


def _kind_figures(tally: _SupersessionTally) -> dict[str, float]:
    """A kind is replaced throughout or not at all, so that one share says it."""
    return {"replaced": (tally.right + tally.wrong) / tally.pairs, "pairs": tally.pairs}


# Statements of people, all of which hold


def _over_lives(
    lives: Sequence[Mapping[str, Any]], judge: StatementJudge, progress: Progress
) -> dict[str, float]:
    """How many statements are replaced by a later one of the same person, each of them wrongly."""
    wrong = statements = 0
    for number, life in enumerate(lives, start=1):
        said = life["statements"]
        wrong += len({old for old, _ in _find_replaced(said, judge)})
        statements += len(said)
        progress(number, len(lives))
    return {"statements": statements, "wrongly_replaced": wrong / statements}


# FactConsolidation's facts, taken in in order


def _over_facts(path: Path, judge: StatementJudge, progress: Progress) -> dict[str, float]:
    """Each fact is compared with the older ones that a store would find.

    Right is what replaces a fact of its own group. Recall is over versions that follow each other.
    Facts that the data itself could not parse are in no group; `precision_parsed` is without them.
    """
    tally, parsed = _SupersessionTally(), _SupersessionTally()
    read = read_fact_lists(path, "facts", "conflict_groups")
    lists = {tuple(each["text"] for each in facts["facts"]): facts for facts in read}
    for number, (texts, facts) in enumerate(lists.items(), start=1):
        groups = {
            version["i"]: place
            for place, group in enumerate(facts["conflict_groups"])
            for version in group["versions"]
        }
        told = set(_find_replaced(texts, judge))
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


def _find_replaced(texts: Sequence[str], judge: StatementJudge) -> Iterator[tuple[int, int]]:
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
        older = sorted(candidates)
        verdicts = judge.compare([(texts[old], text) for old in older])
        for old, verdict in zip(older, verdicts, strict=True):
            if verdict.is_replaced:
                yield old, new
        for claim in find_claims(text):
            by_claim[claim].append(new)
        for word in words:
            by_term[word].append(new)
