"""Memories in a PostgreSQL database with pgvector, for many processes on many machines."""

from tacit.store.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
