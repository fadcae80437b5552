"""How requests were answered, in PostgreSQL."""

from tacit.store.postgres.table import Table
from tacit.store.sql.answers import SqlAnswers


class PostgresAnswers(SqlAnswers, Table):
    """How requests to one workspace were answered."""
