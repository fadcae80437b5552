"""Duplicates: what the model has in front of it already, in these words or in others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tacit.memory import Memory
from tacit.receipt import Fate
from tacit.selection.wording import wording_hash
from tacit.statements import may_be_near_duplicates
from tacit.vector import Vector, one_thread


@dataclass(frozen=True, slots=True)
class Known:
    """A memory that is in the model's view: its id, its wording, and itself if it still is."""

    id: str
    wording: bytes
    memory: Memory | None = None


def duplicates(
    candidates: Sequence[Memory],
    known: Sequence[Known],
    vectors: Mapping[str, Vector],
    threshold: float,
) -> list[tuple[Fate, str] | None]:
    """For each candidate why it is left out and by which memory, or None.

    In this order: shown already, in this batch already, the same words, nearly the same.
    """
    seen = {(each.id, each.wording) for each in known}
    in_view = list(known)
    nearness = _Nearness(vectors, threshold)
    taken: set[str] = set()
    fates: list[tuple[Fate, str] | None] = []
    for memory in candidates:
        wording = wording_hash(memory.content)
        fate = _fate(memory, wording, seen, taken, in_view, nearness)
        fates.append(fate)
        if fate is None:
            taken.add(memory.id)
            in_view.append(Known(memory.id, wording, memory))
    return fates


def _fate(
    memory: Memory,
    wording: bytes,
    seen: set[tuple[str, bytes]],
    taken: set[str],
    in_view: Sequence[Known],
    nearness: "_Nearness",
) -> tuple[Fate, str] | None:
    if (memory.id, wording) in seen:
        return Fate.SEEN_IN_WINDOW, memory.id
    if memory.id in taken:
        return Fate.SAME_BATCH, memory.id
    others = [each for each in in_view if each.id != memory.id]
    for other in others:
        if other.wording == wording:
            return Fate.SAME_CONTENT, other.id
    near = nearness.of(memory.id)
    for other in others:
        if other.id in near and other.memory is not None and _may_repeat(memory, other.memory):
            return Fate.NEAR_DUPLICATE, other.id
    return None


def _may_repeat(memory: Memory, other: Memory) -> bool:
    """Whether nothing but wording tells two memories apart; two values of one key are two."""
    if memory.key is not None and memory.key == other.key:
        return False
    return may_be_near_duplicates(memory.content, other.content)


class _Nearness:
    """Which memories have vectors closer to each other than a threshold."""

    def __init__(self, vectors: Mapping[str, Vector], threshold: float) -> None:
        self._ids = list(vectors)
        self._places = {id: place for place, id in enumerate(self._ids)}
        rows = np.asarray([np.asarray(vectors[id], np.float32) for id in self._ids], np.float32)
        with one_thread():
            cosines = rows @ rows.T if self._ids else np.zeros((0, 0))
        self._near = np.minimum(cosines, 1.0) > threshold

    def of(self, id: str) -> frozenset[str]:
        """The memories that are near this one."""
        place = self._places.get(id)
        if place is None:
            return frozenset()
        return frozenset(self._ids[other] for other in np.flatnonzero(self._near[place]))
