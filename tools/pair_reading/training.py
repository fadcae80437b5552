"""One training run in PyTorch. Nothing else of the project imports this module or PyTorch."""

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
import torch
from tools.pair_reading.averaging import Updates
from tools.pair_reading.pairs import (
    LabelledPair,
    TrainingPairs,
    double_repetitions,
    is_test_pair,
    read_written_pairs,
)
from tools.pair_reading.runs import TrainingRun
from torch import nn
from torch.nn import functional
from transformers import BertConfig, BertModel

from tacit.embedding.minilm.model_files import TOKENIZER, WEIGHTS, WIDTH
from tacit.embedding.minilm.network import read_safetensors
from tacit.embedding.minilm.tokenizer import MiniLMTokenizer
from tacit.embedding.pair_reading import PAIR_RELATIONS, PairRelation

_BATCH = 64
_SORTED_BATCHES = 8
_WARM_UP_STEPS = 100
_WEIGHT_DECAY = 0.01
_LONGEST_GRADIENT = 1.0
_LABEL_SMOOTHING = 0.05
_RELATION_WEIGHTS = {
    PairRelation.REPLACES: 0.8,
    PairRelation.SAME: 1.2,
    PairRelation.ADDS: 1.0,
    PairRelation.UNRELATED: 1.1,
    PairRelation.UNREAL: 1.1,
}
"""How much a mistake counts in balanced runs."""

_REPORT_STEPS = 300

Report = Callable[[str], None]


def train_run(
    run: TrainingRun, model_folder: Path, report: Report, start: Updates | None = None
) -> Updates:
    """Train a model on the pairs that the run takes; the folder has the published files.

    It begins with the published weights, or with updates of theirs that have the rank of the run.
    """
    torch.manual_seed(run.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    reader = PairNetwork(model_folder, run.rank)
    if start is not None:
        reader.load_updates(start)
    written = read_written_pairs()
    test = [pair for pair in written if is_test_pair(pair)] if run.has_test_pairs else []
    taken = [pair for pair in written if not (run.has_test_pairs and is_test_pair(pair))]
    if run.is_balanced:
        taken = double_repetitions(taken)
    pairs = TrainingPairs(taken, run.written_share, Random(run.seed), run.life_share)
    train_network(reader, run, pairs, report)
    if test:
        report(f"{share_right(reader, test):.3f} of {len(test)} pairs set aside are read right")
    return reader.to_updates()


def train_network(
    reader: "PairNetwork", run: TrainingRun, pairs: TrainingPairs, report: Report
) -> None:
    """Take the steps of a run; the network then has the average of its weights over time."""
    trained = [each for each in reader.parameters() if each.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=run.learning_rate, weight_decay=_WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / _WARM_UP_STEPS) * max(0, 1 - step / run.steps)
    )
    weights = _relation_weights(reader.device) if run.is_balanced else None
    average = [each.detach().clone() for each in trained]
    reader.train()
    batches = draw_batches(pairs, Random(run.seed))
    for step in range(1, run.steps + 1):
        batch = next(batches)
        loss = functional.cross_entropy(
            reader([(pair.old, pair.new) for pair in batch]),
            _to_labels(batch).to(reader.device),
            weight=weights,
            label_smoothing=_LABEL_SMOOTHING,
        )
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(trained, _LONGEST_GRADIENT)
        optimizer.step()
        schedule.step()
        with torch.no_grad():
            for mean, latest in zip(average, trained, strict=True):
                mean.lerp_(latest, run.averaging_share)
        if step % _REPORT_STEPS == 0:
            report(f"{run.name}: step {step} of {run.steps}, loss {loss.item():.3f}")
    with torch.no_grad():
        for each, mean in zip(trained, average, strict=True):
            each.copy_(mean)


def draw_batches(pairs: TrainingPairs, random: Random) -> Iterator[list[LabelledPair]]:
    """Batches of pairs that are about as long as each other, so that little of them is padded."""
    while True:
        drawn = sorted((pairs.draw() for _ in range(_BATCH * _SORTED_BATCHES)), key=_length)
        starts = list(range(0, len(drawn), _BATCH))
        random.shuffle(starts)
        for start in starts:
            yield drawn[start : start + _BATCH]


def _length(pair: LabelledPair) -> int:
    return len(pair.old) + len(pair.new)


def share_right(reader: "PairNetwork", pairs: Sequence[LabelledPair]) -> float:
    """For how many of the pairs the likeliest relation is the right one."""
    reader.eval()
    right = 0
    with torch.no_grad():
        for start in range(0, len(pairs), _BATCH):
            batch = pairs[start : start + _BATCH]
            found = reader([(pair.old, pair.new) for pair in batch]).argmax(dim=1).cpu()
            right += int((found == _to_labels(batch)).sum())
    return right / len(pairs)


def _to_labels(pairs: Sequence[LabelledPair]) -> torch.Tensor:
    return torch.tensor([PAIR_RELATIONS.index(pair.relation) for pair in pairs])


def _relation_weights(device: torch.device) -> torch.Tensor:
    return torch.tensor([_RELATION_WEIGHTS[each] for each in PAIR_RELATIONS], device=device)


class PairNetwork(nn.Module):
    """MiniLM with updates of low rank, and a head for the relations of two texts."""

    def __init__(self, model_folder: Path, rank: int) -> None:
        super().__init__()
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._tokens = MiniLMTokenizer.load(model_folder / TOKENIZER.name)
        self._bert = _load_bert(model_folder / WEIGHTS.name)
        self._head = nn.Linear(WIDTH, len(PAIR_RELATIONS))
        self._matrices, self._norms = _make_trainable(self._bert, rank)
        self.to(self.device)

    def forward(self, pairs: Sequence[tuple[str, str]]) -> torch.Tensor:
        """A score of every relation for each pair."""
        encoded = [torch.tensor(self._tokens.of_pair(old, new)) for old, new in pairs]
        ids = nn.utils.rnn.pad_sequence(encoded, batch_first=True).to(self.device)
        states = self._bert(input_ids=ids, attention_mask=ids != 0).last_hidden_state
        scores: torch.Tensor = self._head(states[:, 0])
        return scores

    def load_updates(self, updates: Updates) -> None:
        """Begin with what was trained before."""
        tensors = {
            name: torch.from_numpy(each.astype(np.float32)) for name, each in updates.items()
        }
        with torch.no_grad():
            for name, matrix in self._matrices.items():
                matrix.a.copy_(tensors[f"{name}.a"])
                matrix.b.copy_(tensors[f"{name}.b"])
            for name, norm in self._norms.items():
                norm.weight.copy_(tensors[f"{name}.weight"])
                norm.bias.copy_(tensors[f"{name}.bias"])
            self._head.weight.copy_(tensors["head.weight"])
            self._head.bias.copy_(tensors["head.bias"])

    def to_updates(self) -> Updates:
        """What was trained, by the names of the published weights."""
        found: dict[str, torch.Tensor] = {}
        for name, matrix in self._matrices.items():
            found |= {f"{name}.a": matrix.a, f"{name}.b": matrix.b}
        for name, norm in self._norms.items():
            found |= {f"{name}.weight": norm.weight, f"{name}.bias": norm.bias}
        found |= {"head.weight": self._head.weight, "head.bias": self._head.bias}
        return {name: each.detach().cpu().numpy() for name, each in found.items()}


class UpdatedMatrix(nn.Module):
    """A matrix that stays as it is, and the product of two small ones that is added to it."""

    def __init__(self, matrix: nn.Linear, rank: int) -> None:
        super().__init__()
        self._matrix = matrix
        width = matrix.in_features
        self.a = nn.Parameter(torch.randn(rank, width) / math.sqrt(width))
        self.b = nn.Parameter(torch.zeros(matrix.out_features, rank))

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """What both make of the states."""
        added = functional.linear(functional.linear(states, self.a), self.b)
        whole: torch.Tensor = self._matrix(states) + added
        return whole


def _load_bert(weights: Path) -> BertModel:
    config = BertConfig(
        hidden_size=WIDTH,
        num_hidden_layers=6,
        num_attention_heads=12,
        intermediate_size=4 * WIDTH,
        layer_norm_eps=1e-12,
        attn_implementation="eager",
    )
    bert = BertModel(config, add_pooling_layer=False)
    published = {
        name: torch.from_numpy(np.array(tensor))
        for name, tensor in read_safetensors(weights).items()
        if not name.startswith("pooler") and name != "embeddings.position_ids"
    }
    bert.load_state_dict(published)
    return bert


def _make_trainable(
    bert: BertModel, rank: int
) -> tuple[dict[str, UpdatedMatrix], dict[str, nn.LayerNorm]]:
    """Freeze all but the norms of the layers, and give each matrix of a layer an update."""
    bert.requires_grad_(False)
    in_layers = [each for each in bert.named_modules() if each[0].startswith("encoder.layer.")]
    norms = {name: each for name, each in in_layers if isinstance(each, nn.LayerNorm)}
    matrices = {
        name: UpdatedMatrix(each, rank) for name, each in in_layers if isinstance(each, nn.Linear)
    }
    for norm in norms.values():
        norm.requires_grad_(True)
    for name, matrix in matrices.items():
        bert.set_submodule(name, matrix)
    return matrices, norms
