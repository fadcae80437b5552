"""Changes that wait for a person, in PostgreSQL."""

from tacit.store.postgres.table import Table
from tacit.store.sql.reviews import SqlReviews


class PostgresReviews(SqlReviews, Table):
    """The queue of one workspace."""
