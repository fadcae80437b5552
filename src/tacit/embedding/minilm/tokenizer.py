"""Text as the tokens that the network reads, and which tokens of a long text those are."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, Self

from tokenizers import Encoding, Tokenizer

from tacit.embedding.embedder import TextInContext, replace_surrogates
from tacit.language.terms import find_words
from tacit.runtime.native_calls import native_call

TEXT_TOKENS = 254
CONTEXT_TOKENS = 120
QUERY_TOKENS = 64
PAIR_TOKENS = 64
"""Of each of two texts that are read together."""
MESSAGE_TOKENS = (96, 64)
"""Of a long message, from its beginning and from its end."""

_START, _END = 101, 102

_CHARACTERS = 8_000
"""Enough for the tokens of any prose; the rest would be tokenized only to be cut."""

_CONTEXT_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class EncodedText:
    """The tokens of a text behind those of its context, and where its own are."""

    ids: tuple[int, ...]
    own: slice


@dataclass(frozen=True, slots=True)
class EncodedQuery:
    """The chosen tokens of a query, with the marks of the network around them."""

    ids: tuple[int, ...]
    _text: str
    _encoding: Encoding
    _chosen: Sequence[int]

    def words(self) -> tuple[str, ...]:
        """The word that each chosen token is of, in small letters; empty for punctuation."""
        offsets = self._encoding.offsets
        return words_at(self._text, [offsets[place][0] for place in self._chosen])


class MessageTokens(NamedTuple):
    """The tokens of a message as the network takes them, and where each piece stands."""

    ids: list[int]
    spans: list[tuple[int, int]]


class MiniLMTokenizer:
    """A tokenizer that is configured once and never changed, so that threads may share it."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    @classmethod
    @cache
    def load(cls, path: Path) -> Self:
        """Read the published tokenizer; truncation and padding are done here.

        All networks of a process share it: no other thread runs while it is read.
        """
        with native_call():
            tokenizer = Tokenizer.from_file(str(path))
            tokenizer.no_truncation()
            tokenizer.no_padding()
        return cls(tokenizer)

    def of_text(self, text: str) -> list[int]:
        """The beginning of a text."""
        return [_START, *self._text_ids(text), _END]

    def of_text_in_context(self, given: TextInContext) -> EncodedText:
        """The beginning of a text behind the end of what came before it."""
        context = self._context_ids(given.before)
        head = (_START, *context, _END) if context else (_START,)
        ids = (*head, *self._text_ids(given.text), _END)
        return EncodedText(ids, slice(len(head), len(ids) - 1))

    def of_query(self, text: str) -> EncodedQuery:
        """The most informative words of a query."""
        given = text[:_CHARACTERS]
        encoding = self._encoded(given)
        ids = encoding.ids
        chosen = choose_informative(ids, encoding.word_ids, QUERY_TOKENS)
        return EncodedQuery(
            (_START, *(ids[place] for place in chosen), _END), given, encoding, chosen
        )

    def of_pair(self, first: str, second: str) -> list[int]:
        """The beginnings of two texts, one behind the other."""
        one, other = (self._text_ids(text)[:PAIR_TOKENS] for text in (first, second))
        return [_START, *one, _END, *other, _END]

    def of_message(self, text: str) -> "MessageTokens":
        """A whole message; of a long one the beginning and the end."""
        half = _CHARACTERS // 2
        given = text if len(text) <= _CHARACTERS else text[:half] + text[-half:]
        encoding = self._encoded(given)
        first, last = MESSAGE_TOKENS
        places = list(range(len(encoding.ids)))
        if len(places) > first + last:
            places = places[:first] + places[-last:]
        ids = [_START, *(encoding.ids[place] for place in places), _END]
        return MessageTokens(ids, [encoding.offsets[place] for place in places])

    def _text_ids(self, text: str) -> list[int]:
        ids: list[int] = self._encoded(text[:_CHARACTERS]).ids[:TEXT_TOKENS]
        return ids

    def _context_ids(self, before: Sequence[str]) -> list[int]:
        """The last tokens of earlier texts; those before them are not read."""
        ids: list[int] = []
        for text in reversed(before):
            if len(ids) >= CONTEXT_TOKENS:
                break
            ids = self._encoded(text[-_CONTEXT_CHARACTERS:]).ids + ids
        return ids[-CONTEXT_TOKENS:]

    def _encoded(self, text: str) -> Encoding:
        # One by one: batches would start threads of their own, and nobody asked for those.
        with native_call():
            return self._tokenizer.encode(replace_surrogates(text), add_special_tokens=False)


def words_at(text: str, places: Sequence[int]) -> tuple[str, ...]:
    """The word at each place of a text, in small letters; empty where no word stands."""
    found = find_words(text)
    starts = [start for start, _ in found]
    words = []
    for place in places:
        start, word = found[bisect_right(starts, place) - 1] if found else (0, "")
        words.append(word.lower() if start <= place < start + len(word) else "")
    return tuple(words)


def choose_informative(ids: Sequence[int], words: Sequence[int | None], limit: int) -> list[int]:
    """The places of at most `limit` tokens: the rarest words, each once before any twice, in order.

    WordPiece numbers its pieces by frequency, so a higher id is a rarer piece; a word is as rare as
    its rarest piece. Words are kept or left whole. `words` says which word each token is of.
    """
    if len(ids) <= limit:
        return list(range(len(ids)))
    spans = [
        tuple(place for place, _ in group)
        for _, group in groupby(enumerate(words), key=lambda pair: pair[1])
    ]
    kept = _choose_words([tuple(ids[place] for place in span) for span in spans], limit)
    return [place for number, span in enumerate(spans) if number in kept for place in span]


def _choose_words(pieces: Sequence[tuple[int, ...]], limit: int) -> set[int]:
    first = {word: place for place, word in reversed(list(enumerate(pieces)))}
    ranked = sorted(
        range(len(pieces)), key=lambda place: (first[pieces[place]] != place, -max(pieces[place]))
    )
    kept: set[int] = set()
    for place in ranked:
        if len(pieces[place]) <= limit:
            limit -= len(pieces[place])
            kept.add(place)
    return kept
