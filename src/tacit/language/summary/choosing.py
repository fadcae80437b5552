"""Choosing sentences: at each step the one that adds most for its length, until nothing fits."""

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass

from tacit.language.summary.layout import Room
from tacit.language.summary.rivals import Rivals
from tacit.language.summary.sentences import Sentence
from tacit.language.summary.worth import Valued, valued, weights

_REPEATED = 0.1
"""What a term is still worth once a chosen sentence has it."""
_PATIENCE = 100
"""So many sentences may turn out too long for the room before the summary is full."""
_LENGTH = 0.8
"""How much length counts against a sentence: not at all at 0, in full at 1."""
_ADDED = 20
"""Characters that a sentence counts for before its first: short ones say little."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was chosen, in its order; where nothing fits, the sentence that was wanted most."""

    values: Sequence[Valued]
    wanted: Valued | None


def choose(found: Sequence[Sentence], characters: int) -> Chosen:
    """The sentences that say most together within so many characters."""
    choice = _Choice(valued(found), characters)
    choice.fill()
    return Chosen(sorted(choice.taken.values(), key=lambda value: value.place), choice.wanted)


class _Choice:
    """Sentences taken so far, the terms they have, and the room that is left."""

    def __init__(self, values: Sequence[Valued], characters: int) -> None:
        self.taken: dict[int, Valued] = {}
        self.wanted: Valued | None = None
        self._values = values
        self._weights = weights(values)
        self._covered: set[str] = set()
        self._room = Room(characters)
        self._misses = 0
        self._rivals = Rivals(values)

    def fill(self) -> None:
        """Take the best sentence again and again; what a sentence adds only ever shrinks."""
        gains = ((self._gain(value), value.place) for value in self._values)
        queue = [(-gain, -place) for gain, place in gains if gain > 0]
        heapq.heapify(queue)
        self.wanted = self._values[-queue[0][1]] if queue else None
        while queue and self._misses < _PATIENCE:
            _, place = heapq.heappop(queue)
            value = self._values[-place]
            gain = self._gain(value)
            if queue and gain < -queue[0][0]:
                heapq.heappush(queue, (-gain, place))
            elif gain > 0:
                self._take(value)

    def _gain(self, value: Valued) -> float:
        """What a sentence adds for its length; nothing if all its terms are there already."""
        if not value.factor or self._covered.issuperset(value.terms):
            return 0.0
        weights, covered = self._weights, self._covered
        new = 0.0
        for term in value.terms:
            new += weights[term] * _REPEATED if term in covered else weights[term]
        return value.factor * new / math.pow(len(value.sentence.text) + _ADDED, _LENGTH)

    def _take(self, value: Valued) -> None:
        if not self._room.fits(self._new(value)):
            self._misses += 1
            return
        new = self._new(self._rivals.latest(value))
        if self._room.fits(new):
            self._room.take(new)
            self.taken |= {each.place: each for each in new}
            self._covered.update(*(each.terms for each in new))

    def _new(self, value: Valued) -> list[Valued]:
        """A sentence and the question it needs, as far as they are not taken."""
        question = [] if value.context is None else [self._values[value.context]]
        return [each for each in (*question, value) if each.place not in self.taken]
