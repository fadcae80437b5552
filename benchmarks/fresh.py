"""A process of its own that opens a store and searches it: how long, and how much memory."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tacit.embedding.embedder import QueryTokens

_KIB = 1_024


class _Given:
    """An embedder that knows one query."""

    def __init__(self, task: Mapping[str, Any]) -> None:
        from tacit.core.vectors import EmbeddingModel

        self._vector = task["vector"]
        self._tokens = task["tokens"]
        self._words = task["words"]
        self.model = EmbeddingModel(task["name"], len(self._vector), task["revision"])
        self.token_model = EmbeddingModel(*task["token_model"])

    def embed(self, texts: Sequence[str]) -> list[Sequence[float]]:
        """The same for each."""
        return [self._vector for _ in texts]

    def embed_query(self, _text: str) -> Sequence[float]:
        """What was given."""
        return self._vector

    def embed_query_tokens(self, _text: str) -> "QueryTokens":
        """The same, with its tokens."""
        from tacit.embedding.embedder import QueryTokens

        return QueryTokens(self._vector, self._tokens, self._words)


def main(task: dict[str, Any]) -> dict[str, Any]:
    """Open every workspace and search it once; the clock runs from the first import on."""
    start = perf_counter()
    from tacit import Tacit

    embedder = _Given(task)
    before, opened, durations = resident(), [], []
    for workspace in task["workspaces"]:
        began = perf_counter()
        tacit = Tacit.open(task["path"], workspace, embedder=embedder)
        tacit.search(task["query"])
        durations.append(perf_counter() - began)
        opened.append(tacit)
        if len(opened) == 1:
            first = perf_counter() - start
    return {"first": first, "each": durations, "bytes": resident() - before}


def resident() -> int:
    """Bytes of this process that are in memory; zero where the system does not say."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    line = next(each for each in status.read_text().splitlines() if each.startswith("VmRSS"))
    return int(line.split()[1]) * _KIB


if __name__ == "__main__":
    print(json.dumps(main(json.load(sys.stdin))))
