"""A store in plain dictionaries: the fake to test with, and proof that the contract is portable."""

from tacit.store.inmemory.store import InMemoryStore

__all__ = ["InMemoryStore"]
