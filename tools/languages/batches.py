"""Batches of texts as tokens: of translations and English, and of questions with their answers."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from tools.languages.corpus import ENGLISH, LANGUAGES, Answer, Translation
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

Ids = NDArray[np.int32]

PAIRS = 1_024
"""Texts in a batch."""

QUESTIONS = 192
"""Questions in a batch."""

_CHUNKS = 16
"""So many batches are drawn together, so that each has texts of like length."""

_SPREAD = 0.25
"""How far the length that texts are sorted by may be from theirs."""

_JOINED = (1, 1, 1, 2, 3, 5)
"""Sentences behind each other in a text of a batch, drawn from these."""

_ENGLISH_SHARE = 0.25
"""The share of the texts of a batch that people wrote in English."""

_MIXED = 1 / 3
"""The share of joined texts with sentences that stay English."""

_LONGEST = 160
_PREFETCHED = 8
_START, _END = 101, 102


class TextBatch(NamedTuple):
    """Texts as the student reads them, their English as the teacher reads it."""

    student: torch.Tensor
    """Tokens of the translations, padded with zeros; of English texts their own."""
    english: torch.Tensor
    """Tokens of the English, with the student's vocabulary."""
    teacher: torch.Tensor
    """The same with the published vocabulary."""
    is_foreign: torch.Tensor


class QuestionBatch(NamedTuple):
    """Questions and messages in some languages, and in English as the teacher reads them."""

    questions: torch.Tensor
    messages: torch.Tensor
    teacher_questions: torch.Tensor
    teacher_messages: torch.Tensor
    is_foreign: torch.Tensor
    """Where a question or its message is not in English."""


class EncodedTexts:
    """The tokens of texts by both vocabularies."""

    def __init__(self, published: Tokenizer, extended: Tokenizer) -> None:
        self._published = published
        self._extended = extended

    def of_student(self, texts: Sequence[str]) -> list[Ids]:
        """With the new pieces."""
        return _encode(self._extended, texts)

    def of_teacher(self, texts: Sequence[str]) -> list[Ids]:
        """As published."""
        return _encode(self._published, texts)


def _encode(tokenizer: Tokenizer, texts: Sequence[str]) -> list[Ids]:
    read = tokenizer.encode_batch(list(texts), add_special_tokens=False)
    return [np.array(each.ids[: _LONGEST - 2], np.int32) for each in read]


class TextBatches(IterableDataset[TextBatch]):
    """Draws batches of translations and English texts without end."""

    def __init__(
        self,
        translations: Sequence[Translation],
        english: Sequence[str],
        encoded: EncodedTexts,
        seed: int,
    ) -> None:
        self._seed = seed
        self._foreign = encoded.of_student([each.foreign for each in translations])
        originals = [each.english for each in translations]
        self._student = encoded.of_student([*originals, *english])
        self._teacher = encoded.of_teacher([*originals, *english])
        weights = np.array([LANGUAGES[each.language] for each in translations])
        counts = {name: sum(each.language == name for each in translations) for name in LANGUAGES}
        size = np.array([counts[each.language] for each in translations])
        self._chances = np.cumsum(weights / np.sqrt(size))
        self._chances /= self._chances[-1]
        self._count = len(translations)

    def __iter__(self) -> Iterator[TextBatch]:
        """Batches, each of texts that are about as long as each other."""
        rng = _random_of_worker(self._seed)
        while True:
            rows = self._draw_rows(rng, PAIRS * _CHUNKS)
            near = rng.uniform(1 - _SPREAD, 1 + _SPREAD, len(rows))
            lengths = np.array([len(row[0]) for row in rows]) * near
            parts = np.array_split(np.argsort(lengths), _CHUNKS)
            for place in rng.permutation(_CHUNKS):
                yield _to_text_batch([rows[each] for each in parts[place]])

    def _draw_rows(self, rng: np.random.Generator, size: int) -> list[tuple[Ids, Ids, Ids, bool]]:
        english = rng.integers(self._count, len(self._student), int(size * _ENGLISH_SHARE))
        rows = [
            (self._student[place], self._student[place], self._teacher[place], False)
            for place in english
        ]
        counts = rng.choice(_JOINED, size - len(rows))
        places = np.searchsorted(self._chances, rng.random(counts.sum()))
        stays = rng.random(len(places)) < _MIXED / 2
        ends = np.cumsum(counts)
        return rows + [
            self._join(places[end - count : end], stays[end - count : end] & (count > 1))
            for end, count in zip(ends, counts, strict=True)
        ]

    def _join(
        self, places: NDArray[np.int64], stays: NDArray[np.bool_]
    ) -> tuple[Ids, Ids, Ids, bool]:
        """Sentences behind each other, of which some stay English."""
        foreign = [
            self._student[place] if is_kept else self._foreign[place]
            for place, is_kept in zip(places, stays, strict=True)
        ]
        student, english, teacher = (
            np.concatenate(parts)[: _LONGEST - 2]
            for parts in (
                foreign,
                [self._student[place] for place in places],
                [self._teacher[place] for place in places],
            )
        )
        return student, english, teacher, True


def _to_text_batch(rows: Sequence[tuple[Ids, Ids, Ids, bool]]) -> TextBatch:
    longest = max(len(row[part]) for row in rows for part in (1, 2))
    student = _pad([row[0] for row in rows])
    english, teacher = (_pad([row[part] for row in rows], longest) for part in (1, 2))
    return TextBatch(student, english, teacher, torch.tensor([row[3] for row in rows]))


class QuestionBatches(IterableDataset[QuestionBatch]):
    """Draws batches of questions and their answers without end."""

    def __init__(self, answers: Sequence[Answer], encoded: EncodedTexts, seed: int) -> None:
        self._seed = seed
        self._own = _encode_answers(answers, encoded.of_student, is_own=True)
        self._english = _encode_answers(answers, encoded.of_student, is_own=False)
        self._teacher = _encode_answers(answers, encoded.of_teacher, is_own=False)

    def __iter__(self) -> Iterator[QuestionBatch]:
        """Batches in which each question and each message is in one of its languages."""
        rng = _random_of_worker(self._seed)
        sides = (self._own, self._own, self._english)
        count = len(self._teacher[0])
        while True:
            chosen = rng.choice(count, min(QUESTIONS, count), replace=False)
            asked, told = rng.integers(len(sides), size=(2, len(chosen)))
            is_english = (asked == 2) & (told == 2)
            yield QuestionBatch(
                _pad([sides[side][0][place] for side, place in zip(asked, chosen, strict=True)]),
                _pad([sides[side][1][place] for side, place in zip(told, chosen, strict=True)]),
                _pad([self._teacher[0][place] for place in chosen]),
                _pad([self._teacher[1][place] for place in chosen]),
                torch.from_numpy(~is_english),
            )


def _encode_answers(
    answers: Sequence[Answer], encode: Callable[[Sequence[str]], list[Ids]], *, is_own: bool
) -> tuple[list[Ids], list[Ids]]:
    """Questions and messages, in their own language or in English."""
    names = [next(iter(set(each.question) - {ENGLISH})) if is_own else ENGLISH for each in answers]
    questions = [each.question[name] for each, name in zip(answers, names, strict=True)]
    messages = [each.message[name] for each, name in zip(answers, names, strict=True)]
    return encode(questions), encode(messages)


def _pad(rows: Sequence[Ids], length: int | None = None) -> torch.Tensor:
    """Rows with the marks of the network around them, padded with zeros."""
    padded = np.zeros((len(rows), (length or max(map(len, rows))) + 2), np.int64)
    padded[:, 0] = _START
    for place, row in enumerate(rows):
        padded[place, 1 : len(row) + 1] = row
        padded[place, len(row) + 1] = _END
    return torch.from_numpy(padded)


def draw_ahead(batches: IterableDataset[Any], workers: int) -> Iterator[Any]:
    """The batches, made by processes of their own: a GPU is faster than one."""
    loader = DataLoader(batches, batch_size=None, num_workers=workers, prefetch_factor=_PREFETCHED)
    return iter(loader)


def _random_of_worker(seed: int) -> np.random.Generator:
    worker = get_worker_info()
    return np.random.default_rng([seed, worker.id if worker else 0])
