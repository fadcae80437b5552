"""Statements about the same thing: the one made last holds."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from tacit.language.statements.likeness import Likeness, compare
from tacit.language.statements.reading import read
from tacit.language.summary.transcript import Source
from tacit.language.summary.worth import Group, Valued

_POSTINGS = 24
"""So many sentences of a term, the last ones, are looked at."""
_COMPARED = 6
_SHARED = 0.5
"""So much of the shorter of two sentences must be in both before they are compared."""


class Rivals:
    """Finds what a sentence was replaced by."""

    def __init__(self, values: Sequence[Valued]) -> None:
        self._values = values
        self._places: dict[str, list[int]] = defaultdict(list)
        for value in values:
            if _states(value):
                for term in value.terms:
                    self._places[term].append(value.place)

    def latest(self, value: Valued) -> Valued:
        """The last sentence that contradicts this one, or this one itself."""
        if not _states(value) or not _says_something_of_something(value):
            return value
        for place in sorted(self._alike(value), reverse=True):
            other = self._values[place]
            if compare(_said(value), _said(other)) is Likeness.CONTRADICTS:
                return other
        return value

    def _alike(self, value: Valued) -> list[int]:
        """The later sentences that have most in common with this one."""
        shared = Counter(
            place
            for term in value.terms
            for place in reversed(self._places[term][-_POSTINGS:])
            if place > value.place
        )
        size = len(value.terms)
        return [
            place
            for place, count in shared.most_common(_COMPARED)
            if count >= _SHARED * min(size, len(self._values[place].terms))
        ]


def _says_something_of_something(value: Valued) -> bool:
    return any(statement.attribute for statement in read(_said(value)).statements)


def _states(value: Valued) -> bool:
    said = value.sentence
    return not said.asks and said.source is not Source.TOOL and value.group is not Group.QUESTION


def _said(value: Valued) -> str:
    speaker = value.sentence.speaker
    return f"{speaker}: {value.sentence.text}" if speaker else value.sentence.text
