"""What a clause is about, as stems to compare, and when two clauses share a topic."""

from collections.abc import Iterable
from typing import NamedTuple

from tacit.language.supersession.lexicon import (
    DISTINGUISHING_WORDS,
    FUNCTION_WORDS,
    GENERIC_NOUNS,
    PERSON_WORDS,
    SYNONYMS,
)
from tacit.language.supersession.products import PRODUCT_KINDS, PRODUCT_NOUNS
from tacit.language.supersession.tokens import Token, to_canonical

Stems = frozenset[str]

NO_STEMS: Stems = frozenset()
GENERIC_STEMS = frozenset(map(to_canonical, GENERIC_NOUNS))
_DISTINCT_STEMS = frozenset(map(to_canonical, DISTINGUISHING_WORDS))
PERSON_STEMS = frozenset(map(to_canonical, PERSON_WORDS))
_NOUN_STEMS = {to_canonical(noun): kind for noun, kind in PRODUCT_NOUNS.items()}
_KIND = "kind:"
_SHARED_PER_LOST = 2
"""How many words must be repeated for each word that is omitted."""


class ClauseTopic(NamedTuple):
    """What a clause is about."""

    words: Stems
    names: Stems = NO_STEMS
    joined: str = ""
    """Its words joined in order, so that `board game` is `boardgame`."""

    def __or__(self, other: object) -> "ClauseTopic":
        if not isinstance(other, ClauseTopic):
            return NotImplemented
        return ClauseTopic(
            self.words | other.words, self.names | other.names, self.joined + other.joined
        )

    def without(self, words: Stems) -> "ClauseTopic":
        """Return the topic without these words."""
        return ClauseTopic(self.words - words, self.names - words, "")

    @property
    def plain(self) -> Stems:
        """Its words that are no kind of product."""
        return frozenset(word for word in self.words if not word.startswith(_KIND))


NO_TOPIC = ClauseTopic(NO_STEMS)


def find_topic(tokens: Iterable[Token], *dropped: frozenset[str]) -> ClauseTopic:
    """Return the topic of these words, without function words; kinds of products are unified."""
    words: list[str] = []
    names: list[str] = []
    keys: list[str] = []
    for token in tokens:
        if token.figure is not None:
            words.append(token.figure.value)
        if token.key in FUNCTION_WORDS or not token.stem:
            continue
        if any(token.key in each for each in dropped):
            continue
        kind = _NOUN_STEMS.get(token.stem)
        words.append(f"{_KIND}{kind}" if kind else token.stem)
        keys.append(token.stem if token.key == "#" else SYNONYMS.get(token.key, token.key))
        if token.is_name and not kind:
            names.append(token.stem)
    return ClauseTopic(frozenset(words), frozenset(names), "".join(keys).casefold())


def content_stems(tokens: Iterable[Token]) -> Stems:
    """Return the stems of content words, and the values of figures."""
    found: set[str] = set()
    for token in tokens:
        if token.stem and token.key not in FUNCTION_WORDS:
            found.add(token.stem)
        if token.figure is not None:
            found.add(token.figure.value)
    return frozenset(found)


def name_stems(tokens: Iterable[Token]) -> Stems:
    """Return the names among these words."""
    return frozenset(token.stem for token in tokens if token.is_name)


def product_kinds(tokens: Iterable[Token]) -> Stems:
    """Return the purposes of the products among these words."""
    return frozenset(
        kind
        for token in tokens
        if token.is_name and (kind := PRODUCT_KINDS.get(token.key.casefold()))
    )


def is_same_topic(
    old: ClauseTopic, new: ClauseTopic, is_change: bool, known: Stems = NO_STEMS
) -> bool:
    """Whether both topics are the same; news of a change may omit what is understood.

    News may name what is `known`: `the Perl scripts were rewritten`.
    """
    if is_change and new.words & known:
        new = new.without(known)
    if old.words == new.words or (old.joined and old.joined == new.joined):
        return True
    lost, added, shared = old.words - new.words, new.words - old.words, old.words & new.words
    if not shared:
        return False
    if new.words <= old.names and len(lost) == 1 and not lost & (_DISTINCT_STEMS - PERSON_STEMS):
        return lost.isdisjoint(old.names)
    telling = _DISTINCT_STEMS | old.names | new.names
    if not telling.isdisjoint(lost | added):
        return False
    if lost | added <= GENERIC_STEMS:
        return True
    is_told = is_change and bool(shared - GENERIC_STEMS) and lost.isdisjoint(PERSON_STEMS)
    return is_told and added <= GENERIC_STEMS and len(lost) * _SHARED_PER_LOST <= len(shared)


def are_distinct(old: ClauseTopic, new: ClauseTopic) -> bool:
    """Whether one has a word that tells it apart from the other: a name, or `staging`."""
    differing = old.words ^ new.words
    return not differing.isdisjoint(_DISTINCT_STEMS | old.names | new.names)
