"""Pairs as rows of tokens, for PyTorch."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import torch
from tools.pair_reading.drawing import PairSources, PairStream
from tools.pair_reading.pairs import TrainingPair
from tools.pair_reading.runs import TrainingRun
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from tacit.embedding.minilm.tokenizer import MiniLMTokenizer
from tacit.statements.pair_reading import PAIR_RELATIONS

NO_LABEL = -100
"""The label of pairs that have none."""

BATCH = 128
"""Pairs that one step learns from."""

_SORTED_BATCHES = 8
_PREFETCHED = 32


@dataclass(frozen=True, slots=True)
class Batch:
    """The tokens of pairs, padded with zeros, and the number of each pair's relation."""

    ids: torch.Tensor
    labels: torch.Tensor

    def to(self, device: torch.device) -> "Batch":
        """The batch on a device."""
        return Batch(
            self.ids.to(device, non_blocking=True), self.labels.to(device, non_blocking=True)
        )


def encode_batch(pairs: Sequence[TrainingPair], tokenizer: MiniLMTokenizer) -> Batch:
    """A batch of these pairs."""
    rows = [torch.tensor(tokenizer.of_pair(pair.old, pair.new)) for pair in pairs]
    labels = [
        NO_LABEL if pair.relation is None else PAIR_RELATIONS.index(pair.relation) for pair in pairs
    ]
    return Batch(nn.utils.rnn.pad_sequence(rows, batch_first=True), torch.tensor(labels))


def split_pairs(pairs: Sequence[TrainingPair], size: int) -> list[list[TrainingPair]]:
    """Batches of pairs that are about as long as each other, so that little of them is padded."""
    by_length = sorted(pairs, key=lambda pair: len(pair.old) + len(pair.new))
    return [by_length[start : start + size] for start in range(0, len(by_length), size)]


def draw_batches(
    run: TrainingRun, sources: PairSources, tokenizer: MiniLMTokenizer
) -> Iterator[Batch]:
    """The batches of a run without end, made by processes of their own: a GPU is faster."""
    batches = _RunBatches(run, sources, tokenizer)
    loader = DataLoader(
        batches, batch_size=None, num_workers=run.workers, prefetch_factor=_PREFETCHED
    )
    return iter(loader)


class _RunBatches(IterableDataset[Batch]):
    def __init__(self, run: TrainingRun, sources: PairSources, tokenizer: MiniLMTokenizer) -> None:
        self._run = run
        self._sources = sources
        self._tokenizer = tokenizer

    def __iter__(self) -> Iterator[Batch]:
        worker: Any = get_worker_info()
        random = Random(1_000 * self._run.seed + worker.id)
        stream = PairStream(self._sources, self._run.shares, random)
        while True:
            pairs = [stream.draw() for _ in range(BATCH * _SORTED_BATCHES)]
            batches = split_pairs(pairs, BATCH)
            random.shuffle(batches)
            for batch in batches:
                yield encode_batch(batch, self._tokenizer)
