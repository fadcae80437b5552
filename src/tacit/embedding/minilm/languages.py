"""What teaches the published network more languages: changed layers, and more pieces of words.

The file is made by `tools/languages`. Matrices are kept in eight bits, each row with its own scale.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

WeightArray = NDArray[Any]

PIECES = "pieces"
"""The name in the file of the new pieces, a line each."""

WORDS = "embeddings.word_embeddings.weight"

_SCALE = ":scale"
_LARGEST = 127


def write_update(file: Path, learned: Mapping[str, WeightArray], pieces: Sequence[str]) -> None:
    """Write what was learned, by the names of the published weights; of the words the new rows."""
    kept: dict[str, WeightArray] = {
        PIECES: np.frombuffer("\n".join(pieces).encode("utf-8"), np.uint8)
    }
    for name, weight in learned.items():
        if weight.ndim == 1:
            kept[name] = weight.astype(np.float32)
            continue
        scale = np.abs(weight).max(axis=1, keepdims=True).astype(np.float32) / _LARGEST
        kept[name] = np.round(weight / scale).astype(np.int8)
        kept[name + _SCALE] = scale
    with file.open("wb") as target:
        np.savez_compressed(target, allow_pickle=False, **kept)


def read_pieces(file: Path) -> list[str]:
    """The new pieces, in the order of their rows."""
    with np.load(file) as update:
        return bytes(update[PIECES]).decode("utf-8").split("\n")


def teach(weights: Mapping[str, WeightArray], file: Path) -> dict[str, WeightArray]:
    """The published weights with what was learned in place of theirs, and the new rows of words."""
    taught = dict(weights)
    with np.load(file) as update:
        for name in update.files:
            if name == PIECES or name.endswith(_SCALE):
                continue
            found = update[name].astype(np.float32)
            if name + _SCALE in update.files:
                found = found * update[name + _SCALE]
            taught[name] = np.concatenate([weights[WORDS], found]) if name == WORDS else found
    return taught


def extend_tokenizer(published: str, pieces: Sequence[str]) -> str:
    """The published `tokenizer.json` with more pieces, numbered behind its own."""
    described = json.loads(published)
    vocabulary = described["model"]["vocab"]
    first = len(vocabulary)
    vocabulary.update({piece: first + place for place, piece in enumerate(pieces)})
    return json.dumps(described, ensure_ascii=False)
