"""Turning text into vectors."""

from tacit.embedding.embedder import Embedder, Vectors
from tacit.embedding.fake import FakeEmbedder
from tacit.embedding.lazy import LazyEmbedder, embedder_named
from tacit.embedding.opening import open_embedder
from tacit.embedding.vectors import embed_question, embed_texts, model_of, unusable

__all__ = [
    "Embedder",
    "FakeEmbedder",
    "LazyEmbedder",
    "Vectors",
    "embed_question",
    "embed_texts",
    "embedder_named",
    "model_of",
    "open_embedder",
    "unusable",
]
