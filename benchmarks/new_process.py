"""What a first search costs where nothing is loaded yet."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any

from tacit import Embedder
from tacit.embedding.embedder import embed_query_tokens, to_token_embedder


def in_new_process(
    location: str,
    workspaces: Sequence[str],
    query: str,
    embedder: Embedder,
    environment: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Search each workspace once in a process of its own; tells durations and memory."""
    made = embed_query_tokens(embedder, query)
    task = {
        "path": location,
        "workspaces": workspaces,
        "query": query,
        "name": embedder.model.name,
        "revision": embedder.model.revision,
        "token_model": astuple(to_token_embedder(embedder)[1]),
        "vector": made.vector.tolist(),
        "tokens": made.tokens.tolist(),
        "words": made.words,
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
