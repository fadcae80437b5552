"""What a text tells, clause by clause."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice

from tacit.language.statements.succession.lexicon import CONDITIONS
from tacit.language.statements.succession.marks import Mark, marked
from tacit.language.statements.succession.parts import Parts, is_told, parts_of
from tacit.language.statements.succession.pieces import pieces
from tacit.language.statements.succession.verbs import CHANGING, REPLACING
from tacit.language.statements.succession.wording import Tokens, worded

_MOST = 24
"""So many clauses of a text are held against each of another."""


@dataclass(frozen=True, eq=False)
class Told:
    """One clause."""

    tokens: Tokens
    marks: frozenset[Mark]
    speaker: str
    is_foreign: bool
    stands_alone: bool
    """Whether it is a statement of its own, not a detail of the one before."""

    def has(self, *marks: Mark) -> bool:
        """Whether it has any of these marks."""
        return not self.marks.isdisjoint(marks)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Its words as grammar sees them."""
        return frozenset(token.key for token in self.tokens)

    @cached_property
    def change(self) -> int | None:
        """Where its verb of change is."""
        for place in range(len(self.tokens) - 1, -1, -1):
            key = self.tokens[place].key
            if (key in CHANGING or key in REPLACING) and is_told(self.tokens, place):
                return place
        return None

    @cached_property
    def is_change(self) -> bool:
        """Whether it says that something changed, or how it is since then."""
        return self.has(Mark.NOW) or self.change is not None

    @cached_property
    def unchanging(self) -> Tokens:
        """Its words without the verb of change."""
        return tuple(token for place, token in enumerate(self.tokens) if place != self.change)

    @cached_property
    def person(self) -> str:
        """Whether its subject is who speaks or who is spoken to, if either."""
        subject = {token.key for token in self.parts.subject} if self.parts else set[str]()
        if not subject.isdisjoint(("i", "we", "user")):
            return "i"
        if self.is_foreign and not subject and self.parts:
            return "i"
        return "you" if "you" in subject else ""

    @cached_property
    def parts(self) -> Parts | None:
        """Its subject, verb and the rest; None without a verb."""
        return parts_of(self.tokens)


@lru_cache(maxsize=8_192)
def told(text: str) -> tuple[Told, ...]:
    """The clauses of a text; questions tell nothing."""
    form = worded(text)
    clauses = (
        clause
        for sentence in form.sentences
        for clause in _clauses(sentence, form.speaker, form.is_foreign)
    )
    return tuple(islice(clauses, _MOST))


def _clauses(sentence: Tokens, speaker: str, is_foreign: bool) -> Iterator[Told]:
    is_conditional = any(
        token.key in CONDITIONS and not _begins_a_name(sentence, place)
        for place, token in enumerate(sentence)
    )
    for piece, stands_alone in pieces(sentence):
        marks, kept = marked(piece)
        if is_conditional:
            marks.add(Mark.DOUBTFUL)
        if kept:
            yield Told(tuple(kept), frozenset(marks), speaker, is_foreign, stands_alone)


def _begins_a_name(sentence: Tokens, place: int) -> bool:
    return place == 0 and len(sentence) > 1 and sentence[1].is_name
