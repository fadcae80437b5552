"""Follow-ups: messages that take their subject from the conversation before them.

"And the other one?", "why that instead of sessions?" and "did we lose anything?" do. A question
that names its subject stands by itself, and so does every command: "make it shorter" is about a
reply that is in view. Words are read in the language of the message: "es" points at nothing in
Spanish.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tacit.language.languages import (
    POINTERS,
    WordLists,
    choose_lists,
    count_opening_words,
    guess_language,
    guess_languages,
    is_pointer,
)
from tacit.language.sentences import is_question
from tacit.language.word_lists import find_spoken_words, split_contractions

_PLURAL = frozenset({"they", "them", "their", "theirs", "hun", "hen"})
_DUTCH_PLURAL = ("s", "en")
_COUNTED = frozenset({"one", "ones"})
_ARTICLES = frozenset({"der", "die", "das", "den", "dem", "het"})
"""German and Dutch articles that are pronouns too."""
_WITH_ARTICLES = frozenset({"german", "dutch"})
_COPULAS = frozenset({"ist", "sind", "war", "waren", "wird", "is", "was", "wordt", "werd"})
_FRENCH_PRONOUNS = frozenset({"en", "y"})
_PRONOUN_BEFORE = re.compile("[jnmtslc]'|qu'?|je|tu|ils?|elles?|on|nous|vous|ça|lui|leur")
_IMPERATIVES = frozenset({"do", "have"})

_MAX_WORDS = 14
_MAX_SUBJECTS = 4
"""A question with more words of its own says what it is about."""


@dataclass(frozen=True, slots=True)
class _Message:
    """The words of a message without interjections before it, and how they are read."""

    words: Sequence[str]
    languages: frozenset[str]
    lists: WordLists

    @property
    def subjects(self) -> list[str]:
        return [word for word in self.words if word not in self.lists.all]


def is_follow_up(text: str) -> bool:
    """Whether a message asks for something that only the exchanges before it name."""
    spoken = find_spoken_words(text)
    if not spoken or len(spoken) > _MAX_WORDS:
        return False
    message = _read_message(split_contractions(spoken), text)
    words, lists = message.words, message.lists
    if not words or not _asks(text, message):
        return False
    if not lists.addressees.isdisjoint(words) and lists.knowing.isdisjoint(words):
        return False
    subjects = message.subjects
    if len(subjects) > _MAX_SUBJECTS or (len(subjects) > 1 and _has_name(spoken)):
        return False
    return _goes_on(message) or _points_back(message) or _names_nothing(message, subjects)


def _read_message(words: Sequence[str], text: str) -> _Message:
    languages = guess_languages(words, text)
    lists = choose_lists(languages)
    start = 0
    while start < len(words) and words[start] in lists.interjections:
        start += 1
    return _Message(words[start:], languages, lists)


def _asks(text: str, message: _Message) -> bool:
    """Whether it is a question, with its mark or without; or a fragment such as "and the other"."""
    words, lists = message.words, message.lists
    following = words[1] if len(words) > 1 else ""
    is_command = words[0] in _IMPERATIVES and following in POINTERS
    if is_question(text) or (words[0] in lists.interrogatives and not is_command):
        return True
    opener = count_opening_words(words, message.languages)
    rest = words[opener:]
    return bool(opener and rest) and (
        rest[0] in lists.determiners or rest[0] in lists.interrogatives
    )


def _goes_on(message: _Message) -> bool:
    return count_opening_words(message.words, message.languages) > 0


def _points_back(message: _Message) -> bool:
    """Whether a word stands for something that is not named before it in the message."""
    words = message.words
    for place, word in enumerate(words):
        if _is_pointer(message, place):
            before = words[: place - 1] if word in _COUNTED else words[:place]
            has_plural = word in _PLURAL and any(_is_plural(each, message) for each in before)
            return not has_plural and not _names_something(before, message.lists)
    return False


def _is_pointer(message: _Message, place: int) -> bool:
    """Whether the word at a place points at something: "die" does alone, not in "die Katze"."""
    words, lists = message.words, message.lists
    word, following = words[place], words[place + 1] if place + 1 < len(words) else ""
    if word in _ARTICLES and not _WITH_ARTICLES.isdisjoint(message.languages):
        is_subject = len(words) == _PREDICATE and place == 1 and words[0] in _COPULAS
        return following in lists.all or not following or is_subject
    if not is_pointer(words, place, message.languages):
        return False
    if word in _FRENCH_PRONOUNS:
        return place > 0 and bool(_PRONOUN_BEFORE.fullmatch(words[place - 1]))
    return following not in lists.times


_PREDICATE = 3
"""So many words has "ist das teuer?"."""


def _is_plural(word: str, message: _Message) -> bool:
    endings = _DUTCH_PLURAL if message.languages == {"dutch"} else "s"
    return word not in message.lists.all and word.endswith(endings)


def _names_something(words: Sequence[str], lists: WordLists) -> bool:
    """Whether a word that says something comes after a determiner."""
    return any(
        one in lists.determiners and other not in lists.all and other not in lists.times
        for one, other in pairwise(words)
    )


def _names_nothing(message: _Message, subjects: list[str]) -> bool:
    """Whether a question says next to nothing: no more than a verb, and who does it."""
    if not subjects:
        return True
    lists = message.lists
    reasons = [not each.isdisjoint(message.words) for each in (lists.speakers, lists.continuations)]
    return len(subjects) <= sum(reasons) and not _names_something(message.words, lists)


def _has_name(words: list[str]) -> bool:
    """Whether a word is capitalised like a name; in German every noun is."""
    if guess_language(word.casefold() for word in words) == "german":
        return False
    return any(word[:1].isupper() and len(word) > 1 and word != "I" for word in words[1:])
