"""Cutting work into pieces of one size."""

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

BATCH = 100


def batches(items: Sequence[Item], size: int = BATCH) -> list[Sequence[Item]]:
    """The items in order; the last piece may be smaller."""
    return [items[start : start + size] for start in range(0, len(items), size)]
