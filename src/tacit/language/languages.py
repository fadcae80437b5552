"""What the words of each language mean to the reader, and in which language a text is.

`languages.toml` has a table for each language and says what its lists are; nothing else has small
words by language. A text is told by them in three ways: a stored one has one language, in which its
words are stemmed (`guess_language`); a short message may be in several (`guess_languages`), and a
word is read as in each: "es" is German "it" and Spanish "is"; a sentence is one that rules read, or
in a language of which nothing is learned (`count_votes`).
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple, Self

from tacit.language.word_lists import load_tables, split_phrases

Phrase = tuple[str, ...]

_TABLES = load_tables("languages.toml")


def _read_words(table: Mapping[str, str], *names: str) -> frozenset[str]:
    return frozenset(word for name in names for word in table.get(name, "").split())


def _read_phrases(table: Mapping[str, str], name: str) -> tuple[Phrase, ...]:
    return tuple(tuple(each.split()) for each in sorted(split_phrases(table.get(name, ""))))


# The words of each language.


_FUNCTION_LISTS = (
    "pointers", "continuations", "interjections", "interrogatives", "speakers", "addressees",
    "knowing", "determiners", "fillers",
)  # fmt: skip
_OWN_LISTS = (*_FUNCTION_LISTS, "times", "own", "replies")


def _share(*names: str) -> frozenset[str]:
    """The words that the languages without lists of their own have, together."""
    return frozenset().union(
        *(_read_words(table, *names) for table in _TABLES.values() if "replies" not in table)
    )


STOP_WORDS = frozenset().union(*(_read_words(table, "stop") for table in _TABLES.values()))
POINTERS = _share("pointers")
CONTINUATIONS = _share("continuations")
INTERJECTIONS = _share("interjections")
INTERROGATIVES = _share("interrogatives")
SPEAKERS = _share("speakers")
ADDRESSEES = _share("addressees")
KNOWING = _share("knowing")
DETERMINERS = _share("determiners")
TIMES = _share("times")
FUNCTION_WORDS = STOP_WORDS | _share(*_FUNCTION_LISTS)
"""All of them but times, which name something where nothing points at them."""


@dataclass(frozen=True, slots=True)
class WordLists:
    """Function words by what they do, and words about replies: the lists to read a message with."""

    continuations: frozenset[str] = CONTINUATIONS
    interjections: frozenset[str] = INTERJECTIONS
    interrogatives: frozenset[str] = INTERROGATIVES
    speakers: frozenset[str] = SPEAKERS
    addressees: frozenset[str] = ADDRESSEES
    knowing: frozenset[str] = KNOWING
    determiners: frozenset[str] = DETERMINERS
    times: frozenset[str] = TIMES
    pointers: frozenset[str] = POINTERS
    replies: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    all: frozenset[str] = FUNCTION_WORDS
    """All function words but times."""

    def only_asks(self, words: Sequence[str]) -> bool:
        """Whether words are those of a bare question: "and why", "but since when"."""
        return all(
            word in self.interrogatives or word in STOP_WORDS or word in _OPENING_WORDS
            for word in words
        )


@dataclass(frozen=True, slots=True)
class Language:
    """What the words of one language mean; `languages.toml` says what its lists are."""

    name: str
    code: str
    """The name of its rules; none if empty."""
    stop: frozenset[str]
    telling: frozenset[str]
    """By which the language of a stored text is told."""
    ruled: frozenset[str]
    """By which a sentence is told to be for its rules."""
    known: frozenset[str]
    """By which a sentence is told to be in it."""
    spelling: re.Pattern[str] | None
    pointers: frozenset[str]
    idioms: frozenset[Phrase]
    openers: tuple[Phrase, ...]
    letters: frozenset[str]
    small: frozenset[str]
    """By which the language of a short message is told."""
    lists: WordLists | None
    """Of a language that is not in the shared lists."""

    @classmethod
    def of(cls, name: str, table: Mapping[str, str]) -> Self:
        """Read the table of a language."""
        openers = _read_phrases(table, "openers")
        ruled = _read_words(table, "stop", "rules") if "rules" in table else frozenset()
        small = _read_words(table, "stop", "small", "pointers").union(each[0] for each in openers)
        has_lists = "replies" in table
        return cls(
            name=name,
            code=table.get("code", ""),
            stop=_read_words(table, "stop"),
            telling=_read_words(table, "stop", "telling"),
            ruled=ruled,
            known=ruled | _read_words(table, "common"),
            spelling=re.compile(table["spelling"]) if "spelling" in table else None,
            pointers=_read_words(table, "pointers"),
            idioms=frozenset(_read_phrases(table, "idioms")),
            openers=openers,
            letters=frozenset(table.get("letters", "")),
            small=small | _read_words(table, *_OWN_LISTS) if has_lists else small,
            lists=_read_own_lists(table, openers) if has_lists else None,
        )


def _read_own_lists(table: Mapping[str, str], openers: Iterable[Phrase]) -> WordLists:
    every = _read_words(table, "stop", "small", *_FUNCTION_LISTS)
    own = {name: _read_words(table, name) for name in _OWN_LISTS if name != "fillers"}
    return WordLists(**own, all=every.union(each[0] for each in openers if len(each) == 1))


LANGUAGES = {name: Language.of(name, table) for name, table in _TABLES.items()}

_STEMMED = {name: each for name, each in LANGUAGES.items() if each.stop}
DEFAULT_LANGUAGE = "english"
ENGLISH_WORDS = LANGUAGES[DEFAULT_LANGUAGE].stop
CYRILLIC_LANGUAGE = "russian"
LATIN_LANGUAGES = tuple(name for name in _STEMMED if name != CYRILLIC_LANGUAGE)
RULED_LANGUAGES = {each.code: each for each in LANGUAGES.values() if each.code}
"""Those that statements are learned from by rules, by the names of their rules."""
_TOLD = {name: each for name, each in LANGUAGES.items() if each.small}
_UNRULED = tuple(
    each for each in LANGUAGES.values() if not each.code and (each.known or each.spelling)
)

_OPENING_WORDS = frozenset(
    opener[0] for each in _TOLD.values() for opener in each.openers if len(opener) == 1
)


# The language of a text that is stored, by its stop words.


_MIN_VOTES = 2
"""How many stop words of another language a text must have to count as that language."""

_MOST_UNDECIDED = 16
"""Words of a text that is stemmed in all languages at most; a longer one would seem too long."""

_LANGUAGES_OF = {
    word: tuple(name for name, each in _STEMMED.items() if word in each.telling)
    for word in frozenset().union(*(each.telling for each in _STEMMED.values()))
}


def guess_language(words: Iterable[str]) -> str:
    """Guess the language that most stop words belong to; English if there are too few."""
    listed = list(words)
    return _choose_language(listed, _count_stop_words(listed))


def find_likely_languages(words: Sequence[str]) -> tuple[str, ...]:
    """The languages that a text may be in: one, several with as many stop words, or all."""
    votes = _count_stop_words(words)
    most, chosen = max(votes.values()), _choose_language(words, votes)
    likely = tuple(name for name, count in votes.items() if count == most)
    if most >= _MIN_VOTES and chosen not in (DEFAULT_LANGUAGE, CYRILLIC_LANGUAGE):
        return tuple(name for name in likely if name != CYRILLIC_LANGUAGE)
    if most < _MIN_VOTES and likely != (DEFAULT_LANGUAGE,) and len(words) <= _MOST_UNDECIDED:
        return LATIN_LANGUAGES
    return (chosen,)


def _count_stop_words(words: Iterable[str]) -> dict[str, int]:
    """How many stop words of each language there are."""
    votes = dict.fromkeys(_STEMMED, 0)
    for word in words:
        for name in _LANGUAGES_OF.get(word, ()):
            votes[name] += 1
    return votes


def _choose_language(words: Sequence[str], votes: Mapping[str, int]) -> str:
    """The language with most votes; of several English, or else the one with more of its own."""
    most = max(votes.values())
    likely = [name for name, count in votes.items() if count == most]
    if most < _MIN_VOTES or DEFAULT_LANGUAGE in likely:
        return DEFAULT_LANGUAGE
    return max(likely, key=lambda name: _count_own(words, name)) if len(likely) > 1 else likely[0]


def _count_own(words: Iterable[str], language: str) -> float:
    """The stop words of a language; one that others have too counts as a part."""
    told = (_LANGUAGES_OF.get(word, ()) for word in words)
    return sum(1 / len(names) for names in told if language in names)


# The languages that a short message may be in, and what its words are in them.


def guess_languages(words: Sequence[str], text: str = "") -> frozenset[str]:
    """The languages that most words of a message are small words of, all of them if none is.

    `text` is the message as it is written: letters and signs tell a language too.
    """
    letters = set(text.casefold())
    votes = {
        name: sum(word in each.small for word in words) + (not each.letters.isdisjoint(letters))
        for name, each in _TOLD.items()
    }
    most = max(votes.values())
    return frozenset(name for name, count in votes.items() if count == most)


def find_small_words(words: Sequence[str]) -> frozenset[str]:
    """Those of some words that are small words of the languages the words may be in."""
    guessed = guess_languages(words)
    return frozenset(word for word in words if _find_having(word, guessed))


def choose_lists(languages: Collection[str]) -> WordLists:
    """The lists to read a message with; the shared ones wherever it may be in their languages."""
    lists = [_TOLD[name].lists for name in sorted(languages)]
    own = [each for each in lists if each is not None]
    if len(own) < len(lists) or not own:
        return _SHARED_LISTS
    return WordLists(
        **{
            each.name: frozenset().union(*(getattr(one, each.name) for one in own))
            for each in fields(WordLists)
        }
    )


_SHARED_LISTS = WordLists()


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


def _find_having(word: str, languages: Collection[str]) -> list[Language]:
    """Those of some languages that have a small word."""
    return [_TOLD[name] for name in languages if word in _TOLD[name].small]


# Whether a sentence is in a language that no rules read, such as Italian or Polish.


_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_LONGEST = 2_000
"""So many characters of a text are read."""


class LanguageVotes(NamedTuple):
    """How many words of a text the nearest language with rules has, and the nearest other one."""

    ruled: int
    other: int

    @property
    def is_tie(self) -> bool:
        """Whether the words leave it open, so that those around them decide."""
        return self.ruled == self.other

    @property
    def is_other(self) -> bool:
        """Whether the text is in a language that no rules read.

        A text without any known word is not: notes in English often have none ("retro 9:30").
        """
        return self.other > self.ruled


def count_votes(text: str) -> LanguageVotes:
    """Count the words of a text in each language; a word of several counts for each of them."""
    found = _WORD.findall(text[:_LONGEST].replace("’", "'"))
    words = [word.casefold() for word in found]
    written_small = [word for word in found if word[0] == word[0].casefold()]
    ruled = (sum(word in each.known for word in words) for each in RULED_LANGUAGES.values())
    other = (
        sum(word in each.known for word in words) + _count_spelled(written_small, each)
        for each in _UNRULED
    )
    return LanguageVotes(max(ruled), max(other))


def _count_spelled(written_small: Iterable[str], language: Language) -> int:
    """Count words by their spelling alone; that of names, which have capitals, says nothing."""
    if language.spelling is None:
        return 0
    spelling = language.spelling
    return sum(
        word not in language.known and spelling.search(word) is not None for word in written_small
    )


def find_ruled(said: str) -> Sequence[str]:
    """The names of the rules whose small words occur most in a text; none if none occur."""
    words = _WORD.findall(said.casefold())
    votes = {
        code: sum(word in each.ruled for word in words) for code, each in RULED_LANGUAGES.items()
    }
    most = max(votes.values())
    return [code for code, count in votes.items() if count == most and most]
