"""The local model in tests: each network is loaded once, however many embedders run it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any


def share_networks(load: Callable[..., Any]) -> Callable[..., Any]:
    """Load a file again only if it has changed; threads may share what was loaded."""
    loaded: dict[tuple[object, ...], Any] = {}

    def open_session(graph: Path, **options: Any) -> Any:
        if not graph.exists():
            return load(graph, **options)
        stat = graph.stat()
        key = (graph, stat.st_ino, stat.st_mtime_ns, stat.st_size, *options.values())
        if key not in loaded:
            loaded[key] = load(graph, **options)
        return loaded[key]

    return open_session
