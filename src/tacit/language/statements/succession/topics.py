"""What a clause is about, as words to compare, and when two are about the same."""

from collections.abc import Iterable
from typing import NamedTuple

from tacit.language.statements.succession.lexicon import DISTINCT, FUNCTION, GENERIC, PERSONS, SAME
from tacit.language.statements.succession.tools import KINDS, NOUNS
from tacit.language.statements.succession.wording import Token, canonical

Stems = frozenset[str]

NOTHING: Stems = frozenset()
GENERIC_STEMS = frozenset(map(canonical, GENERIC))
_DISTINCT_STEMS = frozenset(map(canonical, DISTINCT))
PERSON_STEMS = frozenset(map(canonical, PERSONS))
_NOUN_STEMS = {canonical(noun): kind for noun, kind in NOUNS.items()}
_KIND = "kind:"
_TOLD_TWICE = 2
"""For each word that is left out so many must be said again."""


class Topic(NamedTuple):
    """What something is said of."""

    words: Stems
    names: Stems = NOTHING
    joined: str = ""
    """Its words in order and in one, so that `board game` is `boardgame`."""

    def __or__(self, other: object) -> "Topic":
        if not isinstance(other, Topic):
            return NotImplemented
        return Topic(self.words | other.words, self.names | other.names, self.joined + other.joined)

    def without(self, words: Stems) -> "Topic":
        """The topic without these words."""
        return Topic(self.words - words, self.names - words, "")

    @property
    def plain(self) -> Stems:
        """Its words that are no kind of product."""
        return frozenset(word for word in self.words if not word.startswith(_KIND))


NO_TOPIC = Topic(NOTHING)


def topic(tokens: Iterable[Token], *dropped: frozenset[str]) -> Topic:
    """The topic of these words, without the small ones; kinds of products as one."""
    words: list[str] = []
    names: list[str] = []
    keys: list[str] = []
    for token in tokens:
        if token.figure is not None:
            words.append(token.figure.value)
        if token.key in FUNCTION or not token.stem:
            continue
        if any(token.key in each for each in dropped):
            continue
        kind = _NOUN_STEMS.get(token.stem)
        words.append(f"{_KIND}{kind}" if kind else token.stem)
        keys.append(token.stem if token.key == "#" else SAME.get(token.key, token.key))
        if token.is_name and not kind:
            names.append(token.stem)
    return Topic(frozenset(words), frozenset(names), "".join(keys).casefold())


def content(tokens: Iterable[Token]) -> Stems:
    """All words that say something, and figures by their value."""
    found: set[str] = set()
    for token in tokens:
        if token.stem and token.key not in FUNCTION:
            found.add(token.stem)
        if token.figure is not None:
            found.add(token.figure.value)
    return frozenset(found)


def names(tokens: Iterable[Token]) -> Stems:
    """The names among these words."""
    return frozenset(token.stem for token in tokens if token.is_name)


def tools(tokens: Iterable[Token]) -> Stems:
    """What the products among these words are for."""
    return frozenset(
        kind for token in tokens if token.is_name and (kind := KINDS.get(token.key.casefold()))
    )


def is_same(old: Topic, new: Topic, is_change: bool, known: Stems = NOTHING) -> bool:
    """Whether both are about the same; news of a change may leave out what is understood.

    What is `known` may be named in news: `the Perl scripts were rewritten`.
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
    return is_told and added <= GENERIC_STEMS and len(lost) * _TOLD_TWICE <= len(shared)


def is_apart(old: Topic, new: Topic) -> bool:
    """Whether one names what tells it from the other: a name, or `staging`."""
    differing = old.words ^ new.words
    return not differing.isdisjoint(_DISTINCT_STEMS | old.names | new.names)
