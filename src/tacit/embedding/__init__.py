"""Turning text into vectors."""

from tacit.embedding.embedder import Embedder, Vectors
from tacit.embedding.fake import FakeEmbedder
from tacit.embedding.lazy import LazyEmbedder, embedder_named
from tacit.embedding.opening import open_embedder

__all__ = ["Embedder", "FakeEmbedder", "LazyEmbedder", "Vectors", "embedder_named", "open_embedder"]
