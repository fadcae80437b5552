"""Passages: what of a message is worth keeping as it was said, in pieces that can be shown."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tacit.language.extraction.own_sentences import OwnSentence, find_own_sentences
from tacit.language.query import clean_message
from tacit.language.small_talk import is_low_information

MAX_KEPT_CHARACTERS = 2_000
"""How much of a message is kept."""

MAX_PASSAGE_CHARACTERS = 500
"""A longer message is kept in passages that end with a sentence."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a message; one that `only_asks` holds questions and requests alone."""

    text: str
    only_asks: bool = False


def cut_passages(text: str) -> list[Passage]:
    """The passages of a message that are worth keeping; none of small talk, commands and pastes."""
    if is_low_information(clean_message(text), has_context=False):
        return []
    sentences = _take(find_own_sentences(text), MAX_KEPT_CHARACTERS)
    passages = _join(list(sentences), MAX_PASSAGE_CHARACTERS)
    return [each for each in passages if not is_low_information(each.text, has_context=False)]


def _take(sentences: Iterable[OwnSentence], characters: int) -> Iterator[OwnSentence]:
    """The first sentences, as far as the characters go."""
    for sentence in sentences:
        if characters <= 0:
            return
        yield sentence._replace(text=sentence.text[:characters])
        characters -= len(sentence.text) + 1


def _join(sentences: Sequence[OwnSentence], characters: int) -> Iterator[Passage]:
    """Join sentences into passages of at most so many characters; a longer one is cut at a word."""
    pieces = [
        sentence._replace(text=piece)
        for sentence in sentences
        for piece in _cut_at_words(sentence.text, characters)
    ]
    passage: list[OwnSentence] = []
    for piece in pieces:
        if passage and sum(len(each.text) + 1 for each in (*passage, piece)) > characters + 1:
            yield _to_passage(passage)
            passage = []
        passage.append(piece)
    if passage:
        yield _to_passage(passage)


def _to_passage(sentences: Sequence[OwnSentence]) -> Passage:
    text = " ".join(each.text for each in sentences)
    return Passage(text, all(each.only_asks for each in sentences))


def _cut_at_words(sentence: str, characters: int) -> Iterator[str]:
    while len(sentence) > characters:
        end = sentence.rfind(" ", 0, characters + 1)
        end = end if end > characters // 2 else characters
        yield sentence[:end].rstrip()
        sentence = sentence[end:].lstrip()
    if sentence:
        yield sentence
