"""One training run in PyTorch."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from time import monotonic

import torch
from tools.pair_reading.averaging import Updates, average_updates
from tools.pair_reading.batches import (
    BATCH,
    NO_LABEL,
    Batch,
    draw_batches,
    encode_batch,
    split_pairs,
)
from tools.pair_reading.drawing import PairSources
from tools.pair_reading.network import PairNetwork
from tools.pair_reading.pairs import TrainingPair, is_test_pair, read_written_pairs
from tools.pair_reading.runs import TrainingRun
from torch import nn
from torch.nn import functional

from tacit.embedding.minilm.model_files import TOKENIZER, WEIGHTS
from tacit.embedding.minilm.tokenizer import MiniLMTokenizer
from tacit.statements.pair_reading import PAIR_RELATIONS, PairRelation

_WEIGHT_DECAY = 0.01
_LONGEST_GRADIENT = 1.0
_LABEL_SMOOTHING = 0.05
_WARM_UP_STEPS = 150
"""Steps in which the learning rate rises."""

_TEACHERS_WEIGHT = 0.7
"""How much of what is learned is what teachers say, and not a label."""

_TAKEN_FOR_CHANGE = 0.15
"""From which likelihood of a replacement on teachers are corrected."""

_RELATION_WEIGHTS = {
    PairRelation.REPLACES: 0.8,
    PairRelation.SAME: 1.2,
    PairRelation.ADDS: 1.0,
    PairRelation.UNRELATED: 1.1,
    PairRelation.UNREAL: 1.1,
}
"""How much a mistake counts: what is wrongly replaced is worse than what is wrongly kept."""

_REPORT_STEPS = 100

Report = Callable[[str], None]


def train_run(
    run: TrainingRun, model_folder: Path, trained: Mapping[str, Updates], report: Report
) -> Updates:
    """Train a model on the pairs that the run takes; the folder has the published files.

    What was trained before has the runs that it begins with and those that it learns from.
    """
    began = monotonic()
    torch.manual_seed(run.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    weights = model_folder / WEIGHTS.name
    if run.begins_with:
        begun = average_updates([trained[name] for name in run.begins_with], run.rank)
        network = PairNetwork.with_updates(weights, begun)
    else:
        network = PairNetwork(weights, run.rank, has_whole_matrices=run.has_whole_matrices)
    tokenizer = MiniLMTokenizer.load(model_folder / TOKENIZER.name)
    batches = draw_batches(run, PairSources.read(model_folder / TOKENIZER.name), tokenizer)
    teachers = [PairNetwork.with_updates(weights, trained[name]) for name in run.teachers]
    trainer = Trainer(network, teachers)
    train_in_time(trainer, run, batches, began, report)
    test = [pair for pair in read_written_pairs() if is_test_pair(pair)]
    right = share_right(network, tokenizer, split_pairs(test, BATCH))
    report(f"{run.name}: {right:.3f} of {len(test)} pairs set aside are read right")
    return network.to_updates()


def train_in_time(
    trainer: "Trainer", run: TrainingRun, batches: Iterator[Batch], began: float, report: Report
) -> None:
    """Take steps until those of the run or its seconds are over; the rate falls until then."""
    for step in count(1):
        spent = max((step - 1) / run.steps, (monotonic() - began) / run.seconds)
        if spent >= 1:
            break
        rate = run.learning_rate * min(1, step / _WARM_UP_STEPS) * (1 - spent)
        loss = trainer.take_step(next(batches), rate)
        if step % _REPORT_STEPS == 0:
            report(f"{run.name}: step {step}, {spent:.0%} of the time, loss {loss.item():.3f}")
    trainer.keep_average()


class Trainer:
    """Changes a network step by step, and averages its weights over time."""

    def __init__(self, network: PairNetwork, teachers: Sequence[PairNetwork]) -> None:
        self._network = network.train()
        self._teachers = [teacher.eval() for teacher in teachers]
        self._trained = [each for each in network.parameters() if each.requires_grad]
        self._optimizer = torch.optim.AdamW(self._trained, weight_decay=_WEIGHT_DECAY, fused=True)
        self._relation_weights = torch.tensor(
            [_RELATION_WEIGHTS[each] for each in PAIR_RELATIONS], device=network.device
        )
        self._average = [each.detach().clone() for each in self._trained]
        self._steps = 0

    def take_step(self, batch: Batch, rate: float) -> torch.Tensor:
        """Learn from a batch at this rate, and say how wrong the network was."""
        loss = self._find_loss(batch.to(self._network.device))
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(self._trained, _LONGEST_GRADIENT)
        self._optimizer.step()
        self._add_to_average()
        return loss.detach()

    def _find_loss(self, batch: Batch) -> torch.Tensor:
        scores = self._network(batch.ids)
        from_labels = functional.cross_entropy(
            scores,
            batch.labels,
            weight=self._relation_weights,
            label_smoothing=_LABEL_SMOOTHING,
            ignore_index=NO_LABEL,
        )
        if not self._teachers:
            return from_labels
        shares = _correct_shares(self._ask_teachers(batch.ids), batch.labels)
        from_teachers = functional.cross_entropy(scores, shares)
        return from_labels.lerp(from_teachers, _TEACHERS_WEIGHT)

    def _ask_teachers(self, ids: torch.Tensor) -> torch.Tensor:
        """How likely the teachers take each relation to be, on average."""
        with torch.no_grad():
            shares = [torch.softmax(teacher(ids), dim=1) for teacher in self._teachers]
            return torch.stack(shares).mean(dim=0)

    def _add_to_average(self) -> None:
        """Early steps count more: the beginning is soon forgotten."""
        self._steps += 1
        share = max(0.003, min(0.01, 3 / self._steps))
        with torch.no_grad():
            for mean, latest in zip(self._average, self._trained, strict=True):
                mean.lerp_(latest, share)

    def keep_average(self) -> None:
        """Give the network the average of its weights over time."""
        with torch.no_grad():
            for each, mean in zip(self._trained, self._average, strict=True):
                each.copy_(mean)


def _correct_shares(shares: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """What teachers say, but that unrelated texts are unrelated where they suspect a change.

    A student that learned this from them would repeat the mistake it is to unlearn.
    """
    unrelated = PAIR_RELATIONS.index(PairRelation.UNRELATED)
    suspected = shares[:, PAIR_RELATIONS.index(PairRelation.REPLACES)] > _TAKEN_FOR_CHANGE
    right = functional.one_hot(torch.full_like(labels, unrelated), len(PAIR_RELATIONS)).float()
    return torch.where(((labels == unrelated) & suspected)[:, None], right, shares)


def share_right(
    network: PairNetwork, tokenizer: MiniLMTokenizer, batches: Sequence[Sequence[TrainingPair]]
) -> float:
    """For how many of the pairs in the batches the likeliest relation is the right one."""
    network.eval()
    right = 0
    with torch.no_grad():
        for each in batches:
            batch = encode_batch(each, tokenizer).to(network.device)
            right += int((network(batch.ids).argmax(dim=1) == batch.labels).sum())
    return right / sum(map(len, batches))
