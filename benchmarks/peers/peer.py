"""What is asked of everyone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Known = dict[str, Floats]
"""The vector of every text and query, the same for everyone."""

BATCH = 100


@dataclass(frozen=True, slots=True)
class Item:
    """A text under a key; `draft` is what else Tacit can be told of it."""

    key: str
    text: str
    draft: Mapping[str, Any] | None = None


class Peer(Protocol):
    """Keeps texts in namespaces and finds them again."""

    def __init__(self, known: Known, folder: Path) -> None: ...

    def add(self, namespace: str, items: Sequence[Item]) -> None:
        """Take in all texts of a namespace."""

    def search(self, namespace: str, query: str, count: int) -> list[str]:
        """The keys of what is found, best first."""
