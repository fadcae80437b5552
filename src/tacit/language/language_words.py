"""What small words mean in the language of a message.

A word may be a pronoun in one language and a plain verb or article in another: "es" is German "it"
and Spanish "is". In a message of few words `guess_languages` names every language it may be in.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Self

from tacit.language import function_words
from tacit.language.function_words import split_phrases
from tacit.language.terms import STOP_WORDS

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WordLists:
    """Function words by what they do, and words about replies."""

    continuations: frozenset[str] = function_words.CONTINUATIONS
    interjections: frozenset[str] = function_words.INTERJECTIONS
    interrogatives: frozenset[str] = function_words.INTERROGATIVES
    speakers: frozenset[str] = function_words.SPEAKERS
    addressees: frozenset[str] = function_words.ADDRESSEES
    knowing: frozenset[str] = function_words.KNOWING
    determiners: frozenset[str] = function_words.DETERMINERS
    times: frozenset[str] = function_words.TIMES
    pointers: frozenset[str] = function_words.POINTERS
    replies: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    all: frozenset[str] = function_words.FUNCTION_WORDS
    """All function words but times."""

    def only_asks(self, words: Sequence[str]) -> bool:
        """Whether words are those of a bare question: "and why", "but since when"."""
        return all(
            word in self.interrogatives or word in STOP_WORDS or word in _OPENING_WORDS
            for word in words
        )

    @classmethod
    def of(cls, table: Mapping[str, str]) -> Self:
        """Read the lists of a language."""
        read = {name: frozenset(words.split()) for name, words in table.items()}
        openers = _read_openers(table["openers"])
        read["all"] = frozenset(each[0] for each in openers if len(each) == 1).union(
            *(words for name, words in read.items() if name in _FUNCTION_LISTS)
        )
        return cls(**{each.name: read[each.name] for each in fields(cls)})


@dataclass(frozen=True, slots=True)
class _Language:
    """What the small words of one language are."""

    pointers: frozenset[str]
    idioms: frozenset[Phrase]
    openers: tuple[Phrase, ...]
    letters: frozenset[str]
    words: frozenset[str]
    """All of them, by which the language is guessed."""
    lists: WordLists | None
    """Of a language that is not in the common tables."""

    @classmethod
    def of(cls, table: Mapping[str, str]) -> Self:
        """Read the table of a language."""
        openers = _read_openers(table["openers"])
        listed = (table[name].split() for name in table.keys() - {"letters", "idioms", "openers"})
        return cls(
            pointers=frozenset(table["pointers"].split()),
            idioms=frozenset(tuple(each.split()) for each in split_phrases(table["idioms"])),
            openers=openers,
            letters=frozenset(table["letters"]),
            words=frozenset(each[0] for each in openers).union(*listed),
            lists=WordLists.of(table) if "fillers" in table else None,
        )


_FUNCTION_LISTS = frozenset(
    {
        "pointers",
        "small",
        "continuations",
        "interjections",
        "interrogatives",
        "speakers",
        "addressees",
        "knowing",
        "determiners",
        "fillers",
    }
)


def _read_openers(written: str) -> tuple[Phrase, ...]:
    return tuple(tuple(each.split()) for each in split_phrases(written))


_OPENING_WORDS = frozenset(
    opener[0]
    for table in function_words.LANGUAGE_TABLES.values()
    for opener in _read_openers(table["openers"])
    if len(opener) == 1
)
_LANGUAGES = {name: _Language.of(table) for name, table in function_words.LANGUAGE_TABLES.items()}
_COMMON_LISTS = WordLists()


def guess_languages(words: Sequence[str], text: str = "") -> frozenset[str]:
    """The languages that most words of a message are small words of, all of them if none is.

    `text` is the message as it is written: letters and signs tell a language too.
    """
    letters = set(text.casefold())
    votes = {
        name: sum(word in each.words for word in words) + (not each.letters.isdisjoint(letters))
        for name, each in _LANGUAGES.items()
    }
    most = max(votes.values())
    return frozenset(name for name, count in votes.items() if count == most)


def find_small_words(words: Sequence[str]) -> frozenset[str]:
    """Those of some words that are small words of the languages the words may be in."""
    guessed = guess_languages(words)
    return frozenset(word for word in words if _find_having(word, guessed))


def choose_lists(languages: Collection[str]) -> WordLists:
    """The lists to read a message with; the common ones wherever it may be in their languages."""
    lists = [_LANGUAGES[name].lists for name in sorted(languages)]
    own = [each for each in lists if each is not None]
    if len(own) < len(lists) or not own:
        return _COMMON_LISTS
    return WordLists(
        **{
            each.name: frozenset().union(*(getattr(one, each.name) for one in own))
            for each in fields(WordLists)
        }
    )


def is_pointer(words: Sequence[str], place: int, languages: Collection[str]) -> bool:
    """Whether a word stands for something, in every language of the message that has it."""
    word = words[place]
    following = words[place + 1] if place + 1 < len(words) else ""
    before = words[place - 1] if place else ""
    having = _find_having(word, languages)
    return bool(having) and all(
        word in each.pointers and each.idioms.isdisjoint({(before, word), (word, following)})
        for each in having
    )


def count_opening_words(words: Sequence[str], languages: Collection[str]) -> int:
    """How many words a message begins with that continue what was said.

    In every language of the message that has the first word they open it, or the word points.
    """
    counted = [
        (_count_openers(words, each.openers), words[0] in each.pointers)
        for each in _find_having(words[0], languages)
    ]
    if not all(count or is_pointer for count, is_pointer in counted):
        return 0
    return max((count for count, _ in counted), default=0)


def _count_openers(words: Sequence[str], openers: tuple[Phrase, ...]) -> int:
    return max((len(each) for each in openers if tuple(words[: len(each)]) == each), default=0)


def _find_having(word: str, languages: Collection[str]) -> list[_Language]:
    """Those of some languages that have a small word."""
    return [_LANGUAGES[name] for name in languages if word in _LANGUAGES[name].words]
