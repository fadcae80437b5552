"""Follow-ups: messages that take their subject from the conversation before them.

"And the other one?", "why that instead of sessions?" and "did we lose anything?" do. A question
that names its subject stands by itself, and so does every command: "make it shorter" is about a
reply that is in view.
"""

from itertools import pairwise

from tacit.language.function_words import (
    ADDRESSEES,
    CONTINUATIONS,
    DETERMINERS,
    FUNCTION_WORDS,
    INTERJECTIONS,
    INTERROGATIVES,
    KNOWING,
    POINTERS,
    SPEAKERS,
    TIMES,
    find_spoken_words,
    load_table,
    split_contractions,
    split_phrases,
)
from tacit.language.sentences import is_question
from tacit.language.terms import guess_language

_OPENERS = tuple(
    tuple(phrase.split()) for phrase in split_phrases(load_table("follow_ups.toml")["openers"])
)
_PLURAL = frozenset({"they", "them", "their", "theirs"})
_COUNTED = frozenset({"one", "ones"})
_GERMAN_ARTICLES = frozenset({"der", "die", "das", "den", "dem"})
_IMPERATIVES = frozenset({"do", "have"})

_MAX_WORDS = 14
_MAX_SUBJECTS = 4
"""A question with more words of its own says what it is about."""


def is_follow_up(text: str) -> bool:
    """Whether a message asks for something that only the exchanges before it name."""
    spoken = find_spoken_words(text)
    own = _drop_interjections(split_contractions(spoken))
    if not own or len(spoken) > _MAX_WORDS or not _asks(text, own):
        return False
    if not ADDRESSEES.isdisjoint(own) and KNOWING.isdisjoint(own):
        return False
    subjects = [word for word in own if word not in FUNCTION_WORDS]
    if len(subjects) > _MAX_SUBJECTS or (len(subjects) > 1 and _has_name(spoken)):
        return False
    return _goes_on(own) or _points_back(own) or _names_nothing(own, subjects)


def _drop_interjections(words: list[str]) -> list[str]:
    start = 0
    while start < len(words) and words[start] in INTERJECTIONS:
        start += 1
    return words[start:]


def _asks(text: str, words: list[str]) -> bool:
    """Whether it is a question, with its mark or without; or a fragment such as "and the other"."""
    following = words[1] if len(words) > 1 else ""
    is_command = words[0] in _IMPERATIVES and following in POINTERS
    if is_question(text) or (words[0] in INTERROGATIVES and not is_command):
        return True
    opener = _find_opener(words)
    rest = words[opener:]
    return bool(opener and rest) and (rest[0] in DETERMINERS or rest[0] in INTERROGATIVES)


def _find_opener(words: list[str]) -> int:
    """How many words the message begins with that continue what was said."""
    return max((len(each) for each in _OPENERS if tuple(words[: len(each)]) == each), default=0)


def _goes_on(words: list[str]) -> bool:
    return _find_opener(words) > 0


def _points_back(words: list[str]) -> bool:
    """Whether a word stands for something that is not named before it in the message."""
    for place, word in enumerate(words):
        if _is_pointer(words, place):
            before = words[: place - 1] if word in _COUNTED else words[:place]
            has_plural = word in _PLURAL and any(map(_is_plural, before))
            return not has_plural and not _names_something(before)
    return False


def _is_pointer(words: list[str], place: int) -> bool:
    """Whether the word at a place points at something: "die" does alone, not in "die Katze"."""
    word, following = words[place], words[place + 1] if place + 1 < len(words) else ""
    if word in _GERMAN_ARTICLES:
        return following in FUNCTION_WORDS or not following
    return word in POINTERS and following not in TIMES


def _is_plural(word: str) -> bool:
    return word not in FUNCTION_WORDS and word.endswith("s")


def _names_something(words: list[str]) -> bool:
    """Whether a word that says something comes after a determiner."""
    return any(
        one in DETERMINERS and other not in FUNCTION_WORDS and other not in TIMES
        for one, other in pairwise(words)
    )


def _names_nothing(words: list[str], subjects: list[str]) -> bool:
    """Whether a question says next to nothing: no more than a verb, and who does it."""
    if not subjects:
        return True
    reasons = [not SPEAKERS.isdisjoint(words), not CONTINUATIONS.isdisjoint(words)]
    return len(subjects) <= sum(reasons) and not _names_something(words)


def _has_name(words: list[str]) -> bool:
    """Whether a word is capitalised like a name; in German every noun is."""
    if guess_language(word.casefold() for word in words) == "german":
        return False
    return any(word[:1].isupper() and len(word) > 1 and word != "I" for word in words[1:])
