"""The title of a conflict: a short phrase of what statements that disagree are about.

It is what they have in common, as the first of them words it: `Billing runs on …`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tacit.language.languages import DETERMINERS, FUNCTION_WORDS
from tacit.language.sentences import split_sentences
from tacit.language.terms import find_words, stem_in_all_languages
from tacit.statements.common_words import find_common_words

_LONGEST = 60
_LONGEST_READ = 1_000
_LONGEST_GAP = 3
"""Words in common with more words than this between them do not make one phrase."""

_BLANK = "…"
_PUNCTUATION = ".,;:!?¿¡…\"'()[]{}“”„«»"
_ENDS_PHRASE = (",", ";", ":", ")", "]")


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a sentence; a topic says what the sentence is about, and all the texts have it."""

    written: str
    is_topic: bool
    is_shared: bool

    @property
    def is_function_word(self) -> bool:
        return not self.is_topic and _strip(self.written) in FUNCTION_WORDS

    @property
    def begins_phrase(self) -> bool:
        return not self.is_function_word or _strip(self.written) in DETERMINERS


def make_title(texts: Sequence[str]) -> str:
    """A short phrase of what all the texts are about, or how the first begins if none shows."""
    first, *others = (" ".join(text[:_LONGEST_READ].split()) for text in texts)
    phrases = [
        phrase
        for sentence in _find_differing_sentences(first, others)
        for phrase in _find_phrases(_read_words(sentence, others))
    ]
    best = max(phrases, key=lambda each: each[0], default=(0, first))
    return _shorten(best[1][:1].upper() + best[1][1:])


def _find_differing_sentences(first: str, others: Sequence[str]) -> list[str]:
    """The sentences of a text that not all the others repeat; all of them if there is none."""
    sentences = split_sentences(first)
    return [each for each in sentences if not all(each in other for other in others)] or sentences


def _read_words(sentence: str, others: Sequence[str]) -> list[_Word]:
    """The words of a sentence; those that repeat a topic are left out."""
    topics = set.intersection(*({*find_common_words(sentence, other)} for other in others))
    shared = set.intersection(*({*map(_strip, other.split())} for other in others))
    words: list[_Word] = []
    named: set[str] = set()
    for written in sentence.split():
        stems = {
            stem
            for _, word in find_words(written)
            if word in topics
            for stem in stem_in_all_languages(word.casefold())
        }
        if named.isdisjoint(stems):
            words.append(_Word(written, bool(stems), _strip(written) in shared))
            named |= stems
    return words


def _strip(word: str) -> str:
    return word.strip(_PUNCTUATION).casefold()


def _find_phrases(words: Sequence[_Word]) -> Iterator[tuple[int, str]]:
    """Phrases around topics that stand together, each with the number of its topics."""
    places = [place for place, word in enumerate(words) if word.is_topic]
    begin = 0
    for number, place in enumerate(places, start=1):
        if number == len(places) or places[number] - place > _LONGEST_GAP + 1:
            yield number - begin, _write_phrase(words, places[begin], place)
            begin = number


def _write_phrase(words: Sequence[_Word], first: int, last: int) -> str:
    """The words between two topics and those that join them, blanks for what not all texts say."""
    while first and words[first - 1].is_shared:
        first -= 1
    while first and not words[first].begins_phrase:
        first += 1
    while last + 1 < len(words) and words[last + 1].is_shared and not _ends_phrase(words[last]):
        last += 1
    parts: list[str] = []
    gap: list[_Word] = []
    for word in words[first : last + 1]:
        if not (word.is_topic or word.is_shared):
            gap.append(word)
            continue
        if gap:
            is_plain = all(each.is_function_word for each in gap)
            parts.extend([each.written for each in gap] if is_plain else [_BLANK])
            gap = []
        parts.append(word.written)
    is_open = words[last].is_function_word and last + 1 < len(words)
    return " ".join(parts).strip(_PUNCTUATION) + (f" {_BLANK}" if is_open else "")


def _ends_phrase(word: _Word) -> bool:
    return word.written.endswith(_ENDS_PHRASE)


def _shorten(title: str) -> str:
    """A title that fits on a line, cut between words where there are any."""
    if len(title) <= _LONGEST:
        return title
    cut = title[: _LONGEST - 1]
    return (cut.rpartition(" ")[0] or cut).rstrip(_PUNCTUATION + " ") + _BLANK
