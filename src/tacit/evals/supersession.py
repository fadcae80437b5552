"""Supersession: an older memory and a newer one, and whether the newer takes its place."""

import gzip
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tacit.core.errors import ArchiveError
from tacit.evals.corpus import Progress, read_bytes
from tacit.evals.halves import Half, entries_of
from tacit.language.statements.parser import find_claims
from tacit.language.supersession.decision import find_replacement, replaces
from tacit.language.terms import extract_terms

_NEAREST = 20
"""So many of the facts that share most words are compared with each new one."""


@dataclass(slots=True)
class _Tally:
    """What was counted over some pairs."""

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
    pairs = entries_of("pairs", Half.HELD) if path is None else _parsed(path)
    everything, found = _Tally(), 0
    kinds: dict[str, _Tally] = defaultdict(_Tally)
    languages: dict[str, _Tally] = defaultdict(_Tally)
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
        **{kind: _of_kind(tally) for kind, tally in sorted(kinds.items())},
        **{language: _figures(tally) for language, tally in sorted(languages.items())},
        **({} if facts is None else {"facts": _over_facts(facts, progress)}),
        "failures": failures,
    }


def _share(part: int, rest: int) -> float:
    return part / (part + rest) if part + rest else 1.0


def _figures(tally: _Tally) -> dict[str, float]:
    return {"precision": tally.precision, "recall": tally.recall, "pairs": tally.pairs}


def _of_kind(tally: _Tally) -> dict[str, float]:
    """A kind is replaced throughout or not at all, so that one share says it."""
    return {"replaced": (tally.right + tally.wrong) / tally.pairs, "pairs": tally.pairs}


def _parsed(path: Path) -> list[Mapping[str, Any]]:
    try:
        pairs = [json.loads(line) for line in read_bytes(path).splitlines() if line.strip()]
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
    tally, parsed = _Tally(), _Tally()
    lists = {tuple(each["text"] for each in facts["facts"]): facts for facts in _lists(path)}
    for number, (texts, facts) in enumerate(lists.items(), start=1):
        groups = {
            version["i"]: place
            for place, group in enumerate(facts["conflict_groups"])
            for version in group["versions"]
        }
        told = set(_replaced(texts))
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


def _lists(path: Path) -> list[Mapping[str, Any]]:
    """FactConsolidation's lists of facts, with the groups that contradict each other."""
    data = read_bytes(path)
    try:
        lists = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
        for each in lists:
            each["facts"], each["conflict_groups"]
    except (ValueError, LookupError, TypeError, OSError) as error:
        raise ArchiveError(f"{path}: is not FactConsolidation's file ({error!r})") from None
    return list(lists)


def _replaced(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
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
