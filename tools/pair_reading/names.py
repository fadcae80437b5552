"""Invented names in the place of those that the data has.

The data has few names beside the endless many of the world. A name that comes up again and again
in training is learned by heart: the model then knows what follows it, and does not compare it with
the name in the other text. A name that it has never seen leaves it nothing but to compare.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from tokenizers import Tokenizer
from tools.pair_reading.pairs import Attribute, TrainingPair

_FORMS = {
    "{} {}": 45,
    "{}": 35,
    "The {} {}": 7,
    "{} {} {}": 7,
    "{} of {}": 1.5,
    "{} de {}": 1.5,
    "{} van {}": 1.5,
    "{} and {}": 1.5,
}
"""How names of several words are put together, and how often."""

_ONSETS = (*"bcdfghjklmnprstvwyz", "br", "ch", "dr", "gr", "kl", "st", "tr")
_VOWELS = (*"aeiou", "ai", "ea", "ie", "ou")
_CODAS = (*"nrlsmxt", "th", "ck", "nd")
_SYLLABLES = (1, 2, 2, 3)
_WORD_LETTERS = 4

_CAPITALIZED = re.compile(r"\b[A-Z][a-z]{2,}\b")
_CAPITALIZED_INSIDE = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}\b")
"""Not at the beginning of a sentence, where every word has a capital."""

_TIMES = """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday
    Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays
    January February March April May June July August September October November December
"""
_PLAIN_WORDS = """
    I The This That These Those Our Your His Her Its They There Their You And But For From With
    Not Now When While Where What Who Why How Please Always Never Only All Any Also User Use Yes
    Just After Before Since
"""
_NO_NAMES = frozenset((_TIMES + _PLAIN_WORDS).split())
"""Words with a capital that are no names; another word in their place changes what is said."""

_OWN = ("my ", "our ", "My ", "Our ", "I ", "we ")
_NAMED_SUBJECTS = 0.6
_NAMED_VALUES = 0.8
"""How many subjects or values must be names for all to be names."""

_RENAMED_VALUES = 0.6
"""How often values get invented names, where subjects do."""


@dataclass(frozen=True, slots=True)
class Names:
    """What names are invented of; none is better known to the model than another."""

    words: tuple[str, ...]
    """Whole words of the tokenizer, which names are often made of."""
    known: tuple[str, ...]
    """Names that the written pairs have."""

    def invent_word(self, random: Random) -> str:
        """One word of a name: a common word, syllables, or a word of other names."""
        case = random.random()
        if case < 0.4:
            return random.choice(self.words).capitalize()
        return _join_syllables(random) if case < 0.7 else random.choice(self.known)

    def invent_name(self, random: Random) -> str:
        """A name of one to three such words."""
        [form] = random.choices(list(_FORMS), list(_FORMS.values()))
        return form.format(*(self.invent_word(random) for _ in range(form.count("{}"))))


def _join_syllables(random: Random) -> str:
    syllables = (
        random.choice(_ONSETS) + random.choice(_VOWELS) for _ in range(random.choice(_SYLLABLES))
    )
    return f"{''.join(syllables).capitalize()}{random.choice(_CODAS)}"


def read_names(tokenizer: Path, written: Iterable[TrainingPair]) -> Names:
    """The words of a tokenizer, and the names in pairs."""
    vocabulary = Tokenizer.from_file(str(tokenizer)).get_vocab()
    words = (word for word in vocabulary if word.isascii() and word.isalpha())
    return Names(
        tuple(sorted(word for word in words if len(word) >= _WORD_LETTERS)), find_names(written)
    )


def find_names(written: Iterable[TrainingPair]) -> tuple[str, ...]:
    """The words with a capital inside a sentence: names, and nouns in German."""
    texts = (text for pair in written for text in (pair.old, pair.new))
    found = {word for text in texts for word in _CAPITALIZED_INSIDE.findall(text)}
    return tuple(sorted(found - _NO_NAMES))


def name_anew(attribute: Attribute, names: Names, random: Random) -> Attribute:
    """The attribute with invented subjects, and sometimes values, if its own are names."""
    if not _are_names(attribute.subjects, _NAMED_SUBJECTS):
        return attribute
    subjects = (names.invent_name(random), names.invent_name(random))
    values = attribute.values
    if _are_names(values, _NAMED_VALUES) and random.random() < _RENAMED_VALUES:
        values = tuple(names.invent_name(random) for _ in range(3))
    return replace(attribute, subjects=subjects, values=values)


def _are_names(texts: tuple[str, ...], share: float) -> bool:
    return sum(map(is_name, texts)) >= share * len(texts)


def is_name(text: str) -> bool:
    """Whether a text has a name in it, and does not speak of somebody's own thing or relative."""
    words = text.split()
    has_name = any(word[:1].isupper() and word not in _NO_NAMES for word in words)
    return has_name and not text.startswith(_OWN)


def rename_common(pair: TrainingPair, names: Names, random: Random) -> TrainingPair:
    """The pair with an invented word for every name that both texts have.

    A name that only one text has stays: it may be what changed.
    """
    capitalized = (set(_CAPITALIZED.findall(text)) for text in (pair.old, pair.new))
    common = set.intersection(*capitalized).intersection(names.known)
    invented = {word: names.invent_word(random) for word in sorted(common)}
    return replace(
        pair, old=_replace_words(pair.old, invented), new=_replace_words(pair.new, invented)
    )


def _replace_words(text: str, invented: Mapping[str, str]) -> str:
    return _CAPITALIZED.sub(lambda found: invented.get(found[0], found[0]), text)
