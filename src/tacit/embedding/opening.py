"""Embedders by name."""

from tacit.core.errors import InvalidInput
from tacit.embedding.embedder import Embedder
from tacit.embedding.progress import Progress

_SAMPLE = "https://host/v1#model-name"


def open_embedder(name: str, progress: Progress | None = None) -> Embedder | None:
    """The embedder that a setting names, or nothing for "none".

    Each is imported when it is asked for: what runs them takes longer to load than all the rest.
    """
    check_name(name)
    if name == "none":
        return None
    if name == "minilm":
        from tacit.embedding.minilm.embedder import MiniLM

        return MiniLM.open(progress)
    from tacit.embedding.http import HttpEmbedder

    url, _, model = name.partition("#")
    return HttpEmbedder.open(url, model)


def check_name(name: str) -> None:
    """Refuse a name that no embedder has, before anything is opened."""
    if name in ("none", "minilm"):
        return
    if not name.startswith(("http://", "https://")):
        raise InvalidInput("embedder", f'"{name}" is not known; use minilm, none, or {_SAMPLE}')
    url, _, model = name.partition("#")
    if not model:
        raise InvalidInput("embedder", f"{url} lacks the name of a model; write {_SAMPLE}")
