"""What a first search costs where nothing is loaded yet."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tacit import Embedder


def in_new_process(
    location: str,
    workspaces: Sequence[str],
    query: str,
    embedder: Embedder,
    environment: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Search each workspace once in a process of its own; tells durations and memory."""
    task = {
        "path": location,
        "workspaces": workspaces,
        "query": query,
        "name": embedder.model.name,
        "revision": embedder.model.revision,
        "vector": np.asarray(embedder.embed_query(query)).tolist(),
    }
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.fresh"],
        input=json.dumps(task),
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found
