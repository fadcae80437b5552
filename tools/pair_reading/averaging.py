"""Several trained updates made into one: averaged, cut to a rank, and stored.

An update is a table of arrays. The arrays `NAME.a` and `NAME.b` are factors: their product `b` `a`
is added to the matrix NAME. All others (norms and the head) stand for themselves.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Updates = Mapping[str, Array]


def load_updates(path: Path) -> Updates:
    """The arrays of a file."""
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def save_updates(updates: Updates, path: Path) -> None:
    """Write the arrays into a file: factors in half precision, all others in single."""
    stored = {
        name: each.astype(np.float16 if name.endswith((".a", ".b")) else np.float32)
        for name, each in updates.items()
    }
    np.savez_compressed(path, allow_pickle=False, **stored)


def average_updates(runs: Sequence[Updates], rank: int) -> Updates:
    """The average of what the runs change, as nearly as factors of this rank can tell it."""
    if len({frozenset(run) for run in runs}) != 1:
        raise ValueError("the runs are of different models: they do not change the same arrays")
    averaged: dict[str, Array] = {}
    for name in runs[0]:
        if name.endswith(".a"):
            matrix = name.removesuffix(".a")
            product = np.mean([multiply_factors(run, matrix) for run in runs], axis=0)
            averaged[f"{matrix}.a"], averaged[f"{matrix}.b"] = find_factors(product, rank)
        elif not name.endswith(".b"):
            averaged[name] = np.mean([run[name] for run in runs], axis=0)
    return averaged


def multiply_factors(updates: Updates, matrix: str) -> Array:
    """What is added to a matrix."""
    product: Array = updates[f"{matrix}.b"].astype(np.float32) @ updates[f"{matrix}.a"].astype(
        np.float32
    )
    return product


def find_factors(product: Array, rank: int) -> tuple[Array, Array]:
    """The factors `a` and `b` whose product is nearest, each with half of the singular values."""
    left, values, right = np.linalg.svd(product, full_matrices=False)
    roots = np.sqrt(values[:rank])
    return roots[:, None] * right[:rank], left[:, :rank] * roots
