"""Split a sentence into clauses, and find the subject and the value of a statement in one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tacit.language.vocabulary import (
    ARTICLES,
    BEFORE_CAPITALS,
    BOUNDARIES,
    CONJUNCTIONS,
    DEFINITE,
    DENIAL_TAILS,
    DENIALS,
    FIRST_PERSONS,
    HEDGES,
    INDEFINITE,
    LEAD_INS,
    LOOSE_OWNERS,
    MILD,
    OBLIGATIONS,
    OPPOSITES,
    PLURAL_SPEAKERS,
    PREPOSITIONS,
    QUALIFIERS,
    RELATIVES,
    SUPPORTS,
    UNRESOLVED,
)
from tacit.statements.verbs import (
    ADJECTIVAL_ENDINGS,
    ADJECTIVES,
    BEING,
    CHOOSING,
    COMPOUNDS,
    FORMS,
    IDIOMS,
    LINKS,
    NOUN_LINKS,
    SYNONYMS,
    VAGUE,
)
from tacit.statements.words import (
    Word,
    begins_figure,
    has_phrase_at,
    is_capitalized,
    to_normal_form,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """What a clause says; each part is normalised for comparison, and empty if unknown."""

    entity: str
    attribute: str
    value: str
    is_negated: bool = False
    is_functional: bool = False

    @property
    def slot(self) -> str:
        """The same for every statement about this attribute of this entity."""
        return f"{self.entity}\x1f{self.attribute}"

    @property
    def claim(self) -> str:
        """The same for every statement that could conflict with this one."""
        return self.slot if self.is_functional else f"{self.slot}\x1f{self.value}"

    def with_polarity(self, negated: bool) -> "Statement":
        """Return the same statement, negated or not."""
        return replace(self, is_negated=negated) if negated != self.is_negated else self


# Subjects.


Words = Sequence[Word]

_MAX_SUBJECT_WORDS = 20
_USER = "user"
_SELF = Word("i", "i", False, False, False)
_FLEETING = frozenset(("current", "present"))
_NAMES = frozenset(("name", "names", "nom", "nombre"))
_SPEAKERS = {"ich": "i", "wir": "we", "je": "i", "nous": "we", "yo": "i", "nosotros": "we"}


class ClauseSubject(NamedTuple):
    """An entity, and the attribute that the subject names."""

    entity: str
    attribute: str
    is_definite: bool
    """Whether it is one particular attribute or thing, as in `the capital of France`."""


def find_subject(
    words: Sequence[Word], speaker: str, whole_names: bool = False
) -> ClauseSubject | None:
    """Find the subject of a clause; None if the clause alone does not tell.

    With `whole_names`, `The Lord of the Rings` is one name and not the lord of something.
    """
    if not 0 < len(words) <= _MAX_SUBJECT_WORDS or not _is_resolvable(words):
        return None
    if any(word.folded == _USER for word in words[:2]):
        words = _in_first_person(words)
    is_name = whole_names and len(words) > 1 and all(map(is_capitalized, words[:2]))
    found = (
        _speakers_subject(words, speaker)
        or _relative_subject(words)
        or (None if is_name else _linked_subject(words))
        or _owned_subject(words)
        or ClauseSubject(_find_entity(words, speaker), "", words[0].folded in DEFINITE)
    )
    return found if found.entity else None


def _in_first_person(words: Sequence[Word]) -> Sequence[Word]:
    """Convert a note about the user to the first person: `the user's dog` to `my dog`."""
    start = 1 if words[0].folded in DEFINITE and len(words) > 1 else 0
    word = words[start]
    if word.folded != _USER or (not word.is_possessive and len(words) > start + 1):
        return words
    told = (
        word._replace(text="my", folded="my", is_possessive=False) if word.is_possessive else _SELF
    )
    return (told, *words[start + 1 :])


def _is_resolvable(words: Sequence[Word]) -> bool:
    first = words[0].folded
    if words[-1].folded in HEDGES and not is_capitalized(words[-1]):
        return False
    vague = first in UNRESOLVED or first in INDEFINITE or first in LOOSE_OWNERS
    return not vague or (len(words) > 1 and is_capitalized(words[1]))


def _speakers_subject(words: Sequence[Word], speaker: str) -> ClauseSubject | None:
    owner = FIRST_PERSONS.get(words[0].folded)
    if owner is None or len(words) < 2:
        return None
    if is_capitalized(words[1]) and words[0].folded not in BEFORE_CAPITALS:
        return None
    rest = _owned_subject(words[1:])
    if rest is not None:
        return ClauseSubject(
            f"{_resolve_person(owner, speaker)} {rest.entity}", rest.attribute, True
        )
    return ClauseSubject(_resolve_person(owner, speaker), _attribute_name(words[1:]), True)


def _resolve_person(person: str, speaker: str) -> str:
    return speaker if speaker and person == "i" else person


def _relative_subject(words: Sequence[Word]) -> ClauseSubject | None:
    if words[0].folded not in DEFINITE:
        return None
    for place in range(2, len(words) - 1):
        if words[place].folded in RELATIVES and not is_capitalized(words[place]):
            attribute = f"{_attribute_name(words[:place])} {words[place].folded}"
            return ClauseSubject(to_normal_form(words[place + 1 :]), attribute, True)
    return None


def _linked_subject(words: Sequence[Word]) -> ClauseSubject | None:
    if words[0].folded not in DEFINITE:
        return None
    place = _find_link(words)
    if place is None:
        return None
    noun, owner = words[1:place], words[place + 1 :]
    if to_normal_form(noun) in _NAMES and len(owner) > 2:
        inner = _linked_subject(owner) or _owned_subject(owner)
        if inner is not None:
            return inner
    link = "" if words[place].folded in LINKS else f" {words[place].folded}"
    return ClauseSubject(to_normal_form(owner), _attribute_name(noun) + link, True)


def _find_link(words: Sequence[Word]) -> int | None:
    for place in range(2, len(words) - 1):
        around = " ".join(word.folded for word in words[place - 1 : place + 2])
        if words[place].folded in NOUN_LINKS and around not in COMPOUNDS:
            return place
    return None


def _owned_subject(words: Sequence[Word]) -> ClauseSubject | None:
    for place in range(len(words) - 2, -1, -1):
        if words[place].is_possessive:
            return ClauseSubject(
                to_normal_form(words[: place + 1]), _attribute_name(words[place + 1 :]), True
            )
    return None


def _find_entity(words: Sequence[Word], speaker: str) -> str:
    entity = to_normal_form(words)
    return _resolve_person(_SPEAKERS.get(entity, entity), speaker)


def _attribute_name(words: Sequence[Word]) -> str:
    return to_normal_form(word for word in words if word.folded not in _FLEETING)


# Values.


_MAX_VALUE_WORDS = 12
_MONEY = "$€£¥"
_UNFIT = INDEFINITE | VAGUE


def split_value(words: Words) -> tuple[Words, Words]:
    """Split words into the value they begin with, and its qualifiers (for what, where, when)."""
    end = next((place for place in range(1, len(words)) if _ends_value(words, place)), len(words))
    kept = words[:end]
    for place in range(1, len(kept)):
        if kept[place].folded in QUALIFIERS and not _is_inside_a_name(kept, place):
            return kept[:place], kept[place:]
    return kept, ()


def is_single_value(words: Words) -> bool:
    """Whether a value is short and definite enough to rule out another one."""
    if not 0 < len(words) <= _MAX_VALUE_WORDS:
        return False
    first = words[0]
    return is_capitalized(first) or first.folded not in _UNFIT


def is_description(words: Words) -> bool:
    """Whether a value only describes, as an adjective or participle does."""
    first = words[0]
    if is_capitalized(first) or begins_figure(first.folded):
        return False
    return first.folded in ADJECTIVES or first.folded.endswith(ADJECTIVAL_ENDINGS)


def is_concrete(words: Words) -> bool:
    """Whether a value is a name, a number or a date."""
    return is_capitalized(words[0]) or is_quantity(words)


def is_quantity(words: Words) -> bool:
    """Whether a value begins with a number or a date."""
    return bool(words) and begins_figure(words[0].folded.lstrip(_MONEY))


def _ends_value(words: Words, place: int) -> bool:
    word = words[place]
    if is_capitalized(word):
        return False
    return word.folded in BOUNDARIES or has_phrase_at(words, place, ("as", "of"))


def _is_inside_a_name(words: Words, place: int) -> bool:
    after = [word for word in words[place + 1 : place + 3] if word.folded not in ARTICLES]
    return is_capitalized(words[place - 1]) and bool(after) and is_capitalized(after[0])


# Clauses.


_PLACED = (" in", " on", " at")
_FAR = 6


class Clause(NamedTuple):
    """The words of one clause without negations and mild adverbs."""

    words: tuple[Word, ...]
    is_negated: bool
    takes_bare_verb: bool
    """Whether a negation or `does` stood before the verb, which then has no ending."""
    speaker: str


def split_clauses(words: Words, speaker: str) -> Iterator[Clause]:
    """Split a sentence into clauses; one that begins with its verb has the subject of the first."""
    start, shared = 0, tuple[Word, ...]()
    opened = _strip_lead_in(words)
    for place in range(1, len(opened) - 1):
        if opened[place].folded in CONJUNCTIONS and _begins_clause(opened, start, place):
            yield _build_clause((*shared, *opened[start:place]), speaker)
            verb = next(at for at, word in enumerate(opened) if _is_verb(word))
            shared = opened[:verb] if _is_verb(opened[place + 1]) else ()
            start = place + 1
    yield _build_clause((*shared, *opened[start:]), speaker)


def build_statement(about: ClauseSubject | None, verb: str, words: Words) -> Statement | None:
    """Build a statement with one value; its qualifiers are part of the attribute."""
    value, qualifiers = split_value(words)
    if about is None or not is_single_value(value):
        return None
    verb = SYNONYMS.get(verb, verb)
    placed = f" {verb}".endswith(_PLACED)
    if placed and value[0].folded in IDIOMS:
        return None
    moment = "when" if placed and is_quantity(value) else ""
    parts = (about.attribute, verb, moment, to_normal_form(qualifiers))
    attribute = " ".join(part for part in parts if part)
    return Statement(about.entity, attribute, to_normal_form(value), is_functional=True)


def _strip_lead_in(words: Words) -> tuple[Word, ...]:
    """Remove an empty opening, and move a leading `In staging,` to the end."""
    for phrase in LEAD_INS.get(words[0].folded, ()):
        if has_phrase_at(words, 0, phrase) and len(words) > len(phrase):
            words = words[len(phrase) :]
            break
    if words[0].folded in PREPOSITIONS:
        for place in range(min(_FAR, len(words) - 1)):
            if words[place].has_pause:
                return (*words[place + 1 :], *words[: place + 1])
    return tuple(words)


def _begins_clause(words: Words, start: int, place: int) -> bool:
    """Whether another clause begins after this conjunction."""
    after = words[place + 1]
    if after.text != after.folded and after.folded not in PLURAL_SPEAKERS:
        return False
    begins = _is_verb(after) or after.folded in PLURAL_SPEAKERS or after.folded in FIRST_PERSONS
    return begins and any(_is_verb(word) for word in words[start:place])


def _is_verb(word: Word) -> bool:
    folded = word.folded
    known = folded in FORMS or folded in BEING or folded in CHOOSING or folded in SUPPORTS
    return known and word.text == folded


def _build_clause(words: Words, speaker: str) -> Clause:
    kept: list[Word] = []
    negated = bare = False
    for place, word in enumerate(words):
        folded = word.folded
        if folded in DENIALS:
            if _only_contrasts(words, place):
                kept.append(word)
            else:
                is_answer = place == 0 and folded == "no" and word.has_pause
                negated = negated or not is_answer
        elif folded in OPPOSITES and word.text[1:] == folded[1:]:
            negated = not negated
            kept.append(word._replace(folded=OPPOSITES[folded], text=OPPOSITES[folded]))
        elif folded in SUPPORTS:
            bare = True
        elif not _is_filler(words, place):
            kept.append(word)
    return Clause(tuple(kept), negated, bare or negated, speaker)


def _only_contrasts(words: Words, place: int) -> bool:
    """Whether a negation only contrasts two things, as in `tabs, not spaces`."""
    after = words[place + 1].folded if place + 1 < len(words) else ""
    if words[place].folded == "no":
        return after[:1].isdigit()
    if words[place].folded == "n":
        return words[place].text == "N"
    return after == "only" or (place > 1 and words[place - 1].has_pause)


def _is_filler(words: Words, place: int) -> bool:
    folded = words[place].folded
    if folded in MILD or folded in OBLIGATIONS:
        return words[place].text[1:] == folded[1:] and (place == 0 or words[place].text == folded)
    return place > 0 and folded in DENIAL_TAILS.get(words[place - 1].folded, ())
