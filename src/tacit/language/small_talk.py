"""Messages that ask memory for nothing: small talk, commands, words about the last reply."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from tacit.language.follow_ups import is_follow_up
from tacit.language.languages import (
    FUNCTION_WORDS,
    POINTERS,
    WordLists,
    choose_lists,
    guess_languages,
)
from tacit.language.sentences import is_question, split_sentences
from tacit.language.terms import extract_query_terms
from tacit.language.topics import speaks_of_own
from tacit.language.word_lists import load_table, split_phrases, split_words

_TABLE = load_table("small_talk.toml")
_REPLIES = frozenset(_TABLE["replies"].split())
_PHRASES = split_phrases(_TABLE["phrases"])
_EXCLAMATIONS = tuple(tuple(each.split()) for each in split_phrases(_TABLE["exclamations"]))
_REASONS = frozenset(_TABLE["reasons"].split())
_KEEPING = frozenset(_TABLE["keeping"].split()) | FUNCTION_WORDS
_POINTED_AT = _REPLIES | POINTERS

_LONGEST_EXCLAMATION = 5
_MAX_WORDS = 14
_LEAST_OF_REQUEST = 3

_COMMAND = re.compile(r"/[a-z][\w:-]*(?:\s+\S+){0,2}\s*", re.IGNORECASE)
_EMOJI_MARKS = "\ufe0e\ufe0f\u20e3"
_REPEATED = re.compile(r"(.)\1{2,}")
_MAX_SMALL_TALK_WORDS = 16
_MIN_QUESTION_WORDS = 3
_FIRST_PERSON_WORDS = frozenset(
    """i me my we us our ich mich mir wir uns mein meine je moi nous mon ma mes yo mí mi nosotros io
    mio noi eu mim meu nós ik mij mijn wij""".split()  # noqa: SIM905
)
_MAX_SMALL_TALK_CHARACTERS = 400
_WORDS_AT_ONCE = 64
_LONGEST_PHRASE = max(len(phrase.split()) for phrase in _PHRASES)


def is_nothing_but(text: str, sentences: Sequence[str]) -> bool:
    """Whether a message has nothing but these sentences.

    A greeting, a reason for them and the wish that they are kept are nothing besides.
    """
    said = " ".join(sentences)
    return all(
        each in said or is_low_information(each, has_context=False) or _goes_with_rule(each)
        for line in text.split("\n")
        for each in split_sentences(line)
    )


def _goes_with_rule(sentence: str) -> bool:
    words = split_words(sentence)
    return bool(words) and (words[0] in _REASONS or _KEEPING.issuperset(words))


def is_low_information(text: str, *, has_context: bool) -> bool:
    """Whether a message is small talk, a command, or has nothing to search for.

    After a substantive exchange, a bare question or a reference back ("why?") asks about that
    exchange; without one there is nothing to search for.
    """
    if _COMMAND.fullmatch(text[:_MAX_SMALL_TALK_CHARACTERS].strip()):
        return True
    words = fold_words(text[:_MAX_SMALL_TALK_CHARACTERS])
    if not words or (len(words) <= _MAX_SMALL_TALK_WORDS and _is_small_talk(words)):
        return True
    if is_exclamation(text):
        return True
    if is_about_reply(text):
        return not (has_context and is_follow_up(text))
    if has_context or _has_content_word(text):
        return False
    return len(words) < _MIN_QUESTION_WORDS or _FIRST_PERSON_WORDS.isdisjoint(words)


def is_about_reply(text: str) -> bool:
    """Whether a message is about the last reply or the conversation, and names nothing else.

    "Make it shorter", "one more time but in a table", "can you summarise what you just said?"
    """
    words = split_words(text)
    if len(words) > _MAX_WORDS or speaks_of_own(text):
        return False
    lists = _choose_lists(words, text)
    if not lists.knowing.isdisjoint(words):
        return False
    if is_question(text) and not lists.speakers.isdisjoint(words):  # "what do I have to do next?"
        return False
    about_reply = _POINTED_AT | lists.replies | lists.pointers | lists.addressees
    return not about_reply.isdisjoint(words) and all(_is_idle(word, lists) for word in words)


def _choose_lists(words: Sequence[str], text: str) -> WordLists:
    return choose_lists(guess_languages(words, text))


def _is_idle(word: str, lists: WordLists) -> bool:
    """Whether a word says nothing of what a message is about, where it stands among such alone."""
    return word in lists.all or word in lists.times or word in lists.replies or word in _REPLIES


def asks_for_something(text: str) -> bool:
    """Whether a message asks a question or wants something done, and says of what.

    "Brb, lunch" and "drop the emoji" want nothing that one has to know much for.
    """
    words = split_words(text)
    lists = _choose_lists(words, text)
    subjects = [word for word in words if not _is_idle(word, lists)]
    if not is_question(text) and (not words or words[0] not in lists.interrogatives):
        return len(subjects) >= _LEAST_OF_REQUEST
    is_to_assistant = not lists.addressees.isdisjoint(words) and lists.knowing.isdisjoint(words)
    return len(subjects) > is_to_assistant


def is_exclamation(text: str) -> bool:
    """Whether a message only exclaims something: "what a week", "was für ein Tag"."""
    words = split_words(text)
    begins = any(tuple(words[: len(each)]) == each for each in _EXCLAMATIONS)
    return begins and len(words) <= _LONGEST_EXCLAMATION and not is_question(text)


def _has_content_word(text: str) -> bool:
    """Whether the text has a word that is no stop word; reading stops at the first."""
    words = text.split()
    opening = split_words(text)
    lists = _choose_lists(opening, text)
    if opening and len(words) <= _MAX_WORDS and lists.only_asks(opening):
        return False
    parts = (
        " ".join(words[at : at + _WORDS_AT_ONCE]) for at in range(0, len(words), _WORDS_AT_ONCE)
    )
    return any(not term.is_stop_word for part in parts for term in extract_query_terms(part))


def fold_words(text: str) -> tuple[str, ...]:
    """Split a text into words as phrases are written: folded and without punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    kept = "".join(character if _is_word_character(character) else " " for character in folded)
    return tuple(word.strip("'-") for word in kept.split() if word.strip("'-"))


def _is_word_character(character: str) -> bool:
    if character in _EMOJI_MARKS:
        return False
    return unicodedata.category(character)[0] in "LMN" or character in "'-"


def _is_small_talk(words: tuple[str, ...]) -> bool:
    """Whether the words consist of small-talk phrases only."""
    reached = {0}
    for start in range(len(words)):
        if start in reached:
            for end in range(start + 1, min(start + _LONGEST_PHRASE, len(words)) + 1):
                if _is_small_talk_phrase(" ".join(words[start:end])):
                    reached.add(end)
    return len(words) in reached


def _is_small_talk_phrase(said: str) -> bool:
    if said in _small_talk_phrases() or _REPEATED.sub(r"\1", said) in _small_talk_phrases():
        return True
    return _REPEATED.sub(r"\1\1", said) in _small_talk_phrases() or (
        _is_unspaced(said) and _is_made_of_phrases(said)
    )


@cache
def _small_talk_phrases() -> frozenset[str]:
    """The phrases in the form that `fold_words` returns."""
    return frozenset(" ".join(fold_words(phrase)) for phrase in _PHRASES)


def _is_unspaced(said: str) -> bool:
    return " " not in said and any(ord(character) >= 0x0E00 for character in said)


def _is_made_of_phrases(said: str) -> bool:
    """Whether a run without spaces consists of phrases."""
    reached = {0}
    for start in range(len(said)):
        if start in reached:
            reached |= {
                end
                for end in range(start + 1, len(said) + 1)
                if said[start:end] in _small_talk_phrases()
            }
    return len(said) in reached
