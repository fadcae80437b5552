"""The same memories in PostgreSQL and in SQLite, measured in turns."""

from benchmarks.postgres.comparison import run

__all__ = ["run"]
