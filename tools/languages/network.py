"""MiniLM in PyTorch: the teacher as it was published, and the student that learns from it."""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from tools.pair_reading.network import load_bert
from torch import nn
from torch.nn import functional

from tacit.embedding.minilm.model_files import WIDTH

_TABLE = "embeddings.word_embeddings.weight"


class TextReading:
    """What a network makes of a batch of texts."""

    def __init__(self, states: torch.Tensor, ids: torch.Tensor) -> None:
        mask = ids != 0
        self.states = states
        pooled = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        self.vectors = functional.normalize(pooled.float(), dim=1)
        """One unit vector for each text."""
        self.tokens = functional.normalize(states.float(), dim=2)
        self.is_token = mask.clone()
        """Where a token stands that is no mark of the network."""
        self.is_token[:, 0] = False
        ends = mask.sum(1) - 1
        self.is_token[torch.arange(len(ids), device=ids.device), ends] = False

    def part(self, rows: slice) -> "TextReading":
        """The reading of some of the texts."""
        part = object.__new__(TextReading)
        part.states, part.vectors = self.states[rows], self.vectors[rows]
        part.tokens, part.is_token = self.tokens[rows], self.is_token[rows]
        return part


class Reader(nn.Module):
    """A network that reads texts; in half precision on a GPU."""

    def __init__(self, weights: Path) -> None:
        super().__init__()
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.bert = load_bert(weights)
        self.to(self.device)

    def read(self, ids: torch.Tensor) -> TextReading:
        """Read texts, padded with zeros."""
        ids = ids.to(self.device, non_blocking=True)
        with torch.autocast("cuda", torch.bfloat16, enabled=self.device.type == "cuda"):
            states = self.bert(input_ids=ids, attention_mask=(ids != 0).long()).last_hidden_state
        return TextReading(states, ids)


class Student(Reader):
    """Begins as the teacher; its layers change, and the rows of new pieces are added."""

    def __init__(self, weights: Path, extended: Tokenizer, published: Tokenizer) -> None:
        super().__init__(weights)
        table = self.bert.embeddings.word_embeddings.weight.data
        self._published_rows = len(table)
        pieces = sorted(extended.get_vocab().items(), key=lambda each: each[1])
        new = [_split_piece(published, piece) for piece, _ in pieces[len(table) :]]
        rows = torch.stack([table[ids].mean(0) for ids in new])
        embedding = nn.Embedding(len(pieces), WIDTH, padding_idx=None)
        embedding.weight.data = torch.cat([table, rows.to(table.device)])
        self.bert.embeddings.word_embeddings = embedding.to(self.device)
        self.table = embedding.weight
        self.table.register_hook(self._keep_published_rows)
        self.layers = list(self.bert.encoder.parameters())
        for each in self.layers:
            each.requires_grad_(True)

    def _keep_published_rows(self, slopes: torch.Tensor) -> torch.Tensor:
        slopes = slopes.clone()
        slopes[: self._published_rows] = 0
        return slopes

    def to_arrays(self) -> dict[str, NDArray[np.float32]]:
        """What was learned, by the names of the published weights; of the table the new rows."""
        learned = {
            f"encoder.{name}": each for name, each in self.bert.encoder.named_parameters()
        } | {_TABLE: self.table[self._published_rows :]}
        return {name: each.detach().float().cpu().numpy() for name, each in learned.items()}


def _split_piece(published: Tokenizer, piece: str) -> list[int]:
    """The published pieces that a new one is made of."""
    read: list[int] = published.encode(piece.removeprefix("##"), add_special_tokens=False).ids
    return read
