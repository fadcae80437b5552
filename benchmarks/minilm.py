"""The model that Tacit embeds with."""

from tacit.embedding.embedder import Embedder
from tacit.embedding.registry import open_embedder


def minilm() -> Embedder:
    """MiniLM, ready."""
    embedder = open_embedder("minilm")
    if embedder is None:
        raise RuntimeError("MiniLM was asked for and nothing came")
    return embedder
