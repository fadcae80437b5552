"""Reading weights: eight bytes of length, a JSON header, then the numbers."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Weights = Mapping[str, Array]

_TYPES = {"F32": "<f4", "I64": "<i8"}


def read(path: Path) -> Weights:
    """Every tensor of the file by its name."""
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    header.pop("__metadata__", None)
    return {name: _tensor(memoryview(content)[start:], entry) for name, entry in header.items()}


def _tensor(data: memoryview, entry: dict[str, Any]) -> Array:
    first, end = entry["data_offsets"]
    return np.frombuffer(data[first:end], _TYPES[entry["dtype"]]).reshape(entry["shape"])
