"""Turning text into vectors."""

from tacit.embedding.embedder import Embedder
from tacit.embedding.fake import FakeEmbedder

__all__ = ["Embedder", "FakeEmbedder"]
