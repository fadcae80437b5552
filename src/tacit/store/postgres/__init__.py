"""Memories in a PostgreSQL database with pgvector, for many processes on many machines."""
