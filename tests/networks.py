"""The local model in tests: each network is loaded once, however many embedders run it."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any


def share_networks(load: Callable[..., Any]) -> Callable[..., Any]:
    """Load a file again only if it has changed; threads may share what was loaded."""
    loaded: dict[tuple[object, ...], Any] = {}

    @wraps(load)
    def open_session(graph: Path, *, threads: int) -> Any:
        if not graph.exists():
            return load(graph, threads=threads)
        stat = graph.stat()
        key = (graph, stat.st_ino, stat.st_mtime_ns, stat.st_size, threads)
        if key not in loaded:
            loaded[key] = load(graph, threads=threads)
        return loaded[key]

    return open_session
