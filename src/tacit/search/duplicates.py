"""Duplicates: what the model has been shown already, in the same words or in others."""

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from tacit.core.matrix_products import matrix_products
from tacit.core.memory import Memory
from tacit.core.permissions import outranks
from tacit.core.receipt import Fate
from tacit.core.vectors import Vector
from tacit.statements.common_words import find_telling_stems, is_fuller
from tacit.statements.comparison import may_be_near_duplicates
from tacit.statements.precedence import stated_at
from tacit.statements.self_statements import stands_against


@dataclass(frozen=True, slots=True)
class MemoryInView:
    """A memory in the model's view: its id, its wording, and the memory if it still exists."""

    id: str
    wording: bytes
    memory: Memory | None = None


def find_duplicates(
    candidates: Sequence[Memory],
    known: Sequence[MemoryInView],
    vectors: Mapping[str, Vector],
    threshold: float,
    with_own_place: Collection[str] = (),
) -> list[tuple[Fate, str] | None]:
    """For each candidate, why it is left out and because of which memory, or None.

    The checks in order: shown already, in this batch already, the same words, nearly the same. Of
    two that say the same, the more trusted one is shown, else the one that
    has a place of its own, else the newest of those that say most.
    """
    view = _View(known, _Nearness(vectors, threshold))
    fates: list[tuple[Fate, str] | None] = [None] * len(candidates)

    def precedence(place: int) -> tuple[int, bool, int, float]:
        memory = candidates[place]
        fullness, at = len(find_telling_stems(memory.content)), stated_at(memory).timestamp()
        return -memory.trust.rank, memory.id not in with_own_place, -fullness, -at

    for place in sorted(range(len(candidates)), key=precedence):
        fates[place] = view.fate(candidates[place])
        if fates[place] is None:
            view.take(candidates[place])
    return fates


class _View:
    """What the model has been shown, and what it will be shown of this batch."""

    def __init__(self, known: Sequence[MemoryInView], nearness: "_Nearness") -> None:
        self._seen = {(each.id, each.wording) for each in known}
        self._taken: set[str] = set()
        self._speakers: dict[bytes, list[str]] = {}
        self._memories: dict[str, Memory] = {}
        self._nearness = nearness
        for each in known:
            self._add(each.id, each.wording, each.memory)

    def take(self, memory: Memory) -> None:
        """Add a memory of the batch that will be shown."""
        self._taken.add(memory.id)
        self._add(memory.id, wording_hash(memory.content), memory)

    def fate(self, memory: Memory) -> tuple[Fate, str] | None:
        """Why a memory need not be shown, and because of which memory."""
        wording = wording_hash(memory.content)
        if (memory.id, wording) in self._seen:
            return Fate.SEEN_IN_WINDOW, memory.id
        if memory.id in self._taken:
            return Fate.SAME_BATCH, memory.id
        for id in self._speakers.get(wording, ()):
            if id != memory.id:
                return Fate.SAME_CONTENT, id
        for id in self._nearness.of(memory.id):
            other = self._memories.get(id)
            if other is not None and id != memory.id and _may_repeat(memory, other):
                return Fate.NEAR_DUPLICATE, id
        return None

    def _add(self, id: str, wording: bytes, memory: Memory | None) -> None:
        self._speakers.setdefault(wording, []).append(id)
        if memory is not None:
            self._memories.setdefault(id, memory)


def find_near_any(
    ids: Sequence[str], others: Sequence[str], vectors: Mapping[str, Vector], threshold: float
) -> list[str]:
    """The ids whose vectors are closer than a threshold to one of the others."""
    known = [id for id in ids if id in vectors]
    against = [id for id in others if id in vectors]
    if not known or not against:
        return []
    with matrix_products():
        cosines = _to_matrix(known, vectors) @ _to_matrix(against, vectors).T
    near = np.flatnonzero((cosines > threshold).any(axis=1))
    return [known[place] for place in near.tolist()]


def _to_matrix(ids: Sequence[str], vectors: Mapping[str, Vector]) -> NDArray[np.float32]:
    return np.asarray([np.asarray(vectors[id], np.float32) for id in ids], np.float32)


def _may_repeat(memory: Memory, other: Memory) -> bool:
    """Whether two memories may differ in wording alone; two values of one key never do.

    A person's words are not left out in favour of an agent's paraphrase, nor of what another
    author says about them, and nor is what says more.
    """
    if outranks(memory, other) or is_fuller(memory.content, other.content):
        return False
    if stands_against(memory, other):
        return False
    if memory.key is not None and memory.key == other.key:
        return False
    return may_be_near_duplicates(memory.content, other.content)


class _Nearness:
    """Which memories have vectors closer to each other than a threshold."""

    def __init__(self, vectors: Mapping[str, Vector], threshold: float) -> None:
        self._ids = list(vectors)
        self._places = {id: place for place, id in enumerate(self._ids)}
        rows = _to_matrix(self._ids, vectors)
        with matrix_products():
            cosines = rows @ rows.T if self._ids else np.zeros((0, 0))
        self._near = np.minimum(cosines, 1.0) > threshold

    def of(self, id: str) -> list[str]:
        """The memories that are near this one, in the order they were given."""
        place = self._places.get(id)
        if place is None:
            return []
        return [self._ids[other] for other in np.flatnonzero(self._near[place]).tolist()]


def wording_hash(content: str) -> bytes:
    """A hash that is equal for contents that differ only in case, spaces and Unicode form."""
    folded = unicodedata.normalize("NFKC", content).casefold()
    return sha256(" ".join(folded.split()).encode()).digest()
