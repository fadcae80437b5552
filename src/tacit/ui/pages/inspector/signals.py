"""What spoke for a candidate: the parts of its score, and its place in each source."""

from collections.abc import Iterable
from dataclasses import dataclass

from tacit.core.receipt.candidate import Candidate

_RANK = "_rank"
_PARTS = {
    "dense": "meaning",
    "lexical": "words",
    "neighbours": "said around it",
    "session": "its session",
    "speaker": "its speaker",
    "graph": "links",
    "ranks": "places",
    "importance": "importance",
    "recency": "recency",
}
_SOURCES = {"text": "words", "vectors": "meaning", "graph": "links"}


@dataclass(frozen=True, slots=True)
class Signal:
    """A part of a score, and how much it is beside the largest part of any candidate."""

    name: str
    value: float
    share: float


def largest(candidates: Iterable[Candidate]) -> float:
    """The largest part that any candidate has."""
    parts = (value for each in candidates for value in _parts(each).values())
    return max(parts, default=0.0)


def signals_of(candidate: Candidate, largest: float) -> tuple[Signal, ...]:
    """The parts of a candidate's score, in the order in which they are known."""
    return tuple(
        Signal(_PARTS.get(name, name.replace("_", " ")), value, value / largest if largest else 0.0)
        for name, value in _parts(candidate).items()
    )


def places_of(candidate: Candidate) -> str:
    """Its place in each source that gave it, the best first."""
    ranks = {
        name.removesuffix(_RANK): int(value)
        for name, value in candidate.signals.items()
        if name.endswith(_RANK)
    }
    ordered = sorted(ranks, key=lambda name: ranks[name])
    return ", ".join(f"no. {ranks[name]} by {_SOURCES.get(name, name)}" for name in ordered)


def _parts(candidate: Candidate) -> dict[str, float]:
    own = {n: v for n, v in candidate.signals.items() if not n.endswith(_RANK)}
    known = [name for name in _PARTS if name in own]
    return {name: own[name] for name in [*known, *own]}
