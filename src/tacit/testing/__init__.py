"""What tests of programs that use Tacit need: a fake embedder, and a store in dictionaries."""

from tacit.testing.embedder import FakeEmbedder
from tacit.testing.store import InMemoryStore

__all__ = ["FakeEmbedder", "InMemoryStore"]
