"""Summaries: how many facts of a conversation survive when a fifth of it is kept."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.evals.benchmarks import parse_locomo
from tacit.evals.corpus import Progress, mean, read_benchmark
from tacit.language.terms import extract_query_terms, extract_terms
from tacit.turn.summarizer import ExtractiveSummarizer

QUOTED = (3, 4)
"""The sessions of each conversation that are counted; the first two were for tuning."""

_SURVIVES = 0.6


@dataclass(frozen=True, slots=True)
class SummarySession:
    """What was said in a session, and the facts that people noted of it."""

    lines: Sequence[str]
    facts: Sequence[str]


def evaluate_summaries(
    path: Path, progress: Progress, share: float = 0.2, sessions: Sequence[int] = QUOTED
) -> dict[str, Any]:
    """The share of noted facts that a summary still holds, beside the first and the last lines.

    A fact survives where the text holds at least .6 of its terms, stop words left out. The whole
    transcript is the ceiling, since facts are noted in other words than they were said in.
    """
    chosen = [
        each
        for sample in parse_locomo(path, read_benchmark(path))
        for number in sessions
        if (each := _session(sample, number)).facts
    ]
    survived: dict[str, list[float]] = defaultdict(list)
    for done, session in enumerate(chosen, start=1):
        for name, text in _texts(session.lines, share).items():
            held = set(extract_terms(text))
            survived[name] += [float(_survives(fact, held)) for fact in session.facts]
        progress(done, len(chosen))
    return {
        **{name: mean(survived[name]) for name in ("extractive", "first", "last", "whole")},
        "facts": len(survived["whole"]),
        "sessions": len(chosen),
        "share": share,
    }


def _session(sample: Mapping[str, Any], number: int) -> SummarySession:
    turns = sample["conversation"].get(f"session_{number}", ())
    noted = sample.get("observation", {}).get(f"session_{number}_observation", {})
    lines = [f"{turn['speaker']}: {' '.join(turn['text'].split())}" for turn in turns]
    return SummarySession(lines, [fact for facts in noted.values() for fact, *_ in facts])


def _texts(lines: Sequence[str], share: float) -> dict[str, str]:
    """The transcript whole, and what each way of shortening makes of it."""
    whole = "\n".join(lines)
    characters = int(share * len(whole))
    return {
        "whole": whole,
        "extractive": ExtractiveSummarizer().summarize(whole, characters),
        "first": whole[:characters],
        "last": whole[len(whole) - characters :],
    }


def _survives(fact: str, held: set[str]) -> bool:
    wanted = [term.alternatives for term in extract_query_terms(fact) if not term.is_stop_word]
    kept = sum(not held.isdisjoint(alternatives) for alternatives in wanted)
    return kept >= _SURVIVES * len(wanted)
