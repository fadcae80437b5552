"""What tests of programs that use Tacit need: a fake embedder."""

from tacit.testing.embedder import FakeEmbedder

__all__ = ["FakeEmbedder"]
