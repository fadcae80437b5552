"""Split a text into clauses, each with its marks and parts."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice

from tacit.language.statements.vocabulary import word_set
from tacit.language.supersession.clause_parts import (
    PRONOUNS,
    ClauseMark,
    ClauseParts,
    is_used_as_verb,
    is_verb,
    parse_parts,
    read_marks,
)
from tacit.language.supersession.lexicon import CHANGE_VERBS, CONDITIONS, DENIALS, REPLACE_VERBS
from tacit.language.supersession.tokens import Token, Tokens, tokenize

# Where the clauses of a sentence begin.


_COORDINATING = word_set("and but so then yet")
_SUBORDINATING = word_set("because although though since as which who while whereas")
_LEADING = word_set("in on at for with during after before from under within per")
_FAR = 6


def split_clauses(sentence: Tokens) -> list[tuple[Tokens, bool]]:
    """Split a sentence into clauses, and say whether each is a statement of its own."""
    found: list[tuple[Tokens, bool]] = []
    start, is_own = 0, True
    for place in range(1, len(sentence)):
        opening = _opens_clause(sentence, start, place)
        if opening is not None:
            found.append((sentence[start:place], is_own))
            start, is_own = place + (sentence[place].key in _COORDINATING), opening
    found.append((sentence[start:], is_own))
    return _attach_lead(found)


def _opens_clause(sentence: Tokens, start: int, place: int) -> bool | None:
    """Whether the clause that begins here stands alone; None if none begins."""
    if place <= start or place + 1 >= len(sentence):
        return None
    token, before, after = sentence[place], sentence[place - 1], sentence[place + 1 :]
    if token.key in _COORDINATING:
        if before.has_pause or _begins_clause(after, sentence[start:place]):
            return True
        return None
    if token.key in _SUBORDINATING:
        if token.key in ("which", "who") and not before.has_pause:
            return None
        if token.key in ("since", "as") and not _has_own_subject(after):
            return None
        return False
    return False if before.has_pause and _begins_after_a_comma(sentence, start, place) else None


def _begins_after_a_comma(sentence: Tokens, start: int, place: int) -> bool:
    """Whether a clause begins after this comma; names have commas too: `Acme, Inc. is in Bonn`."""
    if sentence[place].key in PRONOUNS or _is_lead(sentence[start]):
        return True
    rest = sentence[place:]
    end = next((spot for spot, token in enumerate(rest) if token.has_pause), len(rest))
    has_verb = any(is_verb(token) or token.key.endswith("ed") for token in sentence[start:place])
    return has_verb and (any(map(is_verb, rest[: end + 1])) or rest[0].key in DENIALS)


def _is_lead(token: Token) -> bool:
    return token.key in _LEADING


def _begins_clause(after: Tokens, before: Tokens) -> bool:
    """Whether a clause begins after `and`."""
    if after[0].key in PRONOUNS:
        return True
    has_verb = any(is_verb(token) or token.key.endswith("ed") for token in before)
    return has_verb and (is_verb(after[0]) or _has_own_subject(after))


def _has_own_subject(tokens: Tokens) -> bool:
    for place, token in enumerate(tokens[:_FAR]):
        if is_verb(token) and place > 0:
            return True
        if token.has_pause:
            return False
    return False


def _attach_lead(found: list[tuple[Tokens, bool]]) -> list[tuple[Tokens, bool]]:
    """Attach a leading `In staging,` to the clause after it."""
    first = found[0][0]
    if len(found) > 1 and first and _is_lead(first[0]) and not any(map(is_verb, first)):
        return [((*found[1][0], *first), True), *found[2:]]
    return [piece for piece in found if piece[0]]


# Clauses with their marks.


_MAX_CLAUSES = 24
"""The most clauses of a text that are compared."""


@dataclass(frozen=True, eq=False)
class MarkedClause:
    """One clause with its marks."""

    tokens: Tokens
    marks: frozenset[ClauseMark]
    speaker: str
    is_foreign: bool
    stands_alone: bool
    """Whether it is a statement of its own, not a detail of the one before."""

    def has(self, *marks: ClauseMark) -> bool:
        """Whether it has any of these marks."""
        return not self.marks.isdisjoint(marks)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Its words in the form that the grammar uses."""
        return frozenset(token.key for token in self.tokens)

    @cached_property
    def change(self) -> int | None:
        """The place of its verb of change."""
        for place in range(len(self.tokens) - 1, -1, -1):
            key = self.tokens[place].key
            if (key in CHANGE_VERBS or key in REPLACE_VERBS) and is_used_as_verb(
                self.tokens, place
            ):
                return place
        return None

    @cached_property
    def is_change(self) -> bool:
        """Whether it says that something changed, or how it is since then."""
        return self.has(ClauseMark.NOW) or self.change is not None

    @cached_property
    def unchanging(self) -> Tokens:
        """Its words without the verb of change."""
        return tuple(token for place, token in enumerate(self.tokens) if place != self.change)

    @cached_property
    def person(self) -> str:
        """`i` if the speaker is the subject, `you` if the listener is, else empty."""
        subject = {token.key for token in self.parts.subject} if self.parts else set[str]()
        if not subject.isdisjoint(("i", "we", "user")):
            return "i"
        if self.is_foreign and not subject and self.parts:
            return "i"
        return "you" if "you" in subject else ""

    @cached_property
    def parts(self) -> ClauseParts | None:
        """Its subject, verb and the rest; None without a verb."""
        return parse_parts(self.tokens)


@lru_cache(maxsize=8_192)
def read_clauses(text: str) -> tuple[MarkedClause, ...]:
    """Read the clauses of a text, without questions."""
    form = tokenize(text)
    clauses = (
        clause
        for sentence in form.sentences
        for clause in _clauses_of(sentence, form.speaker, form.is_foreign)
    )
    return tuple(islice(clauses, _MAX_CLAUSES))


def _clauses_of(sentence: Tokens, speaker: str, is_foreign: bool) -> Iterator[MarkedClause]:
    is_conditional = any(
        token.key in CONDITIONS and not _begins_a_name(sentence, place)
        for place, token in enumerate(sentence)
    )
    for piece, stands_alone in split_clauses(sentence):
        marks, kept = read_marks(piece)
        if is_conditional:
            marks.add(ClauseMark.DOUBTFUL)
        if kept:
            yield MarkedClause(tuple(kept), frozenset(marks), speaker, is_foreign, stands_alone)


def _begins_a_name(sentence: Tokens, place: int) -> bool:
    return place == 0 and len(sentence) > 1 and sentence[1].is_name
